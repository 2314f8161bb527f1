//! A real process is killed at every failpoint on a real disk.

#![expect(
    clippy::disallowed_types,
    reason = "the process to kill is the test itself"
)]

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use agon_store::failpoints::{self, NAMES};
use agon_store::{FaultDisk, RealDisk};

use super::formal_support::{Other, files as formal_files, formal_spec, image, next, place};
use super::support::{AT, batches, files, spec, state_after};
use crate::{Folder, check};

const DIR: &str = "AGON_STORE_TEST_DIR";
const POINT: &str = "AGON_STORE_TEST_POINT";

/// The session in a separate process, which dies at a failpoint.
#[test]
fn a_session_in_a_process_of_its_own() {
    let (Some(dir), Some(point)) = (std::env::var_os(DIR), std::env::var(POINT).ok()) else {
        // Run by the suite itself, the whole session uses its own folder.
        let dir = tempfile::tempdir().unwrap();
        run(dir.path());
        return;
    };
    failpoints::arm_failpoint(&point).unwrap();
    run(Path::new(&dir));
}

fn run(dir: &Path) {
    let at = dir.join("job-store");
    let mut folder = if at.exists() {
        Folder::open(Arc::new(RealDisk), &at, AT).unwrap().0
    } else {
        Folder::create(Arc::new(RealDisk), dir, "Job store", spec(), AT).unwrap()
    };
    let done = usize::try_from(folder.line_count()).unwrap() - 1;
    folder.write_projections(&files(folder.state())).unwrap();
    for batch in &batches()[done..] {
        folder.append(AT, batch).unwrap();
        folder.write_projections(&files(folder.state())).unwrap();
    }
}

#[test]
fn a_process_killed_at_any_point_loses_nothing_that_was_synced() {
    let mut killed = 0;
    for name in NAMES {
        for nth in (1..).step_by(if name.starts_with("projection") { 3 } else { 1 }) {
            let dir = tempfile::tempdir().unwrap();
            let status = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "tests::kill::a_session_in_a_process_of_its_own"])
                .env(DIR, dir.path())
                .env(POINT, format!("{name}:{nth}"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            if status.success() {
                break;
            }
            assert_eq!(status.signal(), Some(9), "{name}:{nth}");
            killed += 1;
            let case = format!("{name}:{nth}");
            let at = dir.path().join("job-store");
            if name.starts_with("journal-append") {
                let synced = nth - u64::from(name != "journal-append-after");
                let written = name == "journal-append-written";
                let lines = if at.exists() {
                    Folder::open(Arc::new(RealDisk), &at, AT)
                        .unwrap()
                        .0
                        .line_count()
                } else {
                    0
                };
                // A complete line survives the process; the first one has no folder yet.
                assert_eq!(lines, synced + u64::from(written && nth > 1), "{case}");
            }
            run(dir.path());
            let report = check(&RealDisk, &at, 5, &files).unwrap();
            assert!(
                report.is_sound(),
                "{case}: {:?} {:?}",
                report.problems,
                report.files
            );
            assert_eq!(
                report.state,
                state_after(&report.state.spec, batches().len()),
                "{case}"
            );
        }
    }
    assert!(killed > 4 * batches().len(), "only {killed} were killed");
}

/// Imports a folder of another tool and continues it in a separate process.
#[test]
fn an_import_in_a_process_of_its_own() {
    let (Some(dir), Some(point)) = (std::env::var_os(DIR), std::env::var(POINT).ok()) else {
        let dir = tempfile::tempdir().unwrap();
        theirs(dir.path());
        go_on(dir.path());
        return;
    };
    failpoints::arm_failpoint(&point).unwrap();
    go_on(Path::new(&dir));
}

/// Creates a folder of another tool on a real disk; returns its files.
fn theirs(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let disk = FaultDisk::new();
    let other = Other::new(&disk);
    other.found();
    other.argue(0);
    other.judge(None);
    other.argue(1);
    let files = image(&disk, &place());
    for (name, bytes) in &files {
        let to = dir.join(name);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::write(to, bytes).unwrap();
    }
    files
}

fn go_on(at: &Path) {
    let mut folder = if at.join(".agon").exists() {
        Folder::open(Arc::new(RealDisk), at, AT).unwrap().0
    } else {
        Folder::import(Arc::new(RealDisk), at, formal_spec(), AT).unwrap()
    };
    assert_eq!(folder.import_foreign_steps(AT).unwrap(), None);
    folder
        .write_projections(&formal_files(folder.state()))
        .unwrap();
    for _ in folder.line_count()..4 {
        let events = next(folder.state());
        folder.append(AT, &events).unwrap();
        folder
            .write_projections(&formal_files(folder.state()))
            .unwrap();
    }
}

#[test]
fn a_process_killed_while_it_imports_leaves_the_folder_as_it_was_or_imported() {
    let mut killed = 0;
    for name in NAMES {
        for nth in 1.. {
            let dir = tempfile::tempdir().unwrap();
            let before = theirs(dir.path());
            let status = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "tests::kill::an_import_in_a_process_of_its_own"])
                .env(DIR, dir.path())
                .env(POINT, format!("{name}:{nth}"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            if status.success() {
                break;
            }
            let case = format!("{name}:{nth}");
            assert_eq!(status.signal(), Some(9), "{case}");
            killed += 1;
            go_on(dir.path());
            let report = check(&RealDisk, dir.path(), 5, &formal_files).unwrap();
            assert!(
                report.is_sound(),
                "{case}: {:?} {:?}",
                report.problems,
                report.files
            );
            assert_eq!(
                (report.counts.lines, report.state.last_judged_exchange()),
                (4, Some(2)),
                "{case}"
            );
            for (name, bytes) in before
                .iter()
                .filter(|(name, _)| name.starts_with("arguments/"))
            {
                assert!(
                    std::fs::read(dir.path().join(name)).unwrap() == *bytes,
                    "{case}: {name}"
                );
            }
            let left = std::fs::read_dir(dir.path()).unwrap().filter(|entry| {
                let name = entry.as_ref().unwrap().file_name();
                name.to_string_lossy().starts_with(".agon.")
            });
            assert_eq!(left.count(), 0, "{case}");
        }
    }
    assert!(killed > 25, "only {killed} were killed");
}
