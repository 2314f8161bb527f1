//! Finds long runs of token characters. Most secrets contain one, and most other text does not.

use std::ops::Range;

/// Length of a run that the rules of most vendors' tokens require, in bytes.
pub(crate) const LONG: usize = 20;
// The tokens of `sanctum-token` are the shortest with a mark of one character: 40 characters.
/// Length of the runs near which marks of one character are searched for, in bytes.
const VERY_LONG: usize = 40;
/// Size of the blocks for which the longest run is remembered, in bytes.
pub(crate) const BLOCK: usize = 1 << 10;

/// Returns whether `byte` continues a run. Bytes outside ASCII do, so that letters of all scripts
/// follow the same rules.
pub(crate) const fn is_run_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'~')
        || !byte.is_ascii()
}

/// The long runs of a text.
pub(crate) struct LongRuns {
    pub(crate) longest: usize,
    /// The longest run that touches each block; empty if there is none.
    by_block: Vec<usize>,
    /// The runs of at least `VERY_LONG` bytes, in order.
    pub(crate) very_long: Vec<Range<usize>>,
    /// The length of the text.
    length: usize,
}

impl LongRuns {
    /// Finds the runs of at least `shortest` bytes, which is not 0. O(bytes), and most bytes are
    /// skipped if most runs are shorter.
    pub(crate) fn of(text: &[u8], shortest: usize) -> Self {
        let mut runs = Self {
            longest: 0,
            by_block: Vec::new(),
            very_long: Vec::new(),
            length: text.len(),
        };
        let is_part = |byte: &u8| IN_RUN[usize::from(*byte)];
        let mut start = 0;
        while let Some(first) = text.get(start..start + shortest) {
            match first.iter().rposition(|byte| !is_part(byte)) {
                Some(other) => start += other + 1,
                None => {
                    let more = text[start + shortest..].iter();
                    let end = start + shortest + more.take_while(|byte| is_part(byte)).count();
                    runs.add(start..end);
                    start = end + 1;
                }
            }
        }
        runs
    }

    fn add(&mut self, run: Range<usize>) {
        self.longest = self.longest.max(run.len());
        self.by_block.resize(self.length / BLOCK + 1, 0);
        let touched = run.start / BLOCK..=run.end / BLOCK;
        for longest in self.by_block.get_mut(touched).into_iter().flatten() {
            *longest = (*longest).max(run.len());
        }
        if run.len() >= VERY_LONG {
            self.very_long.push(run);
        }
    }

    /// Returns the parts of the text within `distance` of a run, and perhaps up to a block further,
    /// in order and not touching each other.
    pub(crate) fn places(&self, distance: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut blocks = self.by_block.iter().enumerate();
        let blocks = std::iter::from_fn(move || blocks.find(|(_, longest)| **longest > 0));
        let mut blocks = blocks.peekable();
        std::iter::from_fn(move || {
            let (first, _) = blocks.next()?;
            let mut last = first;
            while let Some((next, _)) =
                blocks.next_if(|(next, _)| *next <= last + 2 * distance.div_ceil(BLOCK) + 1)
            {
                last = next;
            }
            let start = (first * BLOCK).saturating_sub(distance);
            Some(start..((last + 1) * BLOCK + distance).min(self.length))
        })
    }

    /// Returns the longest run within `distance` of `place`, and perhaps up to a block further.
    pub(crate) fn longest_near(&self, place: &Range<usize>, distance: usize) -> usize {
        let first = place.start.saturating_sub(distance) / BLOCK;
        let last = (place.end + distance) / BLOCK;
        let near = self.by_block.iter().skip(first).take(last + 1 - first);
        near.copied().max().unwrap_or(0)
    }
}

/// A lookup table with one entry per byte value.
const IN_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_run_byte(byte as u8);
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::{BLOCK, LongRuns};

    const REACH: usize = 2 * BLOCK;

    #[test]
    fn a_run_counts_in_every_block_that_it_touches() {
        let text = [
            " ".repeat(BLOCK - 5),
            "a".repeat(2 * BLOCK),
            " b".repeat(4 * BLOCK),
        ]
        .concat();
        let runs = LongRuns::of(text.as_bytes(), 8);
        assert_eq!(runs.longest, 2 * BLOCK);
        let near = |at: usize| runs.longest_near(&(at..at + 1), REACH);
        assert_eq!(near(0), 2 * BLOCK);
        assert_eq!(near(3 * BLOCK - 6 + REACH), 2 * BLOCK);
        assert_eq!(near(4 * BLOCK + REACH), 0);
        assert_eq!(LongRuns::of(b"ab cd", 8).longest_near(&(0..2), REACH), 0);
    }
}
