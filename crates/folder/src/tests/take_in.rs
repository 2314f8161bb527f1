//! What another tool writes between two of Agon's writes.

use std::sync::Arc;

use agon_record::tally::side_totals;
use agon_rules::format::{Phase, debate_phase};
use agon_store::{Disk, DiskFault, FaultDisk, FaultKind};

use super::formal_support::{Other, changed, debates, files, formal, image, next, place};
use super::support::{AT, open};
use crate::{AppendError, Folder, ImportStepsError, View, check, foreign};

pub(super) fn reopened(disk: &FaultDisk) -> Folder {
    open(disk, &place()).unwrap().0
}

/// Imports the changes, continues for a step, and checks the result.
fn goes_on(disk: &FaultDisk, case: &str) -> Folder {
    let mut folder = reopened(disk);
    let before = image(disk, &place());
    let taken = folder.import_foreign_steps(AT).unwrap();
    assert!(taken.is_some(), "{case}");
    assert_eq!(changed(&before, &image(disk, &place())), [""; 0], "{case}");
    assert_eq!(folder.import_foreign_steps(AT).unwrap(), None, "{case}");
    folder.write_projections(&files(folder.state())).unwrap();
    // The other tool's files keep their bytes.
    for (name, bytes) in &before {
        if name.starts_with("arguments/") || name == "scores.json" {
            assert_eq!(
                &disk.read(&place().join(name)).unwrap(),
                bytes,
                "{case}: {name}"
            );
        }
    }
    for _ in 0..2 {
        let events = next(folder.state());
        folder.append(AT, &events).unwrap();
        folder.write_projections(&files(folder.state())).unwrap();
    }
    let report = check(disk, &place(), 5, &files).unwrap();
    assert!(
        report.is_sound(),
        "{case}: {:?} {:?}",
        report.problems,
        report.files
    );
    assert_eq!(&report.state, folder.state(), "{case}");
    // And the other tool could continue from there.
    let view = View::read(disk, &place()).unwrap();
    let copy = FaultDisk::new();
    for (name, bytes) in image(disk, &place()) {
        copy.place_file(&place().join(name), &bytes);
    }
    let theirs = foreign::read(&copy, &place()).unwrap();
    assert_eq!(
        &theirs.imported.scores,
        view.state.score_histories(),
        "{case}"
    );
    assert_eq!(theirs.stated, Some(side_totals(&view.state)), "{case}");
    folder
}

#[test]
fn steps_of_another_tool_are_taken_in_wherever_the_debate_stands() {
    type Steps = fn(&Other<'_>);
    let cases: [(&str, usize, Steps); 8] = [
        ("the opening exchange", 0, |other| other.argue(0)),
        ("the opening exchange and its judgment", 0, |other| {
            other.argue(0);
            other.judge(None);
        }),
        ("the judgment of our opening exchange", 1, |other| {
            other.judge(None)
        }),
        ("a rebuttal", 2, |other| other.argue(1)),
        ("a judgment with a rescore", 3, |other| {
            other.judge(Some(("opp_000b", 0.1)))
        }),
        ("a whole exchange", 4, |other| {
            other.argue(2);
            other.judge(Some(("prop_001", 0.25)));
        }),
        ("three exchanges", 2, |other| {
            for round in 1..=3 {
                other.argue(round);
                other.judge(Some(("prop_000a", 0.25)));
            }
        }),
        ("a judgment and the next arguments", 3, |other| {
            other.judge(None);
            other.argue(2);
        }),
    ];
    for (case, steps, write) in cases {
        let disk = FaultDisk::new();
        drop(formal(&disk, steps));
        write(&Other::new(&disk));
        drop(goes_on(&disk, case));
        // Again, after the import and Agon's own step.
        let folder = reopened(&disk);
        let round = agon_rules::format::first_unjudged_exchange(folder.state());
        let waits = debate_phase(folder.state()) == Phase::AwaitingJudgment;
        drop(folder);
        let other = Other::new(&disk);
        if waits {
            other.judge(Some(("prop_000c", 0.5)));
        } else {
            other.argue(round);
        }
        goes_on(&disk, case);
    }
}

#[test]
fn what_was_taken_in_is_told() {
    let disk = FaultDisk::new();
    drop(formal(&disk, 4));
    let other = Other::new(&disk);
    other.argue(2);
    other.judge(Some(("prop_001", 0.25)));
    let mut folder = reopened(&disk);
    let lines = folder.line_count();
    let taken = folder.import_foreign_steps(AT + 7).unwrap().unwrap();
    let named =
        |ids: &[agon_record::id::NodeId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(named(&taken.arguments), ["prop_002", "opp_002"]);
    assert_eq!(named(&taken.scored), ["prop_001", "prop_002", "opp_002"]);
    assert_eq!(taken.judged, Some(2));
    assert_eq!(folder.line_count(), lines + 1);
    let history = &folder.state().score_histories()[&"prop_001".parse().unwrap()];
    assert_eq!(history.len(), 2);
    let names: Vec<_> = folder.state().imported_files().keys().cloned().collect();
    let expected = [
        "argument-graph.mmd",
        "arguments/opp_002.md",
        "arguments/prop_002.md",
        "debate.md",
        "scores.json",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_folder_that_nobody_changed_is_left_alone() {
    let disk = FaultDisk::new();
    for steps in 0..5 {
        let disk = FaultDisk::new();
        drop(formal(&disk, steps));
        let mut folder = reopened(&disk);
        disk.make_read_only();
        assert_eq!(folder.import_foreign_steps(AT).unwrap(), None);
    }
    // A crash before the files were written does not count as a change either.
    let mut folder = formal(&disk, 2);
    let events = next(folder.state());
    folder.append(AT, &events).unwrap();
    drop(folder);
    let mut folder = reopened(&disk);
    assert_eq!(folder.import_foreign_steps(AT).unwrap(), None);
    folder.write_projections(&files(folder.state())).unwrap();
    assert!(check(&disk, &place(), 5, &files).unwrap().is_sound());
}

#[test]
fn a_duel_takes_nothing_in() {
    let disk = FaultDisk::new();
    let mut duel = super::support::debate(&disk, 4);
    duel.write_projections(&super::support::files(duel.state()))
        .unwrap();
    disk.place_file(
        &super::support::folder().join("arguments/pro_009.md"),
        b"Mine.",
    );
    disk.place_file(&super::support::folder().join("debate.md"), b"Mine.");
    let error = duel.import_foreign_steps(AT).unwrap_err();
    let expected = "changed by hand or by another program: debate.md, arguments/pro_009.md: \
                    only a formal debate can be continued by another tool";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_step_cut_short_anywhere_is_taken_in_once() {
    let set_up = || {
        let disk = FaultDisk::new();
        drop(formal(&disk, 4));
        // The system wrote everything to disk.
        for (name, bytes) in image(&disk, &place()) {
            disk.place_file(&place().join(name), &bytes);
        }
        for dir in [place(), place().join("arguments")] {
            disk.sync_dir(&dir).unwrap();
        }
        let other = Other::new(&disk);
        other.argue(2);
        other.judge(Some(("prop_001", 0.25)));
        disk
    };
    let counted = {
        let disk = set_up();
        let mut folder = reopened(&disk);
        disk.set_fault(DiskFault {
            at: u64::MAX,
            kind: FaultKind::Fail,
        });
        folder.import_foreign_steps(AT).unwrap();
        disk.change_indices().len() as u64 + disk.operation_count()
    };
    for kind in [
        FaultKind::Fail,
        FaultKind::Tear,
        FaultKind::Crash,
        FaultKind::CrashTorn,
    ] {
        for at in 0..counted {
            let case = format!("{kind:?} at {at}");
            let disk = set_up();
            let before = image(&disk, &place());
            let mut folder = reopened(&disk);
            let lines = folder.line_count();
            disk.set_fault(DiskFault { at, kind });
            let taken = folder.import_foreign_steps(AT).is_ok();
            disk.clear_faults();
            drop(folder);
            let crashed = matches!(kind, FaultKind::Crash | FaultKind::CrashTorn);
            let after = if crashed {
                agon_store::CrashRemains::ALL
                    .map(|keep| disk.after_crash(keep))
                    .to_vec()
            } else {
                vec![disk]
            };
            for disk in after {
                assert_eq!(changed(&before, &image(&disk, &place())), [""; 0], "{case}");
                let mut folder = reopened(&disk);
                assert!(!taken || folder.line_count() == lines + 1, "{case}");
                folder.import_foreign_steps(AT).unwrap();
                assert_eq!(folder.line_count(), lines + 1, "{case}");
                folder.write_projections(&files(folder.state())).unwrap();
                let report = check(&disk, &place(), 5, &files).unwrap();
                assert!(
                    report.is_sound(),
                    "{case}: {:?} {:?}",
                    report.problems,
                    report.files
                );
            }
        }
    }
}

#[test]
fn a_journal_changed_meanwhile_takes_nothing_in() {
    let disk = FaultDisk::new();
    let mut folder = formal(&disk, 2);
    Other::new(&disk).argue(1);
    let mut journal = disk.read(&place().join(".agon/journal.jsonl")).unwrap();
    journal.extend_from_slice(b"more");
    disk.place_file(&place().join(".agon/journal.jsonl"), &journal);
    let error = folder.import_foreign_steps(AT).unwrap_err();
    assert!(
        matches!(error, ImportStepsError::Append(AppendError::Changed)),
        "{error:?}"
    );
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let (_, opening) = Folder::open(shared, &debates().join("job-store"), AT)
        .map_err(drop)
        .unwrap_or_else(|()| {
            drop(folder);
            open(&disk, &place()).unwrap()
        });
    assert_eq!(opening.torn.map(|torn| torn.bytes), Some(4));
}
