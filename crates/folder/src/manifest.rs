//! Records how the projections were last written.
//!
//! `.agon/projections.json` is `{"PATH": {"hash": "…", "seq": n, "len": n, "was": ["…"]}}`. It is
//! synced *before* the files it describes are replaced; the files themselves are not synced, so a
//! crash of the machine may restore any version in `was`. A file that Agon wrote is therefore
//! always recognized.
//!
//! The transcript is written only with all other files. If the `seq` of its entry is the last line
//! of the journal, all files are as published after that line, by the version `agon`. The next
//! publication then extends them instead of rendering them whole.

use std::collections::BTreeMap;
use std::path::Path;

use agon_record::state::State;
use agon_store::{
    Disk, DiskError, Durable, FileKind, Layout, RelPath, read_if_exists, replace_file,
};
use serde::{Deserialize, Serialize};

use crate::formal_files::imported_text;

/// The manifest of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Manifest(pub(crate) BTreeMap<RelPath, ManifestEntry>);

/// A projection as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ManifestEntry {
    pub(crate) hash: String,
    /// The journal line after which it was rendered.
    pub(crate) seq: u64,
    /// Its length in bytes.
    pub(crate) len: u64,
    /// The version of Agon that rendered it; only in the entry of the transcript.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) agon: String,
    /// Hashes of versions that may reappear, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) was: Vec<String>,
}

/// Maximum number of earlier versions of a file; then it is synced once and the list restarts.
pub(crate) const WAS_MAX: usize = 16;

impl ManifestEntry {
    fn has_hash(&self, hash: &str) -> bool {
        self.hash == hash || self.was.iter().any(|was| was == hash)
    }
}

/// The state of a file compared to its expected contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileStatus {
    /// It does not exist.
    Missing,
    /// It is as expected.
    Current,
    /// Agon wrote an earlier version; contains its hash.
    Older(String),
    /// Agon wrote it, but it is truncated or empty; contains what is left.
    Broken(Vec<u8>),
    /// Another program wrote it.
    Foreign,
}

impl Manifest {
    /// Reads the manifest; empty, with `false`, if there is no readable one.
    pub(crate) fn read(disk: &dyn Disk, layout: &Layout) -> Result<(Self, bool), DiskError> {
        let bytes = match read_if_exists(disk, &layout.manifest()) {
            Err(error) if error.is_unexpected_file() => return Ok((Self::default(), false)),
            read => read?,
        };
        Ok(match bytes {
            None => (Self::default(), true),
            Some(bytes) => match serde_json::from_slice(&bytes) {
                Ok(manifest) => (manifest, true),
                Err(_) => (Self::default(), false),
            },
        })
    }

    pub(crate) fn write(&self, disk: &dyn Disk, layout: &Layout) -> Result<(), DiskError> {
        let to = layout.manifest();
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|cause| DiskError::new("write", &to, cause.into()))?;
        bytes.push(b'\n');
        replace_file(disk, &layout.temp_file(), &to, &bytes, Durable::Yes)
    }

    /// Compares the file `path` in `root` with `wanted`.
    pub(crate) fn file_status(
        &self,
        disk: &dyn Disk,
        root: &Path,
        path: &RelPath,
        wanted: &[u8],
    ) -> Result<FileStatus, DiskError> {
        let at = path.under(root);
        let above = at.ancestors().skip(1).take_while(|dir| *dir != root);
        for dir in above {
            match disk.metadata(dir)? {
                None => return Ok(FileStatus::Missing),
                Some(meta) if meta.kind != FileKind::Dir => return Ok(FileStatus::Foreign),
                Some(_) => {}
            }
        }
        match disk.metadata(&at)? {
            None => return Ok(FileStatus::Missing),
            Some(meta) if meta.kind != FileKind::File => return Ok(FileStatus::Foreign),
            Some(_) => {}
        }
        let bytes = match disk.read(&at) {
            Err(error) if error.is_unexpected_file() => return Ok(FileStatus::Foreign),
            read => read?,
        };
        let hash = blake3_hex(&bytes);
        Ok(if bytes == wanted {
            FileStatus::Current
        } else if self.has_written(path, &hash) {
            FileStatus::Older(hash)
        } else if wanted.starts_with(&bytes) || bytes.iter().all(|&byte| byte == 0) {
            // A crash of the machine can leave a file short, empty or full of zeros. Count such a
            // file as Agon's, although no hash proves it.
            FileStatus::Broken(bytes)
        } else {
            FileStatus::Foreign
        })
    }

    /// Returns the hashes of earlier versions that may reappear at `path` after a write; `there` is
    /// the hash of the current file.
    pub(crate) fn previous_hashes(&self, path: &RelPath, there: Option<String>) -> Vec<String> {
        let known = self.0.get(path).into_iter();
        let mut was: Vec<_> = known
            .flat_map(|entry| entry.was.iter().chain([&entry.hash]).cloned())
            .collect();
        if let Some(there) = there {
            was.retain(|hash| *hash != there);
            was.push(there);
        }
        was
    }

    /// Returns whether Agon wrote a file with that hash at `path`.
    pub(crate) fn has_written(&self, path: &RelPath, hash: &str) -> bool {
        self.0.get(path).is_some_and(|entry| entry.has_hash(hash))
    }
}

/// Returns the state of a file; a file of another tool counts as expected if the record has
/// imported it.
pub(crate) fn accept_imported_status(
    disk: &dyn Disk,
    root: &Path,
    state: &State,
    path: &RelPath,
    standing: FileStatus,
) -> Result<FileStatus, DiskError> {
    if standing != FileStatus::Foreign {
        return Ok(standing);
    }
    let Some(Some(text)) = imported_text(state, path.as_str()) else {
        return Ok(standing);
    };
    let at = path.under(root);
    if !matches!(disk.metadata(&at)?, Some(meta) if meta.kind == FileKind::File) {
        return Ok(standing);
    }
    if disk.read(&at)? == text.as_bytes() {
        return Ok(FileStatus::Older(blake3_hex(text.as_bytes())));
    }
    Ok(standing)
}

pub(crate) fn blake3_hex(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
