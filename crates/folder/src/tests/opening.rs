//! Opening, locks, snapshots and the list of a run.

use std::path::Path;
use std::sync::Arc;

use agon_store::journal::JournalFault;
use agon_store::{Disk, FaultDisk, Holder, RunEntry};

use super::support::{AT, batches, debate, debates, folder, open, spec, state_after};
use crate::{CreateError, Folder, OpenError, OpenReport, Problem, View};

fn journal(disk: &FaultDisk) -> Vec<u8> {
    disk.read(&folder().join(".agon/journal.jsonl")).unwrap()
}

fn set_journal(disk: &FaultDisk, bytes: &[u8]) {
    disk.place_file(&folder().join(".agon/journal.jsonl"), bytes);
}

/// Returns the bytes of every file of the debate except the lock.
fn image(disk: &FaultDisk, dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for name in disk.list_names(dir).unwrap() {
        let path = dir.join(&name);
        if disk.metadata(&path).unwrap().unwrap().kind == agon_store::FileKind::Dir {
            files.extend(image(disk, &path));
        } else if name != "lock" {
            files.push((path.display().to_string(), disk.read(&path).unwrap()));
        }
    }
    files
}

#[test]
fn a_debate_opens_as_it_was_left() {
    let disk = FaultDisk::new();
    for count in 0..=batches().len() {
        let disk = disk.after_crash(agon_store::CrashRemains::All);
        let left = debate(&disk, count);
        let (state, lines) = (left.state().clone(), left.line_count());
        drop(left);
        let (folder, opening) = open(&disk, &folder()).unwrap();
        assert_eq!((folder.state(), folder.line_count()), (&state, lines));
        assert_eq!(opening, OpenReport::default());
        assert_eq!(*folder.state(), state_after(&state.spec, count));
    }
}

#[test]
fn a_second_debate_of_a_name_gets_another_folder() {
    let disk = FaultDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut names = Vec::new();
    for _ in 0..3 {
        let made = Folder::create(Arc::clone(&shared), &debates(), "Job store", spec(), AT);
        let made = made.unwrap();
        names.push((made.path().to_owned(), made.state().spec.slug.clone()));
    }
    let named = |slug: &str| (debates().join(slug), slug.to_owned());
    assert_eq!(
        names,
        [
            named("job-store"),
            named("job-store-2"),
            named("job-store-3")
        ]
    );
    assert_eq!(
        disk.list_names(&debates()).unwrap(),
        ["job-store", "job-store-2", "job-store-3"]
    );
}

#[test]
fn a_second_writer_is_told_who_the_first_is() {
    let disk = FaultDisk::new();
    let first = debate(&disk, 1);
    let Err(OpenError::Locked { path, holder }) = open(&disk, first.path()) else {
        panic!("two writers");
    };
    let started = "2026-11-21T20:00:00.000Z".to_owned();
    let pid = std::process::id();
    assert_eq!((path, holder), (folder(), Some(Holder { pid, started })));
    drop(first);
    open(&disk, &folder()).unwrap();
}

#[test]
fn a_torn_last_line_is_set_aside_and_the_debate_goes_on() {
    let disk = FaultDisk::new();
    let state = debate(&disk, 3).state().clone();
    let sound = journal(&disk);
    let mut torn = sound.clone();
    torn.extend_from_slice(&sound[..700]);
    torn.retain(|&byte| byte != 0);
    let tail = torn
        .split(|&byte| byte == b'\n')
        .next_back()
        .unwrap()
        .to_vec();
    set_journal(&disk, &torn);
    let view = View::read(&disk, &folder()).unwrap();
    let bytes = tail.len() as u64;
    assert_eq!(
        (view.problems, &view.state),
        (vec![Problem::Torn { bytes }], &state)
    );
    let (mut left, opening) = open(&disk, &folder()).unwrap();
    let found = opening.torn.unwrap();
    assert_eq!(
        (found.bytes, disk.read(&found.kept).unwrap()),
        (bytes, tail)
    );
    assert_eq!((left.state(), journal(&disk)), (&state, sound));
    left.append(AT, &batches()[3]).unwrap();
    drop(left);
    let (left, opening) = open(&disk, &folder()).unwrap();
    assert_eq!(opening, OpenReport::default());
    assert_eq!(*left.state(), state_after(&state.spec, 4));
}

#[test]
fn a_journal_that_is_damaged_forked_or_newer_is_read_and_not_written() {
    let disk = FaultDisk::new();
    drop(debate(&disk, 3));
    let sound = journal(&disk);
    let lines: Vec<_> = sound.split_inclusive(|&byte| byte == b'\n').collect();
    let mut flipped = sound.clone();
    flipped[lines[0].len() + 90] ^= 4;
    let mut last = sound.clone();
    let end = last.len() - 100;
    last[end] ^= 4;
    let forked = [&sound[..], lines[3]].concat();
    let newer = [&sound[..], b"{\"v\":7}\n"].concat();
    let cases = [
        (flipped, JournalFault::Damaged { line: 2, after: 2 }, 0),
        (last, JournalFault::Damaged { line: 4, after: 0 }, 2),
        (forked, JournalFault::Forked { line: 5 }, 3),
        (
            newer,
            JournalFault::Newer {
                line: 5,
                version: 7,
            },
            3,
        ),
    ];
    for (bytes, fault, kept) in cases {
        set_journal(&disk, &bytes);
        let before = image(&disk, &folder());
        let Err(OpenError::ReadOnly { fault: found, .. }) = open(&disk, &folder()) else {
            panic!("{fault} was opened for writing");
        };
        assert_eq!(found, fault);
        let view = View::read(&disk, &folder()).unwrap();
        assert_eq!(view.state, state_after(&view.state.spec, kept), "{fault}");
        let version = if let JournalFault::Newer { version, .. } = fault {
            version
        } else {
            1
        };
        assert_eq!(view.format_version, version);
        assert_eq!(view.problems, [Problem::Journal(fault)]);
        assert_eq!(image(&disk, &folder()), before);
    }
}

#[test]
fn a_journal_that_another_program_changes_takes_no_more() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 2);
    let mut bytes = journal(&disk);
    bytes.extend_from_slice(b"{}\n");
    set_journal(&disk, &bytes);
    let error = left.append(AT, &batches()[2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the journal was changed by another program"
    );
    assert_eq!(*left.state(), state_after(&left.state().spec, 2));
}

#[test]
fn deleting_the_snapshot_changes_nothing() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 3);
    // Long enough for a snapshot.
    let reply = super::support::given("r2.pro", &"x".repeat(100_000));
    left.append(AT, &[reply]).unwrap();
    left.append(AT, &batches()[3]).unwrap();
    let (state, lines) = (left.state().clone(), left.line_count());
    drop(left);
    let snapshot = folder().join(".agon/snapshot");
    let bytes = disk.read(&snapshot).unwrap();
    // A large reply stays in its blob.
    assert!(bytes.len() < agon_store::INLINE_MAX);

    let sound = journal(&disk);
    let mut damaged = sound.clone();
    damaged[100] ^= 1;
    // With a snapshot, earlier lines are not read, so corruption there is not noticed.
    set_journal(&disk, &damaged);
    let (with, _) = open(&disk, &folder()).unwrap();
    assert_eq!((with.state(), with.line_count()), (&state, lines));
    drop(with);

    let text = std::str::from_utf8(&bytes).unwrap();
    let useless = [
        Vec::new(),
        b"nonsense".to_vec(),
        bytes[..bytes.len() - 1].to_vec(),
        text.replace("plain files", "plane files").into_bytes(),
        resealed(text, "\"v\":1", "\"v\":2"),
        resealed(text, env!("CARGO_PKG_VERSION"), "999.0.0"),
        resealed(text, "\"offset\":", "\"offset\":9"),
        resealed(text, "\"line\":\"", "\"line\":\"0"),
        resealed(text, "\"topic\":\"SQLite", "\"topos\":\"SQLite"),
    ];
    for other in useless {
        disk.place_file(&snapshot, &other);
        set_journal(&disk, &damaged);
        let told = open(&disk, &folder());
        assert!(matches!(told, Err(OpenError::ReadOnly { .. })), "{told:?}");
        set_journal(&disk, &sound);
        let (without, opening) = open(&disk, &folder()).unwrap();
        assert_eq!((without.state(), without.line_count()), (&state, lines));
        assert_eq!(opening, OpenReport::default());
    }
}

/// Returns the snapshot with a changed text, correctly sealed.
fn resealed(snapshot: &str, from: &str, to: &str) -> Vec<u8> {
    assert!(snapshot.contains(from), "{from}");
    let text = snapshot[65..].replacen(from, to, 1);
    format!("{}\n{text}", blake3::hash(text.as_bytes()).to_hex()).into_bytes()
}

#[test]
fn a_snapshot_of_another_journal_is_ignored() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 2);
    left.append(AT, &[super::support::given("r1.cha", &"x".repeat(100_000))])
        .unwrap();
    let snapshot = folder().join(".agon/snapshot");
    let bytes = disk.read(&snapshot).unwrap();
    drop(left);
    let other = FaultDisk::new();
    let mut left = debate(&other, 2);
    left.append(AT, &[super::support::given("r1.cha", &"y".repeat(100_000))])
        .unwrap();
    let state = left.state().clone();
    drop(left);
    other.place_file(&snapshot, &bytes);
    assert_eq!(*open(&other, &folder()).unwrap().0.state(), state);
}

#[test]
fn a_missing_or_damaged_blob_is_told_and_is_no_obstacle() {
    let disk = FaultDisk::new();
    drop(debate(&disk, 3));
    let blobs = folder().join(".agon/blobs");
    let name = disk.list_names(&blobs).unwrap().pop().unwrap();
    let hash = name.to_str().unwrap().to_owned();
    disk.place_file(&blobs.join(&name), b"something else");
    let damaged = Problem::BlobDamaged { hash: hash.clone() };
    let problems = View::read(&disk, &folder()).unwrap().problems;
    assert_eq!(problems, std::slice::from_ref(&damaged));
    assert_eq!(open(&disk, &folder()).unwrap().1.warnings, [damaged]);
    disk.remove_tree(&blobs.join(&name)).unwrap();
    let missing = Problem::BlobMissing { hash };
    assert_eq!(View::read(&disk, &folder()).unwrap().problems, [missing]);
}

#[test]
fn a_blob_is_found_by_a_hash_and_by_nothing_else() {
    use agon_record::event::{Event, Reply};
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 1);
    disk.place_file(&debates().join("secret"), b"secret");
    let mut event = super::support::given("r1.pro", "");
    if let Event::Given(given) = &mut event {
        let hash = "../../../secret".to_owned();
        given.reply = Reply::Blob { hash, bytes: 6 };
    }
    left.append(AT, &[event]).unwrap();
    let view = View::read(&disk, &folder()).unwrap();
    let hash = "../../../secret".to_owned();
    assert_eq!(view.problems, [Problem::BlobDamaged { hash }]);
}

#[test]
fn events_that_do_not_fit_are_refused_whole() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 1);
    let before = (left.state().clone(), journal(&disk));
    let mut events = batches()[1].clone();
    events.push(agon_record::event::Event::Opened(Box::new(spec())));
    let error = left.append(AT, &events).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the events do not follow from the debate"
    );
    left.append(AT, &[]).unwrap();
    assert_eq!((left.state().clone(), journal(&disk)), before);
}

#[test]
fn process_groups_are_listed_until_they_are_gone() {
    let disk = FaultDisk::new();
    let left = debate(&disk, 1);
    let entry = |pgid| RunEntry {
        pgid,
        leader_start: 77,
        boot: "b".to_owned(),
        mark: "m".to_owned(),
    };
    left.run_list().register(&entry(10)).unwrap();
    left.run_list().register(&entry(11)).unwrap();
    left.run_list().register(&entry(12)).unwrap();
    left.run_list().unregister(&entry(11)).unwrap();
    drop(left);
    let (again, _) = open(&disk, &folder()).unwrap();
    assert_eq!(again.leftover_runs(), [entry(10), entry(12)]);
    again.run_list().unregister(&entry(10)).unwrap();
    again.run_list().unregister(&entry(12)).unwrap();
    drop(again);
    disk.place_file(&folder().join(".agon/run.tmp"), b"half a li");
    let (again, _) = open(&disk, &folder()).unwrap();
    assert_eq!(again.leftover_runs(), []);
}

#[test]
fn a_folder_without_a_debate_is_not_opened() {
    let disk = FaultDisk::new();
    disk.place_file(&folder().join("debate.md"), b"# Motion");
    let error = open(&disk, &folder()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/srv/debates/job-store does not contain a debate"
    );
    assert_eq!(disk.list_names(&folder()).unwrap(), ["debate.md"]);
    assert!(View::read(&disk, &debates()).is_err());
}

#[test]
fn a_file_where_the_debates_belong_is_an_error() {
    let disk = FaultDisk::new();
    disk.place_file(&debates(), b"a file");
    let made = Folder::create(Arc::new(disk.clone()), &debates(), "x", spec(), AT);
    assert!(matches!(made, Err(CreateError::Disk(_))));
    assert_eq!(disk.read(&debates()).unwrap(), b"a file");
}
