//! Finds what changed in a working copy, by a walk that reads only the files whose state changed.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::fs::{self, DirEntry, Metadata};
use std::path::Path;

use super::stamp::{FileStamp, FolderStamp};
use super::{CopiedFile, WorkingCopy};
use crate::source::disk::{DiskEntry, Folder};

/// What changed in a working copy.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// Files that were changed or removed.
    pub(super) altered: BTreeSet<String>,
    /// Folders with other rights; the copy itself has an empty path.
    pub(super) folders: BTreeSet<String>,
    /// Entries that were added: the path of the folder, and the entry's name in it.
    pub(super) added: Vec<(String, OsString)>,
    /// The paths of added entries and of the files in them.
    named: BTreeSet<String>,
    /// Whether the copy itself is not the same folder any more.
    pub(super) is_lost: bool,
}

impl Differences {
    pub(super) fn is_empty(&self) -> bool {
        self.names().next().is_none() && !self.is_lost
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.altered.iter().chain(&self.folders).chain(&self.named)
    }
}

impl WorkingCopy {
    /// Returns the files that were changed, removed or added since the copy was made, sorted; also
    /// files and folders with other rights, and files with another name elsewhere.
    ///
    /// If there are none, [`Self::restore`] does nothing until the copy is given to a tool again, so
    /// a tool that may still write must have ended.
    ///
    /// Reads the state of each file, and only those files whose state is not the same: O(files).
    pub fn changed_files(&mut self) -> Vec<String> {
        let found = self.differences();
        self.is_unchanged = found.is_empty();
        let names: BTreeSet<&String> = found.names().collect();
        let names = names.into_iter().map(|name| match name.as_str() {
            "" => ".".to_owned(),
            name => name.to_owned(),
        });
        names.collect()
    }

    /// Compares the copy with its expected files, and remembers the state of unchanged files.
    pub(super) fn differences(&mut self) -> Differences {
        let mut found = Differences::default();
        let now = self.folder.symlink_metadata();
        let now = now.ok().map(|state| FolderStamp::new(&state));
        match now.zip(self.folders.get("")) {
            Some((now, then)) if now.is_same_folder(then) => {
                if !now.has_rights_of(then) {
                    found.folders.insert(String::new());
                }
            }
            _ => {
                found.is_lost = true;
                found.altered = self.files.keys().cloned().collect();
                return found;
            }
        }
        let mut suspects = Vec::new();
        let mut unseen: HashSet<&str> = self.files.keys().map(String::as_str).collect();
        let mut open = vec![String::new()];
        while let Some(parent) = open.pop() {
            // The files of a folder that cannot be listed count as removed.
            let entries = fs::read_dir(self.folder.join(&parent));
            for entry in entries.into_iter().flatten().flatten() {
                let state = entry.metadata();
                let known = entry.file_name().into_string().ok().zip(state.ok());
                let Some((name, state)) = known else {
                    found.add(&parent, &entry);
                    continue;
                };
                let path = join(&parent, &name);
                if let (true, Some(folder)) = (state.is_dir(), self.folders.get(&path)) {
                    if !FolderStamp::new(&state).has_rights_of(folder) {
                        found.folders.insert(path.clone());
                    }
                    open.push(path);
                } else if let (false, Some(file)) = (state.is_dir(), self.files.get(&path)) {
                    unseen.remove(path.as_str());
                    if !self.has_recorded_state(file, &state) {
                        suspects.push((path, state));
                    }
                } else {
                    found.add(&parent, &entry);
                }
            }
        }
        found.altered = unseen.into_iter().map(str::to_owned).collect();
        // In the order of their paths, so that their folders are opened once.
        suspects.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let reader = Folder::new(self.folder.clone());
        for (path, state) in suspects {
            if !self.has_same_content(&reader, &path, &state) {
                found.altered.insert(path);
            }
        }
        found
    }

    /// Returns whether `state` says that the file still has its recorded content.
    fn has_recorded_state(&self, file: &CopiedFile, state: &Metadata) -> bool {
        FileStamp::new(state) == file.stamp && !file.stamp.is_too_recent(self.given)
    }

    /// Reads a file whose state changed, and remembers the state if the file is the same.
    fn has_same_content(&mut self, reader: &Folder, path: &str, state: &Metadata) -> bool {
        let Some(file) = self.files.get_mut(path) else {
            return false;
        };
        let stamp = FileStamp::new(state);
        if !stamp.has_rights_of(&file.stamp) {
            return false;
        }
        let is_same = match reader.read_entry(path, self.longest) {
            DiskEntry::Bytes(bytes) => blake3::hash(&bytes).to_hex().as_str() == file.hash,
            _ => false,
        };
        if is_same {
            file.stamp = stamp;
        }
        is_same
    }
}

impl Differences {
    /// Adds an entry that is not of the copy, with the paths of everything in it.
    fn add(&mut self, parent: &str, entry: &DirEntry) {
        self.added.push((parent.to_owned(), entry.file_name()));
        let mut open = vec![(
            join(parent, &entry.file_name().to_string_lossy()),
            entry.path(),
        )];
        while let Some((path, at)) = open.pop() {
            let inner = inner_entries(&at);
            if inner.is_empty() {
                self.named.insert(path);
                continue;
            }
            open.extend(inner.into_iter().map(|name| {
                let at = at.join(&name);
                (join(&path, &name.to_string_lossy()), at)
            }));
        }
    }
}

/// Returns the names in a folder; none if it is empty, cannot be listed, or is not a folder.
fn inner_entries(path: &Path) -> Vec<OsString> {
    let is_folder = path.symlink_metadata().is_ok_and(|state| state.is_dir());
    let entries = is_folder.then(|| fs::read_dir(path)).into_iter().flatten();
    entries
        .flatten()
        .flatten()
        .map(|entry| entry.file_name())
        .collect()
}

fn join(parent: &str, name: &str) -> String {
    match parent {
        "" => name.to_owned(),
        parent => format!("{parent}/{name}"),
    }
}
