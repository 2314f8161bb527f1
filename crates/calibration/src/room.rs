//! How much room a prompt needs; that it is enough shows
//! `the_shortest_prompt_has_room_for_all_its_facts`.

/// Room for the words around the text, and for the last sentence, which is not cut.
const FRAME_BYTES: u64 = 620;
/// More than a fact, its like of another name and its question have together.
const FACT_BYTES: u64 = 280;

/// The least bytes of a prompt with so many depths.
pub(crate) fn min_bytes(depths: usize) -> u64 {
    FRAME_BYTES + FACT_BYTES * u64::try_from(depths).unwrap_or(u64::MAX)
}
