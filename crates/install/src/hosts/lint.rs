//! Checks files for AI tools.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure};
use agon_hosts::host::{HOSTS, Host};
use agon_hosts::lint::{Finding, LintFile, duplicate_skills, read_tree};
use schemars::JsonSchema;
use serde::Serialize;

use super::place::{home, installation, require_host};

/// Problems in files for AI tools: `agon.lint/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintDoc {
    schema: &'static str,
    /// Number of checked files.
    pub checked: usize,
    /// The problems.
    pub findings: Vec<Finding>,
}

impl LintDoc {
    /// Returns whether a host drops, rejects or misreads one of the files.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(Finding::is_error)
    }
}

/// Checks every file in `paths` or below them. Without paths, checks the current folder and the user's
/// folders of skills, agents and commands, which every session reads too.
///
/// # Errors
///
/// If a file cannot be read or the host is unknown.
pub fn lint(caller: &Caller, paths: &[PathBuf], host: Option<&str>) -> Result<LintDoc, Failure> {
    let host = host.map(require_host).transpose()?;
    let mut roots: Vec<PathBuf> = paths.iter().map(|path| caller.resolve_path(path)).collect();
    if roots.is_empty() {
        roots.push(caller.cwd.clone());
        roots.extend(user_folders(caller, host));
    }
    let (mut files, mut cut_off) = (Vec::new(), Vec::new());
    for root in &roots {
        let below = read_tree(root)
            .map_err(|error| Failure::from_error(Code::Unreadable, &error).parameter("path"))?;
        cut_off.extend(below.findings);
        files.extend(below.files.into_iter().map(|file| LintFile {
            path: to_absolute_path(caller, &file.path),
            ..file
        }));
    }
    let shown = |path: &str| caller.display_path(Path::new(path));
    let lint = agon_hosts::lint::lint(&files, host);
    let mut findings = lint.findings;
    findings.extend(cut_off);
    if let Ok(home) = home(caller) {
        findings.extend(duplicate_skills(&files, &home, shown));
    }
    for finding in &mut findings {
        finding.path = shown(&finding.path);
    }
    Ok(LintDoc {
        schema: "agon.lint/1",
        checked: lint.checked,
        findings,
    })
}

/// Returns the user's folders outside the current folder.
fn user_folders(caller: &Caller, host: Option<&'static Host>) -> Vec<PathBuf> {
    let Ok(home) = home(caller) else {
        return Vec::new();
    };
    let mut folders = Vec::new();
    for known in HOSTS
        .iter()
        .filter(|it| host.is_none_or(|host| host.name == it.name))
    {
        if let Ok(place) = installation(caller, known, false) {
            folders.extend([place.places.skills, place.places.agents]);
            folders.extend(place.places.commands);
        }
    }
    // Several hosts read `.agents/skills`, so it belongs to no single host.
    folders.extend(host.is_none().then(|| home.join(".agents/skills")));
    folders.sort();
    folders.dedup();
    folders.retain(|folder| folder.is_dir() && !folder.starts_with(&caller.cwd));
    folders
}

/// Returns the absolute path, because folder names above the given path also tell a file's kind.
fn to_absolute_path(caller: &Caller, path: &str) -> String {
    let whole = std::path::absolute(caller.cwd.join(path));
    let whole = whole.unwrap_or_else(|_| PathBuf::from(path));
    whole.to_string_lossy().into_owned()
}
