//! Waits for a lock without polling it.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::DiskError;
use super::lock::LockGuard;
use super::real::{HeldFile, open_lock_file};

/// Takes the lock at `path`, creating its file if needed.
///
/// The system queues the waiting processes, so they get the lock in turn, each as soon as it is
/// free. Returns `None` if others hold it for `patience` while the value of `look` does not change.
///
/// Blocks the calling thread. Changes the time at which the file was written, which `look` may use.
///
/// # Errors
///
/// If the file cannot be created or locked.
pub fn wait_for_lock<S: PartialEq>(
    path: &Path,
    patience: Duration,
    look: impl Fn() -> S,
) -> Result<Option<Box<dyn LockGuard>>, DiskError> {
    let failed = |cause| DiskError::new("lock", path, cause);
    let file = open_lock_file(path).map_err(failed)?;
    let held = match file.try_lock() {
        Ok(()) => Some(file),
        Err(_) => lock_on_thread(file, patience, look).map_err(failed)?,
    };
    let Some(file) = held else {
        return Ok(None);
    };
    file.set_len(0).map_err(failed)?;
    Ok(Some(Box::new(HeldFile { _file: file })))
}

/// Locks `file` on a thread of its own, because the system cannot limit how long that takes.
///
/// If this gives up, the thread releases the lock as soon as it gets it.
fn lock_on_thread<S: PartialEq>(
    file: File,
    patience: Duration,
    look: impl Fn() -> S,
) -> io::Result<Option<File>> {
    let (sender, receiver) = mpsc::channel();
    let wait = move || sender.send(lock_uninterrupted(&file).map(|()| file));
    thread::Builder::new().spawn(wait)?;
    let mut last = look();
    loop {
        match receiver.recv_timeout(patience) {
            Ok(locked) => return locked.map(Some),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let now = look();
        if now == last {
            return Ok(None);
        }
        last = now;
    }
}

fn lock_uninterrupted(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;
    use std::sync::Barrier;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(5);

    #[test]
    fn sixty_that_ask_at_once_all_get_the_lock_one_after_the_other() {
        let dir = tempfile::tempdir().unwrap();
        let (lock, count) = (dir.path().join("lock"), dir.path().join("count"));
        fs::write(&count, "0").unwrap();
        let all = Barrier::new(60);
        thread::scope(|scope| {
            for _ in 0..60 {
                scope.spawn(|| {
                    all.wait();
                    let held = wait_for_lock(&lock, LONG, || ()).unwrap().unwrap();
                    // Two holders at once would read the same number.
                    let counted: u32 = fs::read_to_string(&count).unwrap().parse().unwrap();
                    thread::yield_now();
                    fs::write(&count, (counted + 1).to_string()).unwrap();
                    drop(held);
                });
            }
        });
        assert_eq!(fs::read_to_string(&count).unwrap(), "60");
    }

    #[test]
    fn a_holder_that_hangs_is_given_up_on_and_the_lock_is_not_kept() {
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join("lock");
        let held = wait_for_lock(&lock, LONG, || ()).unwrap().unwrap();
        assert!(wait_for_lock(&lock, SHORT, || ()).unwrap().is_none());
        drop(held);
        assert!(wait_for_lock(&lock, LONG, || ()).unwrap().is_some());
    }

    #[test]
    fn waiting_continues_while_something_changes() {
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join("lock");
        let held = wait_for_lock(&lock, LONG, || ()).unwrap().unwrap();
        let looks = Cell::new(0);
        let look = || {
            looks.set(looks.get() + 1);
            looks.get().min(10)
        };
        assert!(wait_for_lock(&lock, SHORT, look).unwrap().is_none());
        assert_eq!(looks.get(), 11);
        drop(held);
    }
}
