//! What a file is, by its path.

use crate::host::{Host, find_host};
use crate::json::Dialect;

/// The file of a skill.
pub(super) const SKILL_FILE: &str = "SKILL.md";

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LintKind<'a> {
    Skill(Placing<'a>),
    /// An agent, with the name that its file gives it.
    Agent(&'a str),
    /// A command, with the name that its file gives it.
    Command(&'a str),
    /// A role, with the name that its file gives it.
    Role(&'a str),
    Config(Config),
    Manifest(PackageFile<'a>),
}

/// Where a `SKILL.md` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placing<'a> {
    /// What it is called.
    pub(super) file: &'a str,
    /// Its folder.
    pub(super) folder: &'a str,
    /// Whether its folder is one of the folder of skills.
    pub(super) is_flat: bool,
}

/// A configuration of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Config {
    /// `mcpServers` in JSON of this dialect.
    Servers(Dialect),
    /// `mcpServers` and hooks of Gemini CLI.
    Gemini,
    /// Hooks of Claude Code.
    ClaudeSettings,
    OpenCode,
    Codex,
    /// The servers of a plugin of Codex.
    CodexPlugin,
}

/// What describes a package of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackageFile<'a> {
    /// `plugin.json`.
    Plugin,
    /// `marketplace.json`.
    Marketplace,
    /// `gemini-extension.json` in the folder that is given.
    Extension(&'a str),
    /// `hooks/hooks.json` of a plugin.
    Hooks,
}

/// What the file at `path` is, and of which host; `host` where the path does not say.
pub(super) fn sort<'a>(
    path: &'a str,
    host: Option<&'static Host>,
) -> Option<(LintKind<'a>, Option<&'static Host>)> {
    let parts: Vec<&str> = path.split('/').collect();
    let (name, folders) = parts.split_last()?;
    let owner = host.or_else(|| {
        folders
            .iter()
            .rev()
            .find_map(|folder| host_of_folder(folder))
    });
    let kind = kind_of(path, name, folders, owner)?;
    Some((kind, owner))
}

/// The host whose folder is called `folder`.
pub(super) fn host_of_folder(folder: &str) -> Option<&'static Host> {
    let name = match folder {
        ".claude" | ".claude-plugin" => "claude",
        ".codex" | ".codex-plugin" => "codex",
        ".gemini" => "gemini",
        ".opencode" | "opencode" => "opencode",
        ".github" | ".copilot" => "copilot",
        _ => return None,
    };
    find_host(name)
}

fn kind_of<'a>(
    path: &'a str,
    name: &'a str,
    folders: &[&'a str],
    owner: Option<&Host>,
) -> Option<LintKind<'a>> {
    let folder = folders.last().copied().unwrap_or_default();
    let is_in = |names: [&str; 2]| folders.iter().any(|folder| names.contains(folder));
    if let Some(config) = config_of(name, folder, owner) {
        return Some(config);
    }
    if name == "gemini-extension.json" {
        let end = path.len() - name.len();
        let folder = path.get(..end).unwrap_or_default();
        return Some(LintKind::Manifest(PackageFile::Extension(folder)));
    }
    // What is called otherwise is something else, unless it stands where a skill does.
    if name == SKILL_FILE || name.eq_ignore_ascii_case(SKILL_FILE) && is_in(["skills", "skill"]) {
        let above = folders.len().checked_sub(2).and_then(|at| folders.get(at));
        let is_below = is_in(["skills", "skill"]);
        let is_direct = above.is_some_and(|above| ["skills", "skill"].contains(above));
        let is_flat = is_direct || !is_below;
        return Some(LintKind::Skill(Placing {
            file: name,
            folder,
            is_flat,
        }));
    }
    // What else is in the folder of a skill is its own.
    if is_in(["skills", "skill"]) {
        return None;
    }
    let stem = name.split('.').next().unwrap_or_default();
    let is_text = name.ends_with(".md") || name.ends_with(".toml");
    if is_text && ["agents", "agent"].contains(&folder) {
        return Some(LintKind::Agent(stem));
    }
    if is_text && is_in(["commands", "command"]) {
        return Some(LintKind::Command(stem));
    }
    if name.ends_with(".md") && folder == "roles" {
        return Some(LintKind::Role(stem));
    }
    None
}

fn config_of<'a>(name: &str, folder: &str, owner: Option<&Host>) -> Option<LintKind<'a>> {
    let owner = owner.map(|host| host.name);
    let config = match name {
        "plugin.json" => return Some(LintKind::Manifest(PackageFile::Plugin)),
        "marketplace.json" => return Some(LintKind::Manifest(PackageFile::Marketplace)),
        "hooks.json" if folder == "hooks" => return Some(LintKind::Manifest(PackageFile::Hooks)),
        ".mcp.json" if owner == Some("codex") => Config::CodexPlugin,
        ".mcp.json" | ".claude.json" => Config::Servers(Dialect::Plain),
        "mcp-config.json" => Config::Servers(Dialect::Comments),
        "mcp.json" if owner == Some("copilot") => Config::Servers(Dialect::Comments),
        "settings.json" | "settings.local.json" if owner == Some("gemini") => Config::Gemini,
        "settings.json" | "settings.local.json" if owner == Some("claude") => {
            Config::ClaudeSettings
        }
        "opencode.json" | "opencode.jsonc" => Config::OpenCode,
        "config.toml" if owner == Some("codex") => Config::Codex,
        _ => return None,
    };
    Some(LintKind::Config(config))
}
