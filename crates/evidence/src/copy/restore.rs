//! Undoes what a tool changed in a working copy.

use std::fs;
use std::io;

use agon_files::{path_of_open_folder, set_folder_rights};

use super::compare::Differences;
use super::{CopyError, WorkingCopy, write_file};
use crate::source::Source;
use crate::source::disk::{Folder, Missing};

// A folder without permissions can hide further changes, which a second pass finds. Each level of a
// nested one needs another look.
/// How often the copy is compared and corrected.
const MAX_LOOKS: usize = 4;

impl WorkingCopy {
    /// Undoes every change, with the pinned content from `source`.
    ///
    /// No tool may be running in the copy. Follows no symbolic link, so that nothing outside the
    /// copy is written or removed. Costs one walk if nothing changed, and nothing if
    /// [`Self::changed_files`] has just found that.
    ///
    /// # Errors
    ///
    /// If it cannot be restored, for example because nothing has the pinned content any more. The
    /// copy must not be used again then.
    pub fn restore(&mut self, source: &Source) -> Result<(), CopyError> {
        if self.is_unchanged {
            return Ok(());
        }
        for _ in 0..MAX_LOOKS {
            let found = self.differences();
            if found.is_empty() {
                return Ok(());
            }
            if found.is_lost {
                break;
            }
            self.undo(&found, source)?;
        }
        if self.differences().is_empty() {
            return Ok(());
        }
        let cause = io::Error::other("it keeps changing");
        Err(CopyError::new(&self.folder, cause))
    }

    fn undo(&mut self, found: &Differences, source: &Source) -> Result<(), CopyError> {
        let target = Folder::new(self.folder.clone());
        let failed = |path: &str, cause| CopyError::new(self.folder.join(path), cause);
        for path in &found.folders {
            let rights = self
                .folders
                .get(path)
                .map_or(0o700, |folder| folder.rights());
            let opened = target.open_folder(path, Missing::Fails);
            let set = opened.and_then(|folder| set_folder_rights(&*folder, rights));
            set.map_err(|cause| failed(path, cause))?;
        }
        for (parent, name) in &found.added {
            let opened = target.open_folder(parent, Missing::Fails);
            let removed = opened.and_then(|opened| {
                let path = path_of_open_folder(&*opened, &self.folder.join(parent)).join(name);
                match path.symlink_metadata()?.is_dir() {
                    true => fs::remove_dir_all(path),
                    false => fs::remove_file(path),
                }
            });
            removed.map_err(|cause| failed(parent, cause))?;
        }
        // Opened again, because folders may have been removed.
        let target = Folder::new(self.folder.clone());
        let reader = source.reader();
        for path in &found.altered {
            let Some(file) = self.files.get_mut(path) else {
                continue;
            };
            let bytes = reader.read(path).ok_or_else(|| {
                let cause = io::Error::other("nothing has its pinned content any more");
                CopyError::new(target.path().join(path), cause)
            })?;
            file.stamp = write_file(&target, path, &bytes)?;
        }
        Ok(())
    }
}
