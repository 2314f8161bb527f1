//! The o200k vocabulary, in tables that the build script writes: nothing is built at run time.

use crate::slots::{RANK_BITS, SLOTS, STRIDE, place};

/// Every token's bytes, in order of rank.
static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bytes"));

/// Each token's length in bytes, by rank.
static LENGTHS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/lengths"));

/// Position in [`BYTES`] of each [`STRIDE`]th token: little-endian `u32`.
static POSITIONS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/positions"));

/// Hash table with linear probing: little-endian `u32`, a tag above a rank plus one.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/slots"));

/// Returns the rank of `token` in the vocabulary, by which merges are ordered.
pub(crate) fn rank(token: &[u8]) -> Option<u32> {
    let (mut slot, tag) = place(token);
    loop {
        let entry = number_at(TABLE, slot);
        if entry == 0 {
            return None;
        }
        let rank = (entry & ((1 << RANK_BITS) - 1)) - 1;
        if entry >> RANK_BITS == tag && bytes(rank as usize) == token {
            return Some(rank);
        }
        slot = (slot + 1) & (SLOTS - 1);
    }
}

/// Returns the bytes of the token of a rank. Adds up at most [`STRIDE`] lengths.
fn bytes(rank: usize) -> &'static [u8] {
    let first = rank - rank % STRIDE;
    let before: usize = LENGTHS[first..rank].iter().map(|&it| usize::from(it)).sum();
    let start = number_at(POSITIONS, rank / STRIDE) as usize + before;
    &BYTES[start..start + usize::from(LENGTHS[rank])]
}

fn number_at(table: &[u8], index: usize) -> u32 {
    let at = index * 4;
    u32::from_le_bytes([table[at], table[at + 1], table[at + 2], table[at + 3]])
}
