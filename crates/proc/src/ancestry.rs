//! The ancestors of this process, up to the first without a known parent.

use std::collections::BTreeMap;

use crate::system::{Stat, boot_id, command_line, environment, program_path};

/// An ancestor of this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// Its process number, start time and boot id, which together identify it uniquely.
    pub id: String,
    /// The name of its program, and for an interpreter the names of the scripts it runs.
    pub programs: Vec<String>,
    /// Its initial environment, as far as it is text; empty if it cannot be read.
    pub vars: BTreeMap<String, String>,
}

/// The maximum number of ancestors that are read. Only an endless series of forks makes a longer
/// chain.
const MAX_ANCESTORS: usize = 64;
/// Maximum number of words of a command line that may name a program: `node --flag /path/to/tool`.
const MAX_WORDS: usize = 4;

/// The ancestors of this process, the nearest first.
///
/// The parent of an orphaned process is the system's first process, or the nearest one that adopts
/// orphans.
pub fn ancestors() -> Vec<Ancestor> {
    let boot = boot_id().unwrap_or_default();
    let mut all = Vec::new();
    let parent = |pid| Stat::read(pid).map_or(0, |stat| stat.parent);
    let mut at = parent(std::process::id().try_into().unwrap_or_default());
    while at > 1 && all.len() < MAX_ANCESTORS {
        let Ok(stat) = Stat::read(at) else {
            break;
        };
        all.push(Ancestor {
            id: format!("{at}-{}-{boot}", stat.start),
            programs: programs(at),
            vars: vars(at),
        });
        at = stat.parent;
    }
    all
}

fn programs(pid: i32) -> Vec<String> {
    let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut names: Vec<String> = Vec::new();
    if let Some(path) = program_path(pid) {
        names.push(file_name(&path.to_string_lossy()));
    }
    let line = command_line(pid);
    let words = line.iter().map(|word| word.to_string_lossy());
    let paths = words.take(MAX_WORDS).filter(|word| !word.starts_with('-'));
    names.extend(paths.map(|word| file_name(&word)));
    names
}

fn vars(pid: i32) -> BTreeMap<String, String> {
    let variables = environment(pid).unwrap_or_default();
    let entries = variables.iter().filter_map(|entry| {
        let (name, value) = std::str::from_utf8(entry).ok()?.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_ancestor_is_what_started_this_process() {
        let all = ancestors();
        let parent = std::os::unix::process::parent_id();
        assert!(all[0].id.starts_with(&format!("{parent}-")), "{all:?}");
        assert!(!all[0].programs.is_empty());
        assert!(all[0].vars.contains_key("PATH"));
    }
}
