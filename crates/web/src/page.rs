//! The pages, one module each.

pub(crate) mod debate;
pub(crate) mod debates;
pub(crate) mod events;
pub(crate) mod new;
pub(crate) mod recall;
mod respond;
pub(crate) mod sessions;
pub(crate) mod settings;
pub(crate) mod team;
pub(crate) mod tools;
pub(crate) mod usage;
