//! Programs that keep running after complete output, and their strays.

use std::path::Path;
use std::time::{Duration, Instant};

use agon_proc::{
    Completion, Ending, Finished, Limits, Program, Unwatched, run_program, run_until_complete,
    stream_output,
};
use tokio_util::sync::CancellationToken;

use crate::common::{Notes, limits, runs, sh};

const GRACE: Duration = Duration::from_millis(200);

/// Runs `script`, whose output is complete once it contains this word.
async fn until(script: &str, word: &str, limits: &Limits) -> (Finished, Duration) {
    let notes = Notes::default();
    let cancel = CancellationToken::new();
    let is_complete = |printed: &[u8]| String::from_utf8_lossy(printed).contains(word);
    let completion = Completion {
        is_complete: &is_complete,
        grace: GRACE,
    };
    let begun = Instant::now();
    let finished =
        run_until_complete(&sh(script), b"", limits, &notes, &cancel, Some(completion)).await;
    notes.assert_gone();
    (finished.unwrap(), begun.elapsed())
}

#[tokio::test]
async fn a_program_that_printed_all_and_does_not_end_is_ended_soon() {
    let script = "trap 'echo more; exit 1' TERM; echo done; while :; do sleep 0.05; done";
    let (finished, took) = until(script, "done", &limits()).await;
    assert_eq!(finished.ending, Ending::Complete);
    assert_eq!(
        finished.stdout, b"done\n",
        "what it printed while it ended is left out"
    );
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn a_program_that_goes_on_printing_after_all_is_ended_too() {
    let script = "echo done; while :; do echo; sleep 0.05; done";
    let (finished, took) = until(script, "done", &limits()).await;
    assert_eq!(finished.ending, Ending::Complete);
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn a_program_that_ends_by_itself_within_the_grace_is_not_ended() {
    let limits = Limits {
        deadline: Duration::from_secs(20),
        ..limits()
    };
    let (finished, _) = until("echo done; sleep 0.6; exit 3", "done", &limits).await;
    let ending = Ending::Exited {
        code: Some(3),
        signal: None,
    };
    assert_eq!(finished.ending, ending);
}

#[tokio::test]
async fn half_an_output_is_waited_for_until_the_deadline_and_a_whole_one_counts_there_too() {
    let limits = Limits {
        deadline: Duration::from_millis(300),
        ..limits()
    };
    let (finished, _) = until("echo half; exec sleep 1000", "done", &limits).await;
    assert_eq!(finished.ending, Ending::TimedOut);
    let (finished, _) = until("echo done; exec sleep 1000", "done", &limits).await;
    assert_eq!(finished.ending, Ending::Complete);
}

/// Starts a process in a session of its own, prints its number once it runs, and ends.
fn stray(folder: &Path) -> Program {
    let there = folder.join("there");
    let there = there.display();
    sh(&format!(
        "setsid sh -c 'echo $$; touch {there}; exec sleep 1000 </dev/null >/dev/null 2>&1' & \
         while [ ! -e {there} ]; do sleep 0.01; done"
    ))
}

fn number(printed: &[u8]) -> i32 {
    String::from_utf8_lossy(printed).trim().parse().unwrap()
}

#[tokio::test]
async fn what_left_the_group_ends_with_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = CancellationToken::new();
    let finished = run_program(&stray(folder.path()), b"", &limits(), &Unwatched, &cancel).await;
    assert!(!runs(number(&finished.unwrap().stdout)));
}

#[tokio::test]
async fn what_a_command_of_the_users_starts_in_a_session_of_its_own_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = CancellationToken::new();
    let mut printed = Vec::new();
    let mut sink = |bytes: &[u8]| printed.extend_from_slice(bytes);
    let streamed = stream_output(
        &stray(folder.path()),
        &limits(),
        &Unwatched,
        &cancel,
        &mut sink,
    )
    .await;
    streamed.unwrap();
    let stray = number(&printed);
    assert!(runs(stray));
    let number = rustix::process::Pid::from_raw(stray).unwrap();
    rustix::process::kill_process(number, rustix::process::Signal::KILL).unwrap();
}

#[tokio::test]
async fn a_stray_outlives_a_probe_that_was_the_first_to_start_it() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = CancellationToken::new();
    let limits = Limits::probe();
    let finished = run_program(&stray(folder.path()), b"", &limits, &Unwatched, &cancel).await;
    let stray = number(&finished.unwrap().stdout);
    assert!(runs(stray));
    let number = rustix::process::Pid::from_raw(stray).unwrap();
    rustix::process::kill_process(number, rustix::process::Signal::KILL).unwrap();
}
