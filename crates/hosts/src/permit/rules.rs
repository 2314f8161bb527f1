//! Rules in a host's permission text, as the host reads them.

use globset::{GlobBuilder, GlobMatcher};
use regex::Regex;
use serde_json::Value;

use super::PermissionEffect;

/// Why permissions cannot be read from a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its permissions cannot be read: {0}")]
pub struct PermissionsFault(String);

impl PermissionsFault {
    pub(crate) fn new(why: impl std::fmt::Display) -> Self {
        Self(why.to_string())
    }
}

/// The rules of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostRules {
    pub(super) all: Vec<HostRule>,
    /// Whether edits that no rule allows are denied.
    pub(crate) is_narrowed: bool,
}

/// Which matching rule wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wins {
    /// The strictest rule.
    Strictest,
    /// The last rule.
    Last,
    /// The rule with the longest path.
    Longest,
}

/// A rule of a host.
#[derive(Clone, Debug)]
pub(super) struct HostRule {
    pub(super) tool: String,
    pub(super) effect: PermissionEffect,
    pub(super) fits: Fits,
}

/// The paths or texts that a rule matches.
#[derive(Clone, Debug)]
pub(crate) enum Fits {
    All,
    /// Paths that match a glob, and everything below them.
    Ignored(GlobMatcher),
    /// Texts that match a regular expression.
    Regex(Regex),
    /// A path, and everything below it.
    Below(String),
    /// Only this path.
    Path(String),
}

impl HostRules {
    pub(crate) fn push(&mut self, tool: &str, effect: PermissionEffect, fits: Fits) {
        self.all.push(HostRule {
            tool: tool.to_owned(),
            effect,
            fits,
        });
    }
}

impl Fits {
    /// Returns a matcher for a glob with the rules of `.gitignore`.
    pub(crate) fn ignored(glob: &str) -> Result<Self, PermissionsFault> {
        let glob = GlobBuilder::new(glob).literal_separator(true).build();
        let glob = glob.map_err(PermissionsFault::new)?;
        Ok(Self::Ignored(glob.compile_matcher()))
    }

    /// Returns a matcher for a regular expression.
    pub(crate) fn regex(pattern: &str) -> Result<Self, PermissionsFault> {
        Regex::new(pattern)
            .map(Self::Regex)
            .map_err(PermissionsFault::new)
    }

    /// Returns a matcher for a pattern in which `*` matches any text.
    pub(crate) fn wildcard(pattern: &str) -> Result<Self, PermissionsFault> {
        let parts: Vec<String> = pattern.split('*').map(regex::escape).collect();
        Self::regex(&format!("^(?s:{})$", parts.join(".*").replace("\\?", ".")))
    }

    /// Returns whether a call on `path` matches. `text` is the path in the form that the host
    /// matches.
    pub(super) fn path(&self, path: Option<&str>, text: &str) -> bool {
        match (self, path) {
            (Self::All, _) => true,
            (_, None) => false,
            (Self::Ignored(glob), Some(path)) => {
                let mut above = std::path::Path::new(path).ancestors();
                above.any(|part| !part.as_os_str().is_empty() && glob.is_match(part))
            }
            (Self::Regex(regex), Some(_)) => regex.is_match(text),
            (Self::Below(folder), Some(path)) => is_below(path, folder),
            (Self::Path(own), Some(path)) => own == path,
        }
    }

    pub(super) fn length(&self) -> usize {
        match self {
            Self::Below(folder) if folder != "." => folder.len(),
            _ => 0,
        }
    }
}

/// Returns whether `path` is `other` or below it.
pub(crate) fn is_below(path: &str, other: &str) -> bool {
    let rest = path.strip_prefix(other);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Parses the settings in `text`.
pub(crate) fn read_settings(text: &str) -> Result<Value, PermissionsFault> {
    let parsed = crate::json::Dialect::Comments.parse(text);
    Ok(parsed.map_err(PermissionsFault::new)?.unwrap_or_default())
}

/// Parses a member's arguments from a JSON list.
pub(crate) fn read_arguments(text: &str) -> Result<Vec<String>, PermissionsFault> {
    serde_json::from_str(text).map_err(PermissionsFault::new)
}
