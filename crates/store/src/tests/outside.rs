//! Checking a lock never blocks a writer.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::RealDisk;
use crate::disk::Disk;
use crate::disk::lock::{LockError, LockState};

#[test]
fn a_look_says_who_holds_the_lock_and_creates_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lock");
    assert_eq!(RealDisk.probe_lock(&path).unwrap(), LockState::Free);
    assert!(!path.exists());
    let note = b"{\"pid\":7,\"started\":\"2026-11-22T00:00:00Z\"}\n";
    let held = RealDisk.lock(&path, note).unwrap();
    let LockState::Taken(Some(holder)) = RealDisk.probe_lock(&path).unwrap() else {
        panic!("it is held");
    };
    assert_eq!(holder.pid, 7);
    drop(held);
    assert_eq!(RealDisk.probe_lock(&path).unwrap(), LockState::Free);
}

#[test]
fn a_writer_waits_out_those_who_look_and_is_refused_by_a_writer_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lock");
    drop(RealDisk.lock(&path, b"").unwrap());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    RealDisk.probe_lock(&path).unwrap();
                }
            });
        }
        for _ in 0..200 {
            drop(RealDisk.lock(&path, b"").unwrap());
        }
        stop.store(true, Ordering::Relaxed);
    });
    // A slow reader.
    let look = File::open(&path).unwrap();
    look.lock_shared().unwrap();
    let slow = look.try_clone().unwrap();
    drop(look);
    let taken = std::thread::spawn({
        let path = path.clone();
        move || RealDisk.lock(Path::new(&path), b"").is_ok()
    });
    std::thread::sleep(std::time::Duration::from_millis(50));
    slow.unlock().unwrap();
    assert!(taken.join().unwrap());
    let held = RealDisk.lock(&path, b"").unwrap();
    let refused = RealDisk.lock(&path, b"");
    assert!(matches!(refused, Err(LockError::Taken(_))));
    drop(held);
}

#[test]
fn starts_are_not_locked_through_a_link() {
    let dir = tempfile::tempdir().unwrap();
    let (debates, elsewhere) = (dir.path().join("debates"), dir.path().join("elsewhere"));
    std::fs::create_dir(&debates).unwrap();
    std::fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, debates.join(".agon")).unwrap();
    crate::wait_for_start_lock(&debates, Duration::ZERO).unwrap_err();
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
}
