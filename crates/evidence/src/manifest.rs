//! The list of a source's files, in a form that can be stored.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::path::stays_inside;

/// The files of a pinned source with their hashes; the same on every machine.
///
/// It contains no path of the machine, no time and no owner. Equal sources have equal
/// [`Manifest::to_bytes`].
///
/// ```
/// # use agon_evidence::Manifest;
/// let manifest = Manifest::default();
/// assert_eq!(Manifest::from_bytes(&manifest.to_bytes()).ok(), Some(manifest));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub(crate) schema: String,
    /// The part of the project that is pinned.
    pub scope: Scope,
    /// The name of the pinned folder, because some citations begin with it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The full id of the checked-out commit, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The path of the pinned folder in the repository; empty for its root.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// Whether any pinned file differs from that commit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dirty: bool,
    /// Every file by its path in the source, with `/` between its parts.
    pub entries: BTreeMap<String, ManifestEntry>,
    /// Paths among the entries that are not files on disk, but texts that came with the question.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub given: BTreeSet<String>,
    /// Paths that were found but not pinned; a folder here stands for everything in it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, LeftOut>,
    /// Texts that were given to the debate, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub documents: BTreeMap<String, ManifestEntry>,
    /// Recorded outputs of commands, by command.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub runs: BTreeMap<String, ManifestEntry>,
}

/// How much of a project is pinned. This decides whether a file that is missing from the manifest
/// can exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// No files.
    #[default]
    Nothing,
    /// The whole tree.
    Tree,
    /// The files that differ from the commit.
    Changes,
    /// A few named files.
    Files,
}

/// One file of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The hash of its bytes, as 64 hex digits of BLAKE3; `None` if it was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its kind.
    #[serde(default, skip_serializing_if = "FileKind::is_text")]
    pub kind: FileKind,
    /// How the file differs from the commit.
    #[serde(default, skip_serializing_if = "Change::is_none")]
    pub change: Change,
}

/// The kind of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// Text, which citations can refer to.
    #[default]
    Text,
    /// Any content with a zero byte.
    Binary,
    /// A file over the size limit, which was not read.
    Oversized,
    /// A Git LFS pointer; the large file is stored elsewhere.
    LargeFile,
    /// A symbolic link, and its target.
    Symlink(String),
}

/// How a file differs from the checked-out commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The file is as in the commit, or there is no commit.
    #[default]
    None,
    /// The commit has another version of the file.
    Changed,
    /// The commit does not have the file.
    New,
}

/// The reason why a path that was found is not pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// The project's ignore rules match the path.
    Ignored,
    /// A submodule.
    Submodule,
    /// The commit has the file, but it was deleted.
    Deleted,
    /// A sparse checkout omits the path.
    Sparse,
    /// The caller excluded the path.
    Apart,
    /// The path is not a regular file but a pipe, a socket or a device.
    Special,
    /// The path could not be read, or is behind a symbolic link.
    Unreadable,
}

/// Returns whether a text is the name of a single folder.
fn is_single_folder_name(name: &str) -> bool {
    stays_inside(name) && !name.contains('/')
}

impl FileKind {
    fn is_text(&self) -> bool {
        *self == Self::Text
    }
}

impl Change {
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            schema: Self::SCHEMA.into(),
            scope: Scope::default(),
            name: String::new(),
            commit: None,
            prefix: String::new(),
            dirty: false,
            entries: BTreeMap::new(),
            given: BTreeSet::new(),
            left_out: BTreeMap::new(),
            documents: BTreeMap::new(),
            runs: BTreeMap::new(),
        }
    }
}

/// The reason why a stored manifest cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The bytes do not have the structure of a manifest.
    #[error("the source's manifest is damaged")]
    Shape(#[source] serde_json::Error),
    /// A path in the manifest leads out of the source.
    #[error("the source's manifest names a path outside the source")]
    Outside,
    /// The manifest has another version.
    #[error(
        "the source's manifest has version {found:?}, expected {:?}",
        Manifest::SCHEMA
    )]
    Version {
        /// The version of the manifest.
        found: String,
    },
}

impl Manifest {
    const SCHEMA: &str = "agon.source/1";

    /// Serializes the manifest as JSON; equal manifests give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Never empty: serializing a map with string keys cannot fail.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a manifest written by [`Self::to_bytes`].
    ///
    /// # Errors
    ///
    /// If the bytes are not a manifest, or have another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ManifestError> {
        let manifest: Self = serde_json::from_slice(bytes).map_err(ManifestError::Shape)?;
        if manifest.schema != Self::SCHEMA {
            return Err(ManifestError::Version {
                found: manifest.schema.chars().take(40).collect(),
            });
        }
        // Anybody may have written this folder, so reject paths that lead out of the source.
        let folders = manifest.left_out.keys().all(|path| stays_inside(path));
        let name = manifest.name.is_empty() || is_single_folder_name(&manifest.name);
        if !name || !folders || !manifest.entries.keys().all(|path| stays_inside(path)) {
            return Err(ManifestError::Outside);
        }
        Ok(manifest)
    }

    /// Returns why `path`, or a folder that contains it, was left out.
    pub(crate) fn left_out_reason(&self, path: &str) -> Option<LeftOut> {
        path_and_ancestors(path).find_map(|it| self.left_out.get(it).copied())
    }
}

/// Returns a path, then each folder that contains it, up to the root.
pub(crate) fn path_and_ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |it| Some(it.rsplit_once('/')?.0))
}
