//! The installed git, run in hostile repositories.

#![expect(
    clippy::disallowed_types,
    reason = "git is also started as a person would, to show what it does then"
)]

mod call_sites;
mod discovery;
mod place;
mod plants;
mod settings;
mod work_trees;
