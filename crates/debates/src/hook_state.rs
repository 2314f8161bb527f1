//! What hooks remember between their calls, in files of the user's state folder that all processes
//! share.

use std::path::PathBuf;
use std::time::Duration;

use agon_caller::{Caller, error_chain};
use agon_store::{LockGuard, RealDisk, create_dirs_synced, wait_for_lock, write_file_atomically};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A file of the state folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateFile {
    /// Its folder, in the user's state folder.
    pub(crate) folder: &'static str,
    /// Maximum size of the file, in bytes.
    pub(crate) max_bytes: u64,
    /// How long to wait for the lock.
    pub(crate) lock_timeout: Duration,
}

impl StateFile {
    /// Reads the file without a lock, as writes replace it; the default if there is no file.
    ///
    /// # Errors
    ///
    /// If there is no state folder, or the file cannot be read.
    pub(crate) fn read<T: Default + DeserializeOwned>(self, caller: &Caller) -> Result<T, String> {
        let file = self.dir(caller)?.join("log.json");
        let bytes = match agon_files::read(&file, self.max_bytes) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(T::default()),
            Err(error) => return Err(format!("{}: {error}", file.display())),
        };
        serde_json::from_slice(&bytes)
            .map_err(|_| format!("{} is corrupted: delete it", file.display()))
    }

    /// Changes the file under a lock, and returns what `change` returns.
    ///
    /// # Errors
    ///
    /// If there is no state folder, or the file cannot be locked, read or written.
    pub(crate) fn change<T, R>(
        self,
        caller: &Caller,
        change: impl FnOnce(&mut T) -> R,
    ) -> Result<R, String>
    where
        T: Clone + Default + PartialEq + Serialize + DeserializeOwned,
    {
        let _held = self.lock(caller)?;
        let before: T = self.read(caller)?;
        let mut state = before.clone();
        let changed = change(&mut state);
        if state != before {
            let file = self.dir(caller)?.join("log.json");
            let bytes = serde_json::to_vec(&state).map_err(|error| error.to_string())?;
            write_file_atomically(&RealDisk, &file, &bytes).map_err(|error| error_chain(&error))?;
        }
        Ok(changed)
    }

    fn lock(self, caller: &Caller) -> Result<Box<dyn LockGuard>, String> {
        let dir = self.dir(caller)?;
        create_dirs_synced(&RealDisk, &dir).map_err(|error| error_chain(&error))?;
        let locked = wait_for_lock(&dir.join("lock"), self.lock_timeout, || ());
        locked
            .map_err(|error| error_chain(&error))?
            .ok_or_else(|| format!("another process holds the lock of {}", self.folder))
    }

    fn dir(self, caller: &Caller) -> Result<PathBuf, String> {
        // On macOS, where there is no folder for state, in that for data.
        let dir = caller.state_dir().or_else(|| caller.data_dir());
        let dir = dir.ok_or("there is no state folder for this user")?;
        Ok(dir.join(self.folder))
    }
}

/// Returns the key of a session of a host; without an id, all sessions of a project share it.
pub(crate) fn session_key(caller: &Caller, host: &str, id: Option<&str>) -> String {
    match id.unwrap_or_default() {
        "" => {
            let project = caller.project();
            hash_of(&[host.as_bytes(), project.as_os_str().as_encoded_bytes()])
        }
        id => hash_of(&[host.as_bytes(), id.as_bytes()]),
    }
}

/// Returns the hash of these parts, of which none can run into the next.
pub(crate) fn hash_of(parts: &[&[u8]]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_hash_do_not_run_together() {
        assert_ne!(hash_of(&[b"ab", b"c"]), hash_of(&[b"a", b"bc"]));
    }
}
