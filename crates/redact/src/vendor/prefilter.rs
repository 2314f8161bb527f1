//! Decides from a small table whether the rules can match, so that text without a secret rarely
//! causes them to be loaded.
//!
//! A rule matches only if the text contains one of its keywords and matches its pattern. Many
//! keywords are common words, but every match also contains a long run of token characters. The
//! table has both for each rule: its name, the length of that run (`-` if it never matches alone),
//! and its keywords. Nearly every rule has the keyword inside its match, so the run must be near it;
//! a `*` before the length marks the others. A test generates the table from the rules and, with
//! `AGON_BLESS=1`, writes it.

use std::ops::Range;
use std::sync::OnceLock;

use crate::word_search::WordSearch;

/// The table: one line for each rule, with tabs between the fields.
pub(super) const TABLE: &str = include_str!("keywords.txt");

/// The table's run length of a rule that never matches alone.
pub(super) const NEVER: &str = "-";

/// The table's mark before the run length of a rule that can match far from its keyword.
pub(super) const ANYWHERE: char = '*';

// The longest match of a rule without its unbounded parts, which are runs or blanks, has 1,069
// bytes. The test `a_match_is_shorter_than_the_reach` compares them.
/// How far a run may be from the keyword in a match, in bytes, apart from more blanks.
pub(super) const REACH: usize = 2 * BLOCK;
/// Size of the blocks for which the longest run is remembered, in bytes.
const BLOCK: usize = 1 << 10;

/// The keywords, and what each requires.
struct Keywords {
    finder: WordSearch,
    needs: Vec<Need>,
    /// The shortest run that any of them requires.
    shortest: usize,
}

/// The run that a rule requires besides a keyword.
#[derive(Clone, Copy)]
struct Need {
    run: usize,
    /// Whether the run must be near the keyword.
    is_near: bool,
}

/// Returns whether any rule may match `text`; false only if none can.
///
/// The rules see spaces instead of some characters, so no run is longer in their input.
pub(super) fn may_match(text: &str) -> bool {
    static KEYWORDS: OnceLock<Option<Keywords>> = OnceLock::new();
    let Some(keywords) = KEYWORDS.get_or_init(read_keywords) else {
        return true;
    };
    let runs = LongRuns::of(text.as_bytes(), keywords.shortest);
    let mut found = keywords.finder.find(text);
    found.any(|one| {
        let need = keywords.needs[one.number];
        need.run <= runs.longest && (!need.is_near || need.run <= runs.longest_near(&one.range))
    })
}

fn read_keywords() -> Option<Keywords> {
    let (mut words, mut needs) = (Vec::new(), Vec::new());
    for line in TABLE.lines() {
        let mut fields = line.split('\t').skip(1);
        let run = fields.next()?;
        if run == NEVER {
            continue;
        }
        let (run, is_near) = match run.strip_prefix(ANYWHERE) {
            Some(run) => (run, false),
            None => (run, true),
        };
        let run = run.parse().ok()?;
        for word in fields {
            // A keyword's space can match any character, so search only for its first word.
            words.push(word.split(' ').next()?);
            needs.push(Need { run, is_near });
        }
    }
    let shortest = needs.iter().map(|need| need.run).min()?;
    Some(Keywords {
        finder: WordSearch::of(&words),
        needs,
        shortest,
    })
}

/// Returns whether `byte` continues a run. Bytes outside ASCII do, so that letters of all scripts
/// follow the same rules.
pub(super) const fn is_run_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'~')
        || !byte.is_ascii()
}

/// The long runs of a text.
struct LongRuns {
    longest: usize,
    /// The longest run that touches each block.
    by_block: Vec<usize>,
}

impl LongRuns {
    /// Finds the runs of at least `shortest` bytes. O(bytes).
    fn of(text: &[u8], shortest: usize) -> Self {
        let mut runs = Self {
            longest: 0,
            by_block: vec![0; text.len() / BLOCK + 1],
        };
        let mut start = 0;
        for (at, byte) in text.iter().enumerate() {
            if !IN_RUN[usize::from(*byte)] {
                if at - start >= shortest {
                    runs.add(start..at);
                }
                start = at + 1;
            }
        }
        if text.len() - start >= shortest {
            runs.add(start..text.len());
        }
        runs
    }

    fn add(&mut self, run: Range<usize>) {
        self.longest = self.longest.max(run.len());
        let touched = run.start / BLOCK..=run.end / BLOCK;
        for longest in self.by_block.get_mut(touched).into_iter().flatten() {
            *longest = (*longest).max(run.len());
        }
    }

    /// Returns the longest run within `REACH` of `place`, and perhaps up to a block further.
    fn longest_near(&self, place: &Range<usize>) -> usize {
        let first = place.start.saturating_sub(REACH) / BLOCK;
        let last = (place.end + REACH) / BLOCK;
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
    use super::{BLOCK, LongRuns, REACH, may_match};

    #[test]
    fn a_run_counts_near_its_keyword_and_not_far_from_it() {
        let token = "npm_q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6";
        assert!(may_match(&format!(
            "npm_ {} {token}",
            " ".repeat(REACH - 100)
        )));
        let run = "q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6q7r2k9z4";
        let near = format!("npm_ {} {run}", ". ".repeat(REACH / 4));
        assert!(may_match(&near));
        let far = format!("npm_ {} {run}", ". ".repeat(REACH));
        assert!(!may_match(&far));
        // The pattern of this rule does not contain its keyword.
        let anywhere = format!("twilio {} {run}", ". ".repeat(REACH));
        assert!(may_match(&anywhere));
    }

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
        let near = |at: usize| runs.longest_near(&(at..at + 1));
        assert_eq!(near(0), 2 * BLOCK);
        assert_eq!(near(3 * BLOCK - 6 + REACH), 2 * BLOCK);
        assert_eq!(near(4 * BLOCK + REACH), 0);
        assert_eq!(LongRuns::of(b"ab cd", 8).longest_near(&(0..2)), 0);
    }
}
