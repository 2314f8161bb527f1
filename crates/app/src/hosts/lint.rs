//! Whether files for AI tools are as these read them.

use std::path::{Path, PathBuf};

use agon_hosts::lint::{Finding, LintFile, read_tree};
use schemars::JsonSchema;
use serde::Serialize;

use super::place::host_called;
use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

/// What is wrong with files for AI tools: `agon.lint/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintDoc {
    schema: &'static str,
    /// How many files were looked at.
    pub checked: usize,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}

/// Looks at every file in `paths`, or below them; at the current folder where none is named.
///
/// # Errors
///
/// If a file cannot be read, or there is no host of that name.
pub fn lint(caller: &Caller, paths: &[PathBuf], host: Option<&str>) -> Result<LintDoc, Failure> {
    let host = host.map(host_called).transpose()?;
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here } else { paths };
    let mut files = Vec::new();
    for path in paths {
        let below = read_tree(&caller.resolve_path(path)).map_err(|error| {
            Failure::from_error(FailureKind::Usage, "unreadable", &error).parameter("path")
        })?;
        files.extend(below.into_iter().map(|file| LintFile {
            path: whole_path(caller, &file.path),
            ..file
        }));
    }
    let lint = agon_hosts::lint::lint(&files, host);
    let findings = lint.findings.into_iter();
    Ok(LintDoc {
        schema: "agon.lint/1",
        checked: lint.checked,
        findings: findings
            .map(|finding| Finding {
                path: caller.display_path(Path::new(&finding.path)),
                ..finding
            })
            .collect(),
    })
}

/// What a file is stands in the names of its folders, also in those above the one that was named.
fn whole_path(caller: &Caller, path: &str) -> String {
    let whole = std::path::absolute(caller.cwd.join(path));
    let whole = whole.unwrap_or_else(|_| PathBuf::from(path));
    whole.to_string_lossy().into_owned()
}
