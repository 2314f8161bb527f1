//! What a file is, by its path.

use crate::host::{HOSTS, Host, SHARED, SettingsFile};

/// The file of a skill.
pub(super) const SKILL_FILE: &str = "SKILL.md";

/// What a file is.
#[derive(Clone, Copy, Debug)]
pub(super) enum LintKind<'a> {
    Skill(Placing<'a>),
    /// An agent, with the name that its file gives it.
    Agent(&'a str),
    /// A command, with the name that its file gives it.
    Command(&'a str),
    /// A role, with the name that its file gives it.
    Role(&'a str),
    Settings(&'static SettingsFile),
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
    let kind = kind_of(name, folders, owner)?;
    Some((kind, owner))
}

/// The host whose folder is called `folder`.
pub(super) fn host_of_folder(folder: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.folders.contains(&folder))
}

fn kind_of<'a>(
    name: &'a str,
    folders: &[&'a str],
    owner: Option<&'static Host>,
) -> Option<LintKind<'a>> {
    let folder = folders.last().copied().unwrap_or_default();
    let is_in = |names: [&str; 2]| folders.iter().any(|folder| names.contains(folder));
    if let Some(settings) = settings_called(name, folder, owner) {
        return Some(LintKind::Settings(settings));
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

/// The settings or the manifest that a file of this name in this folder is.
fn settings_called(
    name: &str,
    folder: &str,
    owner: Option<&'static Host>,
) -> Option<&'static SettingsFile> {
    let of_owner = owner.map_or(&[][..], |host| host.settings).iter();
    let of_all = HOSTS.iter().flat_map(|host| host.settings);
    let of_all = of_all.filter(|file| file.is_known_anywhere);
    let mut files = SHARED.iter().chain(of_owner).chain(of_all);
    files.find(|file| {
        file.names.contains(&name) && file.folder.is_none_or(|wanted| wanted == folder)
    })
}
