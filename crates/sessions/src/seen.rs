//! Which ids were met already.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// Ids that were met, each with the index of the first entry made of it.
///
/// An id is kept as two hashes with keys of their own, 16 bytes: that two ids of one session share
/// both does not happen by chance, and the keys are not known to those who write a record.
#[derive(Debug)]
pub(crate) struct SeenIds {
    keys: (RandomState, RandomState),
    indices: HashMap<(u64, u64), u64>,
}

impl SeenIds {
    pub(crate) fn new() -> Self {
        Self {
            keys: (RandomState::new(), RandomState::new()),
            indices: HashMap::new(),
        }
    }

    fn hash(&self, id: &str) -> (u64, u64) {
        (self.keys.0.hash_one(id), self.keys.1.hash_one(id))
    }

    /// Notes an id with the index that its entry will have; whether it is new.
    pub(crate) fn insert(&mut self, id: &str, index: u64) -> bool {
        let hash = self.hash(id);
        let before = self.indices.len();
        self.indices.entry(hash).or_insert(index);
        self.indices.len() > before
    }

    /// The index noted with an id.
    pub(crate) fn index_of(&self, id: &str) -> Option<u64> {
        self.indices.get(&self.hash(id)).copied()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        self.index_of(id).is_some()
    }
}
