//! A copy of a source on disk, for a tool to read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{AtFlags, Mode, OFlags, openat, unlinkat};
use rustix::io::Errno;

use crate::manifest::FileKind;
use crate::parallel::in_parallel;
use crate::path::stays_inside;
use crate::source::Source;
use crate::source::disk::{Folder, Missing};

mod compare;
mod restore;
mod stamp;

use stamp::{FileStamp, FolderStamp};

/// A working copy: a folder with copies of a source's files, which must not be changed.
///
/// What a tool changes nevertheless is found by [`Self::changed_files`] and undone by
/// [`Self::restore`], so the next tool gets the pinned files again.
#[derive(Debug)]
pub struct WorkingCopy {
    folder: PathBuf,
    /// The files, by their path in the folder.
    files: BTreeMap<String, CopiedFile>,
    /// The folders, by their path; the copy itself has an empty one.
    folders: BTreeMap<String, FolderStamp>,
    /// The size of the largest file, in bytes.
    longest: u64,
    /// How many text files are no longer available with their pinned content.
    missing: usize,
    /// Since when a tool may have changed it.
    given: SystemTime,
    /// Whether nothing had changed at the last comparison, and no tool got it since.
    is_unchanged: bool,
}

/// A file of a working copy.
#[derive(Clone, Debug)]
struct CopiedFile {
    hash: String,
    /// Its state when it last had this hash.
    stamp: FileStamp,
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

impl CopyError {
    fn new(path: impl Into<PathBuf>, cause: io::Error) -> Self {
        let path = path.into();
        Self { path, cause }
    }
}

impl Source {
    /// Writes the pinned files for which `wanted` returns true into `folder`, which it creates.
    ///
    /// The files have their pinned content, are read-only, and only the owner can read them. None
    /// shares its storage with a file of the project in a way that a write to one of them would
    /// reach the other. Symbolic links, large files and Git LFS pointers are left out. A file that
    /// has changed is left out if nothing has its pinned content;
    /// [`WorkingCopy::missing_text_count`] counts such text files. O(bytes), on several threads.
    ///
    /// # Errors
    ///
    /// If a file cannot be written. Files written before the error remain.
    pub fn copy_to(
        &self,
        folder: &Path,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<WorkingCopy, CopyError> {
        let created = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        // A symbolic link in the path of the copy itself is allowed, so resolve it.
        let resolved = created.and_then(|()| folder.canonicalize());
        let folder = resolved.map_err(|cause| CopyError::new(folder, cause))?;
        let entries = self.manifest().entries.iter();
        let entries = entries.filter(|(path, entry)| {
            let is_copied = matches!(entry.kind, FileKind::Text | FileKind::Binary);
            // Anybody may have written the manifest's folder, so check each path.
            is_copied && entry.hash.is_some() && stays_inside(path) && wanted(path)
        });
        let entries: Vec<_> = entries.collect();
        let parts = in_parallel(
            &entries,
            |(_, entry)| entry.bytes,
            |part| {
                let (reader, target) = (self.reader(), Folder::new(folder.clone()));
                let mut files = Vec::new();
                let mut missing = 0;
                for (path, entry) in part {
                    let Some(bytes) = reader.read(path) else {
                        missing += usize::from(entry.kind == FileKind::Text);
                        continue;
                    };
                    let stamp = write_file(&target, path, &bytes)?;
                    let hash = entry.hash.clone().unwrap_or_default();
                    files.push(((*path).clone(), CopiedFile { hash, stamp }));
                }
                Ok((files, missing))
            },
        );
        let (mut files, mut missing) = (BTreeMap::new(), 0);
        for part in parts {
            let (copied, lost) = part?;
            files.extend(copied);
            missing += lost;
        }
        let mut copy = WorkingCopy {
            folders: BTreeMap::new(),
            longest: files
                .values()
                .map(|file| file.stamp.bytes())
                .max()
                .unwrap_or(0),
            folder,
            files,
            missing,
            given: SystemTime::now(),
            is_unchanged: false,
        };
        copy.stamp_folders()?;
        Ok(copy)
    }
}

/// Writes a read-only file into `target`, replacing a file at its path.
fn write_file(target: &Folder, path: &str, bytes: &[u8]) -> Result<FileStamp, CopyError> {
    let failed = |cause| CopyError::new(target.path().join(path), cause);
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    let parent = target.open_folder(parent, Missing::IsCreated);
    let parent = parent.map_err(failed)?;
    let file = match create_file(&*parent, name) {
        // Replaced, not overwritten: it is read-only, and may be a link.
        Err(Errno::EXIST) => {
            unlinkat(&*parent, name, AtFlags::empty()).and_then(|()| create_file(&*parent, name))
        }
        created => created,
    };
    let mut file = file.map_err(|cause| failed(cause.into()))?;
    let written = file.write_all(bytes).and_then(|()| file.metadata());
    written.map(|state| FileStamp::new(&state)).map_err(failed)
}

fn create_file(parent: impl AsFd, name: &str) -> Result<File, Errno> {
    let new = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, new, Mode::RUSR).map(File::from)
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

    /// Notes that a tool may change files from now on.
    pub fn give_to_tool(&mut self) {
        self.given = SystemTime::now();
        self.is_unchanged = false;
    }

    /// Records the state of the copy's folders.
    fn stamp_folders(&mut self) -> Result<(), CopyError> {
        let mut paths = BTreeSet::from([""]);
        for path in self.files.keys() {
            let ends = path.match_indices('/').map(|(end, _)| end);
            paths.extend(ends.filter_map(|end| path.get(..end)));
        }
        let stamps = paths.into_iter().map(|path| {
            let full = self.folder.join(path);
            match full.symlink_metadata() {
                Ok(state) => Ok((path.to_owned(), FolderStamp::new(&state))),
                Err(cause) => Err(CopyError::new(full, cause)),
            }
        });
        self.folders = stamps.collect::<Result<_, _>>()?;
        Ok(())
    }
}
