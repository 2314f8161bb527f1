//! A map held to a table of keys.

use serde_json::{Map, Value};

use super::finding::Findings;
use crate::level::LintLevel;
use crate::shape::FileKey;

/// Where each key of a text stands, as far as it is found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    /// The text.
    pub(super) text: &'a str,
    /// The line before its first.
    pub(super) before: usize,
}

impl Source<'_> {
    /// The line in which `key` is set, else the first.
    pub(super) fn line_of(&self, key: &str) -> usize {
        let at = self.text.lines().position(|line| {
            let line = line.trim_start().trim_start_matches(['"', '\'', '[']);
            let rest = line.strip_prefix(key);
            rest.is_some_and(|rest| {
                rest.trim_start_matches(['"', '\''])
                    .trim_start()
                    .starts_with([':', '=', ']'])
            })
        });
        self.before + at.map_or(1, |at| at + 1)
    }
}

/// Holds `map` to `keys`: what is missing, what does not fit, what is unknown. A host takes what is
/// unknown for something else, or drops the file.
pub(super) fn check(
    map: &Map<String, Value>,
    keys: &[FileKey],
    source: Source<'_>,
    findings: &mut Findings,
) {
    check_keys(map, keys, source, LintLevel::Error, findings);
}

/// The same where an unknown key is as bad as `unknown` says.
pub(super) fn check_keys(
    map: &Map<String, Value>,
    keys: &[FileKey],
    source: Source<'_>,
    unknown: LintLevel,
    findings: &mut Findings,
) {
    for key in keys {
        match map.get(key.name) {
            None if key.is_required => {
                let message = format!("`{}` is missing", key.name);
                findings.add("missing-key", source.before.max(1), message);
            }
            None => {}
            Some(value) => {
                if let Some(fault) = key.shape.fault(value) {
                    let message = format!("`{}` {fault}", key.name);
                    let line = source.line_of(key.name);
                    findings.add_as(key.severity, "bad-value", line, message);
                }
            }
        }
    }
    for name in map.keys() {
        if !keys.iter().any(|key| key.name == name) {
            let message = format!("`{name}` is not a key of this kind of file");
            findings.add_as(unknown, "unknown-key", source.line_of(name), message);
        }
    }
}
