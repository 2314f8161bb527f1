//! The stored parts of a source from which its stamps can be computed again.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::commits::Commits;

/// The bytes of files, by the hex digits of their BLAKE3 hash.
pub type Blobs = BTreeMap<String, Arc<[u8]>>;

/// What the stamps of a debate depend on. Together with the manifest, it is enough to compute them
/// again without the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvidenceArchive {
    /// Answers about commits and pages.
    pub commits: Commits,
    /// The files that stamps quote or name.
    pub blobs: Blobs,
}
