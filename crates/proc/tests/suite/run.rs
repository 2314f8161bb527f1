//! One-shot runs of real children.

use std::time::{Duration, Instant};

use agon_proc::{Ending, Finished, Limits, MARK, Program, StartError, Unwatched, run_program};
use tokio_util::sync::CancellationToken;

use crate::common::{Notes, limits, made, running, sh};

const DONE: Ending = Ending::Exited {
    code: Some(0),
    signal: None,
};

async fn finish(script: &str, stdin: &[u8], limits: &Limits) -> Finished {
    let notes = Notes::default();
    let cancel = CancellationToken::new();
    let finished = run_program(&sh(script), stdin, limits, &notes, &cancel)
        .await
        .unwrap();
    notes.assert_gone();
    finished
}

#[tokio::test]
async fn a_large_prompt_does_not_deadlock_with_large_output() {
    let prompt: Vec<u8> = b"0123456789".repeat(40_000);
    let finished = finish("cat", &prompt, &limits()).await;
    assert_eq!(finished.ending, DONE);
    assert!(finished.stdout == prompt, "{}", finished.stdout.len());
    assert!(!finished.truncated);
}

#[tokio::test]
async fn a_program_that_ignores_its_input_is_no_error() {
    let prompt = vec![b'x'; 400_000];
    let finished = finish(
        "exec 0<&-; echo fine; echo odd >&2; exit 3",
        &prompt,
        &limits(),
    )
    .await;
    let ending = Ending::Exited {
        code: Some(3),
        signal: None,
    };
    assert_eq!(finished.ending, ending);
    assert_eq!(finished.stdout, b"fine\n");
    assert_eq!(finished.stderr_tail, b"odd\n");
}

#[tokio::test]
async fn the_signal_that_ended_it_is_told() {
    let finished = finish("echo last; kill -9 $$", b"", &limits()).await;
    let ending = Ending::Exited {
        code: None,
        signal: Some(9),
    };
    assert_eq!(finished.ending, ending);
    assert_eq!(finished.stdout, b"last\n");
}

#[tokio::test]
async fn nothing_is_inherited_but_the_mark_is_added() {
    let notes = Notes::default();
    let program = Program {
        path: "/usr/bin/env".into(),
        args: vec![],
        env: [("LANG".into(), "C.UTF-8".into())].into(),
        cwd: "/".into(),
    };
    let cancel = CancellationToken::new();
    let finished = run_program(&program, b"", &limits(), &notes, &cancel)
        .await
        .unwrap();
    let mut said: Vec<_> = std::str::from_utf8(&finished.stdout)
        .unwrap()
        .lines()
        .collect();
    said.sort_unstable();
    assert_eq!(
        said,
        [
            format!("{MARK}={}", notes.group().mark),
            "LANG=C.UTF-8".to_owned()
        ]
    );
}

#[tokio::test]
async fn it_starts_in_its_directory_and_leads_its_group() {
    let directory = tempfile::tempdir().unwrap();
    let notes = Notes::default();
    let program = Program {
        cwd: directory.path().into(),
        ..sh("pwd; cut -d' ' -f5,22 /proc/$$/stat")
    };
    let cancel = CancellationToken::new();
    let finished = run_program(&program, b"", &limits(), &notes, &cancel)
        .await
        .unwrap();
    let group = notes.group();
    let said = String::from_utf8(finished.stdout).unwrap();
    let expected = format!("{}\n{} ", directory.path().display(), group.pgid);
    let start = said.strip_prefix(&expected).unwrap();
    // Other systems tell seconds since 1970, which `/proc` does not have.
    #[cfg(all(target_os = "linux", not(agon_portable)))]
    assert_eq!(start, format!("{}\n", group.leader_start));
    assert!(group.leader_start > 0 && start.len() > 1);
}

#[tokio::test]
async fn what_was_said_before_a_timeout_is_kept() {
    let limits = Limits {
        deadline: Duration::from_secs(1),
        ..limits()
    };
    let finished = finish("echo half; echo why >&2; exec sleep 1000", b"", &limits).await;
    assert_eq!(finished.ending, Ending::TimedOut);
    assert_eq!(finished.stdout, b"half\n");
    assert_eq!(finished.stderr_tail, b"why\n");
    assert!(
        finished.took < Duration::from_secs(10),
        "{:?}",
        finished.took
    );
}

#[tokio::test]
async fn last_words_on_term_are_kept() {
    let limits = Limits {
        deadline: Duration::from_secs(1),
        grace: Duration::from_secs(30),
        ..limits()
    };
    let script = "trap 'echo bye; exit 0' TERM; echo hello; sleep 1000 & wait";
    let finished = finish(script, b"", &limits).await;
    assert_eq!(finished.ending, Ending::TimedOut);
    assert_eq!(finished.stdout, b"hello\nbye\n");
    assert!(
        finished.took < Duration::from_secs(20),
        "{:?}",
        finished.took
    );
}

#[tokio::test]
async fn a_tree_that_ignores_term_is_killed_after_the_grace() {
    let limits = Limits {
        deadline: Duration::from_secs(1),
        ..limits()
    };
    let script = "trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 1; done' & \
                  while :; do sleep 1; done";
    let finished = finish(script, b"", &limits).await;
    assert_eq!(finished.ending, Ending::TimedOut);
    assert!(
        finished.took >= limits.deadline + limits.grace,
        "{:?}",
        finished.took
    );
    assert!(
        finished.took < Duration::from_secs(10),
        "{:?}",
        finished.took
    );
}

#[tokio::test]
async fn a_grandchild_that_keeps_the_pipe_cannot_hold_us() {
    let finished = finish("echo done; sleep 1000 & exit 0", b"", &limits()).await;
    assert_eq!(finished.ending, DONE);
    assert_eq!(finished.stdout, b"done\n");
    assert!(
        finished.took < Duration::from_secs(10),
        "{:?}",
        finished.took
    );
}

#[tokio::test]
async fn a_grandchild_that_left_the_group_cannot_hold_us() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    let script = format!(
        "setsid sh -c 'echo $$ > {0}.new; mv {0}.new {0}; exec sleep 1000' & \
         while ! [ -e {0} ]; do :; done; echo done",
        file.display()
    );
    let finished = finish(&script, b"", &limits()).await;
    let pid: i32 = std::fs::read_to_string(&file)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    assert_eq!(finished.ending, DONE);
    assert_eq!(finished.stdout, b"done\n");
    assert!(
        finished.took < Duration::from_secs(10),
        "{:?}",
        finished.took
    );
}

#[tokio::test]
async fn a_grandchild_may_finish_within_the_drain() {
    let limits = Limits {
        drain: Duration::from_secs(30),
        ..limits()
    };
    let script = "(until grep -q ') Z ' /proc/$$/stat; do :; done; echo late) & exit 0";
    let finished = finish(script, b"", &limits).await;
    assert_eq!(finished.ending, DONE);
    assert_eq!(finished.stdout, b"late\n");
}

#[tokio::test]
async fn a_wide_tree_is_gone_on_return() {
    let script = "for _ in $(seq 200); do sleep 1000 & done >/dev/null 2>&1; exit 0";
    let finished = finish(script, b"", &limits()).await;
    assert_eq!(finished.ending, DONE);
}

#[tokio::test]
async fn a_silent_grandchild_does_not_outlive_the_run() {
    let script = "sleep 1000 </dev/null >/dev/null 2>&1 & exit 0";
    let finished = finish(script, b"", &limits()).await;
    assert_eq!(finished.ending, DONE);
}

#[tokio::test]
async fn a_flood_is_ended_at_once_in_bounded_memory() {
    let finished = finish("head -c 1073741824 /dev/zero", b"", &limits()).await;
    assert_eq!(finished.ending, Ending::Flooded);
    assert!(finished.truncated);
    assert!(
        finished.stdout == vec![0; 1 << 20],
        "{}",
        finished.stdout.len()
    );
    assert!(
        finished.took < Duration::from_secs(5),
        "{:?}",
        finished.took
    );
    assert!(peak_kib() < 300_000, "{} KiB", peak_kib());
}

#[tokio::test]
async fn a_flood_of_errors_keeps_its_last_bytes_only() {
    let script = "head -c 100000000 /dev/zero >&2; echo end >&2";
    let finished = finish(script, b"", &limits()).await;
    assert_eq!(finished.ending, DONE);
    assert_eq!(finished.stderr_tail.len(), 64 * 1024);
    assert!(finished.stderr_tail.ends_with(b"\0end\n"));
}

#[tokio::test]
async fn output_as_long_as_the_cap_is_whole() {
    let limits = Limits {
        output: 5,
        ..limits()
    };
    let finished = finish("printf 12345", b"", &limits).await;
    assert_eq!((finished.ending, finished.truncated), (DONE, false));
    let finished = finish("printf 123456", b"", &limits).await;
    assert_eq!(
        (finished.ending, finished.truncated),
        (Ending::Flooded, true)
    );
    assert_eq!(finished.stdout, b"12345");
}

#[tokio::test]
async fn a_cancelled_run_keeps_what_was_said() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ready");
    let script = format!("echo begun; : > {}; exec sleep 1000", file.display());
    let notes = Notes::default();
    let cancel = CancellationToken::new();
    let stop = async {
        made(&file).await;
        cancel.cancel();
    };
    let (program, limits) = (sh(&script), limits());
    let running = run_program(&program, b"", &limits, &notes, &cancel);
    let (finished, ()) = tokio::join!(running, stop);
    let finished = finished.unwrap();
    notes.assert_gone();
    assert_eq!(finished.ending, Ending::Cancelled);
    assert_eq!(finished.stdout, b"begun\n");
}

#[tokio::test]
async fn a_run_cancelled_before_it_began_starts_nothing() {
    let notes = Notes::default();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let finished = run_program(&sh("echo no"), b"", &limits(), &notes, &cancel)
        .await
        .unwrap();
    assert_eq!(finished.ending, Ending::Cancelled);
    assert!(notes.started.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_dropped_run_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ready");
    let script = format!(
        "trap '' TERM; sleep 1000 & : > {}; while :; do sleep 1; done",
        file.display()
    );
    let notes = Notes::default();
    let cancel = CancellationToken::new();
    let (program, limits) = (sh(&script), limits());
    tokio::select! {
        finished = run_program(&program, b"", &limits, &notes, &cancel) => panic!("{finished:?}"),
        () = made(&file) => {}
    }
    notes.assert_gone();
}

#[tokio::test]
async fn a_program_whose_group_cannot_be_recorded_gets_no_input() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("input");
    let notes = Notes {
        refuses: true,
        ..Notes::default()
    };
    let cancel = CancellationToken::new();
    let program = sh(&format!("cat > {}; exec sleep 1000", file.display()));
    let error = run_program(&program, b"secret", &limits(), &notes, &cancel)
        .await
        .unwrap_err();
    assert!(matches!(error, StartError::Watch { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "cannot record the process group of `/bin/sh`"
    );
    assert_eq!(running(notes.group().pgid), Vec::<i32>::new());
    assert!(notes.ended.lock().unwrap().is_empty());
    assert_eq!(std::fs::read(&file).unwrap_or_default(), b"");
}

#[tokio::test]
async fn a_missing_program_and_a_missing_directory_are_told_apart() {
    let cancel = CancellationToken::new();
    let program = Program {
        path: "/nowhere/tool".into(),
        ..sh("")
    };
    let error = run_program(&program, b"", &limits(), &Unwatched, &cancel)
        .await
        .unwrap_err();
    assert!(matches!(error, StartError::Spawn { .. }), "{error:?}");
    assert_eq!(error.to_string(), "cannot start `/nowhere/tool`");
    let program = Program {
        cwd: "/nowhere".into(),
        ..sh("")
    };
    let error = run_program(&program, b"", &limits(), &Unwatched, &cancel)
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "`/nowhere` is not a directory");
}

#[tokio::test]
async fn many_runs_at_once_all_end() {
    let limits = limits();
    let program = sh("cat");
    let cancel = CancellationToken::new();
    let begun = Instant::now();
    let mut runs = tokio::task::JoinSet::new();
    for number in 0..100_u32 {
        let (program, cancel) = (program.clone(), cancel.clone());
        runs.spawn(async move {
            let input = number.to_string().into_bytes();
            let finished = run_program(&program, &input, &limits, &Unwatched, &cancel)
                .await
                .unwrap();
            assert_eq!(finished.stdout, input);
        });
    }
    while let Some(joined) = runs.join_next().await {
        joined.unwrap();
    }
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
}

fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
