//! Writes projections.

use std::path::{Path, PathBuf};

use agon_store::{
    DiskError, Durable, FileKind, Projection, RelPath, failpoints, parent_of, replace_file,
    save_in_aside_dir,
};

use super::Folder;
use super::published::version_for;
use crate::manifest::{FileStatus, ManifestEntry, WAS_MAX, accept_imported_status, blake3_hex};

/// Why projections were not written.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// Another program changed files that would be replaced; nothing was written.
    #[error("changed by hand or by another program: {}", join_paths(paths))]
    ForeignEdit {
        /// The files.
        paths: Vec<RelPath>,
    },
    /// A file operation failed; files already written stay.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn join_paths(paths: &[RelPath]) -> String {
    let names: Vec<_> = paths.iter().map(RelPath::as_str).collect();
    names.join(", ")
}

impl Folder {
    /// Writes projections with the given bytes.
    ///
    /// Replaces a file that is missing, written earlier by Agon, empty or truncated; the rest of a
    /// truncated file is saved in `.agon/aside/` first. If another program changed a file, writes
    /// nothing at all.
    ///
    /// # Errors
    ///
    /// If another program changed files, or a file operation fails.
    pub fn write_projections(&mut self, files: &[Projection]) -> Result<(), ProjectError> {
        let found = self.file_statuses(files)?;
        let mut changed = Vec::new();
        for ((path, bytes), standing) in files.iter().zip(&found) {
            let there = match standing {
                FileStatus::Current if self.manifest.0.contains_key(path) => continue,
                FileStatus::Older(hash) => Some(hash.clone()),
                FileStatus::Current | FileStatus::Missing | FileStatus::Foreign => None,
                FileStatus::Broken(rest) => {
                    if !rest.is_empty() {
                        save_in_aside_dir(&*self.disk, &self.layout, path.as_str(), rest)?;
                    }
                    Some(blake3_hex(rest))
                }
            };
            let mut was = self.manifest.previous_hashes(path, there.clone());
            if was.len() >= WAS_MAX {
                self.sync_file_and_dir(path, there.is_some())?;
                was = there.into_iter().collect();
            }
            let entry = ManifestEntry {
                hash: blake3_hex(bytes),
                seq: self.after.end.seq,
                len: bytes.len() as u64,
                agon: version_for(path),
                was,
            };
            changed.push((path.clone(), entry));
        }
        if !changed.is_empty() {
            self.write_manifest(changed)?;
        }
        for ((path, bytes), standing) in files.iter().zip(&found) {
            if *standing != FileStatus::Current {
                self.write_file(path, bytes)?;
            }
        }
        Ok(())
    }

    /// Writes all files of a publication that may have changed, as [`Folder::write_projections`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn publish(&mut self, files: Vec<Projection>) -> Result<(), ProjectError> {
        self.published.begin();
        self.write_projections(&files)?;
        self.published.end(self.line_count(), files);
        Ok(())
    }

    /// Writes the manifest with changed entries.
    fn write_manifest(
        &mut self,
        changed: Vec<(RelPath, ManifestEntry)>,
    ) -> Result<(), ProjectError> {
        let mut former = Vec::with_capacity(changed.len());
        for (path, entry) in changed {
            let earlier = self.manifest.0.insert(path.clone(), entry);
            former.push((path, earlier));
        }
        let written = self.manifest.write(&*self.disk, &self.layout);
        if written.is_err() {
            for (path, earlier) in former {
                match earlier {
                    Some(entry) => self.manifest.0.insert(path, entry),
                    None => self.manifest.0.remove(&path),
                };
            }
        }
        Ok(written?)
    }

    /// Updates the files of [`projections`](crate::projections) to the current state.
    ///
    /// # Errors
    ///
    /// As [`Folder::write_projections`].
    pub fn write_own_projections(&mut self) -> Result<(), ProjectError> {
        let files = crate::projection::projections(&self.state);
        self.write_projections(&files)
    }

    /// Returns whether the file of every point exists with the length that was written.
    ///
    /// Such a file never changes, so it need not be read before continuing; [`check`](crate::check)
    /// reads them all.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn has_every_argument_file(&self) -> Result<bool, DiskError> {
        for node in self.state.nodes() {
            let Ok(path) = RelPath::new(format!("arguments/{}.md", node.id)) else {
                return Ok(false);
            };
            let known = self.manifest.0.get(&path).map(|entry| entry.len);
            let there = self.disk.metadata(&path.under(self.layout.root()))?;
            let there = there.filter(|meta| meta.kind == FileKind::File);
            if known.is_none() || there.map(|meta| meta.len) != known {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the files among `files` that another program changed, which
    /// [`Folder::write_projections`] would refuse to replace.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn foreign_edits(&self, files: &[Projection]) -> Result<Vec<RelPath>, DiskError> {
        let mut foreign = Vec::new();
        for (path, bytes) in files {
            if self.file_status(path, bytes)? == FileStatus::Foreign {
                foreign.push(path.clone());
            }
        }
        Ok(foreign)
    }

    /// Moves the files among `files` that another program changed to `.agon/aside/`, so that
    /// [`Folder::write_projections`] can write them.
    ///
    /// # Errors
    ///
    /// If one is not a regular file, is behind a link, or cannot be moved.
    pub fn move_foreign_edits_aside(&self, files: &[Projection]) -> Result<(), ProjectError> {
        for path in self.regular_foreign_edits(files)? {
            let at = path.under(self.layout.root());
            let bytes = self.disk.read(&at)?;
            save_in_aside_dir(&*self.disk, &self.layout, path.as_str(), &bytes)?;
            self.disk.remove_file(&at)?;
        }
        Ok(())
    }

    /// Renames the files among `files` that another program changed: appends `.changed` to the
    /// name, and a number if that is taken. [`Folder::write_projections`] can then write them.
    /// Returns the files with their new names. A file that differs only in line ends counts as
    /// Agon's and is removed.
    ///
    /// # Errors
    ///
    /// If one is not a regular file or is behind a link, which could lead out of the folder;
    /// nothing is changed then. If one cannot be renamed.
    pub fn rename_foreign_edits(
        &self,
        files: &[Projection],
    ) -> Result<Vec<(RelPath, PathBuf)>, ProjectError> {
        let mut kept = Vec::new();
        for path in self.regular_foreign_edits(files)? {
            let at = path.under(self.layout.root());
            let bytes = self.disk.read(&at)?;
            let ours = files.iter().find(|(known, _)| *known == path);
            if ours.is_none_or(|(_, ours)| with_line_feeds_only(&bytes) != *ours) {
                let to = self.unused_name(&at)?;
                replace_file(
                    &*self.disk,
                    &self.layout.temp_file(),
                    &to,
                    &bytes,
                    Durable::Yes,
                )?;
                kept.push((path, to));
            }
            self.disk.remove_file(&at)?;
        }
        Ok(kept)
    }

    /// Returns the regular files among `files` that another program changed.
    fn regular_foreign_edits(&self, files: &[Projection]) -> Result<Vec<RelPath>, ProjectError> {
        let edited = self.foreign_edits(files)?;
        let mut unfit = Vec::new();
        for path in &edited {
            if !self.is_regular_file(path)? {
                unfit.push(path.clone());
            }
        }
        match unfit.is_empty() {
            true => Ok(edited),
            false => Err(ProjectError::ForeignEdit { paths: unfit }),
        }
    }

    /// Returns whether the path is a regular file, reached only through regular folders.
    fn is_regular_file(&self, path: &RelPath) -> Result<bool, DiskError> {
        let root = self.layout.root();
        let at = path.under(root);
        for dir in at.ancestors().skip(1).take_while(|dir| *dir != root) {
            let found = self.disk.metadata(dir)?;
            if found.is_none_or(|meta| meta.kind != FileKind::Dir) {
                return Ok(false);
            }
        }
        let found = self.disk.metadata(&at)?;
        Ok(found.is_some_and(|meta| meta.kind == FileKind::File))
    }

    fn unused_name(&self, file: &Path) -> Result<PathBuf, DiskError> {
        let mut number = 1_u32;
        loop {
            let mut name = file.as_os_str().to_owned();
            name.push(match number {
                1 => ".changed".to_owned(),
                number => format!(".changed{number}"),
            });
            if self.disk.metadata(Path::new(&name))?.is_none() {
                return Ok(name.into());
            }
            number += 1;
        }
    }

    fn file_statuses(&self, files: &[Projection]) -> Result<Vec<FileStatus>, ProjectError> {
        let standings = files
            .iter()
            .map(|(path, bytes)| self.file_status(path, bytes));
        let found = standings.collect::<Result<Vec<_>, _>>()?;
        let foreign = files.iter().zip(&found);
        let foreign = foreign.filter(|(_, standing)| **standing == FileStatus::Foreign);
        let paths: Vec<_> = foreign.map(|((path, _), _)| path.clone()).collect();
        if paths.is_empty() {
            Ok(found)
        } else {
            Err(ProjectError::ForeignEdit { paths })
        }
    }

    fn file_status(&self, path: &RelPath, bytes: &[u8]) -> Result<FileStatus, DiskError> {
        let (disk, root) = (&*self.disk, self.layout.root());
        if let Some(now) = disk.metadata(&path.under(root))?
            && let Some(known) = self.published.file_status(path, &now, bytes)
        {
            return Ok(known);
        }
        let standing = self.manifest.file_status(disk, root, path, bytes)?;
        accept_imported_status(disk, root, &self.state, path, standing)
    }

    /// Syncs the current file at `path`, so that no older version reappears after a crash.
    fn sync_file_and_dir(&self, path: &RelPath, there: bool) -> Result<(), DiskError> {
        let at = path.under(self.layout.root());
        if there {
            self.disk.open_append(&at)?.sync()?;
        }
        self.disk.sync_dir(parent_of(&at))
    }

    fn write_file(&self, path: &RelPath, bytes: &[u8]) -> Result<(), DiskError> {
        let to = path.under(self.layout.root());
        let dir = parent_of(&to);
        if self.disk.metadata(dir)?.is_none() {
            self.disk.create_dir(dir)?;
        }
        failpoints::die_if_armed(failpoints::PROJECTION_BEFORE);
        replace_file(
            &*self.disk,
            &self.layout.temp_file(),
            &to,
            bytes,
            Durable::No,
        )?;
        failpoints::die_if_armed(failpoints::PROJECTION_AFTER);
        Ok(())
    }
}

/// Returns the bytes with only line feeds at line ends.
fn with_line_feeds_only(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            plain.push(*byte);
        }
    }
    plain
}
