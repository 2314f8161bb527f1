//! A copy of a source on the disk, for a tool to read in.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::manifest::FileKind;
use crate::path::stays_inside;
use crate::source::Source;
use crate::source::disk::{DiskEntry, Folder};
use crate::source::folder::list_all_paths;

/// A working copy: the files of a source in a folder of their own, not to be changed.
#[derive(Debug)]
pub struct WorkingCopy {
    folder: PathBuf,
    /// The hash of every file, by its path in the folder.
    files: BTreeMap<String, String>,
    /// The longest file, in bytes.
    longest: u64,
    /// How many texts nothing has any more as they were pinned.
    missing: usize,
}

/// Why a working copy could not be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}", path.display())]
pub struct CopyError {
    /// The file or folder that could not be written.
    pub path: PathBuf,
    /// The operating system's reason.
    #[source]
    pub cause: io::Error,
}

impl Source {
    /// Writes the pinned files for which `wanted` is true below `folder`, which is made.
    ///
    /// Files are as they were when the source was pinned, read-only, and no other user can look at
    /// them. Links, large files and
    /// pointers to them are left out, and so is a file that changed since and that nothing has
    /// as it was: [`WorkingCopy::missing_text_count`] counts the texts among those. O(bytes).
    ///
    /// # Errors
    ///
    /// If something cannot be written; what was written until then stays.
    pub fn copy_to(
        &self,
        folder: &Path,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<WorkingCopy, CopyError> {
        let failed = |path: &Path, cause| CopyError {
            path: path.to_owned(),
            cause,
        };
        create_private_folder(folder).map_err(|cause| failed(folder, cause))?;
        // A link on the way to it is none of ours.
        let folder = &folder
            .canonicalize()
            .map_err(|cause| failed(folder, cause))?;
        let mut copy = WorkingCopy {
            folder: folder.clone(),
            files: BTreeMap::new(),
            longest: 0,
            missing: 0,
        };
        let entries = &self.manifest().entries;
        for (path, entry) in entries.iter().filter(|(path, _)| wanted(path)) {
            let (FileKind::Text | FileKind::Binary, Some(hash)) = (&entry.kind, &entry.hash) else {
                continue;
            };
            // A manifest comes from a folder that anybody may have written.
            if !stays_inside(path) {
                continue;
            }
            let Some(bytes) = self.read_pinned(path) else {
                copy.missing += usize::from(entry.kind == FileKind::Text);
                continue;
            };
            let full = folder.join(path);
            let parent = full.parent().unwrap_or(folder);
            create_private_folder(parent).map_err(|cause| failed(parent, cause))?;
            replace_with_read_only_file(&full, &bytes).map_err(|cause| failed(&full, cause))?;
            copy.longest = copy.longest.max(bytes.len() as u64);
            copy.files.insert(path.clone(), hash.clone());
        }
        Ok(copy)
    }
}

/// A folder for its owner alone, with those on the way to it that are not there yet.
fn create_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// A file that is there already is replaced: it is ours, and cannot be written over.
fn replace_with_read_only_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause),
        Ok(()) | Err(_) => {}
    }
    let mut new = OpenOptions::new();
    let mut file = new.write(true).create_new(true).mode(0o400).open(path)?;
    file.write_all(bytes)
}

impl WorkingCopy {
    /// The folder it is stored in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many files it has.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The number of text files left out because no copy with the pinned content exists any more;
    /// other files do not count.
    pub fn missing_text_count(&self) -> usize {
        self.missing
    }

    /// What is not as it was written: files that were changed, removed or added, sorted.
    ///
    /// Reads every file: O(bytes).
    pub fn changed_files(&self) -> Vec<String> {
        let at = Folder::new(self.folder.clone());
        let is = |path: &str, hash: &str| match at.read_entry(path, self.longest) {
            DiskEntry::Bytes(bytes) => blake3::hash(&bytes).to_hex().as_str() == hash,
            _ => false,
        };
        let altered = self.files.iter().filter(|(path, hash)| !is(path, hash));
        let mut changed: Vec<String> = altered.map(|(path, _)| path.clone()).collect();
        let found = list_all_paths(&at).into_iter();
        changed.extend(found.filter(|path| !self.files.contains_key(path)));
        changed.sort_unstable();
        changed
    }
}
