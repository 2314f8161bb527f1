//! Lists from the index: the same as from the folders, whatever happened to either.

#![expect(clippy::unwrap_used, reason = "a helper may stop the test")]

mod common;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use agon_folder::{Folder, Listing, list_debates};
use agon_index::{Index, RefreshLimit, debates_opened_since};
use agon_samples::batches::{AT, opening};
use agon_store::{RealDisk, RunEntry};
use agon_verdict::status::RunState;
use rusqlite::Connection;

use common::Debates;

impl Debates {
    fn of(&self, slug: &str, file: &str) -> PathBuf {
        self.path().join(slug).join(".agon").join(file)
    }

    fn journal(&self, slug: &str) -> PathBuf {
        self.of(slug, "journal.jsonl")
    }

    /// Makes every lock look as if it had been taken long ago.
    fn age_locks(&self) {
        let long_ago = SystemTime::now() - Duration::from_secs(100);
        for entry in fs::read_dir(self.path()).unwrap() {
            let lock = entry.unwrap().path().join(".agon/lock");
            if let Ok(lock) = File::options().append(true).open(lock) {
                lock.set_modified(long_ago).unwrap();
            }
        }
    }

    fn list(&self) -> Listing {
        let mut index = Index::open_for_list(self.path()).unwrap();
        index.list(&|_| false, &mut || {}).unwrap()
    }

    /// Checks that the list from the index equals that of the folders, and returns its names.
    fn check(&self, case: &str) -> Vec<String> {
        let (index, folders) = (self.list(), list_debates(&RealDisk, self.path()).unwrap());
        assert_eq!(simplify(&index), simplify(&folders), "{case}");
        let debates = index.debates.into_iter();
        debates.map(|debate| debate.slug).collect()
    }

    /// Changes the stored topic of every debate, which shows that a list takes it from the index.
    fn forge_topics(&self) {
        let db = Connection::open(self.index_file()).unwrap();
        let forged = "UPDATE listed SET record = json_set(record, '$.topic', 'forged')";
        db.execute(forged, ()).unwrap();
    }

    fn topics(&self) -> Vec<(String, String)> {
        let debates = self.list().debates.into_iter();
        debates
            .map(|debate| (debate.slug, debate.record.topic))
            .collect()
    }
}

/// Everything in a list that a reader can see.
fn simplify(listing: &Listing) -> (Vec<String>, Vec<String>, Vec<PathBuf>) {
    let debates = listing.debates.iter().map(|debate| {
        let state = debate.folder_run_state();
        // The process of a debate that was not interrupted no longer matters.
        let handed = (debate.handed_to.as_ref()).filter(|_| state == RunState::Stopped);
        let (path, slug, record) = (&debate.path, &debate.slug, &debate.record);
        let problems = debate.problems;
        format!("{path:?} {slug} {record:?} {state} {handed:?} {problems}")
    });
    let unreadable = listing.unreadable.iter();
    let unreadable = unreadable.map(|bad| format!("{:?} {:?}", bad.path, bad.error));
    let interrupted = listing.interrupted_removals.clone();
    (debates.collect(), unreadable.collect(), interrupted)
}

fn append_bytes(path: &Path, bytes: &[u8]) {
    let old = fs::read(path).unwrap();
    fs::write(path, [&old, bytes].concat()).unwrap();
}

#[test]
fn a_list_from_the_index_is_that_of_the_folders() {
    let debates = Debates::new();
    debates.closed("closed", 1);
    debates.closed("handed", 2);
    debates.open("interrupted", 3);
    debates.open("torn", 4);
    debates.closed("damaged", 5);
    debates.closed("link", 6);
    debates.closed("hidden", 7);
    debates.closed("removed", 8);
    let process = RunEntry {
        pgid: 1,
        leader_start: 0,
        boot: "another".to_owned(),
        mark: String::new(),
    };
    let process = serde_json::to_vec(&process).unwrap();
    for slug in ["handed", "interrupted"] {
        fs::write(debates.of(slug, "handed"), &process).unwrap();
    }
    append_bytes(&debates.journal("torn"), b"{\"v\":1");
    append_bytes(&debates.journal("damaged"), b"what\n");
    let elsewhere = debates.path().join("elsewhere.jsonl");
    fs::rename(debates.journal("link"), &elsewhere).unwrap();
    symlink(&elsewhere, debates.journal("link")).unwrap();
    let place = |name: &str| debates.path().join(name);
    fs::rename(place("hidden"), place(".hidden")).unwrap();
    let removed = format!(".removed-{}", ulid::Ulid::from(9_u128));
    fs::rename(place("removed"), place(&removed)).unwrap();
    fs::create_dir_all(debates.of("broken", "")).unwrap();
    fs::write(debates.journal("broken"), "no line of ours\n").unwrap();
    fs::create_dir_all(place("theirs/arguments")).unwrap();
    let theirs = "{\"debate_id\": \"trains\", \"current_exchange\": 0, \"current_phase\": \
         \"awaiting_arguments\", \"cumulative_scores\": {}}\n\n# Motion\n\nTrains\n\n\
         ## Definitions\n\n## Scope\n\nAll\n";
    fs::write(place("theirs/debate.md"), theirs).unwrap();
    fs::write(place("theirs/scores.json"), "{}").unwrap();
    let odd = std::ffi::OsString::from_vec(b"not \xff text".to_vec());
    let to = debates.path().join(odd).join(".agon");
    fs::create_dir_all(&to).unwrap();
    fs::copy(debates.journal("closed"), to.join("journal.jsonl")).unwrap();
    let running = debates.open("running", 10);

    let names = [
        "closed",
        "damaged",
        "handed",
        "interrupted",
        "running",
        "theirs",
        "torn",
    ];
    assert_eq!(debates.check("nothing stored yet"), names);
    assert_eq!(debates.check("locks just taken"), names);
    debates.age_locks();
    assert_eq!(debates.check("locks checked"), names);
    assert_eq!(debates.check("everything stored"), names);
    drop(running);
    debates.check("it no longer runs");
    // A folder with an unreadable record of Agon is not another tool's.
    fs::create_dir(debates.of("theirs", "")).unwrap();
    assert!(
        !debates
            .check("theirs no longer")
            .contains(&"theirs".to_owned())
    );
}

#[test]
fn a_debate_that_has_not_changed_is_not_read() {
    let debates = Debates::new();
    debates.closed("one", 1);
    debates.closed("two", 2);
    debates.list();
    debates.forge_topics();
    let forged = |slug: &str| (slug.to_owned(), "forged".to_owned());
    assert_eq!(debates.topics(), [forged("one"), forged("two")]);
    debates.age_locks();
    assert_eq!(debates.topics(), [forged("one"), forged("two")]);
    // Its lock and background process are not read either.
    symlink("nowhere", debates.of("one", "handed")).unwrap();
    assert_eq!(debates.topics(), [forged("one"), forged("two")]);
}

#[test]
fn every_change_of_a_folder_is_seen() {
    let debates = Debates::new();
    debates.closed("one", 1);
    debates.closed("two", 2);
    drop(debates.open("three", 3));
    debates.age_locks();
    debates.check("new");
    debates.check("stored");
    debates.forge_topics();

    let (mut folder, _) =
        Folder::open(Arc::new(RealDisk), &debates.path().join("three"), AT).unwrap();
    let listing = debates.list();
    assert!(listing.debates[1].has_writer, "a process took its lock");
    assert!(!listing.debates[0].has_writer);
    folder.append(AT + 1, &[opening()]).unwrap();
    let listing = debates.list();
    assert_eq!(listing.debates[1].record.topic, "three", "it was written");
    drop(folder);
    assert!(!debates.list().debates[1].has_writer);

    // Damage that keeps the length and the modification time.
    let journal = debates.journal("one");
    let modified = fs::metadata(&journal).unwrap().modified().unwrap();
    let mut bytes = fs::read(&journal).unwrap();
    bytes[20] ^= 1;
    fs::write(&journal, &bytes).unwrap();
    let file = File::options().append(true).open(&journal).unwrap();
    file.set_modified(modified).unwrap();
    let listing = debates.list();
    assert_eq!(listing.unreadable.len(), 1);

    fs::remove_dir_all(debates.path().join("one")).unwrap();
    fs::remove_dir_all(debates.path().join("two")).unwrap();
    assert_eq!(debates.check("removed"), ["three"]);
    debates.closed("two", 4);
    assert_eq!(debates.check("the name is used again"), ["three", "two"]);
}

#[test]
fn a_running_background_process_is_never_forgotten() {
    let debates = Debates::new();
    debates.closed("one", 1);
    let process = RunEntry {
        pgid: 1,
        leader_start: 0,
        boot: String::new(),
        mark: String::new(),
    };
    let bytes = serde_json::to_vec(&process).unwrap();
    fs::write(debates.of("one", "handed"), bytes).unwrap();
    debates.age_locks();
    for is_running in [true, true, false, false] {
        let mut index = Index::open_for_list(debates.path()).unwrap();
        let listing = index.list(&|_| is_running, &mut || {}).unwrap();
        let handed_to = listing.debates[0].handed_to.as_ref();
        assert!(handed_to.is_some() || !is_running);
    }
    assert_eq!(debates.list().debates[0].handed_to, None);
}

#[test]
fn an_unusable_index_changes_no_list() {
    let debates = Debates::new();
    for number in 1..40 {
        debates.closed(&format!("number {number}"), number);
    }
    debates.check("new");
    let file = debates.path().join(".agon/index.db");
    let whole = fs::read(&file).unwrap();
    for from in [0, 30, 100, 4_096, 8_192, 20_000] {
        let mut bytes = whole.clone();
        bytes[from..].fill(0xA5);
        fs::write(&file, &bytes).unwrap();
        match Index::open_for_list(debates.path()) {
            // The file can no longer be told from another program's.
            None => assert_eq!(fs::read(&file).unwrap(), bytes, "{from}"),
            Some(_) => assert_eq!(debates.check(&from.to_string()).len(), 39),
        }
    }
    fs::remove_file(&file).unwrap();
    assert_eq!(debates.check("missing").len(), 39);
    let db = Connection::open(&file).unwrap();
    db.pragma_update(None, "user_version", 4).unwrap();
    drop(db);
    assert_eq!(debates.check("another version").len(), 39);
    fs::write(&file, "my own notes").unwrap();
    assert!(Index::open_for_list(debates.path()).is_none());
    assert_eq!(fs::read(&file).unwrap(), b"my own notes");
}

#[test]
fn an_index_in_use_is_not_waited_for_long() {
    let debates = Debates::new();
    debates.closed("one", 1);
    debates.list();
    let db = Connection::open(debates.path().join(".agon/index.db")).unwrap();
    db.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let index = Index::open_for_list(debates.path());
    assert!(index.is_none_or(|mut index| index.list(&|_| false, &mut || {}).is_none()));
    let opened = debates_opened_since(debates.path(), 0, "one", &mut BTreeSet::new()).unwrap();
    assert_eq!(opened, [debates.path().join("one")]);
}

#[test]
fn a_search_fills_the_list() {
    let debates = Debates::new();
    debates.closed("one", 1);
    let mut index = Index::open(debates.path()).unwrap();
    index.refresh(RefreshLimit::All).unwrap();
    drop(index);
    debates.forge_topics();
    assert_eq!(debates.topics()[0].1, "forged");
}

#[test]
fn a_second_search_reads_only_what_was_opened_in_between() {
    let debates = Debates::new();
    debates.closed("one", 1);
    let mut known = BTreeSet::new();
    let mut found = || debates_opened_since(debates.path(), AT, "one", &mut known).unwrap();
    assert_eq!(found(), [debates.path().join("one")]);
    assert_eq!(found(), Vec::<PathBuf>::new());
    drop(debates.open("one", 2));
    assert_eq!(found(), [debates.path().join("one-2")]);
    assert_eq!(known, ["one", "one-2"].map(OsString::from).into());
}

#[test]
fn the_debates_on_a_topic_are_found_with_and_without_an_index() {
    let debates = Debates::new();
    debates.closed("one", 1);
    debates.closed("two", 2);
    drop(debates.open("one", 3));
    fs::create_dir_all(debates.of("broken", "")).unwrap();
    fs::write(debates.journal("broken"), "no line of ours\n").unwrap();
    let found =
        |since| debates_opened_since(debates.path(), since, "one", &mut BTreeSet::new()).unwrap();
    let both = [debates.path().join("one"), debates.path().join("one-2")];
    assert_eq!(found(AT), both);
    debates.list();
    assert_eq!(found(AT), both);
    assert_eq!(found(AT + 1), Vec::<PathBuf>::new(), "opened before");
    debates.forge_topics();
    assert_eq!(
        found(AT),
        Vec::<PathBuf>::new(),
        "it reads no journal in the index"
    );
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_millis(AT - 1);
    let journal = File::options().append(true).open(debates.journal("one"));
    append_bytes(&debates.journal("one-2"), b"{");
    assert_eq!(found(AT), both[1..], "it was written");
    journal.unwrap().set_modified(long_ago).unwrap();
    assert_eq!(found(AT), both[1..], "not written since");
    let none = debates.path().join("none");
    assert_eq!(
        debates_opened_since(&none, 0, "one", &mut BTreeSet::new()).unwrap(),
        Vec::<PathBuf>::new()
    );
    assert!(!none.exists());
}
