//! Claude Code: lists of rules, of which deny wins over ask, and ask over allow.

use serde_json::{Map, Value, json};

use super::fault::GlobFault;
use super::form::{PermissionForm, PowerRules};
use super::glob::Glob;
use super::{PermissionEffect, PermissionScope};
use crate::content::agent::Power;

pub(super) const FORM: PermissionForm = PermissionForm {
    host: "claude",
    may_loosen: false,
    can_say,
    can_except: Some(|glob: &Glob, _: &PermissionScope<'_>| glob.can_except()),
    write,
};

/// The tools that an act takes, by the names that rules have for them.
pub(super) const fn tools(power: Power) -> &'static [&'static str] {
    match power {
        Power::Read => &["Read", "Grep", "Glob"],
        Power::Edit => &["Edit", "Write", "NotebookEdit"],
        Power::Run => &["Bash"],
        Power::Network => &["WebFetch", "WebSearch"],
        Power::Delegate => &["Task"],
    }
}

/// What a rule about paths begins with: it holds for every tool that reads, or edits.
pub(super) const fn tool_of_paths(power: Power) -> &'static str {
    match power {
        Power::Edit => "Edit",
        Power::Read | Power::Run | Power::Network | Power::Delegate => "Read",
    }
}

fn can_say(glob: &Glob, scope: &PermissionScope<'_>) -> Result<(), GlobFault> {
    if let PermissionScope::Part(_) = scope {
        return Err(GlobFault(
            "its rules begin at the folder of the project, those of the policy at that of the repository",
        ));
    }
    scope.quotable_root(&['(', ')', '\\', '*', '?', '[', ']', '!', ',', '"'])?;
    glob.as_ignored().map(drop)
}

/// What a glob is written behind, so that it begins at the folder.
pub(super) fn root_of(scope: &PermissionScope<'_>) -> String {
    match scope {
        // From where the session runs.
        PermissionScope::User => "./".to_owned(),
        // From the folder of the settings.
        PermissionScope::Project(_) | PermissionScope::Part(_) => "/".to_owned(),
        PermissionScope::Member(root) => {
            let root = root.to_string_lossy();
            format!("//{}/", root.trim_matches('/'))
        }
    }
}

fn write(all: &[PowerRules], scope: &PermissionScope<'_>) -> String {
    let mut lists: Map<String, Value> = Map::new();
    let mut add = |effect: PermissionEffect, rule: String| {
        let list = lists
            .entry(effect.name())
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Some(list) = list.as_array_mut() {
            list.push(Value::String(rule));
        }
    };
    let root = root_of(scope);
    for held in all {
        let has_exceptions = held
            .steps
            .iter()
            .any(|(effect, _)| *effect == PermissionEffect::Allow);
        // What no list has is asked about, and of a member that is a refusal.
        if let Some(base) = held.base
            && !has_exceptions
        {
            for tool in tools(held.power) {
                add(base, (*tool).to_owned());
            }
        }
        for (effect, glob) in &held.steps {
            let glob = glob.as_ignored().unwrap_or_default();
            let tool = tool_of_paths(held.power);
            add(*effect, format!("{tool}({root}{glob})"));
        }
    }
    json!({ "permissions": lists }).to_string()
}
