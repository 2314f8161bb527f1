//! The parts of a source that are stored, so that its stamps can be computed again.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::commits::Commits;

/// The contents of files, by the hexadecimal BLAKE3 hash of their bytes.
pub type Blobs = BTreeMap<String, Arc<[u8]>>;

/// Everything that the stamps of a debate depend on. With the manifest, it is enough to compute
/// them again without the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvidenceArchive {
    /// Stored answers about commits and pages.
    pub commits: Commits,
    /// The files that stamps quote or name.
    pub blobs: Blobs,
}
