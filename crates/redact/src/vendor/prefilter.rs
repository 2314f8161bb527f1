//! Tells from a small table whether the rules can find anything, so that text
//! without a secret rarely costs the reading of them.
//!
//! A rule reports only if one of its keywords is in the text, and only if its
//! pattern matches. Many keywords are common words, but every match of such a
//! pattern holds a long run of a token's characters. Both are in the table for
//! each rule: its name, the length of that run (`-` if it never reports by
//! itself), and its keywords. A test makes the table anew from the rules; with
//! `AGON_BLESS=1` it writes it.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// The table, a line for each rule, with tabs between.
pub(super) const TABLE: &str = include_str!("keywords.txt");

/// Stands in the table for the run of a rule that never reports by itself.
pub(super) const NEVER: &str = "-";

/// The keywords, and the run that each asks for.
struct Keywords {
    finder: AhoCorasick,
    runs: Vec<usize>,
}

/// Whether any rule may find something in `plain`; never wrongly no.
pub(super) fn may_match(plain: &str) -> bool {
    static KEYWORDS: OnceLock<Option<Keywords>> = OnceLock::new();
    let Some(keywords) = KEYWORDS.get_or_init(read) else {
        return true;
    };
    let longest = longest_run(plain.as_bytes());
    keywords
        .finder
        .try_find_overlapping_iter(plain)
        .map_or(true, |mut found| {
            found.any(|one| keywords.runs[one.pattern().as_usize()] <= longest)
        })
}

fn read() -> Option<Keywords> {
    let (mut words, mut runs) = (Vec::new(), Vec::new());
    for line in TABLE.lines() {
        let mut fields = line.split('\t').skip(1);
        let run = fields.next()?;
        if run == NEVER {
            continue;
        }
        let run = run.parse().ok()?;
        for word in fields {
            words.push(word);
            runs.push(run);
        }
    }
    // What is made fastest; texts are short.
    let finder = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .prefilter(false)
        .kind(Some(AhoCorasickKind::NoncontiguousNFA))
        .build(words)
        .ok()?;
    Some(Keywords { finder, runs })
}

/// Whether a run goes on with `byte`. What is not ASCII counts, so that a rule
/// for letters of any script is no exception.
pub(super) fn in_run(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'~')
        || !byte.is_ascii()
}

fn longest_run(text: &[u8]) -> usize {
    text.split(|byte| !in_run(*byte))
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0)
}
