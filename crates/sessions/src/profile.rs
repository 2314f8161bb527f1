//! What differs between hosts and is data.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::{SessionHost, ToolKind};

/// What is known of a host beside the shape of its records.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionProfile {
    /// The version whose records were tried.
    pub measured: String,
    base: Base,
    tools: BTreeMap<ToolKind, Vec<String>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Base {
    variable: Option<String>,
    home: String,
    below: String,
}

static PROFILES: LazyLock<BTreeMap<SessionHost, SessionProfile>> = LazyLock::new(|| {
    let texts = [
        (SessionHost::Claude, include_str!("../profiles/claude.toml")),
        (SessionHost::Codex, include_str!("../profiles/codex.toml")),
        (SessionHost::Gemini, include_str!("../profiles/gemini.toml")),
        (
            SessionHost::Opencode,
            include_str!("../profiles/opencode.toml"),
        ),
        (
            SessionHost::Copilot,
            include_str!("../profiles/copilot.toml"),
        ),
    ];
    // A profile that does not parse fails a test, so that none is left out in what is built.
    texts
        .into_iter()
        .filter_map(|(host, text)| Some((host, toml::from_str(text).ok()?)))
        .collect()
});

impl SessionProfile {
    /// What is known of a host; of Agon, whose records are its own, there is no profile.
    pub fn for_host(host: SessionHost) -> Option<&'static Self> {
        PROFILES.get(&host)
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

/// What a tool of this name does in `host`.
pub(crate) fn tool_kind(host: SessionHost, name: &str) -> ToolKind {
    SessionProfile::for_host(host).map_or(ToolKind::Other, |profile| profile.tool_kind(name))
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
    fn every_host_but_agon_has_a_profile() {
        let without: Vec<SessionHost> = SessionHost::ALL
            .into_iter()
            .filter(|host| SessionProfile::for_host(*host).is_none())
            .collect();
        assert_eq!(without, [SessionHost::Agon]);
    }

    #[test]
    fn a_version_is_compared_number_by_number() {
        let profile = SessionProfile::for_host(SessionHost::Claude).unwrap();
        assert!(profile.is_newer("2.1.1000"));
        assert!(profile.is_newer("3"));
        assert!(!profile.is_newer("2.1.197"));
        assert!(!profile.is_newer("2.0.999"));
        assert!(!profile.is_newer("unreadable"));
    }

    #[test]
    fn a_variable_moves_the_place_and_an_empty_one_does_not() {
        let profile = SessionProfile::for_host(SessionHost::Codex).unwrap();
        let home = Path::new("/h");
        let moved = profile.base(home, &|name| (name == "CODEX_HOME").then(|| "/c".into()));
        assert_eq!(moved, Path::new("/c/sessions"));
        let empty = profile.base(home, &|_| Some(String::new()));
        assert_eq!(empty, Path::new("/h/.codex/sessions"));
    }
}
