//! A source: the files that citations refer to, as they were when a debate opened.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use agon_record::stamp::Unchecked;

use crate::archive::{Blobs, EvidenceArchive};
use crate::commits::{CommitLookup, CommitPathEntry, Commits};
use crate::index::Index;
use crate::known::KnownPaths;
use crate::limits::PinLimits;
use crate::manifest::{Change, FileKind, Manifest, ManifestEntry, Scope};
use crate::pages::{Page, Pages};
use crate::root_mark::{RootMark, is_seat_copy};

mod allowance;
pub(crate) mod disk;
mod error;
pub(crate) mod folder;
pub(crate) mod git;
mod pin;
mod reader;

pub use error::PinError;
pub use pin::Excluded;
pub use reader::PinnedReader;

use git::{Git, InCommit, NoCommit};

/// The files that citations refer to, as they were when the source was pinned.
///
/// If a file changes on disk later, its content comes from memory or from the commit that has it.
/// If neither has it, the file is not read. A source never writes anything.
#[derive(Clone, Debug)]
pub struct Source {
    manifest: Manifest,
    /// The folder on this machine, if it exists.
    root: Option<PathBuf>,
    limits: PinLimits,
    /// File contents that are kept in memory, by their hash.
    held: Blobs,
    /// Stored answers about commits and pages.
    commits: Commits,
    /// The client that fetches pages; `None` unless the user asked for it.
    pages: Option<Arc<dyn Pages>>,
    /// Identifies the pinned folder by a hash of its path, on any machine.
    mark: Option<RootMark>,
    /// The known paths, prepared for finding them in prose.
    known: Arc<OnceLock<KnownPaths>>,
    /// The files by the words in them, once an index was needed and every text was available.
    index: Arc<OnceLock<Arc<Index>>>,
}

impl Source {
    /// Creates an empty source, with which every file citation is unchecked.
    pub fn none() -> Self {
        Self::from_stored(Manifest::default(), Commits::default(), Blobs::new())
    }

    /// Pins all files of a folder.
    ///
    /// In a git repository these are the tracked files and the untracked ones that are not ignored,
    /// as they are on disk; `root` may be a folder inside it. Without git these are all files
    /// except those in folders that tools fill.
    ///
    /// Reads every file once: O(bytes).
    ///
    /// # Errors
    ///
    /// If the folder or its repository cannot be read, or is larger than `limits`.
    pub fn pin_tree(root: &Path, limits: &PinLimits) -> Result<Self, PinError> {
        Self::pin_tree_excluding(root, Excluded::default(), limits)
    }

    /// Pins all files of a folder, except those in some of its folders.
    ///
    /// # Errors
    ///
    /// As [`Self::pin_tree`].
    pub fn pin_tree_excluding(
        root: &Path,
        excluded: Excluded<'_>,
        limits: &PinLimits,
    ) -> Result<Self, PinError> {
        pin::pin_tree(root, limits, excluded, Scope::Tree)
    }

    /// Pins the files of a repository that differ from the checked-out commit, including new ones.
    ///
    /// # Errors
    ///
    /// As [`Self::pin_tree`]; also if `root` is not in a repository with a commit.
    pub fn pin_changes(root: &Path, limits: &PinLimits) -> Result<Self, PinError> {
        Self::pin_changes_excluding(root, Excluded::default(), limits)
    }

    /// Like [`Self::pin_changes`], but excludes some folders.
    ///
    /// # Errors
    ///
    /// As [`Self::pin_changes`].
    pub fn pin_changes_excluding(
        root: &Path,
        excluded: Excluded<'_>,
        limits: &PinLimits,
    ) -> Result<Self, PinError> {
        pin::pin_tree(root, limits, excluded, Scope::Changes)
    }

    /// Pins a few files of a folder, by their paths in it.
    ///
    /// # Errors
    ///
    /// If a file does not exist, is not a regular file in the folder, or is over the limit.
    pub fn pin_files(root: &Path, paths: &[&str], limits: &PinLimits) -> Result<Self, PinError> {
        pin::pin_files(root, paths, limits)
    }

    /// Pins files of a folder as they are in a commit, by their paths in the folder: those changed
    /// by commits up to it. A file that the commit does not have was deleted.
    ///
    /// # Errors
    ///
    /// If the folder is not in a repository, the commit does not exist, or the files exceed the
    /// limit.
    pub fn pin_in_commit(
        root: &Path,
        commit: &str,
        paths: &[&str],
        limits: &PinLimits,
    ) -> Result<Self, PinError> {
        pin::pin_in_commit(root, commit, paths, limits)
    }

    /// Restores a source from a record, without any repository.
    ///
    /// Everything looked up before is in `blobs` and `commits` and gets the same stamps. A file
    /// that was not cited is not available, and is unchecked.
    pub fn from_stored(manifest: Manifest, commits: Commits, blobs: Blobs) -> Self {
        // Drop a blob whose content does not match its hash.
        let is_whole = |hash: &str, bytes: &[u8]| blake3::hash(bytes).to_hex().as_str() == hash;
        let held = blobs.into_iter().filter(|(hash, it)| is_whole(hash, it));
        Self {
            manifest,
            root: None,
            limits: PinLimits::default(),
            held: held.collect(),
            commits,
            pages: None,
            mark: None,
            known: Arc::default(),
            index: Arc::default(),
        }
    }

    /// Sets the mark of the pinned folder. On any machine, a path that begins with this folder then
    /// belongs to the source.
    #[must_use]
    pub fn with_mark(mut self, mark: Option<RootMark>) -> Self {
        self.mark = mark;
        self
    }

    /// Returns whether `folder`, an absolute path, is the pinned folder or a seat's copy of it.
    pub(crate) fn is_root(&self, folder: &str) -> bool {
        let is_marked = |mark: &RootMark| mark.matches_folder(folder);
        self.mark.as_ref().is_some_and(is_marked) || is_seat_copy(folder, &self.manifest.name)
    }

    /// Returns whether the pinned folder is known, so that an absolute path is certainly inside or
    /// outside the source.
    pub(crate) fn has_mark(&self) -> bool {
        self.mark.is_some()
    }

    /// Sets the folder that the source was pinned from, so that a continued debate can look up more
    /// of it. Files that have changed since are not read.
    #[must_use]
    pub fn with_root(mut self, root: &Path) -> Self {
        self.root = root.canonicalize().ok();
        self
    }

    /// Sets a client that fetches cited pages.
    #[must_use]
    pub fn with_pages(mut self, pages: Arc<dyn Pages>) -> Self {
        self.pages = Some(pages);
        self
    }

    /// Adds a text that was given to the debate, under the name that citations use.
    #[must_use]
    pub fn with_document(mut self, name: &str, text: &str) -> Self {
        let entry = self.store_text(text);
        self.manifest.documents.insert(name.to_owned(), entry);
        self
    }

    /// Adds a text that replaces a file's content on disk, such as unsaved changes in an editor.
    #[must_use]
    pub fn with_file_text(mut self, path: &str, text: &str) -> Self {
        let entry = ManifestEntry {
            change: Change::New,
            ..self.store_text(text)
        };
        self.manifest.entries.insert(path.to_owned(), entry);
        self.manifest.given.insert(path.to_owned());
        self.known = Arc::default();
        self.index = Arc::default();
        self
    }

    /// Adds the output of a command that the user attached to the debate.
    #[must_use]
    pub fn with_run(mut self, command: &str, output: &str) -> Self {
        self.add_run(command, output);
        self
    }

    /// Like [`Self::with_run`], for a source that is already in use. A later run of the same
    /// command replaces the earlier one.
    pub fn add_run(&mut self, command: &str, output: &str) {
        let entry = self.store_text(output);
        self.manifest.runs.insert(command.trim().to_owned(), entry);
    }

    fn store_text(&mut self, text: &str) -> ManifestEntry {
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        self.held.insert(hash.clone(), text.as_bytes().into());
        ManifestEntry {
            hash: Some(hash),
            bytes: text.len() as u64,
            kind: FileKind::Text,
            change: Change::None,
        }
    }

    /// Adds stored answers about commits and pages, with their contents, so that they need not be
    /// looked up again.
    pub fn add_archive(&mut self, kept: &EvidenceArchive) {
        self.commits.add_missing(kept.commits.clone());
        let blobs = kept.blobs.iter();
        self.held
            .extend(blobs.map(|(hash, bytes)| (hash.clone(), Arc::clone(bytes))));
    }

    /// Returns the folder that the source was pinned from, if it exists.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Returns the list of the source's files, which is stored when a debate opens.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the contents that are in no commit, which are stored when a debate opens so that it
    /// can continue after an edit. In a folder without commits these are all its texts.
    pub fn uncommitted_blobs(&self) -> &Blobs {
        &self.held
    }

    /// Returns the bytes of the pinned text or binary file at `path`; `None` if they are no longer
    /// available.
    pub fn read_pinned(&self, path: &str) -> Option<Arc<[u8]>> {
        self.reader().read(path)
    }

    /// Returns the paths of the source, and those that were left out by name.
    pub fn known_paths(&self) -> &KnownPaths {
        self.known.get_or_init(|| {
            let files = self.manifest.entries.keys();
            // Leave out paths with an extension: they are usually files, not folders that stand for
            // their content.
            let is_file = |path: &&String| {
                let name = path.rsplit('/').next().unwrap_or(path);
                name.trim_start_matches('.').contains('.')
            };
            let left_out = self.manifest.left_out.keys().filter(is_file);
            KnownPaths::new(files.chain(left_out).map(String::as_str))
        })
    }

    pub(crate) fn commits(&self) -> &Commits {
        &self.commits
    }

    /// Returns the bytes of the pinned text at `path`.
    pub(crate) fn text_bytes(
        &self,
        path: &str,
        entry: &ManifestEntry,
    ) -> Result<Arc<[u8]>, Unchecked> {
        self.reader().text_bytes(path, entry)
    }

    /// Returns a reader of the pinned files, for more than one of them.
    pub fn reader(&self) -> PinnedReader<'_> {
        PinnedReader::new(self)
    }

    /// Returns the files of the source by the words in them.
    ///
    /// Reads every text at the first call: O(bytes). Clones of the source share the result.
    pub(crate) fn word_index(&self) -> Arc<Index> {
        if let Some(index) = self.index.get() {
            return Arc::clone(index);
        }
        let reader = self.reader();
        let texts = self.manifest.entries.iter();
        let texts = texts.filter(|(_, entry)| entry.kind == FileKind::Text && entry.hash.is_some());
        let texts = texts.map(|(path, entry)| (path.as_str(), reader.text_bytes(path, entry).ok()));
        let index = Arc::new(Index::new(texts));
        match index.is_complete() {
            true => Arc::clone(self.index.get_or_init(|| index)),
            // A text that is missing now may be available again later.
            false => index,
        }
    }

    /// Looks up a commit by its name; `None` if there is no repository.
    pub(crate) fn find_commit(&self, name: &str) -> Option<CommitLookup> {
        if let Some(commit) = &self.manifest.commit
            && (name == "HEAD" || is_commit_prefix(name, commit))
        {
            return Some(CommitLookup::Is(commit.clone()));
        }
        if let Some(known) = self.commits.names.get(name) {
            return Some(known.clone());
        }
        let git = self.open_git()?;
        Some(match git.resolve_commit(name) {
            Ok(id) => CommitLookup::Is(id),
            Err(NoCommit::Absent) => CommitLookup::Absent,
            Err(NoCommit::Elsewhere(why)) => CommitLookup::Unreachable(why.to_owned()),
        })
    }

    /// Looks up a path in a commit, and returns the bytes if they had to be read; `None` if there
    /// is no repository.
    pub(crate) fn look_up_in_commit(
        &self,
        commit: &str,
        path: &str,
    ) -> Option<(CommitPathEntry, Option<Arc<[u8]>>)> {
        if self.manifest.commit.as_deref() == Some(commit)
            && let Some(entry) = self.manifest.entries.get(path)
            && entry.change == Change::None
        {
            return Some((CommitPathEntry::Entry(entry.clone()), None));
        }
        let key = Commits::file_key(commit, path);
        if let Some(known) = self.commits.files.get(&key) {
            let hash = match known {
                CommitPathEntry::Entry(entry) => entry.hash.as_deref(),
                CommitPathEntry::Folder
                | CommitPathEntry::Submodule
                | CommitPathEntry::Absent
                | CommitPathEntry::Unreachable(_) => None,
            };
            let bytes = hash.and_then(|hash| self.held.get(hash)).cloned();
            if bytes.is_some() || hash.is_none() || self.root.is_none() {
                return Some((known.clone(), bytes));
            }
        }
        let found = self
            .open_git()?
            .read_in_commit(commit, path, self.limits.file_bytes);
        Some(match found {
            Ok(InCommit::File(bytes)) => {
                let entry = pin::entry_for_bytes(&bytes, Change::None);
                (CommitPathEntry::Entry(entry), Some(bytes.into()))
            }
            Ok(InCommit::Oversized(bytes)) => {
                (CommitPathEntry::Entry(pin::oversized_entry(bytes)), None)
            }
            Ok(InCommit::Link(target)) => (CommitPathEntry::Entry(pin::link_entry(target)), None),
            Ok(InCommit::Submodule) => (CommitPathEntry::Submodule, None),
            Ok(InCommit::Folder) => (CommitPathEntry::Folder, None),
            Ok(InCommit::Absent) | Err(NoCommit::Absent) => (CommitPathEntry::Absent, None),
            Err(NoCommit::Elsewhere(why)) => (CommitPathEntry::Unreachable(why.to_owned()), None),
        })
    }

    /// Looks up a page, and returns its text if it was fetched now; `None` if pages may not be
    /// fetched.
    pub(crate) fn look_up_page(&self, url: &str) -> Option<(CommitPathEntry, Option<Arc<[u8]>>)> {
        if let Some(known) = self.commits.pages.get(url) {
            return Some((known.clone(), None));
        }
        Some(match self.pages.as_ref()?.fetch(url) {
            Page::Text(text) => {
                let entry = ManifestEntry {
                    kind: FileKind::Text,
                    ..pin::entry_for_bytes(text.as_bytes(), Change::None)
                };
                (
                    CommitPathEntry::Entry(entry),
                    Some(text.into_bytes().into()),
                )
            }
            Page::Absent => (CommitPathEntry::Absent, None),
            Page::Unreachable(cause) => (CommitPathEntry::Unreachable(cause), None),
        })
    }

    fn open_git(&self) -> Option<Git> {
        let root = self.root.as_deref()?;
        Git::open(root).ok().flatten()
    }
}

/// Returns whether `name` is a prefix of a commit's ID, and long enough to refer to it.
fn is_commit_prefix(name: &str, commit: &str) -> bool {
    name.len() >= 7
        && commit
            .get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The contents of files by their hash, while they are collected.
type BlobsByHash = HashMap<String, Arc<[u8]>>;

#[cfg(test)]
mod tests;
