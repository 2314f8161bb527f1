//! Formal debates, whole, with fake tools that know one by heart.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_types,
    reason = "a suite that runs the real program"
)]

mod lost;
mod malformed;
mod narrated;
mod opening;
mod played;
mod stopped;
pub(crate) mod table;
