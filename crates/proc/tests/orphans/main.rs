//! Orphans without a mark in a process that adopts orphans. It has its own executable, because
//! adoption applies to the whole process, and only one test, because orphans of two calls cannot be
//! told apart.

// Only Linux lets a process adopt orphans.
#![cfg(all(target_os = "linux", not(agon_portable)))]
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_proc::{
    ChildLine, Limits, OpenChild, Program, StopTimeouts, Unwatched, adopt_orphans, run_program,
};
use tokio_util::sync::CancellationToken;

/// Long enough that only the child's actions end the wait.
const PATIENT: StopTimeouts = StopTimeouts {
    close: Duration::from_secs(60),
    grace: Duration::from_secs(60),
    drain: Duration::from_secs(1),
};

fn sh(script: &str) -> Program {
    Program {
        path: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: [("PATH".into(), "/usr/bin:/bin".into())].into(),
        cwd: "/".into(),
    }
}

/// Starts a shell in a session of its own with an empty environment, and ends. The shell runs
/// `script`, which writes a number into the file `$0`; the program prints it before it ends.
fn letting_go(folder: &Path, script: &str) -> Program {
    let there = folder.join("there");
    let there = there.display();
    sh(&format!(
        "env -i setsid /bin/sh -c '{script}' {there}.new & \
         while [ ! -s {there}.new ]; do sleep 0.01; done; cat {there}.new"
    ))
}

const SLEEPS: &str = "echo $$ > $0; exec sleep 1000 </dev/null >/dev/null 2>&1";
const HAS_ONE_SLEEP: &str = "setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $! > $0; \
                             exec sleep 1000 </dev/null >/dev/null 2>&1";

/// The number that the program prints.
async fn run(program: &Program) -> i32 {
    let limits = Limits {
        deadline: Duration::from_secs(60),
        output: 1 << 20,
        grace: Duration::from_millis(300),
        drain: Duration::from_millis(300),
        leaves_strays: false,
    };
    let cancel = CancellationToken::new();
    let finished = run_program(program, b"", &limits, &Unwatched, &cancel).await;
    let said = finished.unwrap().stdout;
    String::from_utf8(said).unwrap().trim().parse().unwrap()
}

fn runs(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

#[tokio::test]
async fn an_orphan_without_a_mark_ends_with_the_call_that_let_it_go() {
    adopt_orphans().unwrap();
    for script in [SLEEPS, HAS_ONE_SLEEP] {
        let folder = tempfile::tempdir().unwrap();
        let orphan = run(&letting_go(folder.path(), script)).await;
        assert!(!runs(orphan), "{script}");
        assert!(!Path::new(&format!("/proc/{orphan}")).exists(), "unreaped");
    }

    // While another child runs, an orphan may belong to it, and that child itself is not an orphan.
    let open = sh("echo $$; read line");
    let other = OpenChild::start(&open, 100, Arc::new(Unwatched)).unwrap();
    let ChildLine::Text(said) = other.next_line().await else {
        panic!("it says its number");
    };
    let leader: i32 = String::from_utf8(said).unwrap().parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let orphan = run(&letting_go(folder.path(), SLEEPS)).await;
    assert!(runs(orphan));
    assert!(runs(leader));
    other.stop(&PATIENT).await;
    assert!(!runs(orphan));
}
