//! Open children and the lines exchanged with them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_proc::{ChildLine, OpenChild, SendError, StopTimeouts};

use crate::common::{Notes, running, sh};

const LADDER: StopTimeouts = StopTimeouts {
    close: Duration::from_millis(300),
    grace: Duration::from_millis(300),
    drain: Duration::from_secs(1),
};

/// Long enough that only the child's actions end the wait.
const PATIENT: StopTimeouts = StopTimeouts {
    close: Duration::from_secs(60),
    grace: Duration::from_secs(60),
    drain: Duration::from_secs(1),
};

fn hold(script: &str, line_cap: usize) -> (OpenChild, Arc<Notes>) {
    let notes = Arc::new(Notes::default());
    let watch = Arc::clone(&notes);
    (
        OpenChild::start(&sh(script), line_cap, watch).unwrap(),
        notes,
    )
}

fn text(line: &str) -> ChildLine {
    ChildLine::Text(line.as_bytes().to_vec())
}

#[tokio::test]
async fn lines_go_out_and_come_back() {
    let (held, notes) = hold("while read line; do echo \"got $line\"; done; exit 7", 100);
    for word in ["one", "two"] {
        held.send_line(word.as_bytes()).await.unwrap();
        assert_eq!(held.next_line().await, text(&format!("got {word}")));
    }
    let stopped = held.stop(&PATIENT).await;
    assert_eq!((stopped.code, stopped.signal), (Some(7), None));
    notes.assert_gone();
}

#[tokio::test]
async fn a_long_line_is_capped_and_the_next_one_is_whole() {
    let script = "printf '12345\\n123456\\n'; head -c 1000000 /dev/zero; printf '\\na\\r\\nend'";
    let (held, notes) = hold(script, 5);
    let mut lines = Vec::new();
    while lines.last() != Some(&ChildLine::Eof) {
        lines.push(held.next_line().await);
    }
    let expected = [
        text("12345"),
        ChildLine::TooLong,
        ChildLine::TooLong,
        text("a"),
        text("end"),
        ChildLine::Eof,
    ];
    assert_eq!(lines, expected);
    assert_eq!(held.next_line().await, ChildLine::Eof);
    held.stop(&LADDER).await;
    notes.assert_gone();
}

#[tokio::test]
async fn an_endless_line_is_reported_before_it_ends() {
    let (held, notes) = hold("head -c 1073741824 /dev/zero; exec sleep 1000", 1 << 16);
    assert_eq!(held.next_line().await, ChildLine::TooLong);
    drop(held);
    notes.assert_gone();
}

#[tokio::test]
async fn a_dropped_read_loses_nothing() {
    let (held, _) = hold("printf half; read go; echo ' and half'", 100);
    tokio::select! {
        biased;
        line = held.next_line() => panic!("{line:?}"),
        () = tokio::time::sleep(Duration::from_millis(200)) => {}
    }
    held.send_line(b"go").await.unwrap();
    assert_eq!(held.next_line().await, text("half and half"));
}

#[tokio::test]
async fn both_directions_flow_at_once() {
    let (held, _) = hold("cat", 1 << 20);
    let line = vec![b'x'; 900_000];
    let (sent, got) = tokio::join!(held.send_line(&line), held.next_line());
    sent.unwrap();
    assert!(got == ChildLine::Text(line));
}

#[tokio::test]
async fn a_line_break_in_a_line_is_refused() {
    let (held, _) = hold("cat", 100);
    assert!(matches!(
        held.send_line(b"a\nb").await,
        Err(SendError::LineBreak)
    ));
    held.send_line(b"c").await.unwrap();
    assert_eq!(held.next_line().await, text("c"));
}

#[tokio::test]
async fn sending_to_a_child_that_stopped_reading_fails() {
    let (held, _) = hold("exec 0<&-; echo closed; exec sleep 1000", 100);
    assert_eq!(held.next_line().await, text("closed"));
    assert!(matches!(held.send_line(b"x").await, Err(SendError::Closed)));
}

#[tokio::test]
async fn a_child_that_ends_on_eof_is_not_signalled() {
    let script = "trap 'exit 9' TERM; cat >/dev/null; echo bye >&2; exit 4";
    let (held, notes) = hold(script, 100);
    let stopped = held.stop(&PATIENT).await;
    assert_eq!((stopped.code, stopped.signal), (Some(4), None));
    assert_eq!(stopped.stderr_tail, b"bye\n");
    notes.assert_gone();
}

#[tokio::test]
async fn a_child_that_ignores_eof_gets_term() {
    let script = "trap 'exit 9' TERM; echo ready; sleep 1000 & wait";
    let (held, notes) = hold(script, 100);
    assert_eq!(held.next_line().await, text("ready"));
    let ladder = StopTimeouts {
        close: LADDER.close,
        ..PATIENT
    };
    let stopped = held.stop(&ladder).await;
    assert_eq!((stopped.code, stopped.signal), (Some(9), None));
    notes.assert_gone();
}

#[tokio::test]
async fn a_tree_that_ignores_term_gets_kill() {
    let script = "trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 1; done' & \
                  echo ready; while :; do sleep 1; done";
    let (held, notes) = hold(script, 100);
    assert_eq!(held.next_line().await, text("ready"));
    assert!(running(held.group().pgid).len() >= 2);
    let begun = Instant::now();
    let stopped = held.stop(&LADDER).await;
    assert_eq!((stopped.code, stopped.signal), (None, Some(9)));
    assert!(begun.elapsed() >= LADDER.close + LADDER.grace);
    notes.assert_gone();
}

#[tokio::test]
async fn a_child_that_still_talks_can_end_by_itself() {
    let (held, notes) = hold("cat >/dev/null; head -c 1000000 /dev/zero; exit 5", 100);
    let stopped = held.stop(&PATIENT).await;
    assert_eq!(stopped.code, Some(5));
    notes.assert_gone();
}

#[tokio::test]
async fn standard_error_never_blocks_the_child() {
    let (held, _) = hold("head -c 1000000 /dev/zero >&2; echo end >&2; echo out", 100);
    assert_eq!(held.next_line().await, text("out"));
    let stopped = held.stop(&PATIENT).await;
    assert_eq!(stopped.stderr_tail.len(), 64 * 1024);
    assert!(stopped.stderr_tail.ends_with(b"\0end\n"));
}

#[tokio::test]
async fn a_dropped_child_leaves_nothing() {
    let (held, notes) = hold(
        "trap '' TERM; sleep 1000 & echo ready; wait; sleep 1000",
        100,
    );
    assert_eq!(held.next_line().await, text("ready"));
    drop(held);
    notes.assert_gone();
}
