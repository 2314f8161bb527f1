//! Which folders are those of the project.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::act::{paths, simple_commands};
use crate::patterns::{Voice, Window};

/// Whether a path is of the machine rather than of any task.
pub(super) fn is_elsewhere(path: &str) -> bool {
    [
        "/tmp",
        "/usr",
        "/etc",
        "/var",
        "/opt",
        "/proc",
        "/dev",
        "/sys",
        "/lib",
        "/bin",
        "/private",
        "/run",
        "/nix",
        "/snap",
        "/Library",
        "/Applications",
        "/System",
        "~/.",
    ]
    .iter()
    .any(|it| path.starts_with(it))
        || path.contains("/.")
        || path.contains("node_modules")
        || path.contains("site-packages")
}

pub(super) fn is_outside(path: &str, root: Option<&str>) -> bool {
    let is_absolute = path.starts_with('/') && path[1..].contains('/');
    let is_within = root.is_none_or(|root| {
        let root = root.trim_end_matches('/');
        path.starts_with(root) || root.starts_with(path.trim_end_matches('/'))
    });
    is_absolute && !is_within && !is_elsewhere(path)
}

/// The folder that a command goes to first.
pub(super) fn folder_entered(line: Option<&str>) -> Option<String> {
    let commands = simple_commands(line?);
    match commands.first()?.as_slice() {
        [program, folder, ..] if program == "cd" => Some(folder.clone()),
        _ => None,
    }
}

static TOLD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:working directory|working in the directory|workspace|<cwd>)[^/\n]{0,40}(/[^\s<`'\x22]+)").ok()
});

/// The folder of which the host told the model that it works there.
pub(super) fn root_as_told(window: &Window<'_>) -> Option<String> {
    window.items.iter().take(8).find_map(|item| {
        let (voice, text) = item.text()?;
        let folder = TOLD.as_ref()?.captures(text.as_str())?.get(1)?.as_str();
        let folder = folder.trim_end_matches(['.', ',', '/', ':']);
        (voice == Voice::Host).then(|| folder.to_owned())
    })
}

/// The folder of most absolute paths, where the record does not name the project.
pub(super) fn common_root(window: &Window<'_>) -> Option<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut all = 0;
    for call in window
        .items
        .iter()
        .filter_map(crate::patterns::window::Item::call)
    {
        for path in paths(call)
            .iter()
            .filter(|it| it.starts_with('/') && !is_elsewhere(it))
        {
            all += 1;
            let mut depth = 0;
            for (at, _) in path.match_indices('/').skip(1) {
                depth += 1;
                if depth >= 2 {
                    *counts.entry(path[..at].to_owned()).or_default() += 1;
                }
            }
        }
    }
    counts
        .into_iter()
        .filter(|(_, count)| all >= 4 && count * 10 >= all * 7)
        .max_by_key(|(path, _)| (path.len(), path.clone()))
        .map(|(path, _)| path)
}

/// The folder beside the project's own that a path is in.
pub(super) fn project_of(path: &str, root: Option<&str>) -> Option<String> {
    let parent = root?.trim_end_matches('/').rsplit_once('/')?.0;
    let rest = path.strip_prefix(parent)?.strip_prefix('/')?;
    let name = rest.split('/').next()?;
    (!name.is_empty()).then(|| name.to_owned())
}
