//! Gemini CLI: a file of policies in TOML, of whose rules that with the highest priority wins.

use super::fault::GlobFault;
use super::form::{PermissionForm, PowerRules};
use super::glob::{ANY, Glob, escaped_text};
use super::{PermissionEffect, PermissionScope};
use crate::content::agent::Power;

pub(super) const FORM: PermissionForm = PermissionForm {
    host: "gemini",
    may_loosen: true,
    can_say,
    can_except: Some(|glob: &Glob, _: &PermissionScope<'_>| glob.can_except()),
    write,
};

// It takes no longer expression.
const MAX_REGEX: usize = 2_048;
/// What an expression stands between.
const QUOTES: &str = "'''";

/// The tools that an act takes.
pub(super) const fn tools(power: Power) -> &'static [&'static str] {
    match power {
        Power::Read => &[
            "read_file",
            "read_many_files",
            "grep_search",
            "glob",
            "list_directory",
        ],
        Power::Edit => &["replace", "write_file"],
        Power::Run => &["run_shell_command"],
        Power::Network => &["web_fetch", "google_web_search"],
        Power::Delegate => &["invoke_agent"],
    }
}

/// What the host calls an effect.
pub(super) const fn decision(effect: PermissionEffect) -> &'static str {
    match effect {
        PermissionEffect::Allow => "allow",
        PermissionEffect::Ask => "ask_user",
        PermissionEffect::Deny => "deny",
    }
}

// The profile of a member has 900 and 950.
const BASE: u16 = 960;
const fn priority(effect: PermissionEffect) -> u16 {
    match effect {
        PermissionEffect::Allow => 970,
        PermissionEffect::Ask => 980,
        PermissionEffect::Deny => 990,
    }
}
/// That of what says a path in a way that no glob fits.
const UNPLAIN: u16 = 995;

fn can_say(glob: &Glob, scope: &PermissionScope<'_>) -> Result<(), GlobFault> {
    // In the arguments of a call these letters stand behind another.
    scope.quotable_root(&['"', '\\'])?;
    let regex = path_regex(glob, scope)?;
    if regex.contains(QUOTES) {
        return Err(GlobFault("its file cannot quote the path"));
    }
    match regex.len() > MAX_REGEX {
        true => Err(GlobFault("its expressions may not be that long")),
        false => Ok(()),
    }
}

/// The argument of a call: the path, from the folder on or whole.
fn path_regex(glob: &Glob, scope: &PermissionScope<'_>) -> Result<String, GlobFault> {
    let path = glob.as_regex()?;
    let root = scope
        .root()
        .map(|root| escaped_text(&root.to_string_lossy()));
    let root = root.unwrap_or_default();
    Ok(format!(r#"\x00"file_path":"({root}/|){path}"\x00"#))
}

fn write(all: &[PowerRules], scope: &PermissionScope<'_>) -> String {
    let mut rules: Vec<String> = Vec::new();
    for held in all {
        let tools: Vec<String> = tools(held.power)
            .iter()
            .map(|tool| format!("\"{tool}\""))
            .collect();
        let mut add = |effect: PermissionEffect, priority: u16, pattern: Option<&str>| {
            let (tools, decision) = (tools.join(", "), decision(effect));
            let pattern = pattern.map_or_else(String::new, |pattern| {
                format!("argsPattern = {QUOTES}{pattern}{QUOTES}\n")
            });
            rules.push(format!(
                "[[rule]]\ntoolName = [{tools}]\n{pattern}decision = \"{decision}\"\npriority = {priority}\n"
            ));
        };
        if let Some(base) = held.base {
            add(base, BASE, None);
        }
        for (effect, glob) in &held.steps {
            let pattern = path_regex(glob, scope).unwrap_or_default();
            add(*effect, priority(*effect), Some(&pattern));
        }
        if !held.steps.is_empty() {
            let unplain = format!(r#"\x00"file_path":"({ANY}/|)(\.|\.\.)/"#);
            add(PermissionEffect::Deny, UNPLAIN, Some(&unplain));
            let twice = format!(r#"\x00"file_path":"{ANY}//"#);
            add(PermissionEffect::Deny, UNPLAIN, Some(&twice));
        }
    }
    rules.join("\n")
}
