//! Formal debates, whole, with fake tools that know one by heart.

mod lost;
mod narrated;
mod opening;
mod played;
mod stopped;
mod substitutes;
pub(crate) mod table;
