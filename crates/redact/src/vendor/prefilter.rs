//! Decides from a small table whether the rules can match, so that text without a secret rarely
//! causes them to be loaded.
//!
//! A rule matches only if the text contains one of its keywords and matches its pattern. Many
//! keywords are common words, but every match also contains a long run of token characters. The
//! table has both for each rule: its name, the length of that run (`-` if it never matches alone),
//! and its keywords. A test generates the table from the rules and, with `AGON_BLESS=1`, writes it.

use std::sync::OnceLock;

use crate::word_search::WordSearch;

/// The table: one line for each rule, with tabs between the fields.
pub(super) const TABLE: &str = include_str!("keywords.txt");

/// The table's run length of a rule that never matches alone.
pub(super) const NEVER: &str = "-";

/// The keywords, and the run length that each requires.
struct Keywords {
    finder: WordSearch,
    runs: Vec<usize>,
}

/// Returns whether any rule may match `text`; false only if none can.
///
/// The rules see spaces instead of some characters, so no run is longer in their input.
pub(super) fn may_match(text: &str) -> bool {
    static KEYWORDS: OnceLock<Option<Keywords>> = OnceLock::new();
    let Some(keywords) = KEYWORDS.get_or_init(read_keywords) else {
        return true;
    };
    let longest = longest_run(text.as_bytes());
    let mut found = keywords.finder.find(text);
    found.any(|one| keywords.runs[one.number] <= longest)
}

fn read_keywords() -> Option<Keywords> {
    let (mut words, mut runs) = (Vec::new(), Vec::new());
    for line in TABLE.lines() {
        let mut fields = line.split('\t').skip(1);
        let run = fields.next()?;
        if run == NEVER {
            continue;
        }
        let run = run.parse().ok()?;
        for word in fields {
            // A keyword's space can match any character, so search only for its first word.
            words.push(word.split(' ').next()?);
            runs.push(run);
        }
    }
    let finder = WordSearch::of(&words);
    Some(Keywords { finder, runs })
}

/// Returns whether `byte` continues a run. Bytes outside ASCII do, so that letters of all scripts
/// follow the same rules.
pub(super) const fn is_run_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'~')
        || !byte.is_ascii()
}

fn longest_run(text: &[u8]) -> usize {
    // A lookup table with one entry per byte value.
    const IN_RUN: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = is_run_byte(byte as u8);
            byte += 1;
        }
        table
    };
    let (mut longest, mut run) = (0, 0);
    for byte in text {
        run = if IN_RUN[usize::from(*byte)] {
            run + 1
        } else {
            0
        };
        longest = longest.max(run);
    }
    longest
}
