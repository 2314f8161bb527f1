//! A program to start, and its limits.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Access, access};

/// A program to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The executable file, as an absolute path; see [`find_program`].
    pub path: PathBuf,
    /// The arguments, without the program's own name.
    pub args: Vec<OsString>,
    /// The whole environment: nothing is inherited. Only [`MARK`](crate::MARK) is added.
    pub env: BTreeMap<OsString, OsString>,
    /// The working directory.
    pub cwd: PathBuf,
}

/// Limits on the duration and output of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time from the start until the program is asked to end.
    pub deadline: Duration,
    /// Maximum bytes of standard output; one more ends the program.
    pub output: usize,
    /// Time from TERM to KILL.
    pub grace: Duration,
    /// How long output is still read after the program has ended, if a process it started keeps the
    /// pipe open.
    pub drain: Duration,
    /// Whether processes it starts outside its group may outlive it, such as a user service that it
    /// happens to start.
    pub leaves_strays: bool,
}

impl Limits {
    /// Limits for short questions to a program, such as its version.
    pub const fn probe() -> Self {
        Self {
            deadline: Duration::from_secs(20),
            output: 64 * 1024,
            grace: Duration::from_millis(500),
            drain: Duration::from_millis(500),
            leaves_strays: true,
        }
    }
}

/// Finds an executable file as a shell does.
///
/// A `name` that contains `/` is a path. Any other name is looked up in the directories of
/// `path_var`, and the first match wins. Relative directories in `path_var` are skipped.
pub fn find_program(name: &str, path_var: &OsStr) -> Option<PathBuf> {
    if name.contains('/') {
        let path = PathBuf::from(name);
        return is_executable(&path).then_some(path);
    }
    if name.is_empty() {
        return None;
    }
    std::env::split_paths(path_var)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(name))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}
