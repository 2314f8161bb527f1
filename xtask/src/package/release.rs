//! What all packages of one release share.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cargo_metadata::Metadata;

use crate::workspace::stdout_of;

/// What all packages of one release share.
#[derive(Clone, Debug)]
pub(super) struct Release {
    pub(super) version: String,
    /// One sentence without a full stop.
    pub(super) about: String,
    /// The licenses, as an SPDX expression.
    pub(super) licenses: String,
    /// The time of all files, in seconds since 1970.
    pub(super) time: u64,
    /// The commit, 12 digits.
    pub(super) commit: String,
    pub(super) contact: Contact,
}

impl Release {
    /// Reads the release from the workspace. The time is `SOURCE_DATE_EPOCH` or that of the commit.
    ///
    /// # Errors
    /// If git or a file fails.
    pub(super) fn of_workspace(metadata: &Metadata) -> Result<Self> {
        let root = metadata.workspace_root.as_std_path();
        let program = metadata.packages.iter().find(|it| it.name == "agon");
        let program = program.context("the workspace has no package agon")?;
        let git = |args: &[&str]| {
            let text = stdout_of(Command::new("git").args(args).current_dir(root))?;
            anyhow::Ok(text.trim().to_owned())
        };
        let time = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(time) => time,
            Err(_) => git(&["log", "-1", "--format=%ct"])?,
        };
        // Debian, PyPI and npm each write such a version in another way.
        ensure!(
            program.version.pre.is_empty(),
            "{} is a pre-release, which cannot be packaged",
            program.version
        );
        Ok(Self {
            version: program.version.to_string(),
            about: program
                .description
                .clone()
                .context("agon has no description")?,
            licenses: program.license.clone().context("agon has no license")?,
            time: time
                .parse()
                .with_context(|| format!("{time} is not a time in seconds"))?,
            commit: git(&["rev-parse", "--short=12", "HEAD"])?,
            contact: Contact::read(root)?,
        })
    }
}

/// The address of the project, from the file `CONTACT`. All packages take it from there, and leave
/// it out while that file is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contact {
    /// The page of the project, such as `https://example.com/agon`.
    pub(super) page: Option<String>,
    /// An e-mail address.
    pub(super) email: Option<String>,
}

impl Contact {
    fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join("CONTACT")).context("cannot read CONTACT")?;
        Ok(Self::parse(&text))
    }

    /// Takes the first page and the first e-mail address among the words.
    pub(super) fn parse(text: &str) -> Self {
        let first = |is_it: fn(&str) -> bool| {
            let word = text.split_whitespace().find(|word| is_it(word))?;
            Some(
                word.trim_matches(['<', '>'])
                    .trim_end_matches('/')
                    .to_owned(),
            )
        };
        Self {
            page: first(|word| word.contains("://")),
            email: first(|word| word.contains('@') && !word.contains("://")),
        }
    }

    /// Returns who maintains the packages, as Debian writes it.
    pub(super) fn maintainer(&self) -> String {
        match &self.email {
            Some(email) => format!("Agon maintainers <{email}>"),
            None => "Agon maintainers".to_owned(),
        }
    }
}

#[cfg(test)]
pub(super) fn example() -> Release {
    Release {
        version: "1.2.3".to_owned(),
        about: "Makes AI tools argue".to_owned(),
        licenses: "MIT OR Apache-2.0".to_owned(),
        time: 1_772_323_199,
        commit: "0123456789ab".to_owned(),
        contact: Contact::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn an_empty_file_gives_no_address() {
        let contact = Contact::parse("\n");
        assert_eq!(contact, Contact::default());
        assert_eq!(contact.maintainer(), "Agon maintainers");
    }

    #[test]
    fn pages_and_addresses_are_told_apart() {
        let contact = Contact::parse("Agon <agon@example.com>\nhttps://example.com/agon/\n");
        assert_eq!(contact.page.as_deref(), Some("https://example.com/agon"));
        assert_eq!(contact.maintainer(), "Agon maintainers <agon@example.com>");
    }

    /// `cargo binstall` and registries read the address from the manifest.
    #[test]
    fn the_manifest_has_the_page_of_the_file_contact() {
        let metadata = workspace::members().unwrap();
        let release = Release::of_workspace(&metadata).unwrap();
        for package in &metadata.packages {
            assert_eq!(package.repository, release.contact.page, "{}", package.name);
        }
    }
}
