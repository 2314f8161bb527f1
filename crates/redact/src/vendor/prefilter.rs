//! Tells from a small table whether the rules can find anything, so that text
//! without a secret rarely costs the reading of them.
//!
//! A rule reports only if one of its keywords is in the text, and only if its
//! pattern matches. Many keywords are common words, but every match of such a
//! pattern holds a long run of a token's characters. Both are in the table for
//! each rule: its name, the length of that run (`-` if it never reports by
//! itself), and its keywords. A test makes the table again from the rules; with
//! `AGON_BLESS=1` it writes it.

use std::sync::OnceLock;

use crate::words::WordSearch;

/// The table, a line for each rule, with tabs between.
pub(super) const TABLE: &str = include_str!("keywords.txt");

/// Stands in the table for the run of a rule that never reports by itself.
pub(super) const NEVER: &str = "-";

/// The keywords, and the run that each asks for.
struct Keywords {
    finder: WordSearch,
    runs: Vec<usize>,
}

/// Whether any rule may find something in `text`; never wrongly no.
///
/// The rules are given the text with blanks for some signs: no run is longer there.
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
            // Any sign may be the blank of a keyword.
            words.push(word.split(' ').next()?);
            runs.push(run);
        }
    }
    let finder = WordSearch::of(&words);
    finder.is_built().then_some(Keywords { finder, runs })
}

/// Whether a run goes on with `byte`. What is not ASCII counts, so that a rule
/// for letters of any script is not an exception.
pub(super) const fn is_run_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'~')
        || !byte.is_ascii()
}

fn longest_run(text: &[u8]) -> usize {
    // As many as a byte has values.
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
