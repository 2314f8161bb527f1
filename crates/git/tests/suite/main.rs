//! The installed git, run in hostile repositories.

#![expect(
    clippy::disallowed_types,
    clippy::unwrap_used,
    reason = "a test fails where it goes wrong; git is also started as a person would"
)]

mod call_sites;
mod discovery;
mod place;
mod plants;
mod settings;
mod work_trees;
