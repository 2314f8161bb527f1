//! Refuses files that a host would misread: skills, agents, commands and configurations.
//!
//! What one host takes and another drops without a word is an error; what all of them take, and the
//! specification does not, a warning.

mod agent;
mod command;
mod double;
mod finding;
mod imported;
mod keys;
mod markdown;
mod role;
mod settings;
mod skill;
mod sort;
mod tree;

use std::collections::BTreeSet;

pub use self::double::doubles;
pub use self::finding::Finding;
pub(crate) use self::imported::{ImportManifest, MANIFEST, read_manifest};
pub use self::tree::{LintFile, LintTree, TreeError, read_tree};

pub use crate::level::LintLevel;

pub(crate) use crate::content::agent::{SERVER_TOOLS, TEAM_TOOLS};

use self::finding::Findings;
use self::sort::LintKind;

/// What is wrong with these files, in their order; those that are of no host are passed over.
///
/// `host` is the host that all of them are meant for, where their paths do not say.
pub fn lint(files: &[LintFile], host: Option<&'static crate::host::Host>) -> Lint {
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut lint = Lint::default();
    for file in files {
        let sorted = sort::sort(&file.path, host);
        let Some((kind, host)) = sorted else { continue };
        // Many projects have a folder `roles` with files of their own.
        if matches!(kind, LintKind::Role(_)) && !file.bytes.starts_with(role::BEGIN) {
            continue;
        }
        lint.checked += 1;
        let mut findings = Findings::new(&file.path);
        match std::str::from_utf8(&file.bytes) {
            Err(_) => findings.add("encoding", 1, "it is not UTF-8"),
            Ok(text) => {
                let text = findings.without_mark(text);
                match kind {
                    LintKind::Skill(placing) => skill::lint(text, placing, &mut findings),
                    LintKind::Agent(stem) => agent::lint(text, stem, host, &mut findings),
                    LintKind::Command(stem) => command::lint(text, stem, host, &mut findings),
                    LintKind::Role(stem) => role::lint(text, stem, &mut findings),
                    LintKind::Settings(file_kind) => {
                        settings::lint(text, file_kind, &file.path, &paths, &mut findings);
                    }
                }
            }
        }
        lint.findings.extend(findings.into_all());
    }
    lint
}

/// What a look at some files came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lint {
    /// How many of them were looked at.
    pub checked: usize,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}
