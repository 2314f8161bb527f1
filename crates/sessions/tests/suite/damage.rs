//! Records that are cut, damaged, growing, very large or not ours.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use agon_sessions::{
    Entry, EntryKind, ProblemKind, SessionHost, SessionReader, SessionRef, open_session,
    recognize_session,
};
use proptest::prelude::*;

use crate::golden::home_of;
use crate::held::{listing, read_all, read_one};

const FILES: [SessionHost; 4] = [
    SessionHost::Claude,
    SessionHost::Codex,
    SessionHost::Gemini,
    SessionHost::Copilot,
];

/// The largest record of a host, as bytes, and a place to put a changed one in.
struct Sample {
    home: tempfile::TempDir,
    found: SessionRef,
    bytes: Vec<u8>,
}

fn sample(host: SessionHost) -> Sample {
    let home = home_of(host);
    let read = read_all(host, home.path());
    let largest = read.into_iter().max_by_key(|it| it.entries.len()).unwrap();
    let bytes = fs::read(&largest.found.file).unwrap();
    Sample {
        home,
        found: largest.found,
        bytes,
    }
}

/// What is to be the same however a record was read: each call, result, prompt and count once.
fn essence(entries: &[Entry]) -> BTreeSet<String> {
    let essence = entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Prompt(text) => Some(format!("prompt {} {}", entry.turn, text.as_str())),
        EntryKind::Call(call) => Some(format!("call {}", call.id)),
        EntryKind::Result(result) => Some(format!("result {} {:?}", result.call, result.failure)),
        EntryKind::Usage(usage) => Some(format!("usage {} {:?}", usage.key, usage.tokens)),
        EntryKind::Compaction(_) => Some(format!("compaction {}", entry.location)),
        _ => None,
    });
    essence.collect()
}

fn gather(reader: &mut dyn SessionReader, entries: &mut Vec<Entry>) {
    reader.read(&mut |entry| entries.push(entry)).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_record_that_is_cut_and_has_bytes_flipped_is_read_as_far_as_it_can_be(
        at in 0..FILES.len(),
        cut in 0.0..1.0f64,
        flips in prop::collection::vec((0.0..1.0f64, any::<u8>()), 0..20),
    ) {
        let sample = sample(FILES[at]);
        let share = |part: f64| (part * sample.bytes.len() as f64) as usize;
        let mut bytes = sample.bytes[share(cut)..].to_vec();
        for (place, byte) in flips {
            let place = share(place).min(bytes.len().saturating_sub(1));
            if let Some(found) = bytes.get_mut(place) {
                *found = byte;
            }
        }
        fs::write(&sample.found.file, &bytes).unwrap();
        let read = read_one(sample.found.clone());
        for (at, entry) in read.entries.iter().enumerate() {
            prop_assert_eq!(entry.index, at as u64);
        }
        // What is found is never more than the whole record has.
        for problem in &read.problems {
            prop_assert!(problem.count > 0);
        }
        drop(sample.home);
    }

    #[test]
    fn a_record_that_grows_says_the_same_as_when_it_is_whole(
        at in 0..FILES.len(),
        mut cuts in prop::collection::vec(0.0..1.0f64, 1..12),
    ) {
        let sample = sample(FILES[at]);
        let mut whole = Vec::new();
        gather(open_session(&sample.found).unwrap().as_mut(), &mut whole);
        fs::write(&sample.found.file, "").unwrap();
        let mut reader = open_session(&sample.found).unwrap();
        let mut grown = Vec::new();
        cuts.push(1.0);
        cuts.sort_by(f64::total_cmp);
        let mut written = 0;
        for cut in cuts {
            let until = (cut * sample.bytes.len() as f64) as usize;
            let mut file = fs::File::options().append(true).open(&sample.found.file).unwrap();
            file.write_all(&sample.bytes[written..until]).unwrap();
            written = until;
            gather(reader.as_mut(), &mut grown);
        }
        prop_assert_eq!(essence(&grown), essence(&whole));
    }

    #[test]
    fn a_database_with_bytes_flipped_never_ends_the_program(
        flips in prop::collection::vec((100usize.., any::<u8>()), 1..30),
    ) {
        let home = home_of(SessionHost::Opencode);
        let database = home.path().join(".local/share/opencode/opencode.db");
        let found = agon_sessions::find_sessions(
            SessionHost::Opencode,
            agon_sessions::SessionPlaces { home: home.path(), variable: &|_| None },
            None,
        );
        let mut bytes = fs::read(&database).unwrap();
        for (place, byte) in flips {
            let place = place % bytes.len();
            bytes[place] = byte;
        }
        fs::write(&database, bytes).unwrap();
        for session in found {
            let mut reader = open_session(&session).unwrap();
            let mut entries = 0;
            match reader.read(&mut |_| entries += 1) {
                Ok(progress) => prop_assert_eq!(progress.entries, entries),
                Err(error) => prop_assert!(error.to_string().contains("opencode.db")),
            }
        }
    }
}

#[test]
fn a_damaged_line_is_counted_and_the_others_are_read() {
    let sample = sample(SessionHost::Copilot);
    let whole = read_one(sample.found.clone());
    let mut text = String::from_utf8(sample.bytes.clone()).unwrap();
    text.push_str(
        "{\"type\":\"assistant.mess\nnull\n{\"type\":\"weather.changed\"}\n{\"unfinished",
    );
    fs::write(&sample.found.file, text).unwrap();
    let mut reader = open_session(&sample.found).unwrap();
    let mut entries = Vec::new();
    let progress = reader.read(&mut |entry| entries.push(entry)).unwrap();
    assert_eq!(essence(&entries), essence(&whole.entries));
    assert_eq!(progress.unfinished, 12);
    let problems: Vec<_> = reader
        .problems()
        .iter()
        .map(|it| (it.kind, it.detail.clone(), it.count))
        .collect();
    let unknown = Some("weather.changed".to_owned());
    assert_eq!(
        problems,
        [
            (ProblemKind::Damaged, None, 2),
            (ProblemKind::UnknownKind, unknown, 1)
        ]
    );
}

#[test]
fn a_version_that_is_newer_than_those_tried_is_said() {
    for host in [
        SessionHost::Claude,
        SessionHost::Codex,
        SessionHost::Copilot,
    ] {
        let sample = sample(host);
        let measured = &agon_sessions::SessionProfile::for_host(host)
            .unwrap()
            .measured;
        let text = String::from_utf8(sample.bytes).unwrap();
        let newer = text.replace(&format!("\"{measured}\""), "\"99.1.0\"");
        assert_ne!(text, newer, "{host}");
        fs::write(&sample.found.file, newer).unwrap();
        let read = read_one(sample.found);
        let said: Vec<_> = read.problems.iter().map(|it| (it.kind, it.count)).collect();
        assert_eq!(said, [(ProblemKind::NewerVersion, 1)], "{host}");
    }
}

#[test]
fn a_record_that_another_takes_the_place_of_is_refused() {
    let sample = sample(SessionHost::Codex);
    let mut reader = open_session(&sample.found).unwrap();
    reader.read(&mut |_| {}).unwrap();
    fs::write(&sample.found.file, "{}\n").unwrap();
    assert!(reader.read(&mut |_| {}).is_err());
    fs::remove_file(&sample.found.file).unwrap();
    assert!(reader.read(&mut |_| {}).is_err());
}

#[test]
fn a_file_is_known_by_what_is_in_it() {
    for host in FILES {
        let sample = sample(host);
        let elsewhere = sample.home.path().join("copy.jsonl");
        fs::copy(&sample.found.file, &elsewhere).unwrap();
        let found = recognize_session(&elsewhere).unwrap();
        assert_eq!(found.host, host);
        let listed = listing(&read_one(found));
        assert!(listed.lines().count() > 5, "{listed}");
    }
    let other = tempfile::tempdir().unwrap();
    let path = other.path().join("notes.txt");
    fs::write(&path, "{}").unwrap();
    assert_eq!(recognize_session(&path), None);
}

/// Every file below a folder with its bytes and the time at which it was written.
fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(tree(&path));
        } else {
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            found.push((path.clone(), fs::read(&path).unwrap(), modified));
        }
    }
    found.sort();
    found
}

#[test]
fn nothing_is_written_to_the_files_of_a_host() {
    for host in SessionHost::ALL
        .into_iter()
        .filter(|it| *it != SessionHost::Agon)
    {
        let home = home_of(host);
        let before = tree(home.path());
        for read in read_all(host, home.path()) {
            assert!(!read.entries.is_empty());
        }
        assert_eq!(tree(home.path()), before, "{host}");
    }
}

#[test]
fn a_database_with_a_log_is_read_with_it_and_nothing_is_written() {
    let home = home_of(SessionHost::Opencode);
    let database = home.path().join(".local/share/opencode/opencode.db");
    let id = read_all(SessionHost::Opencode, home.path())[0]
        .found
        .id
        .clone();
    let writer = rusqlite::Connection::open(&database).unwrap();
    let mode: String = writer
        .query_row("PRAGMA journal_mode=WAL", (), |row| row.get(0))
        .unwrap();
    assert_eq!(mode, "wal");
    let rename = "UPDATE session SET title = 'of the log'";
    writer.execute(rename, ()).unwrap();
    // As a killed process leaves it, and as a crash of the machine does: without the log's index.
    // Beside `writer` itself nothing can be tried, for SQLite shares the index within a process.
    for left in [&["", "-wal", "-shm"][..], &["", "-wal"]] {
        let folder = tempfile::tempdir().unwrap();
        for end in left {
            let name = format!("opencode.db{end}");
            fs::copy(database.with_file_name(&name), folder.path().join(&name)).unwrap();
        }
        let before = tree(folder.path());
        let found = SessionRef {
            host: SessionHost::Opencode,
            id: id.clone(),
            file: folder.path().join("opencode.db"),
            project: None,
            moved_to: None,
            origin: agon_sessions::Origin::New,
            modified: std::time::SystemTime::UNIX_EPOCH,
            bytes: None,
        };
        let mut reader = open_session(&found).unwrap();
        let mut entries = 0;
        reader.read(&mut |_| entries += 1).unwrap();
        assert_eq!(
            reader.session().title.as_deref(),
            Some("of the log"),
            "{left:?}"
        );
        assert!(entries > 0);
        assert!(
            tree(folder.path()) == before,
            "{left:?}: something was written"
        );
    }
    drop(writer);
}

#[test]
fn a_secret_in_a_record_is_not_in_what_leaves() {
    let secret = format!("ghp_{}", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let line = serde_json::json!({"type": "user", "uuid": "u", "sessionId": "s",
        "message": {"content": format!("my token is {secret}")}});
    fs::write(&file, format!("{line}\n")).unwrap();
    let read = read_one(recognize_session(&file).unwrap());
    let text = read.entries[0].kind.text().unwrap();
    assert!(text.as_str().contains(&secret));
    assert!(!text.redacted().contains(&secret));
    assert!(!format!("{:?}", read.entries).contains(&secret));
}
