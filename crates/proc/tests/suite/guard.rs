//! The guard ends groups after the process that it guards has ended.

use std::sync::Arc;
use std::time::{Duration, Instant};

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use agon_proc::{
    ChildLine, Group, Guarded, OpenChild, Program, Unwatched, Watch, become_guard,
    end_groups_on_close,
};
use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Notes, running, sh};

/// A guard that writes its input to this file.
fn noting(path: &std::path::Path) -> Program {
    sh(&format!("cat > {}", path.display()))
}

#[tokio::test]
async fn what_is_left_when_the_pipe_closes_is_ended_and_nothing_else() {
    let start = || OpenChild::start(&sh("echo ready; exec sleep 1000"), 100, Arc::new(Unwatched));
    let (left, over) = (start().unwrap(), start().unwrap());
    for held in [&left, &over] {
        assert_eq!(held.next_line().await, ChildLine::Text(b"ready".to_vec()));
    }
    let said = |sign: &str, held: &OpenChild| {
        let group = held.group();
        let (pgid, start) = (group.pgid, group.leader_start);
        format!("{sign} {pgid} {start} {} {}\n", group.boot, group.mark)
    };
    let input = [said("+", &left), said("+", &over), said("-", &over)].concat();
    end_groups_on_close(input.as_bytes());
    assert_eq!(running(left.group().pgid), Vec::<i32>::new());
    assert_eq!(running(over.group().pgid).len(), 1);
}

fn noted() -> agon_proc::Group {
    agon_proc::Group {
        pgid: 42,
        leader_start: 7,
        boot: "b".into(),
        mark: "m".into(),
    }
}

#[test]
fn a_guard_is_told_of_each_group_and_ends_with_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("said");
    let notes = Arc::new(Notes::default());
    let guarded = Guarded::new(Arc::<Notes>::clone(&notes), noting(&path));
    let group = noted();
    guarded.on_group_started(&group).unwrap();
    guarded.on_group_ended(&group);
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
    let group = noted();
    guarded.on_group_started(&group).unwrap();
    guarded.on_group_ended(&group);
    assert_eq!(*notes.ended.lock().unwrap(), [group]);
}

fn group(pgid: i32) -> Group {
    Group {
        pgid,
        leader_start: 7,
        boot: "b".into(),
        mark: "m".into(),
    }
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_guard_that_is_gone_is_started_once_more_and_told_of_the_live_groups() {
    let folder = tempfile::tempdir().unwrap();
    let here = |name: &str| folder.path().join(name);
    let script = format!(
        "cd {}; if mkdir first; then read line; read line; read line; exec 0<&-; mkdir gone; exit; fi
         echo start >> said; exec cat >> said",
        folder.path().display()
    );
    let guarded = Guarded::new(Arc::new(Unwatched), sh(&script));
    guarded.on_group_started(&group(42)).unwrap();
    guarded.on_group_started(&group(43)).unwrap();
    guarded.on_group_ended(&group(42));
    wait_until("the first guard is gone", || here("gone").exists());
    guarded.on_group_started(&group(44)).unwrap();
    guarded.on_group_ended(&group(43));
    drop(guarded);
    let expected = "start\n+ 43 7 b m\n+ 44 7 b m\n- 43 7 b m\n";
    let said = || fs::read_to_string(here("said")).unwrap_or_default();
    wait_until("the second guard is told", || said() == expected);
}

#[test]
fn no_guard_stays_unreaped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pid");
    let guarded = Guarded::new(
        Arc::new(Unwatched),
        sh(&format!("echo $$ > {}; read line", path.display())),
    );
    guarded.on_group_started(&group(42)).unwrap();
    let pid = || fs::read_to_string(&path).unwrap_or_default();
    wait_until("the guard says its number", || pid().ends_with('\n'));
    let process = format!("/proc/{}", pid().trim());
    drop(guarded);
    wait_until("the guard is reaped", || !Path::new(&process).exists());
}

/// If this variable is set, the process is the guard of the next test.
const ROLE: &str = "AGON_TEST_GUARD";

#[tokio::test]
async fn a_guard_has_its_own_name_and_outlives_polite_signals() {
    if std::env::var_os(ROLE).is_some() {
        std::thread::spawn(|| become_guard(std::io::stdin().lock()))
            .join()
            .unwrap();
        return;
    }
    let held =
        OpenChild::start(&sh("echo ready; exec sleep 1000"), 100, Arc::new(Unwatched)).unwrap();
    assert_eq!(held.next_line().await, ChildLine::Text(b"ready".to_vec()));
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "guard::a_guard_has_its_own_name_and_outlives_polite_signals",
        ])
        .env(ROLE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid = i32::try_from(child.id()).unwrap();
    let file = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap();
    let handles_term = || {
        let status = file("status");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = u64::from_str_radix(mask.unwrap().trim(), 16).unwrap();
        mask & (1 << (Signal::TERM.as_raw() - 1)) != 0
    };
    wait_until("the guard handles TERM", handles_term);
    #[cfg(all(target_os = "linux", not(agon_portable)))]
    wait_until("the guard has its name", || file("comm") == "tool-guard\n");
    for polite in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        kill_process(Pid::from_raw(pid).unwrap(), polite).unwrap();
    }
    let Group {
        pgid,
        leader_start,
        boot,
        mark,
    } = held.group();
    let line = format!("+ {pgid} {leader_start} {boot} {mark}\n");
    let mut pipe = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut pipe, line.as_bytes()).unwrap();
    assert_eq!(running(*pgid).len(), 1);
    drop(pipe);
    assert!(child.wait().unwrap().success());
    assert_eq!(running(*pgid), Vec::<i32>::new());
}
