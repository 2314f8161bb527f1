//! What has to be kept of a source, so that its stamps can be given again without it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::commits::Commits;

/// The bytes of files, by the hex digits of their BLAKE3 hash.
pub type Blobs = BTreeMap<String, Arc<[u8]>>;

/// What the stamps of a debate rest on: with the manifest, all that is needed to look them up
/// again without the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvidenceArchive {
    /// What commits said.
    pub commits: Commits,
    /// The files that stamps show or name.
    pub blobs: Blobs,
}
