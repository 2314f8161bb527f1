//! Hands a debate that is open here to another process.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use agon_store::{Disk, DiskError, Durable, Layout, RunEntry, read_if_exists, replace_file};
use rustix::fs::OFlags;

use super::Folder;

impl Folder {
    /// Opens the log of a process that continues this debate, discarding its old contents.
    ///
    /// # Errors
    ///
    /// If it cannot be created, or another kind of file is in its place.
    pub fn create_detached_log(&self) -> Result<File, DiskError> {
        let path = self.layout.detached_log();
        // `NONBLOCK`, so that opening a pipe without a reader fails instead of blocking.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        // Open it without a `Disk`, because the file is passed to another process.
        let opened = OpenOptions::new()
            .append(true)
            .create(true)
            .custom_flags(flags.bits().cast_signed())
            .open(&path)
            .and_then(|log| log.set_len(0).map(|()| log));
        opened.map_err(|cause| DiskError::new("write", &path, cause))
    }

    /// Records the process that continues this debate once this one releases it.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn record_detached_process(&self, process: &RunEntry) -> Result<(), DiskError> {
        let path = self.layout.detached_process_file();
        let bytes = serde_json::to_vec(process)
            .map_err(|cause| DiskError::new("write", &path, cause.into()))?;
        replace_file(
            &*self.disk,
            &self.layout.temp_file(),
            &path,
            &bytes,
            Durable::No,
        )
    }
}

/// Returns the background process that the debate in `path` was last handed to.
///
/// # Errors
///
/// If its file exists but cannot be read.
pub fn read_detached_process(disk: &dyn Disk, path: &Path) -> Result<Option<RunEntry>, DiskError> {
    let bytes = read_if_exists(disk, &Layout::new(path).detached_process_file())?;
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}
