//! The store of a team, from outside: in one process, in many, and killed.
#![expect(
    clippy::disallowed_types,
    reason = "processes that race and die are this program itself"
)]

mod crash;
mod doctor;
mod file;
mod mail;
mod model;
mod race;
mod support;
mod work;
