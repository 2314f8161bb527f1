//! Replaces Agon's own files atomically.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// How a new file survives a power failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durable {
    /// After a power failure, the file may be empty.
    No,
    /// After a power failure, the file has its old content or its new one.
    Yes,
}

/// A new file beside the one that it will replace. Removed if dropped without
/// [`Replacement::commit`].
#[derive(Debug)]
pub struct Replacement {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
    is_committed: bool,
}

impl Replacement {
    /// Creates an empty file in the folder of `target`, with `mode` minus the process's umask.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub fn create(target: &Path, mode: u32) -> io::Result<Self> {
        loop {
            let temporary = temporary_sibling(target);
            let mut options = OpenOptions::new();
            match options
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(&temporary)
            {
                Err(cause) if cause.kind() == ErrorKind::AlreadyExists => {}
                opened => {
                    return Ok(Self {
                        file: opened?,
                        temporary,
                        target: target.to_owned(),
                        is_committed: false,
                    });
                }
            }
        }
    }

    /// The new file, for setting its permissions or reading its metadata.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Renames the new file to the target.
    ///
    /// # Errors
    ///
    /// If it cannot be synced or renamed; the target then stays unchanged.
    pub fn commit(mut self, durable: Durable) -> io::Result<()> {
        if durable == Durable::Yes {
            self.file.sync_all()?;
        }
        fs::rename(&self.temporary, &self.target)?;
        self.is_committed = true;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_committed {
            // Failure is harmless: the leftover file is hidden and small, and nothing reads it.
            fs::remove_file(&self.temporary).ok();
        }
    }
}

/// Replaces the file at `path` with one that contains `bytes`, or creates it.
///
/// # Errors
///
/// If it cannot be written; the file at `path` then stays unchanged.
pub fn replace(path: &Path, bytes: &[u8], mode: u32, durable: Durable) -> io::Result<()> {
    let mut new = Replacement::create(path, mode)?;
    new.write_all(bytes)?;
    new.commit(durable)
}

/// Returns a path in the folder of `path` with a random hidden name.
pub fn temporary_sibling(path: &Path) -> PathBuf {
    // Each `RandomState` has its own random keys, so the hash of nothing is a random number.
    let random = RandomState::new().build_hasher().finish();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{random:016x}.tmp"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn two_threads_that_replace_one_file_both_succeed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        let write_all = |byte: u8| {
            for _ in 0..200 {
                replace(&path, &[byte; 5_000], 0o600, Durable::No).unwrap();
                let found = fs::read(&path).unwrap();
                assert_eq!(found.len(), 5_000);
                assert!(found.iter().all(|it| *it == found[0]));
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| write_all(b'a'));
            scope.spawn(|| write_all(b'b'));
        });
        assert_eq!(names(dir.path()), ["a.json"]);
    }

    // With a fixed name, a file left by a killed process would block every later one.
    #[test]
    fn each_temporary_file_has_a_name_of_its_own() {
        let path = Path::new("/somewhere/a.json");
        let names: BTreeSet<_> = (0..100).map(|_| temporary_sibling(path)).collect();
        assert_eq!(names.len(), 100);
        assert!(names.iter().all(|it| it.parent() == path.parent()));
    }

    #[test]
    fn a_new_file_has_the_mode_that_was_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "old").unwrap();
        replace(&path, b"new", 0o600, Durable::Yes).unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn what_is_not_committed_leaves_nothing_and_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "old").unwrap();
        let mut new = Replacement::create(&path, 0o600).unwrap();
        new.write_all(b"half").unwrap();
        drop(new);
        assert_eq!(names(dir.path()), ["a"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");

        let folder = dir.path().join("folder");
        fs::create_dir_all(folder.join("in it")).unwrap();
        replace(&folder, b"new", 0o600, Durable::No).unwrap_err();
        assert_eq!(names(dir.path()).len(), 2);
    }

    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (path, other) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&other, "theirs").unwrap();
        std::os::unix::fs::symlink(&other, &path).unwrap();
        replace(&path, b"ours", 0o600, Durable::No).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"theirs");
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
    }
}
