//! A copy of a source on disk, for a tool to read.

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

/// A working copy: a folder with copies of a source's files, which must not be changed.
#[derive(Debug)]
pub struct WorkingCopy {
    folder: PathBuf,
    /// The hash of every file, by its path in the folder.
    files: BTreeMap<String, String>,
    /// The size of the largest file, in bytes.
    longest: u64,
    /// How many text files are no longer available with their pinned content.
    missing: usize,
}

/// The reason why a working copy could not be made.
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
    /// Writes the pinned files for which `wanted` returns true into `folder`, which it creates.
    ///
    /// The files have their pinned content, are read-only, and only the owner can read them.
    /// Symbolic links, large files and Git LFS pointers are left out. A file that has changed is
    /// left out if nothing has its pinned content; [`WorkingCopy::missing_text_count`] counts such
    /// text files. O(bytes).
    ///
    /// # Errors
    ///
    /// If a file cannot be written. Files written before the error remain.
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
        // A symbolic link in the path of the copy itself is allowed, so resolve it.
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
            // Anybody may have written the manifest's folder, so check each path.
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

/// Creates a folder that only its owner can read, with its missing parents.
fn create_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Replaces a file instead of writing to it, because a read-only file cannot be overwritten.
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
    /// Returns the path of the copy.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the number of copied files.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Returns the number of text files that are missing because no copy of their pinned content
    /// exists any more. Other files are not counted.
    pub fn missing_text_count(&self) -> usize {
        self.missing
    }

    /// Returns the files that were changed, removed or added since the copy was made, sorted.
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
