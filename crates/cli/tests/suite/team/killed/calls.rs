//! Kills a command at a system call that changes something on a disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The calls that change something on a disk; those that this machine does not know are left out.
const WRITING: [&str; 26] = [
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

/// How a command ended, and what it did before.
pub(super) struct Traced {
    /// Its exit code; none where it was killed.
    pub(super) code: Option<i32>,
    /// How many calls of each name it made.
    pub(super) made: BTreeMap<String, u64>,
}

/// Whether commands can be traced here; that they cannot is said, and fails a full run.
pub(super) fn can_be_traced(is_full: bool) -> bool {
    let strace = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .output();
    let traces = strace.is_ok_and(|output| output.status.success());
    assert!(
        traces || !is_full,
        "strace has to be installed, and to be let trace"
    );
    if !traces {
        eprintln!("skipped: strace is not installed, or may not trace");
    }
    traces
}

/// Runs a command below `strace`, which kills it at the nth of these calls; each thread counts for
/// itself. What it did is written to `log`.
pub(super) fn traced(command: &Command, log: &Path, at: Option<(&str, u64)>) -> Traced {
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
    let mut made = BTreeMap::new();
    for line in fs::read_to_string(log).unwrap().lines() {
        let call = line.split_whitespace().nth(1);
        let call = call.and_then(|it| it.split('(').next());
        if let Some(call) = call.filter(|call| WRITING.contains(call)) {
            *made.entry(call.to_owned()).or_default() += 1;
        }
    }
    Traced { code, made }
}
