//! `cargo xtask tidy`: what neither the compiler nor a common tool checks about the files of this
//! workspace. Licences, bans and sources of dependencies are `cargo deny`'s, as `deny.toml` says.

mod budget;
mod lengths;
mod locks;
pub(crate) mod names;
mod pins;
mod words;

use anyhow::Result;

use crate::{changelog, files, source, verdict, workspace};

/// Checks the workspace and prints what is wrong.
pub(crate) fn run() -> Result<bool> {
    let files = files::read()?;
    let mut good = true;
    good &= verdict("lengths", &lengths::violations(&files, lengths::EXCEPTIONS));
    good &= verdict("words", &words::violations(&files));
    good &= verdict("names", &names::violations(&source::read_production()?)?);
    good &= verdict("locks", &locks::violations(&files)?);
    good &= verdict("changelog", &changelog::violations(&files));
    let metadata = workspace::members()?;
    good &= verdict("pins", &pins::violations(&metadata));
    good &= verdict("budget", &budget::violations(&metadata)?);
    Ok(good)
}
