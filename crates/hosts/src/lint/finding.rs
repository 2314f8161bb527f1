//! Findings of a check.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::level::LintLevel;

/// An error or warning about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// Its severity.
    pub severity: LintLevel,
    /// The file, as given.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// Code of the kind of finding.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
}

impl Finding {
    /// Returns an error about a whole file.
    pub(crate) fn of_file(path: &Path, code: &'static str, message: impl Into<String>) -> Self {
        Self::at_line(path, 1, code, message)
    }

    /// Returns whether a host drops, rejects or misreads the file.
    pub fn is_error(&self) -> bool {
        self.severity == LintLevel::Error
    }

    /// Returns an error about a line of a file.
    pub(crate) fn at_line(
        path: &Path,
        line: usize,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity: LintLevel::Error,
            path: path.to_string_lossy().into_owned(),
            line,
            code,
            message: message.into(),
        }
    }
}

/// The findings of one file.
#[derive(Debug)]
pub(super) struct Findings {
    path: String,
    all: Vec<Finding>,
}

impl Findings {
    pub(super) fn new(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            all: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, code: &'static str, line: usize, message: impl Into<String>) {
        self.add_with_level(LintLevel::Error, code, line, message);
    }

    /// Adds a warning about something that every host accepts.
    pub(super) fn warn(&mut self, code: &'static str, line: usize, message: impl Into<String>) {
        self.add_with_level(LintLevel::Warning, code, line, message);
    }

    pub(super) fn add_with_level(
        &mut self,
        severity: LintLevel,
        code: &'static str,
        line: usize,
        message: impl Into<String>,
    ) {
        self.all.push(Finding {
            severity,
            path: self.path.clone(),
            line,
            code,
            message: message.into(),
        });
    }

    /// Returns `text` without a byte order mark and reports the mark, because some hosts do not
    /// find the front matter after it.
    pub(super) fn strip_byte_order_mark<'a>(&mut self, text: &'a str) -> &'a str {
        match text.strip_prefix('\u{feff}') {
            None => text,
            Some(rest) => {
                self.add("byte-order-mark", 1, "it begins with a byte order mark");
                rest
            }
        }
    }

    pub(super) fn into_findings(mut self) -> Vec<Finding> {
        self.all.sort_by_key(|finding| finding.line);
        self.all
    }
}
