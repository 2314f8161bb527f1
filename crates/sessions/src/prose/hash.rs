//! A fast hash for tens of megabytes of words.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

/// Hashes with one multiplication per word and a random seed per process.
///
/// The seed keeps the author of a record from choosing words that collide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeededHash(u64);

static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));

impl Default for SeededHash {
    fn default() -> Self {
        Self(*SEED)
    }
}

impl BuildHasher for SeededHash {
    type Hasher = MultiplyingHasher;

    fn build_hasher(&self) -> MultiplyingHasher {
        MultiplyingHasher(self.0)
    }
}

/// The hash so far.
#[derive(Debug)]
pub(crate) struct MultiplyingHasher(u64);

/// The golden ratio: odd, with evenly spread bits.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for MultiplyingHasher {
    fn finish(&self) -> u64 {
        // A hash table uses the lowest and the highest bits, so mix the high bits into the low
        // ones.
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word).wrapping_mul(u128::from(FACTOR));
        #[expect(clippy::cast_possible_truncation, reason = "both halves are taken in")]
        let folded = (product as u64) ^ ((product >> 64) as u64);
        self.0 = folded.rotate_left(23).wrapping_add(FACTOR);
    }
}
