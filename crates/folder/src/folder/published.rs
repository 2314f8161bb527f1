//! The documents as last published, so that the next publication extends them.

use std::collections::BTreeMap;

use agon_store::{DiskError, FileKind, FileMark, Meta, Projection, RelPath};

use super::Folder;
use crate::earlier::TRANSCRIPT;
use crate::manifest::{FileStatus, ManifestEntry, blake3_hex};

/// The documents as last published.
#[derive(Debug, Default)]
pub(super) struct Published {
    /// The journal line after which all of them were rendered; `None` if that is unknown.
    line: Option<u64>,
    documents: BTreeMap<RelPath, Document>,
}

#[derive(Debug)]
struct Document {
    bytes: Vec<u8>,
    /// The file that had these bytes when it was read, and their hash.
    read: Option<(FileMark, String)>,
}

impl Published {
    /// Forgets when the documents were rendered, because they are about to change.
    pub(super) fn begin(&mut self) {
        self.line = None;
    }

    /// Remembers the written files of a publication after the journal line `line`.
    pub(super) fn end(&mut self, line: u64, files: Vec<Projection>) {
        self.line = Some(line);
        for (path, bytes) in files.into_iter().filter(|(path, _)| is_document(path)) {
            let read = None;
            self.documents.insert(path, Document { bytes, read });
        }
    }

    /// Returns the status of a file without reading it, if it is unchanged since it was read.
    pub(super) fn file_status(
        &self,
        path: &RelPath,
        now: &Meta,
        wanted: &[u8],
    ) -> Option<FileStatus> {
        let document = self.documents.get(path)?;
        let (mark, hash) = document.read.as_ref()?;
        let now = now.mark.filter(|_| now.kind == FileKind::File)?;
        if !(mark.is_same_file(&now) && mark.has_same_times(&now)) {
            return None;
        }
        Some(match document.bytes == wanted {
            true => FileStatus::Current,
            false => FileStatus::Older(hash.clone()),
        })
    }
}

/// The version of Agon that is noted for a file.
pub(super) fn version_for(path: &RelPath) -> String {
    match path.as_str() {
        TRANSCRIPT => env!("CARGO_PKG_VERSION").to_owned(),
        _ => String::new(),
    }
}

impl Folder {
    /// Returns a document as it was published after the journal line `line`, if that is known.
    pub fn published_document(&self, line: u64, path: &str) -> Option<&[u8]> {
        if self.published.line != Some(line) {
            return None;
        }
        let mut documents = self.published.documents.iter();
        let (_, document) = documents.find(|(known, _)| known.as_str() == path)?;
        Some(&document.bytes)
    }

    /// Returns whether all documents except the files of points are unchanged.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn has_unchanged_documents(&mut self) -> Result<bool, DiskError> {
        self.published = Published::default();
        let mut documents = BTreeMap::new();
        for (path, entry) in self.manifest.0.iter().filter(|(path, _)| is_document(path)) {
            let at = path.under(self.layout.root());
            let Some(file) = self.disk.metadata(&at)? else {
                return Ok(false);
            };
            if file.kind != FileKind::File {
                return Ok(false);
            }
            let bytes = self.disk.read(&at)?;
            if blake3_hex(&bytes) != entry.hash {
                return Ok(false);
            }
            let read = file.mark.map(|mark| (mark, entry.hash.clone()));
            documents.insert(path.clone(), Document { bytes, read });
        }
        // See `manifest.rs` for why the transcript's entry has the line.
        let mut entries = self.manifest.0.iter();
        let transcript = entries.find(|(path, _)| path.as_str() == TRANSCRIPT);
        let is_known = |entry: &ManifestEntry| entry.agon == env!("CARGO_PKG_VERSION");
        let line = transcript.and_then(|(_, entry)| is_known(entry).then_some(entry.seq));
        self.published = Published { line, documents };
        Ok(true)
    }
}

/// Returns whether a file is a document, and not the file of a point.
fn is_document(path: &RelPath) -> bool {
    !path.as_str().starts_with("arguments/")
}
