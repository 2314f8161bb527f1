//! What Agon brings into hosts, from outside the crate.
#![expect(clippy::unwrap_used, reason = "tests")]

mod choice;
mod defaults;
mod import;
mod install;
mod lint;
mod permit;
mod plugins;
mod prompts;
mod roster;
