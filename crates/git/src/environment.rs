//! The environment and the fixed arguments of every git command.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The caller's environment variables that git gets; all others are withheld.
pub const PASSED_VARS: [&str; 7] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
];

/// The variables that locate the user's own configuration.
const USER_CONFIG: [&str; 3] = [
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
];

/// Variables with the same value for every git command.
const FIXED: [(&str, &str); 9] = [
    // Nothing is fetched, even if git starts another git in a nested repository, which reads the
    // configuration there.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", "false"),
    ("GIT_EDITOR", "false"),
    ("GIT_SEQUENCE_EDITOR", "false"),
    ("GIT_PAGER", "cat"),
];

/// Arguments before every command. They disable what would start a program, write to the repository
/// or print advice.
pub(crate) const FIXED_ARGS: [&str; 23] = [
    "--no-pager",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "core.safecrlf=false",
    "-c",
    "core.quotePath=true",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "protocol.allow=never",
    "-c",
    "submodule.recurse=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "advice.addEmbeddedRepo=false",
];

/// Returns the environment of a git that reads only the configuration written by Agon.
pub(crate) fn environment(vars: &BTreeMap<OsString, OsString>) -> BTreeMap<OsString, OsString> {
    let mut env = base(vars);
    for (name, value) in FIXED {
        env.insert(name.into(), value.into());
    }
    for name in ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"] {
        env.insert(name.into(), "/dev/null".into());
    }
    env.insert("GIT_CONFIG_NOSYSTEM".into(), "1".into());
    env
}

/// Returns the environment of the one git command that reads the user's configuration, to print it.
pub(crate) fn config_reader_environment(
    vars: &BTreeMap<OsString, OsString>,
) -> BTreeMap<OsString, OsString> {
    let mut env = environment(vars);
    for name in USER_CONFIG {
        match vars.get(OsStr::new(name)) {
            Some(value) => env.insert(name.into(), value.clone()),
            None => env.remove(OsStr::new(name)),
        };
    }
    env
}

fn base(vars: &BTreeMap<OsString, OsString>) -> BTreeMap<OsString, OsString> {
    let passed = PASSED_VARS.iter().filter_map(|name| {
        let name = OsString::from(name);
        Some((name.clone(), vars.get(&name)?.clone()))
    });
    let mut env: BTreeMap<_, _> = passed.collect();
    env.insert("PATH".into(), absolute_path_var(vars));
    env
}

/// Returns `PATH` without relative folders, which in a work tree would be the tree's own.
fn absolute_path_var(vars: &BTreeMap<OsString, OsString>) -> OsString {
    let path = vars.get(OsStr::new("PATH")).cloned().unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    std::env::join_paths(folders).unwrap_or_default()
}

/// Points git to a repository, so that it does not search for one.
pub(crate) fn point_to(
    env: &mut BTreeMap<OsString, OsString>,
    git_dir: &Path,
    common_dir: Option<&Path>,
    work_tree: Option<&Path>,
) {
    env.insert("GIT_DIR".into(), git_dir.into());
    if let Some(common_dir) = common_dir {
        env.insert("GIT_COMMON_DIR".into(), common_dir.into());
    }
    if let Some(work_tree) = work_tree {
        env.insert("GIT_WORK_TREE".into(), work_tree.into());
        // Git that is started in a nested folder does not search above the work tree.
        env.insert("GIT_CEILING_DIRECTORIES".into(), work_tree.into());
    }
}
