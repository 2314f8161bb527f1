//! Reading without a lock, finding and listing.

use std::sync::Arc;

use agon_record::event::Event;
use agon_rules::format::Phase;
use agon_store::{Disk, FaultDisk};

use super::support::{AT, batches, debate, debates, files, find, folder, spec, state_after};
use crate::{Folder, View, check, list_debates};

#[test]
fn a_folder_that_cannot_be_written_is_read_whole() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 4);
    left.write_projections(&files(left.state())).unwrap();
    drop(left);
    disk.make_read_only();
    let view = View::read(&disk, &folder()).unwrap();
    assert_eq!(view.state, state_after(&view.state.spec, 4));
    assert_eq!((view.at_first, view.at_last, view.lines), (AT, AT + 4, 5));
    assert_eq!((view.format_version, view.problems), (1, vec![]));
    let opening = Event::Opened(Box::new(view.state.spec.clone()));
    let told: Vec<_> = view
        .events
        .iter()
        .map(|r| (r.seq, r.at_ms, r.event.clone()))
        .collect();
    let mut expected = vec![(1, AT, opening)];
    for (n, batch) in (1..).zip(&batches()[..4]) {
        expected.extend(batch.iter().map(|event| (n + 1, AT + n, event.clone())));
    }
    assert_eq!(told, expected);
    assert!(check(&disk, &folder(), 5, &files).unwrap().is_sound());
    assert_eq!(list_debates(&disk, &debates()).unwrap().debates.len(), 1);
}

#[test]
fn a_reader_does_not_wait_for_the_writer() {
    let disk = FaultDisk::new();
    let mut left = debate(&disk, 1);
    assert_eq!(View::read(&disk, &folder()).unwrap().lines, 2);
    left.append(AT, &batches()[1]).unwrap();
    assert_eq!(View::read(&disk, &folder()).unwrap().state, *left.state());
}

#[test]
fn a_report_counts_what_was_looked_at() {
    let disk = FaultDisk::new();
    let left = debate(&disk, 4);
    let report = check(&disk, left.path(), 5, &files).unwrap();
    let counts = crate::Counts {
        lines: 5,
        events: 7,
        blobs: 1,
        files: 7,
        earlier: 0,
    };
    assert_eq!((report.counts, report.is_sound()), (counts, false));
    assert_eq!(report.files.len(), 7, "nothing was projected yet");
}

#[test]
fn a_debate_is_found_by_path_name_and_ulid() {
    let disk = FaultDisk::new();
    drop(debate(&disk, 0));
    let here = std::path::Path::new("elsewhere");
    disk.place_file(&debates().join("job-store/.agon/unrelated"), b"");
    disk.place_file(std::path::Path::new("elsewhere/.agon/journal.jsonl"), b"");
    let found = |name: &str| find(&disk, name, &debates()).unwrap();
    assert_eq!(found("/srv/debates/job-store"), folder());
    assert_eq!(found("job-store"), folder());
    assert_eq!(found("01JD0000000000000000000000"), folder());
    assert_eq!(found("01jd0000000000000000000000"), folder());
    assert_eq!(found("01jd0000"), folder());
    assert_eq!(found("elsewhere"), here);
    let other = "01JD0000000000000000000001";
    for absent in ["nothing", "", ".", "/work", other, "01JD000", "01JD0001"] {
        assert!(find(&disk, absent, &debates()).is_err(), "{absent}");
    }
    let error = find(&disk, "nothing", &debates()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no debate `nothing`; looked in nothing, /srv/debates/nothing"
    );
}

#[test]
fn the_list_has_what_can_be_read_and_what_cannot() {
    let disk = FaultDisk::new();
    assert!(list_debates(&disk, &debates()).unwrap().debates.is_empty());
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    drop(debate(&disk, 7));
    drop(Folder::create(shared, &debates(), "another one", spec(), AT).unwrap());
    disk.place_file(&debates().join("broken/.agon/journal.jsonl"), b"what\n");
    disk.place_file(&debates().join("notes.txt"), b"");
    disk.place_file(&debates().join(".hidden/.agon/journal.jsonl"), b"");
    disk.place_file(&debates().join("plain/debate.md"), b"");
    let listing = list_debates(&disk, &debates()).unwrap();
    let slugs: Vec<_> = listing
        .debates
        .iter()
        .map(|d| (&*d.slug, d.record.phase))
        .collect();
    assert_eq!(
        slugs,
        [
            ("another-one", Phase::AwaitingProposer),
            ("job-store", Phase::Closed)
        ]
    );
    let first = &listing.debates[1];
    assert_eq!(
        (first.record.rounds_completed, first.record.at_last),
        (2, AT + 7)
    );
    let unreadable: Vec<_> = listing.unreadable.iter().map(|u| u.path.clone()).collect();
    assert_eq!(unreadable, [debates().join("broken")]);
}
