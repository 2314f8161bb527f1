//! Kills a command at a system call that changes something on a disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use agon_testkit::is_full;

/// The calls that change something on a disk, an opening only where it makes a file; those that this
/// machine does not know are left out.
const WRITING: [&str; 27] = [
    OPENING,
    "write",
    "writev",
    "pwrite64",
    "pwritev",
    "pwritev2",
    "sendfile",
    "copy_file_range",
    "fallocate",
    "ftruncate",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
    "link",
    "linkat",
    "symlink",
    "symlinkat",
    "chmod",
    "fchmod",
    "fchmodat",
];

const OPENING: &str = "openat";

/// How a command ended, and what it did before.
pub(super) struct Traced {
    /// Its exit code; none where it was killed.
    pub(super) code: Option<i32>,
    /// Its calls by name: which of a thread's calls of that name these were.
    pub(super) made: BTreeMap<String, BTreeSet<usize>>,
}

impl Traced {
    /// The calls at which it can be killed.
    pub(super) fn instants(&self) -> Vec<(&str, usize)> {
        let calls = self.made.iter();
        let instants = calls.flat_map(|(name, nths)| nths.iter().map(|nth| (name.as_str(), *nth)));
        instants.collect()
    }
}

/// Whether calls can be traced: where they cannot, that is printed, and fails a full run.
pub(super) fn can_trace() -> bool {
    let strace = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .output();
    let traces = strace.is_ok_and(|output| output.status.success());
    assert!(
        traces || !is_full(),
        "strace has to be installed, and to be let trace"
    );
    if !traces {
        eprintln!("skipped: strace is not installed, or may not trace");
    }
    traces
}

/// Runs a command below `strace`, which kills it at the nth of these calls; each thread counts for
/// itself. What it did is written to `log`.
pub(super) fn traced(command: &Command, log: &Path, at: Option<(&str, usize)>) -> Traced {
    let calls = WRITING.map(|call| format!("?{call}")).join(",");
    let mut strace = Command::new("strace");
    // Children, such as git, are let go: what they leave when they are killed is theirs.
    strace.args(["-f", "-b", "execve", "-qq", "-e", "signal=none", "-e"]);
    strace.arg(format!("trace={calls}")).arg("-o").arg(log);
    if let Some((call, nth)) = at {
        let inject = format!("inject={call}:signal=SIGKILL:when={nth}");
        strace.args(["-e", &inject]);
    }
    strace.arg(command.get_program()).args(command.get_args());
    strace.env_clear().envs(
        command
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    strace.current_dir(command.get_current_dir().unwrap());
    strace.stdin(Stdio::null());
    strace.stdout(Stdio::null()).stderr(Stdio::null());
    let code = strace.status().unwrap().code();
    let mut made: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let lines = fs::read_to_string(log).unwrap();
    for line in lines.lines() {
        let Some((thread, call)) = line.split_once(' ') else {
            continue;
        };
        let (name, given) = call.trim_start().split_once('(').unwrap_or_default();
        if WRITING.contains(&name) {
            let nth = counts.entry((thread, name)).or_default();
            *nth += 1;
            if name != OPENING || given.contains("O_CREAT") {
                made.entry(name.to_owned()).or_default().insert(*nth);
            }
        }
    }
    Traced { code, made }
}
