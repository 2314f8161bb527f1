//! The pages, one module each.

pub(crate) mod debate;
pub(crate) mod debates;
pub(crate) mod events;
pub(crate) mod new;
