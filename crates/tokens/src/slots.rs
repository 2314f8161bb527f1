//! The hash table of the vocabulary: written by the build script, read in place at run time.

/// Number of slots: a power of two, about 1.3 times the size of the vocabulary.
pub(crate) const SLOTS: usize = 1 << 18;

/// Bits of a slot that hold a rank plus one. An empty slot is 0.
pub(crate) const RANK_BITS: u32 = 18;

/// Tokens between two stored positions; the lengths of at most this many tokens are added up.
pub(crate) const STRIDE: usize = 32;

/// Returns the first slot to look at for `token`, and the tag that its slot has above the rank.
pub(crate) fn place(token: &[u8]) -> (usize, u32) {
    // FNV-1a and the finalizer of MurmurHash3: short keys differ in every bit of the result.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in token {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    let slot = (hash as usize) & (SLOTS - 1);
    (slot, (hash >> 40) as u32 & (u32::MAX >> RANK_BITS))
}
