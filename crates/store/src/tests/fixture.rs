//! A journal of the first format, as originally written.

use std::fs;
use std::path::{Path, PathBuf};

use agon_record::event::Event;
use agon_record::state::State;
use agon_samples::batches::{AT, batches, spec};

use crate::journal::{Position, encode_line};
use crate::load::{SnapshotUse, load_debate};
use crate::{Layout, RealDisk};

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format-1/job-store")
}

/// Returns the debate of the fixture: all batches except the one with a blob.
fn lines() -> Vec<(u64, Vec<Event>)> {
    let mut spec = spec();
    spec.slug = "job-store".to_owned();
    let mut lines = vec![(AT, vec![Event::Opened(Box::new(spec))])];
    let rest = batches().iter().enumerate().filter(|(n, _)| *n != 2);
    lines.extend(rest.map(|(n, batch)| (AT + 1 + n as u64, batch.clone())));
    lines
}

#[test]
fn a_journal_of_the_first_format_reads_as_it_did() {
    let loaded = load_debate(&RealDisk, &Layout::new(&place()), SnapshotUse::Journal).unwrap();
    let lines = lines();
    let events = lines.iter().flat_map(|(_, events)| events);
    assert_eq!(loaded.state, State::replay(events).unwrap());
    assert_eq!(
        (loaded.fault, loaded.torn, loaded.blobs),
        (None, vec![], vec![])
    );
    assert_eq!(loaded.after.end.seq, lines.len() as u64);
}

/// `AGON_BLESS=1` rewrites the fixture, as long as the format is not released.
#[test]
fn the_first_format_is_still_written_to_the_byte() {
    let (mut journal, mut at) = (Vec::new(), Position::START);
    for (at_ms, events) in lines() {
        let (line, end) = encode_line(&at, at_ms, &events).unwrap();
        journal.extend_from_slice(&line);
        at = end;
    }
    let path = place().join(".agon/journal.jsonl");
    if std::env::var_os("AGON_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &journal).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(written, String::from_utf8(journal).unwrap());
}
