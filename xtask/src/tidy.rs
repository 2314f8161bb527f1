//! `cargo xtask tidy`: checks of the workspace's files that neither the compiler nor a common tool
//! makes. Licences, bans and sources of dependencies are checked by `cargo deny`, see `deny.toml`.

mod budget;
mod flags;
mod forbidden;
mod lengths;
mod locks;
mod pins;
mod sizes;
mod unused;
mod versions;

use anyhow::Result;

use crate::{changelog, files, source, verdict, workspace};

/// Checks the workspace and prints the violations.
pub(crate) fn run() -> Result<bool> {
    let files = files::read()?;
    let mut good = true;
    good &= verdict("lengths", &lengths::violations(&files));
    good &= verdict("forbidden", &forbidden::violations(&files));
    let sources = source::production(&files);
    good &= verdict("sizes", &sizes::violations(&sources));
    good &= verdict("flags", &flags::violations(&sources)?);
    good &= verdict("locks", &locks::violations(&files)?);
    good &= verdict("changelog", &changelog::violations(&files));
    let metadata = workspace::members()?;
    good &= verdict("pins", &pins::violations(&metadata));
    good &= verdict("unused", &unused::violations(&metadata, &files));
    good &= verdict("versions", &versions::violations(&metadata)?);
    good &= verdict("budget", &budget::violations(&metadata)?);
    Ok(good)
}
