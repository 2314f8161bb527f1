//! What differs between hosts and is data.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::ToolKind;

/// What is known of a host beside the shape of its records.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionProfile {
    /// The version whose records were tried.
    pub measured: String,
    base: Base,
    tools: BTreeMap<ToolKind, Vec<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Base {
    variable: Option<String>,
    home: String,
    below: String,
}

impl SessionProfile {
    /// A profile from its text. One that does not parse is empty, which fails a test.
    pub(crate) fn parse(text: &str) -> Self {
        toml::from_str(text).unwrap_or_default()
    }

    /// Where the host keeps its sessions, by the user's home and the environment.
    pub fn base(&self, home: &Path, variable: &dyn Fn(&str) -> Option<String>) -> PathBuf {
        let named = self.base.variable.as_deref().and_then(variable);
        let base = match named.filter(|it| !it.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => home.join(&self.base.home),
        };
        base.join(&self.base.below)
    }

    /// What a tool of this name does.
    pub fn tool_kind(&self, name: &str) -> ToolKind {
        self.tools
            .iter()
            .find(|(_, names)| names.iter().any(|it| it == name))
            .map_or(ToolKind::Other, |(kind, _)| *kind)
    }

    /// Whether `version` is newer than what was tried.
    pub fn is_newer(&self, version: &str) -> bool {
        numbers(version) > numbers(&self.measured)
    }
}

/// The numbers of a version, as far as it has some.
fn numbers(version: &str) -> Vec<u64> {
    version
        .split(['.', '-', '+'])
        .map_while(|part| part.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_compared_number_by_number() {
        let profile = SessionProfile {
            measured: "2.1.197".to_owned(),
            ..SessionProfile::default()
        };
        assert!(profile.is_newer("2.1.1000"));
        assert!(profile.is_newer("3"));
        assert!(!profile.is_newer("2.1.197"));
        assert!(!profile.is_newer("2.0.999"));
        assert!(!profile.is_newer("unreadable"));
    }

    #[test]
    fn a_variable_moves_the_place_and_an_empty_one_does_not() {
        let base = Base {
            variable: Some("CODEX_HOME".to_owned()),
            home: ".codex".to_owned(),
            below: "sessions".to_owned(),
        };
        let profile = SessionProfile {
            base,
            ..SessionProfile::default()
        };
        let home = Path::new("/h");
        let moved = profile.base(home, &|name| (name == "CODEX_HOME").then(|| "/c".into()));
        assert_eq!(moved, Path::new("/c/sessions"));
        let empty = profile.base(home, &|_| Some(String::new()));
        assert_eq!(empty, Path::new("/h/.codex/sessions"));
    }
}
