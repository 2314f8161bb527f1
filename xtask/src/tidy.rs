//! `cargo xtask tidy`: checks of the workspace's files that neither the compiler nor a common tool
//! makes. Licences, bans and sources of dependencies are checked by `cargo deny`, see `deny.toml`.

mod budget;
mod flags;
mod forbidden;
mod lengths;
mod locks;
mod pins;
mod sizes;
mod systems;
mod unused;
mod versions;

use anyhow::Result;

use crate::{changelog, files, print_violations, source, workspace};

/// Checks the workspace and prints the violations.
pub(crate) fn run() -> Result<bool> {
    let files = files::read()?;
    let mut good = true;
    good &= print_violations("lengths", &lengths::violations(&files));
    good &= print_violations("forbidden", &forbidden::violations(&files));
    let sources = source::production(&files);
    good &= print_violations("sizes", &sizes::violations(&sources));
    good &= print_violations("flags", &flags::violations(&sources)?);
    good &= print_violations("systems", &systems::violations(&files));
    good &= print_violations("locks", &locks::violations(&files)?);
    good &= print_violations("changelog", &changelog::violations(&files));
    let metadata = workspace::members()?;
    good &= print_violations("pins", &pins::violations(&metadata));
    good &= print_violations("unused", &unused::violations(&metadata, &files));
    good &= print_violations("versions", &versions::violations(&metadata)?);
    good &= print_violations("budget", &budget::violations(&metadata)?);
    Ok(good)
}
