//! Host profiles: differences between hosts that are data.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::ToolKind;

/// A host's folders, tool names and tested version.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionProfile {
    /// The tested version.
    pub measured: String,
    base: Base,
    tools: BTreeMap<ToolKind, Vec<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Base {
    /// The environment variable for its folder.
    variable: Option<String>,
    /// The environment variable that replaces the home folder.
    home_variable: Option<String>,
    /// The environment variable for its session file, which may be relative to the folder below.
    file_variable: Option<String>,
    /// Its folders, relative to the home folder.
    home: Vec<String>,
    /// The sessions' place in its folder.
    below: Vec<String>,
}

impl SessionProfile {
    /// Parses a profile. An invalid one is empty, which fails a test.
    pub(crate) fn parse(text: &str) -> Self {
        toml::from_str(text).unwrap_or_default()
    }

    /// Returns the folders or the file in which the host stores its sessions.
    pub fn places(&self, home: &Path, variable: &dyn Fn(&str) -> Option<String>) -> Vec<PathBuf> {
        let read = |name: &Option<String>| {
            let value = name.as_deref().and_then(variable);
            value.filter(|it| !it.is_empty()).map(PathBuf::from)
        };
        let base = &self.base;
        let home = read(&base.home_variable).unwrap_or_else(|| home.to_owned());
        let folders = match read(&base.variable) {
            Some(folder) => vec![folder],
            None => base.home.iter().map(|it| home.join(it)).collect(),
        };
        let below = |folder: &PathBuf| base.below.iter().map(|it| folder.join(it)).collect();
        let places: Vec<PathBuf> = folders.iter().flat_map::<Vec<_>, _>(below).collect();
        match read(&base.file_variable) {
            // A relative path starts in the host's session folders.
            Some(file) => places.iter().map(|it| it.join(&file)).collect(),
            None => places,
        }
    }

    /// Returns the kind of the tool with this name.
    pub fn tool_kind(&self, name: &str) -> ToolKind {
        self.tools
            .iter()
            .find(|(_, names)| names.iter().any(|it| it == name))
            .map_or(ToolKind::Other, |(kind, _)| *kind)
    }

    /// Returns whether `version` is newer than the tested version.
    pub fn is_newer(&self, version: &str) -> bool {
        numbers(version) > numbers(&self.measured)
    }
}

/// Returns the leading numeric parts of a version.
fn numbers(version: &str) -> Vec<u64> {
    version
        .split(['.', '-', '+'])
        .map_while(|part| part.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SessionHost;

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
        let home = Path::new("/h");
        let places = |host: SessionHost, name: &'static str, value: &'static str| {
            let profile = SessionProfile::for_host(host).unwrap();
            let variable = move |asked: &str| (asked == name).then(|| value.to_owned());
            let places = profile.places(home, &variable).into_iter();
            places
                .map(|it| it.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        use SessionHost::{Claude, Codex, Copilot, Gemini, Opencode};
        for (host, name, value, expected) in [
            (
                Claude,
                "",
                "",
                vec!["/h/.claude/projects", "/h/.config/claude/projects"],
            ),
            (Claude, "CLAUDE_CONFIG_DIR", "/c d/", vec!["/c d/projects"]),
            (
                Codex,
                "CODEX_HOME",
                "",
                vec!["/h/.codex/sessions", "/h/.codex/archived_sessions"],
            ),
            (
                Codex,
                "CODEX_HOME",
                "/c",
                vec!["/c/sessions", "/c/archived_sessions"],
            ),
            (Gemini, "GEMINI_CLI_HOME", "/g", vec!["/g/.gemini/tmp"]),
            (Opencode, "XDG_DATA_HOME", "/x", vec!["/x/opencode"]),
            (Opencode, "OPENCODE_DB", "/o/my.db", vec!["/o/my.db"]),
            (
                Opencode,
                "OPENCODE_DB",
                "my.db",
                vec!["/h/.local/share/opencode/my.db"],
            ),
            (Copilot, "COPILOT_HOME", "/p", vec!["/p/session-state"]),
        ] {
            assert_eq!(places(host, name, value), expected, "{host} {name}={value}");
        }
    }
}
