//! The store of a team, from outside: in one process, in many, and killed.
#![expect(
    clippy::disallowed_types,
    reason = "processes that race and die are this program itself"
)]

mod model;
mod race;
mod support;
