//! A session with a fault at each of its operations.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_record::state::State;
use agon_store::{CrashRemains, DiskFault, FaultDisk, FaultKind};

use super::support::{AT, batches, debates, files, spec, state_after};
use crate::{AppendError, Folder, OpenError, OpenReport, View, check, list_debates};

/// What the folder reported to its caller.
#[derive(Clone, Debug, Default)]
struct Told {
    /// The folder, once created.
    path: Option<PathBuf>,
    /// The number of recorded batches.
    recorded: usize,
    /// The number of failed operations.
    failures: usize,
}

/// Runs the rest of the session; returns `Err` as soon as an operation fails.
fn session(disk: &FaultDisk, told: &mut Told) -> Result<(), String> {
    let shared: Arc<dyn agon_store::Disk> = Arc::new(disk.clone());
    let text = |error: &dyn std::error::Error| format!("{error}: {:?}", error.source());
    let mut folder = match &told.path {
        None => Folder::create(Arc::clone(&shared), &debates(), "Job store", spec(), AT)
            .map_err(|error| text(&error))?,
        Some(path) => {
            let (folder, _) = Folder::open(Arc::clone(&shared), path, AT).map_err(|e| text(&e))?;
            // As after a crash, one more batch than reported may exist.
            told.recorded = recorded(folder.state(), told.recorded);
            folder
        }
    };
    told.path = Some(folder.path().to_owned());
    while told.recorded < batches().len() {
        let batch = &batches()[told.recorded];
        folder.append(AT + 1, batch).map_err(|error| text(&error))?;
        told.recorded += 1;
        if told.recorded.is_multiple_of(2) {
            let files = files(folder.state());
            folder
                .write_projections(&files)
                .map_err(|error| text(&error))?;
        }
        if told.recorded == 4 {
            drop(folder);
            let path = told.path.clone().unwrap();
            (folder, _) = Folder::open(Arc::clone(&shared), &path, AT).map_err(|e| text(&e))?;
        }
    }
    let files = files(folder.state());
    folder
        .write_projections(&files)
        .map_err(|error| text(&error))
}

/// Returns the number of batches in a state: all reported ones and at most one more.
fn recorded(state: &State, told: usize) -> usize {
    let counts = [told, told + 1];
    let found = counts
        .into_iter()
        .find(|&count| count <= batches().len() && *state == state_after(&state.spec, count));
    found.unwrap_or_else(|| panic!("neither {told} batches nor one more: {state:#?}"))
}

/// Checks that the debate on that disk is complete.
fn assert_finished(disk: &FaultDisk, path: &Path, case: &str) {
    let report = check(disk, path, 5, &files).unwrap();
    assert_eq!(
        report.state,
        state_after(&report.state.spec, batches().len()),
        "{case}"
    );
    assert!(
        report.is_sound(),
        "{case}: {:?} {:?}",
        report.problems,
        report.files
    );
    assert_eq!(report.counts.lines, 1 + batches().len() as u64, "{case}");
    assert_eq!(report.counts.blobs, 1, "{case}");
}

/// Runs the session without a fault, on a counting disk.
fn counted() -> FaultDisk {
    let disk = FaultDisk::new();
    session(&disk, &mut Told::default()).unwrap();
    disk
}

/// Returns the operations at which each kind of fault matters: a crash between two changes equals
/// one before the second, and only writes can be partial.
fn faults(kind: FaultKind) -> Vec<u64> {
    let disk = counted();
    match kind {
        FaultKind::Fail => (0..disk.operation_count()).collect(),
        FaultKind::Full | FaultKind::Crash => disk.change_indices(),
        FaultKind::Tear | FaultKind::CrashTorn => disk.write_indices(),
    }
}

#[test]
fn a_session_without_faults_leaves_a_sound_folder() {
    let disk = FaultDisk::new();
    let mut told = Told::default();
    session(&disk, &mut told).unwrap();
    assert_finished(&disk, &told.path.unwrap(), "no fault");
    assert!(
        disk.operation_count() > 100,
        "the session is too small to mean much"
    );
}

#[test]
fn an_operation_that_fails_or_tears_costs_nothing_that_was_recorded() {
    for kind in [FaultKind::Fail, FaultKind::Tear] {
        for at in faults(kind) {
            let case = format!("{kind:?} at {at}");
            let disk = FaultDisk::new();
            disk.set_fault(DiskFault { at, kind });
            let mut told = Told::default();
            while let Err(error) = session(&disk, &mut told) {
                told.failures += 1;
                assert!(told.failures < 4, "{case}: {error}");
            }
            // An unreported creation leaves nothing behind.
            let listing = list_debates(&disk, &debates()).unwrap();
            assert_eq!(listing.debates.len(), 1, "{case}");
            assert_finished(&disk, &told.path.unwrap(), &case);
        }
    }
}

#[test]
fn a_full_disk_costs_nothing_that_was_recorded() {
    let kind = FaultKind::Full;
    for at in faults(kind) {
        let case = format!("full at {at}");
        let disk = FaultDisk::new();
        disk.set_fault(DiskFault { at, kind });
        let mut told = Told::default();
        let failed = session(&disk, &mut told).is_err();
        if let Some(path) = told.path.as_ref().filter(|_| failed) {
            let view = View::read(&disk, path).unwrap();
            assert_eq!(view.problems, [], "{case}");
            assert_eq!(
                recorded(&view.state, told.recorded),
                told.recorded,
                "{case}"
            );
        }
        disk.clear_faults();
        session(&disk, &mut told).unwrap();
        assert_finished(&disk, &told.path.unwrap(), &case);
    }
}

#[test]
fn a_process_that_dies_at_any_operation_costs_nothing_that_was_recorded() {
    crash_everywhere(&[CrashRemains::All]);
}

#[test]
fn a_machine_that_stops_at_any_operation_costs_nothing_that_was_recorded() {
    crash_everywhere(&[
        CrashRemains::Synced,
        CrashRemains::Names,
        CrashRemains::Bytes,
        CrashRemains::Half,
    ]);
}

fn crash_everywhere(keeps: &[CrashRemains]) {
    for kind in [FaultKind::Crash, FaultKind::CrashTorn] {
        for at in faults(kind) {
            let disk = FaultDisk::new();
            disk.set_fault(DiskFault { at, kind });
            let mut told = Told::default();
            assert!(session(&disk, &mut told).is_err(), "{kind:?} at {at}");
            for &keep in keeps {
                let case = format!("{kind:?} at {at}, {keep:?}");
                resume_after_crash(&disk.after_crash(keep), told.clone(), &case);
            }
        }
    }
}

fn resume_after_crash(disk: &FaultDisk, mut told: Told, case: &str) {
    let listing = list_debates(disk, &debates()).unwrap();
    assert!(
        listing.unreadable.is_empty(),
        "{case}: {:?}",
        listing.unreadable
    );
    // An unreported debate is complete or missing.
    for found in &listing.debates {
        let view = View::read(disk, &found.path).unwrap();
        told.recorded = recorded(&view.state, told.recorded);
        told.path = Some(found.path.clone());
    }
    if let Some(path) = &told.path {
        let found: Vec<_> = listing.debates.iter().map(|found| &found.path).collect();
        assert_eq!(found, [path], "{case}");
    }
    session(disk, &mut told).unwrap_or_else(|error| panic!("{case}: {error}"));
    assert_finished(disk, &told.path.unwrap(), case);
}

#[test]
fn a_crash_during_recovery_costs_nothing_either() {
    let disk = FaultDisk::new();
    let mut told = Told::default();
    disk.set_fault(DiskFault {
        at: counted().operation_count() / 2,
        kind: FaultKind::CrashTorn,
    });
    assert!(session(&disk, &mut told).is_err());
    // A journal with half of a last line.
    let torn = disk.after_crash(CrashRemains::All);
    let path = told.path.clone().unwrap();
    let journal = path.join(".agon/journal.jsonl");
    let mut bytes = agon_store::Disk::read(&torn, &journal).unwrap();
    bytes.extend_from_slice(b"{\"v\":1,\"seq\":");
    torn.place_file(&journal, &bytes);
    let whole = torn.after_crash(CrashRemains::Synced);
    session(&whole, &mut told.clone()).unwrap();
    for at in whole.change_indices() {
        let disk = torn.after_crash(CrashRemains::All);
        let mut told = told.clone();
        let kind = FaultKind::Crash;
        disk.set_fault(DiskFault { at, kind });
        assert!(session(&disk, &mut told).is_err(), "at {at}");
        for keep in CrashRemains::ALL {
            let case = format!("recovery, {at}, {keep:?}");
            resume_after_crash(&disk.after_crash(keep), told.clone(), &case);
        }
    }
}

#[test]
fn a_line_that_cannot_be_taken_back_stops_all_appending() {
    let disk = FaultDisk::new();
    let mut folder = super::support::debate(&disk, 1);
    // Checking the journal, then a partial write; truncating it fails too.
    disk.set_fault(DiskFault {
        at: 1,
        kind: FaultKind::CrashTorn,
    });
    let before = folder.state().clone();
    let batch = &batches()[1];
    assert!(matches!(
        folder.append(AT, batch),
        Err(AppendError::Disk(_))
    ));
    disk.clear_faults();
    assert!(matches!(
        folder.append(AT, batch),
        Err(AppendError::Poisoned)
    ));
    assert_eq!(*folder.state(), before);
    let path = folder.path().to_owned();
    drop(folder);
    let (mut folder, opening) = super::support::open(&disk, &path).unwrap();
    assert!(opening.torn.is_some());
    folder.append(AT, batch).unwrap();
    assert_eq!(*folder.state(), state_after(&before.spec, 2));
}

#[test]
fn a_line_that_was_never_synced_is_synced_before_it_is_built_on() {
    let disk = FaultDisk::new();
    let mut folder = super::support::debate(&disk, 1);
    let path = folder.path().to_owned();
    // Checking the journal, the write, then the sync during which the process dies.
    disk.set_fault(DiskFault {
        at: 2,
        kind: FaultKind::Crash,
    });
    let batch = &batches()[1];
    assert!(folder.append(AT, batch).is_err());
    drop(folder);
    disk.clear_faults();
    let state = super::support::open(&disk, &path)
        .unwrap()
        .0
        .state()
        .clone();
    assert_eq!(state, state_after(&state.spec, 2));
    let after = disk.after_crash(CrashRemains::Synced);
    assert_eq!(View::read(&after, &path).unwrap().state, state);
}

#[test]
fn a_failed_append_leaves_the_folder_usable() {
    let disk = FaultDisk::new();
    let mut folder = super::support::debate(&disk, 0);
    for batch in batches() {
        let before = folder.state().clone();
        let kind = FaultKind::Tear;
        disk.set_fault(DiskFault { at: 1, kind });
        assert!(matches!(
            folder.append(AT, batch),
            Err(AppendError::Disk(_))
        ));
        assert_eq!(*folder.state(), before);
        folder.append(AT, batch).unwrap();
    }
    let path = folder.path().to_owned();
    drop(folder);
    let (folder, opening) = super::support::open(&disk, &path).unwrap();
    assert_eq!(opening, OpenReport::default());
    assert_eq!(
        *folder.state(),
        state_after(&folder.state().spec, batches().len())
    );
}

#[test]
fn an_error_names_the_file_it_is_about() {
    let disk = FaultDisk::new();
    let path = super::support::debate(&disk, 1).path().to_owned();
    disk.make_read_only();
    let Err(OpenError::Locked { .. } | OpenError::Disk(_)) = super::support::open(&disk, &path)
    else {
        panic!("a folder that cannot be written was opened for writing");
    };
    let error = super::support::open(&disk, &path).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot lock /srv/debates/job-store/.agon/lock"
    );
}
