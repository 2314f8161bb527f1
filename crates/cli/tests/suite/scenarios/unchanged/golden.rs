//! The bytes of the record: what the program's own types read is what they write.

use agon_record::event::Event;
use agon_record::state::State;

use super::fixture;

/// The text between the first `from` and the last `to`.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).unwrap() + from.len();
    let end = text.rfind(to).unwrap();
    &text[start..end]
}

#[test]
fn every_line_of_every_recorded_journal_is_written_again_to_the_byte() {
    let mut lines = 0;
    for recorded in fixture::all() {
        let files = recorded.files();
        let Some(journal) = files.get(".agon/journal.jsonl") else {
            continue;
        };
        for line in std::str::from_utf8(journal).unwrap().lines() {
            let events = between(line, "\"events\":", ",\"hash\":\"");
            let read: Vec<Event> = serde_json::from_str(events).unwrap();
            let written = serde_json::to_string(&read).unwrap();
            assert_eq!(written, events, "{}", recorded.name);
            lines += 1;
        }
    }
    assert!(lines > 400, "{lines}");
}

#[test]
fn every_recorded_snapshot_is_written_again_to_the_byte() {
    let mut snapshots = 0;
    for recorded in fixture::all() {
        let files = recorded.files();
        let Some(snapshot) = files.get(".agon/snapshot") else {
            continue;
        };
        let state = between(std::str::from_utf8(snapshot).unwrap(), "\"state\":", "}");
        let read: State = serde_json::from_str(state).unwrap();
        let written = serde_json::to_string(&read).unwrap();
        assert_eq!(written, state, "{}", recorded.name);
        snapshots += 1;
    }
    assert!(snapshots > 0);
}
