//! Recognises the kind of a file by its path.

use crate::host::{HOSTS, Host, SHARED, SettingsFile};

/// File name of a skill.
pub(super) const SKILL_FILE: &str = "SKILL.md";

/// Kind of a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum LintKind<'a> {
    Skill(Placing<'a>),
    /// An agent, with the name from its file name.
    Agent(&'a str),
    /// A command, with the name from its file name.
    Command(&'a str),
    /// A role, with the name from its file name.
    Role(&'a str),
    Settings(&'static SettingsFile),
}

/// The location of a `SKILL.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placing<'a> {
    /// Its file name.
    pub(super) file: &'a str,
    /// Its folder.
    pub(super) folder: &'a str,
    /// Whether its folder is directly below the folder of skills.
    pub(super) is_flat: bool,
}

/// Returns the kind of the file at `path` and its host, or `host` if the path does not tell.
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

/// Returns the host whose folder is called `folder`.
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
    if let Some(settings) = find_settings(name, folder, owner) {
        return Some(LintKind::Settings(settings));
    }
    // Other spellings, such as `skill.md`, count only below a folder of skills.
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
    // Other files below a folder of skills are material of a skill, which hosts do not parse.
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

/// Returns the kind of settings or manifest of a file with this name in this folder.
fn find_settings(
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
