//! What to start, and how long and how much it may go on.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Access, access};

/// A program to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The executable file, absolute; [`find_program`] looks one up.
    pub path: PathBuf,
    /// The arguments after the program's own name.
    pub args: Vec<OsString>,
    /// The whole environment: nothing is inherited.
    /// Only [`MARK`](crate::MARK) is added.
    pub env: BTreeMap<OsString, OsString>,
    /// The directory it starts in.
    pub cwd: PathBuf,
}

/// How long a program may take and how much of what it says is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From start until the program is told to end.
    pub deadline: Duration,
    /// Bytes of standard output kept; one more ends the program.
    pub output: usize,
    /// From TERM to KILL.
    pub grace: Duration,
    /// How long output is still read after the program itself has ended, when
    /// something it started keeps the pipe open.
    pub drain: Duration,
    /// Whether what it starts outside its group may outlive it, such as a service of the user's
    /// that it happens to be the first to need.
    pub leaves_strays: bool,
}

impl Limits {
    /// Limits for asking a program for its version and the like.
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

/// Finds an executable file the way a shell does.
///
/// A `name` with a `/` in it is taken as a path; any other is looked up in the
/// directories of `path_var`, the first match winning.
/// Relative directories in `path_var` are skipped.
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
