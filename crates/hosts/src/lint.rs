//! Checks files that a host could misread: skills, agents, commands and configurations.
//!
//! A file that one host accepts and another silently drops is an error. A file that all hosts accept
//! but the specification does not allow is a warning.

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

pub use self::double::duplicate_skills;
pub use self::finding::Finding;
pub(crate) use self::imported::{ImportManifest, MANIFEST, read_manifest};
pub use self::tree::{LintFile, LintTree, TreeError, read_tree};

pub use crate::level::LintLevel;

pub(crate) use crate::content::agent::{SERVER_TOOLS, TEAM_TOOLS};

use self::finding::Findings;
use self::sort::LintKind;

/// Checks these files in order and skips files that no host reads.
///
/// `host` is the host of all files, or `None` if their paths tell.
pub fn lint(files: &[LintFile], host: Option<&'static crate::host::Host>) -> Lint {
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut lint = Lint::default();
    for file in files {
        let sorted = sort::sort(&file.path, host);
        let Some((kind, host)) = sorted else { continue };
        // Many projects use a folder `roles` for something else, so check how the file begins.
        if matches!(kind, LintKind::Role(_)) && !file.bytes.starts_with(role::BEGIN) {
            continue;
        }
        lint.checked += 1;
        let mut findings = Findings::new(&file.path);
        match std::str::from_utf8(&file.bytes) {
            Err(_) => findings.add("encoding", 1, "it is not valid UTF-8"),
            Ok(text) => {
                let text = findings.strip_byte_order_mark(text);
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
        lint.findings.extend(findings.into_findings());
    }
    lint
}

/// Result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lint {
    /// Number of checked files.
    pub checked: usize,
    /// The findings.
    pub findings: Vec<Finding>,
}
