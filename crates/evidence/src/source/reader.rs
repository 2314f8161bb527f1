//! Reads the pinned files of a source, one after another.

use std::cell::OnceCell;
use std::fmt;
use std::sync::Arc;

use agon_record::stamp::Unchecked;

use super::Source;
use super::disk::{DiskEntry, Folder};
use super::git::{Git, InCommit};
use crate::manifest::{FileKind, ManifestEntry};

/// Reads the files of a source with their pinned content.
///
/// Keeps the folders that it reads open, and opens the repository at most once, so it is quicker
/// than [`Source::read_pinned`] for several files. Quickest if the paths are sorted. Each thread
/// needs its own.
pub struct PinnedReader<'a> {
    source: &'a Source,
    /// The folder that the source was pinned from, if it exists.
    folder: Option<Folder>,
    git: OnceCell<Option<Git>>,
}

impl fmt::Debug for PinnedReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PinnedReader")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl<'a> PinnedReader<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        Self {
            source,
            folder: source.root.clone().map(Folder::new),
            git: OnceCell::new(),
        }
    }

    /// Returns the bytes of the pinned text or binary file at `path`; `None` if they are no longer
    /// available.
    pub fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        let entry = self.source.manifest.entries.get(path)?;
        self.pinned_bytes(path, entry.hash.as_deref()?)
    }

    /// Returns the bytes of the pinned text at `path`.
    pub(crate) fn text_bytes(
        &self,
        path: &str,
        entry: &ManifestEntry,
    ) -> Result<Arc<[u8]>, Unchecked> {
        let hash = match (&entry.kind, &entry.hash) {
            (FileKind::Text, Some(hash)) => hash,
            (FileKind::Text, None) => return Err(Unchecked::Unreadable),
            (FileKind::Binary, _) => return Err(Unchecked::Binary),
            (FileKind::Oversized, _) => return Err(Unchecked::Oversized),
            (FileKind::LargeFile, _) => return Err(Unchecked::LargeFile),
            (FileKind::Symlink(_), _) => return Err(Unchecked::Outside),
        };
        self.pinned_bytes(path, hash).ok_or(Unchecked::NotKept)
    }

    /// Returns the bytes with this hash that were pinned at `path`, from memory, the disk or the
    /// commit.
    fn pinned_bytes(&self, path: &str, hash: &str) -> Option<Arc<[u8]>> {
        if let Some(bytes) = self.source.held.get(hash) {
            return Some(Arc::clone(bytes));
        }
        let most = self.source.limits.file_bytes;
        let is_it = |bytes: &[u8]| blake3::hash(bytes).to_hex().as_str() == hash;
        match self.folder.as_ref()?.read_entry(path, most) {
            DiskEntry::Bytes(bytes) if is_it(&bytes) => return Some(bytes.into()),
            _ => {}
        }
        // The file has changed on disk since it was pinned, but the commit may still have it.
        let commit = self.source.manifest.commit.as_deref()?;
        let git = self.git.get_or_init(|| self.source.open_git());
        match git.as_ref()?.read_in_commit(commit, path, most) {
            Ok(InCommit::File(bytes)) if is_it(&bytes) => Some(bytes.into()),
            Ok(_) | Err(_) => None,
        }
    }
}
