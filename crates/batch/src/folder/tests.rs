use std::collections::BTreeMap;

use agon_config::Settings;
use agon_debates::request::StartRequest;

use super::*;
use crate::identity::{ContextFiles, identity};
use crate::select::Shard;

fn row(id: &str, topic: &str) -> (Row, Identity) {
    let request = StartRequest {
        topic: topic.to_owned(),
        ..StartRequest::default()
    };
    let files = ContextFiles::new(Path::new("/"));
    let identity = identity(&request, &Settings::default(), &files, 1);
    let row = Row {
        line: 1,
        id: id.to_owned(),
        tags: Vec::new(),
        kind: crate::input::RowKind::Debate,
        apart: String::new(),
        request,
    };
    (row, identity)
}

fn name(id: &str, topic: &str) -> String {
    let (row, identity) = row(id, topic);
    debate_name(&row, &identity)
}

#[test]
fn the_store_keeps_every_name_with_its_identity_and_attempt() {
    let long = "x".repeat(90);
    let topics = [
        "Should the job store of this project use SQLite or one plain file per job?",
        "Où sont les données de ce projet ?",
        "火",
        "???",
        "con",
        "A - - - - - - - - - - - - B",
        &long,
    ];
    for topic in topics {
        let (row, identity) = row("", topic);
        let name = debate_name(&row, &identity);
        assert!(name.ends_with(identity.short()), "{name}");
        for attempt in [1, 2, 9_999] {
            let name = attempt_name(&name, attempt);
            assert_eq!(slug(&name), name, "attempt {attempt} at {topic}");
        }
    }
}

#[test]
fn a_name_begins_with_whole_words_of_the_topic() {
    let readable = |topic: &str| {
        let name = name("", topic);
        name.rsplit_once('-').unwrap().0.to_owned()
    };
    assert_eq!(
        readable("Should the job store use SQLite?"),
        "should-the-job"
    );
    assert_eq!(readable("SQLite or 2 files?"), "sqlite-or-2-files");
    assert_eq!(
        readable("Is it ready now to be shipped?"),
        "is-it-ready-now-to"
    );
    assert_eq!(readable(&"x".repeat(90)), "x".repeat(18));
}

#[test]
fn another_id_does_not_change_the_name() {
    assert_eq!(name("a", "Ship it?"), name("b", "Ship it?"));
}

#[test]
fn files_that_differ_in_their_ending_have_different_folders() {
    let caller = Caller::new(BTreeMap::new(), "/srv");
    let folder = |file: &str, shard: Option<&str>| {
        let batch = BatchRequest {
            file: file.into(),
            shard: shard.map(|text| Shard::parse(text).unwrap()),
            ..BatchRequest::default()
        };
        BatchFolder::of(&caller, &batch).path().to_owned()
    };
    assert_eq!(folder("s.jsonl", None), Path::new("/srv/s.jsonl.batch"));
    assert_eq!(folder("a/s.csv", None), Path::new("/srv/a/s.csv.batch"));
    let shard = folder("s.csv", Some("2/4"));
    assert_eq!(shard, Path::new("/srv/s.csv.2-of-4.batch"));
}

#[test]
fn asking_whether_a_batch_runs_prevents_no_run() {
    let dir = tempfile::tempdir().unwrap();
    let caller = Caller::new(BTreeMap::new(), dir.path());
    let folder = BatchFolder::of(&caller, &BatchRequest::default());
    drop(folder.lock().unwrap());
    // What `is_running` does, while it does it.
    let asking = fs::File::open(folder.path().join(LOCK)).unwrap();
    asking.try_lock_shared().unwrap();
    let asks = std::thread::scope(|scope| {
        let lock = scope.spawn(|| folder.lock().map(drop));
        assert!(!folder.is_running());
        std::thread::sleep(std::time::Duration::from_millis(50));
        drop(asking);
        lock.join().unwrap()
    });
    assert_eq!(asks, Ok(()));
}
