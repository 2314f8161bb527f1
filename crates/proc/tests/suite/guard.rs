//! The guard, and what it ends when the process that it guards is gone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_proc::{Guarded, Held, Line, Program, Unwatched, Watch, serve_guard};

use crate::common::{Notes, running, sh};

/// A guard that writes what it reads to this file.
fn noting(path: &std::path::Path) -> Program {
    sh(&format!("cat > {}", path.display()))
}

#[tokio::test]
async fn what_is_left_when_the_pipe_closes_is_ended_and_nothing_else() {
    let start = || Held::start(&sh("echo ready; exec sleep 1000"), 100, Arc::new(Unwatched));
    let (left, over) = (start().unwrap(), start().unwrap());
    for held in [&left, &over] {
        assert_eq!(held.next_line().await, Line::Text(b"ready".to_vec()));
    }
    let said = |sign: &str, held: &Held| {
        let group = held.group();
        let (pgid, start) = (group.pgid, group.leader_start);
        format!("{sign} {pgid} {start} {} {}\n", group.boot, group.mark)
    };
    let input = [said("+", &left), said("+", &over), said("-", &over)].concat();
    serve_guard(input.as_bytes());
    assert_eq!(running(left.group().pgid), Vec::<i32>::new());
    assert_eq!(running(over.group().pgid).len(), 1);
}

#[test]
fn a_guard_is_told_of_each_group_and_ends_with_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("said");
    let notes = Arc::new(Notes::default());
    let guarded = Guarded::new(Arc::<Notes>::clone(&notes), noting(&path));
    let group = agon_proc::Group {
        pgid: 42,
        leader_start: 7,
        boot: "b".into(),
        mark: "m".into(),
    };
    guarded.started(&group).unwrap();
    guarded.ended(&group);
    assert_eq!(*notes.started.lock().unwrap(), std::slice::from_ref(&group));
    assert_eq!(*notes.ended.lock().unwrap(), [group]);
    drop(guarded);
    let until = Instant::now() + Duration::from_secs(10);
    while std::fs::read_to_string(&path).unwrap_or_default() != "+ 42 7 b m\n- 42 7 b m\n" {
        assert!(Instant::now() < until, "the guard was not told");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_guard_that_cannot_be_started_stops_nobody() {
    let program = Program {
        path: "/nowhere/agon".into(),
        ..sh("")
    };
    let notes = Arc::new(Notes::default());
    let guarded = Guarded::new(Arc::<Notes>::clone(&notes), program);
    let group = agon_proc::Group {
        pgid: 42,
        leader_start: 7,
        boot: "b".into(),
        mark: "m".into(),
    };
    guarded.started(&group).unwrap();
    guarded.ended(&group);
    assert_eq!(*notes.ended.lock().unwrap(), [group]);
}
