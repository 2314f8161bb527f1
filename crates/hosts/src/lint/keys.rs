//! Checks a map against a table of keys.

use serde_json::{Map, Value};

use super::finding::Findings;
use crate::level::LintLevel;
use crate::shape::FileKey;

/// A text that can be searched for the line of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    /// The text.
    pub(super) text: &'a str,
    /// Number of the line before its first line.
    pub(super) before: usize,
}

impl Source<'_> {
    /// Returns the line that sets `key`, else the first.
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

/// Checks `map` against `keys` and reports missing keys, wrong values and unknown keys. A host misreads
/// unknown keys or drops the file.
pub(super) fn check(
    map: &Map<String, Value>,
    keys: &[FileKey],
    source: Source<'_>,
    findings: &mut Findings,
) {
    check_keys(map, keys, source, LintLevel::Error, findings);
}

/// Checks like [`check`], with the severity `unknown` for unknown keys.
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
                    findings.add_with_level(key.severity, "bad-value", line, message);
                }
            }
        }
    }
    for name in map.keys() {
        if !keys.iter().any(|key| key.name == name) {
            let message = format!("this kind of file has no key `{name}`");
            findings.add_with_level(unknown, "unknown-key", source.line_of(name), message);
        }
    }
}
