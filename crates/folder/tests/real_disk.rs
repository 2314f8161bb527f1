//! Folders on a real disk, with real processes and links.

#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(
    clippy::disallowed_types,
    reason = "the second process is the test itself"
)]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use agon_folder::{
    AppendError, Folder, OpenError, ProjectError, View, check, find_debate, list_debates,
    projections,
};
use agon_record::event::Event;
use agon_record::spec::Spec;
use agon_store::{RealDisk, RelPath};
use serde_json::json;

const AT: u64 = 1_795_291_200_000;
const HOLD: &str = "AGON_STORE_TEST_HOLD";

fn spec() -> Spec {
    let seat = json!({ "tool": "claude", "vendor": "anthropic", "model": null, "effort": "low",
                       "transport": "cli", "version": null });
    serde_json::from_value(json!({
        "ulid": "01JD0000000000000000000000", "slug": "", "format": "duel", "topic": "Yes or no?",
        "seats": { "proposer": seat, "challenger": seat, "judge": seat }, "substitutes": [],
        "rounds": 1, "blind": false, "ask_on_agreement": false, "context": { "kind": "none" },
        "caps": { "calls": 5, "tokens": 9, "time_ms": 9, "cost_micros": null, "reasks": 1 },
        "ask_timeout_ms": 9, "severities": {}, "same_tool": true, "salt": "00".repeat(32),
        "agon": "0.1.0", "ruleset": "duel/1",
    }))
    .unwrap()
}

fn create(parent: &Path) -> Folder {
    Folder::create(Arc::new(RealDisk), parent, "Yes or no?", spec(), AT).unwrap()
}

fn open(path: &Path) -> Result<Folder, OpenError> {
    Folder::open(Arc::new(RealDisk), path, AT).map(|(folder, _)| folder)
}

fn stop() -> Event {
    Event::Agreement { stop: true }
}

/// Returns every file below `dir` with its bytes.
fn image(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(image(&path));
        } else {
            files.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

#[test]
fn a_new_folder_has_its_parts_and_nothing_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    let parent = dir.path().join("deep/debates");
    let mut folder = create(&parent);
    folder.append(AT + 1, &[stop()]).unwrap();
    folder.write_own_projections().unwrap();
    let path = folder.path().to_owned();
    assert_eq!(path, parent.join("yes-or-no"));
    assert_eq!(fs::read_dir(&parent).unwrap().count(), 1);
    let names: Vec<_> = image(&path)
        .into_iter()
        .map(|(file, _)| file.strip_prefix(&path).unwrap().display().to_string())
        .collect();
    let expected = [
        ".agon/.gitignore",
        ".agon/journal.jsonl",
        ".agon/lock",
        ".agon/projections.json",
        ".gitattributes",
        "debate.md",
    ];
    assert_eq!(names, expected);
    let ignored = fs::read_to_string(path.join(".agon/.gitignore")).unwrap();
    assert_eq!(ignored, "lock\nrun\nrun.tmp\nsnapshot\ntmp\nlog\nhanded\n");
    let attributes = fs::read_to_string(path.join(".gitattributes")).unwrap();
    assert_eq!(attributes, "* -text\n.agon/journal.jsonl -text -merge\n");
    assert!(check(&RealDisk, &path, 5, &projections).unwrap().is_sound());
}

/// Holds the debate named by a variable open until the process is killed.
#[test]
fn a_process_that_holds_a_debate() {
    let Some(path) = std::env::var_os(HOLD) else {
        return;
    };
    let _folder = open(Path::new(&path)).unwrap();
    let mut out = std::io::stdout();
    writeln!(out, "\nholding").unwrap();
    out.flush().unwrap();
    // Until it is killed; it also ends with its parent.
    std::io::stdin().lines().for_each(drop);
}

fn hold(path: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_process_that_holds_a_debate", "--nocapture"])
        .env(HOLD, path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    assert!(out.lines().any(|line| line.unwrap() == "holding"));
    child
}

#[test]
fn a_second_process_is_told_who_writes_and_a_killed_one_leaves_no_lock() {
    let dir = tempfile::tempdir().unwrap();
    let path = create(dir.path()).path().to_owned();
    let mut child = hold(&path);
    let error = open(&path).unwrap_err();
    let who = format!("process {}, since 2026-11-21T20:00:00.000Z", child.id());
    let message = format!("{} is still running ({who})", path.display());
    assert_eq!(error.to_string(), message);
    assert_eq!(View::read(&RealDisk, &path).unwrap().lines, 1);
    child.kill().unwrap();
    child.wait().unwrap();
    open(&path).unwrap().append(AT, &[stop()]).unwrap();
}

#[test]
fn one_process_cannot_write_twice_either() {
    let dir = tempfile::tempdir().unwrap();
    let first = create(dir.path());
    assert!(matches!(open(first.path()), Err(OpenError::Locked { .. })));
    let path = first.path().to_owned();
    drop(first);
    open(&path).unwrap();
}

/// Longer than a tick of the file system's clock.
const A_TICK: Duration = Duration::from_millis(30);

#[test]
fn a_journal_that_was_rewritten_at_its_length_is_not_written_on() {
    let in_place = |journal: &Path, bytes: &[u8]| fs::write(journal, bytes).unwrap();
    let by_another = |journal: &Path, bytes: &[u8]| {
        let other = journal.with_file_name("other");
        fs::write(&other, bytes).unwrap();
        fs::rename(other, journal).unwrap();
    };
    for (name, rewrite) in [
        ("in place", &in_place as &dyn Fn(&Path, &[u8])),
        ("by another file", &by_another),
    ] {
        for reopened in [false, true] {
            let dir = tempfile::tempdir().unwrap();
            let mut folder = create(dir.path());
            let path = folder.path().to_owned();
            if reopened {
                drop(folder);
                folder = open(&path).unwrap();
            }
            let journal = path.join(".agon/journal.jsonl");
            let text = fs::read_to_string(&journal).unwrap();
            let other = text.replace("Yes or no?", "Yes or no!");
            assert_eq!((other.len(), other == text), (text.len(), false));
            sleep(A_TICK);
            rewrite(&journal, other.as_bytes());
            let before = image(&path);
            let refused = folder.append(AT + 1, &[stop()]).unwrap_err();
            assert!(matches!(refused, AppendError::Changed), "{name}: {refused}");
            let refused = folder.append(AT + 1, &[stop()]).unwrap_err();
            assert!(
                matches!(refused, AppendError::Poisoned),
                "{name}: {refused}"
            );
            assert_eq!(image(&path), before, "{name}");
        }
    }
}

#[test]
fn a_journal_whose_lines_are_the_same_is_written_on_whatever_was_done_to_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = create(dir.path());
    let journal = folder.path().join(".agon/journal.jsonl");
    let same = fs::read(&journal).unwrap();
    sleep(A_TICK);
    fs::set_permissions(&journal, fs::Permissions::from_mode(0o640)).unwrap();
    fs::hard_link(&journal, dir.path().join("backup")).unwrap();
    folder.append(AT + 1, &[stop()]).unwrap();
    let two = fs::read(&journal).unwrap();
    assert!(two.starts_with(&same) && two.len() > same.len());
    sleep(A_TICK);
    fs::write(&journal, &two).unwrap();
    folder.append(AT + 2, &[stop()]).unwrap();
    assert_eq!(View::read(&RealDisk, folder.path()).unwrap().lines, 3);

    // The same lines in another file do not count as the open journal.
    let other = journal.with_file_name("other");
    fs::write(&other, fs::read(&journal).unwrap()).unwrap();
    fs::rename(other, &journal).unwrap();
    let refused = folder.append(AT + 3, &[stop()]).unwrap_err();
    assert!(matches!(refused, AppendError::Changed), "{refused}");
}

#[test]
fn a_link_out_of_the_folder_is_refused() {
    for name in [
        ".agon",
        ".agon/blobs",
        ".agon/aside",
        "arguments",
        ".agon/journal.jsonl",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = create(dir.path()).path().to_owned();
        let (inside, outside) = (path.join(name), dir.path().join("outside"));
        if inside.exists() {
            fs::rename(&inside, &outside).unwrap();
        } else {
            fs::create_dir(&outside).unwrap();
        }
        symlink(&outside, &inside).unwrap();
        let before = image(dir.path());
        let found = open(&path);
        assert!(
            matches!(&found, Err(OpenError::Misplaced { path }) if *path == inside),
            "{name}: {found:?}"
        );
        assert_eq!(image(dir.path()), before, "{name}");
    }
}

#[test]
fn a_file_that_is_a_link_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = create(dir.path());
    let (outside, inside) = (dir.path().join("outside"), folder.path().join("debate.md"));
    fs::write(&outside, "").unwrap();
    symlink(&outside, &inside).unwrap();
    let Err(ProjectError::ForeignEdit { paths }) = folder.write_own_projections() else {
        panic!("the link was replaced");
    };
    assert_eq!(paths, [RelPath::new("debate.md").unwrap()]);
    assert_eq!(fs::read(&outside).unwrap(), b"");

    // A linked directory of a projection is not followed out of the folder either.
    let elsewhere = dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, folder.path().join("graphs")).unwrap();
    let file = (RelPath::new("graphs/a.mmd").unwrap(), b"graph".to_vec());
    assert!(matches!(
        folder.write_projections(&[file]),
        Err(ProjectError::ForeignEdit { .. })
    ));
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);

    // The temporary file does not lead out of the folder either.
    fs::remove_file(&inside).unwrap();
    let temp = folder.path().join(".agon/tmp");
    fs::remove_file(&temp).ok();
    symlink(&outside, &temp).unwrap();
    let error = folder.write_own_projections().unwrap_err();
    assert_eq!(error.to_string(), format!("cannot open {}", temp.display()));
    assert_eq!(fs::read(&outside).unwrap(), b"");
}

#[test]
fn a_folder_without_the_right_to_write_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = create(dir.path());
    folder.write_own_projections().unwrap();
    let path = folder.path().to_owned();
    let state = folder.state().clone();
    drop(folder);
    let places = [path.clone(), path.join(".agon")];
    let allow = |mode| {
        for place in &places {
            fs::set_permissions(place, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    allow(0o555);
    let before = image(&path);
    assert_eq!(View::read(&RealDisk, &path).unwrap().state, state);
    assert!(check(&RealDisk, &path, 5, &projections).unwrap().is_sound());
    let listing = list_debates(&RealDisk, dir.path()).unwrap();
    assert_eq!(listing.debates.len(), 1);
    let ulid = "01JD0000000000000000000000";
    let list = || Ok(list_debates(&RealDisk, dir.path())?.debates);
    let found = find_debate(&RealDisk, ulid, dir.path(), &list).unwrap();
    assert_eq!(found, path);
    assert_eq!(image(&path), before);
    allow(0o755);
}

/// Returns a folder that another tool began, without turns.
fn theirs(at: &Path) {
    let front =
        json!({ "debate_id": "x", "current_exchange": 0, "current_phase": "awaiting_arguments" });
    fs::create_dir_all(at.join("arguments")).unwrap();
    fs::write(
        at.join("debate.md"),
        format!("{front:#}\n\n# Motion\n\nYes?\n"),
    )
    .unwrap();
    fs::write(at.join("scores.json"), "{}").unwrap();
}

#[test]
fn a_link_in_a_folder_of_another_tool_is_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let outside = dir.path().join("outside");
    theirs(&outside);
    for name in ["arguments", "debate.md", "scores.json"] {
        let at = dir.path().join("debate");
        theirs(&at);
        let place = at.join(name);
        if place.is_dir() {
            fs::remove_dir(&place).unwrap();
        } else {
            fs::remove_file(&place).unwrap();
        }
        symlink(outside.join(name), &place).unwrap();
        let before = image(&outside);
        let error = Folder::import(Arc::new(RealDisk), &at, spec(), AT).unwrap_err();
        let what = if name == "arguments" {
            "directory"
        } else {
            "file"
        };
        assert_eq!(error.to_string(), format!("{name}: is not a {what}"));
        assert_eq!(
            View::read(&RealDisk, &at).unwrap_err().to_string(),
            error.to_string()
        );
        assert!(!at.join(".agon").exists());
        assert_eq!(image(&outside), before);
        fs::remove_dir_all(&at).unwrap();
    }
    let at = dir.path().join("debate");
    theirs(&at);
    symlink("/etc/passwd", at.join("arguments/prop_000a.md")).unwrap();
    let error = View::read(&RealDisk, &at).unwrap_err();
    assert_eq!(error.to_string(), "arguments/prop_000a.md: is not a file");
}

#[test]
fn a_folder_of_another_tool_is_shown_where_nothing_can_be_written() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().join("debate");
    theirs(&at);
    let before = image(&at);
    fs::set_permissions(&at, fs::Permissions::from_mode(0o555)).unwrap();
    let view = View::read(&RealDisk, &at).unwrap();
    assert_eq!(
        (view.foreign, view.state.spec.topic.as_str()),
        (true, "Yes?")
    );
    assert!(check(&RealDisk, &at, 5, &projections).unwrap().is_sound());
    assert_eq!(
        list_debates(&RealDisk, dir.path()).unwrap().debates.len(),
        1
    );
    fs::set_permissions(&at, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(image(&at), before);
    // The second process gets an error.
    let first = Folder::import(Arc::new(RealDisk), &at, spec(), AT).unwrap();
    let second = Folder::import(Arc::new(RealDisk), &at, spec(), AT).unwrap_err();
    assert!(
        second.to_string().ends_with("already has a record"),
        "{second}"
    );
    assert!(matches!(open(&at), Err(OpenError::Locked { .. })));
    drop(first);
    assert_eq!(open(&at).unwrap().state().spec.topic, "Yes?");
}

fn pipe(path: &Path) {
    let none = rustix::fs::Mode::RWXU;
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, none, 0).unwrap();
}

/// Returns each kind of file that an untrusted archive can have in the place of a regular file.
fn plant(path: &Path, kind: &str) {
    fs::remove_file(path).ok();
    match kind {
        "pipe" => pipe(path),
        "device" => symlink("/dev/zero", path).unwrap(),
        "huge" => fs::File::create(path).unwrap().set_len(1 << 40).unwrap(),
        other => panic!("{other}"),
    }
}

#[test]
fn what_is_no_file_in_the_place_of_one_is_neither_waited_for_nor_read() {
    for kind in ["pipe", "device", "huge"] {
        for name in [
            ".agon/snapshot",
            ".agon/projections.json",
            ".agon/lock",
            ".agon/handed",
            ".agon/run",
            ".agon/log",
            ".agon/journal.jsonl",
            "debate.md",
        ] {
            let dir = tempfile::tempdir().unwrap();
            let mut folder = create(dir.path());
            folder.append(AT + 1, &[stop()]).unwrap();
            folder.write_own_projections().unwrap();
            let path = folder.path().to_owned();
            drop(folder);
            plant(&path.join(name), kind);
            // Each of them ends, with any result.
            list_debates(&RealDisk, dir.path()).ok();
            View::read(&RealDisk, &path).ok();
            check(&RealDisk, &path, 5, &projections).ok();
            if let Ok(mut folder) = open(&path) {
                folder.append(AT + 2, &[stop()]).ok();
                folder.write_own_projections().ok();
                folder.create_detached_log().ok();
            }
            let beside = create(dir.path());
            assert_ne!(beside.path(), path, "{kind} {name}");
        }
    }
}

#[test]
fn a_journal_over_the_limit_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = create(dir.path()).path().to_owned();
    plant(&path.join(".agon/journal.jsonl"), "huge");
    let error = View::read(&RealDisk, &path).unwrap_err();
    assert!(error.to_string().contains("journal.jsonl"), "{error}");
    let cause = std::error::Error::source(&error).unwrap();
    assert_eq!(cause.to_string(), "it is larger than 64 MiB");
}
