//! What a source consists of, as bytes that can be kept.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::path::stays_inside;

/// The files of a pinned source with their hashes: a record that is the same on every machine.
///
/// It holds no path of the machine, no time and no owner. Equal sources give equal
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
    /// How much of the project is pinned.
    pub scope: Scope,
    /// The name of the folder that was pinned, which some citations begin with.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The whole id of the commit that was checked out, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Where the pinned folder is in the repository; empty for its root.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// Whether any pinned file differs from that commit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dirty: bool,
    /// Every file by its path in the source, with `/`.
    pub entries: BTreeMap<String, ManifestEntry>,
    /// Those among the entries that no file has: texts that came with the question.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub given: BTreeSet<String>,
    /// What was seen and not pinned; a folder stands for all that is in it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, LeftOut>,
    /// Texts that were given to the debate, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub documents: BTreeMap<String, ManifestEntry>,
    /// Recorded outputs of commands, by command.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub runs: BTreeMap<String, ManifestEntry>,
}

/// How much of a project is pinned: whether a file that is not in the manifest exists at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// No file at all.
    #[default]
    Nothing,
    /// The whole tree.
    Tree,
    /// The files that differ from the commit.
    Changes,
    /// Some files that were named.
    Files,
}

/// One file of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The hash of its bytes, as 64 hex digits of BLAKE3; none when it was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Its length.
    pub bytes: u64,
    /// What it is.
    #[serde(default, skip_serializing_if = "FileKind::is_text")]
    pub kind: FileKind,
    /// How it stands to the commit.
    #[serde(default, skip_serializing_if = "Change::is_none")]
    pub change: Change,
}

/// What a file of a source is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// Text, which citations are looked up in.
    #[default]
    Text,
    /// Anything with a zero byte in it.
    Binary,
    /// A file over the limit; it was not read.
    Oversized,
    /// A pointer of Git LFS, with the large file elsewhere.
    LargeFile,
    /// A symbolic link, and what it says.
    Symlink(String),
}

/// How a file stands to the commit that is checked out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is as the commit has it, or there is no commit.
    #[default]
    None,
    /// The commit has it otherwise.
    Changed,
    /// The commit does not have it.
    New,
}

/// Why something that was seen is not pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// The project's rules ignore it.
    Ignored,
    /// Another repository inside this one.
    Submodule,
    /// The commit has it and it was deleted.
    Deleted,
    /// A sparse checkout leaves it out.
    Sparse,
    /// The caller that pinned it asked for it to be left out.
    Apart,
    /// No regular file: a pipe, a socket, a device.
    Special,
    /// It could not be read, or a link stands on the way to it.
    Unreadable,
}

/// Whether a text is the name of one folder, without a way to another.
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

/// Why bytes are not a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// They do not have its shape.
    #[error("the manifest of the source is not readable")]
    Shape(#[source] serde_json::Error),
    /// A path in it leads out of the source.
    #[error("the manifest of the source names a path outside it")]
    Outside,
    /// They are of another version.
    #[error(
        "the manifest of the source is of version {found:?}, expected {:?}",
        Manifest::SCHEMA
    )]
    Version {
        /// The version found.
        found: String,
    },
}

impl Manifest {
    const SCHEMA: &str = "agon.source/1";

    /// The manifest as JSON; equal manifests give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        // A map with keys of text cannot fail to be written.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The manifest that [`Self::to_bytes`] gave.
    ///
    /// # Errors
    ///
    /// When the bytes are no manifest, or one of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ManifestError> {
        let manifest: Self = serde_json::from_slice(bytes).map_err(ManifestError::Shape)?;
        if manifest.schema != Self::SCHEMA {
            return Err(ManifestError::Version {
                found: manifest.schema.chars().take(40).collect(),
            });
        }
        // It comes from a folder that anybody may have written: nothing in it leads out.
        let folders = manifest.left_out.keys().all(|path| stays_inside(path));
        let name = manifest.name.is_empty() || is_single_folder_name(&manifest.name);
        if !name || !folders || !manifest.entries.keys().all(|path| stays_inside(path)) {
            return Err(ManifestError::Outside);
        }
        Ok(manifest)
    }

    /// Why `path`, or a folder that it is in, was left out.
    pub(crate) fn left_out_reason(&self, path: &str) -> Option<LeftOut> {
        path_and_ancestors(path).find_map(|it| self.left_out.get(it).copied())
    }
}

/// A path, then each folder that it is in, up to the first.
pub(crate) fn path_and_ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |it| Some(it.rsplit_once('/')?.0))
}
