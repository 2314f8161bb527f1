//! Reads the mark in the environment of a process, which identifies its group.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use crate::group::{Group, MARK};
use crate::system::{environment, program_path};

// About 0.1 ms on an idle machine. On a busy one the process waits for the CPU: 20 ms were too few
// for 2 of 2,000 looks. Only a process without any environment costs the whole time.
/// How long a process may take to become another program.
const EXEC_TIMEOUT: Duration = Duration::from_millis(200);
/// Interval between checks of a process that is becoming another program.
const EXEC_STEP: Duration = Duration::from_millis(1);

/// Returns whether `pid` was started with the mark of `group` in its environment.
pub(crate) fn has_group_mark(pid: i32, group: &Group) -> bool {
    let entry = format!("{MARK}={}", group.mark);
    !group.mark.is_empty()
        && environment_after_exec(pid).is_ok_and(|environment| {
            let mut variables = environment.iter();
            variables.any(|variable| variable == entry.as_bytes())
        })
}

/// The initial environment of `pid`. It reads as empty during an `exec`, so this waits until the
/// `exec` is done; otherwise a stray would be taken for a foreign process.
fn environment_after_exec(pid: i32) -> io::Result<Vec<Vec<u8>>> {
    let until = Instant::now() + EXEC_TIMEOUT;
    loop {
        let environment = environment(pid)?;
        // Kernel threads and ended processes have no program, and their environment stays empty.
        let has_program = || program_path(pid).is_some();
        if !environment.is_empty() || !has_program() || Instant::now() > until {
            return Ok(environment);
        }
        thread::sleep(EXEC_STEP);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_that_becomes_one_program_after_another_keeps_its_mark() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("again.sh");
        fs::write(&script, "exec sh \"$0\"\n").unwrap();
        let mut command = Command::new("sh");
        let mut child = command.arg(&script).env(MARK, "m-1").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let group = Group {
            pgid: pid,
            leader_start: 0,
            boot: String::new(),
            mark: "m-1".to_owned(),
        };
        let missed = (0..2_000).filter(|_| !has_group_mark(pid, &group)).count();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(missed, 0, "of 2,000 looks");
    }
}
