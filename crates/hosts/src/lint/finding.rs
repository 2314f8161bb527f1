//! What is wrong with a file.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A host drops the file, refuses it or reads it otherwise than it was meant.
    Error,
    /// Every host takes it; the specification or a reader does not.
    Warning,
}

impl Severity {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The file, as it was named.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What kind of fault it is.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
}

impl Finding {
    /// What is wrong with a file as a whole.
    pub(crate) fn of_file(path: &Path, code: &'static str, message: impl Into<String>) -> Self {
        Self::at_line(path, 1, code, message)
    }

    /// Whether a host drops the file, refuses it or misreads it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// What is wrong with a line of a file.
    pub(crate) fn at_line(
        path: &Path,
        line: usize,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
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
        self.add_as(Severity::Error, code, line, message);
    }

    /// Adds what every host takes.
    pub(super) fn warn(&mut self, code: &'static str, line: usize, message: impl Into<String>) {
        self.add_as(Severity::Warning, code, line, message);
    }

    pub(super) fn add_as(
        &mut self,
        severity: Severity,
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

    /// `text` without a byte order mark, which is a fault: some hosts find no front matter behind it.
    pub(super) fn without_mark<'a>(&mut self, text: &'a str) -> &'a str {
        match text.strip_prefix('\u{feff}') {
            None => text,
            Some(rest) => {
                self.add("byte-order-mark", 1, "it begins with a byte order mark");
                rest
            }
        }
    }

    pub(super) fn into_all(mut self) -> Vec<Finding> {
        self.all.sort_by_key(|finding| finding.line);
        self.all
    }
}
