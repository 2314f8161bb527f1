//! A set of the ids seen so far.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::ops::Range;

/// The ids seen so far, each with its entries.
///
/// An id is stored as two keyed hashes, 16 bytes in all, so that collisions cannot happen by
/// chance. The keys are random, so that the author of a record cannot cause collisions either.
#[derive(Debug)]
pub(crate) struct SeenIds {
    keys: (RandomState, RandomState),
    entries: HashMap<(u64, u64), EntrySpan, BuildHasherDefault<HashedAlready>>,
}

/// The entries of an id: index of the first and count. Kept small, because a record of 1 GB has
/// millions of ids.
#[derive(Clone, Copy, Debug)]
struct EntrySpan {
    first: u32,
    count: u32,
}

/// A hasher that uses the first half of a key unchanged.
#[derive(Debug, Default)]
struct HashedAlready(u64);

impl Hasher for HashedAlready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, half: u64) {
        self.0 = self.0.rotate_left(32) ^ half;
    }
}

impl SeenIds {
    pub(crate) fn new() -> Self {
        Self {
            keys: (RandomState::new(), RandomState::new()),
            entries: HashMap::default(),
        }
    }

    fn hash(&self, id: &str) -> (u64, u64) {
        (self.keys.0.hash_one(id), self.keys.1.hash_one(id))
    }

    /// Notes an id with the index that its first entry will have, and no entries yet. Returns
    /// whether the id is new.
    pub(crate) fn insert(&mut self, id: &str, index: u64) -> bool {
        let hash = self.hash(id);
        let before = self.entries.len();
        self.entries.entry(hash).or_insert_with(|| span(index, 0));
        self.entries.len() > before
    }

    /// Notes the entries of an id after they were passed on.
    pub(crate) fn note_entries(&mut self, id: &str, entries: Range<u64>) {
        let hash = self.hash(id);
        let count = entries.end.saturating_sub(entries.start);
        self.entries.insert(hash, span(entries.start, count));
    }

    /// Returns the index of the first entry of an id.
    pub(crate) fn index_of(&self, id: &str) -> Option<u64> {
        Some(self.entries_of(id)?.start)
    }

    /// Returns the indices of the entries of an id.
    pub(crate) fn entries_of(&self, id: &str) -> Option<Range<u64>> {
        let it = self.entries.get(&self.hash(id))?;
        let first = u64::from(it.first);
        Some(first..first + u64::from(it.count))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        self.index_of(id).is_some()
    }
}

fn span(first: u64, count: u64) -> EntrySpan {
    let narrow = |number| u32::try_from(number).unwrap_or(u32::MAX);
    EntrySpan {
        first: narrow(first),
        count: narrow(count),
    }
}
