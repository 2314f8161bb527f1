//! A host's permissions, read from its text as the host reads it.

mod parse;

use globset::GlobMatcher;
use regex::Regex;
use serde_json::Value;

use super::abilities::offers_none;
use super::codex::is_below;
use super::{PermissionEffect, PermissionScope, claude, gemini, opencode};
use crate::content::agent::Power;

/// Why a text says nothing of permissions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its permissions cannot be read: {0}")]
pub struct PermissionsFault(String);

/// The permissions of a host.
#[derive(Clone, Debug)]
pub struct HostPermissions {
    host: &'static str,
    rules: Vec<HostRule>,
    wins: Wins,
    /// Whether what no rule lets be edited is denied.
    is_narrowed: bool,
    /// Acts for which no tool is offered.
    denied: Vec<Power>,
}

/// Which of the rules that fit decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wins {
    /// The strictest.
    Strictest,
    /// The last.
    Last,
    /// That of the longest path.
    Longest,
}

/// A rule of a host's.
#[derive(Clone, Debug)]
struct HostRule {
    tool: String,
    effect: PermissionEffect,
    fits: Fits,
}

/// What a rule fits.
#[derive(Clone, Debug)]
enum Fits {
    All,
    /// Paths that a glob names, and those below them.
    Ignored(GlobMatcher),
    /// Texts that an expression finds something in.
    Regex(Regex),
    /// A path, and what is below it.
    Below(String),
    /// This path alone.
    Path(String),
}

impl Fits {
    /// Whether a call on `path` fits; `text` is how the host sees it.
    fn path(&self, path: Option<&str>, text: &str) -> bool {
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

    fn length(&self) -> usize {
        match self {
            Self::Below(folder) if folder != "." => folder.len(),
            _ => 0,
        }
    }
}

impl HostPermissions {
    /// Reads the permissions of the host `host` in `text`: its settings, its file of rules, or the
    /// arguments of a member as a list in JSON.
    ///
    /// # Errors
    ///
    /// If the host could not read it.
    pub fn read(
        host: &str,
        text: &str,
        scope: &PermissionScope<'_>,
    ) -> Result<Self, PermissionsFault> {
        let none = |host, wins| Self {
            host,
            rules: Vec::new(),
            wins,
            is_narrowed: false,
            denied: Vec::new(),
        };
        let mut read = match host {
            "claude" => none("claude", Wins::Strictest),
            "codex" => none("codex", Wins::Longest),
            "gemini" => none("gemini", Wins::Last),
            "opencode" => none("opencode", Wins::Last),
            "copilot" => none("copilot", Wins::Strictest),
            _ => return Err(fault("there is no such host")),
        };
        let all = Power::ALL.into_iter();
        read.denied = all
            .filter(|power| scope.is_member() && offers_none(host, scope, *power))
            .collect();
        match read.host {
            "claude" => read.read_lists(text, scope)?,
            "codex" => read.read_profile(text)?,
            "gemini" => read.read_policies(text)?,
            "opencode" => read.read_map(text)?,
            _ => read.read_switches(text, scope)?,
        }
        Ok(read)
    }

    /// What the host says of an act on `path`, which is relative to the folder.
    pub fn verdict(
        &self,
        power: Power,
        path: Option<&str>,
        scope: &PermissionScope<'_>,
    ) -> PermissionEffect {
        if self.denied.contains(&power) {
            return PermissionEffect::Deny;
        }
        let tools = self.tools(power);
        let text = self.text_of_call(path, scope);
        let of_power = |rule: &&HostRule| tools.contains(&rule.tool.as_str());
        let fitting = self.rules.iter().filter(of_power);
        let fitting = fitting.filter(|rule| rule.fits.path(path, &text));
        let decided = match self.wins {
            Wins::Strictest => fitting.map(|rule| rule.effect).max(),
            Wins::Last => fitting.map(|rule| rule.effect).next_back(),
            Wins::Longest => fitting
                .max_by_key(|rule| rule.fits.length())
                .map(|rule| rule.effect),
        };
        match decided {
            None if self.is_narrowed && power == Power::Edit => PermissionEffect::Deny,
            decided => decided.unwrap_or(PermissionEffect::Allow),
        }
    }

    /// The tools of an act, as the rules of the host call them.
    fn tools(&self, power: Power) -> Vec<&'static str> {
        match self.host {
            // One of them, with those rules that hold for all.
            "claude" => claude::tools(power).iter().take(1).copied().collect(),
            "gemini" => gemini::tools(power).iter().take(1).copied().collect(),
            "opencode" => opencode::keys(power).iter().take(1).copied().collect(),
            "codex" => match power {
                Power::Read => vec!["read"],
                Power::Edit => vec!["write"],
                Power::Run | Power::Network | Power::Delegate => Vec::new(),
            },
            _ => match power {
                Power::Edit => vec!["write"],
                Power::Read | Power::Run | Power::Network | Power::Delegate => Vec::new(),
            },
        }
    }

    /// How the host sees a path.
    fn text_of_call(&self, path: Option<&str>, scope: &PermissionScope<'_>) -> String {
        let path = path.unwrap_or_default();
        match (self.host, scope.root()) {
            ("gemini", Some(root)) => {
                let whole = Value::from(format!("{}/{path}", root.display()));
                format!("{{\0\"file_path\":{whole}\0}}")
            }
            _ => path.to_owned(),
        }
    }
}

fn fault(why: &str) -> PermissionsFault {
    PermissionsFault(why.to_owned())
}
