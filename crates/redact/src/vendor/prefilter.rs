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

use crate::runs::{BLOCK, LONG, LongRuns};
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

/// How far around a long run the keywords are searched for, in bytes: more than [`REACH`], as the
/// distance is compared by blocks.
const AROUND: usize = REACH + 2 * BLOCK;

/// All keywords.
struct Keywords {
    /// Those that require a run of at least `LONG` bytes near them. Prose and code rarely have such
    /// runs, but often these keywords.
    near_long_runs: Group,
    /// The others.
    rare: Group,
}

/// Keywords, and what each requires.
struct Group {
    words: Vec<&'static str>,
    finder: WordSearch,
    needs: Vec<Need>,
}

/// The run that a rule requires besides a keyword.
#[derive(Clone, Copy)]
struct Need {
    run: usize,
    /// Whether the run must be near the keyword.
    is_near: bool,
}

/// Returns whether any rule may match `text`; false only if none can. `long` are its runs of at
/// least `LONG` bytes, and `has_rare_keyword` is true if it has one of [`rare_keywords`].
///
/// The rules see spaces instead of some characters, so no run is longer in their input.
pub(super) fn may_match(text: &str, long: &LongRuns, has_rare_keyword: bool) -> bool {
    let Some(keywords) = keywords() else {
        return true;
    };
    let group = &keywords.near_long_runs;
    if long.places(AROUND).any(|place| {
        let start = text.floor_char_boundary(place.start);
        let part = &text[start..text.ceil_char_boundary(place.end)];
        let mut found = group.finder.find(part);
        found.any(|one| {
            let range = start + one.range.start..start + one.range.end;
            group.needs[one.number].is_met(&range, long)
        })
    }) {
        return true;
    }
    let group = &keywords.rare;
    has_rare_keyword && {
        let runs = LongRuns::of(text.as_bytes(), group.shortest_run());
        let mut found = group.finder.find(text);
        found.any(|one| group.needs[one.number].is_met(&one.range, &runs))
    }
}

/// Returns the keywords of the rules that match without a long run near the keyword. They are rare
/// words.
pub(crate) fn rare_keywords() -> impl Iterator<Item = &'static str> {
    let group = keywords().map(|keywords| &keywords.rare);
    group
        .into_iter()
        .flat_map(|group| group.words.iter().copied())
}

fn keywords() -> Option<&'static Keywords> {
    static KEYWORDS: OnceLock<Option<Keywords>> = OnceLock::new();
    KEYWORDS.get_or_init(read_keywords).as_ref()
}

impl Group {
    fn of(all: &[(&'static str, Need)]) -> Self {
        let words: Vec<_> = all.iter().map(|(word, _)| *word).collect();
        Self {
            finder: WordSearch::of(&words),
            words,
            needs: all.iter().map(|(_, need)| *need).collect(),
        }
    }

    /// Returns the shortest run that any of them requires.
    fn shortest_run(&self) -> usize {
        let runs = self.needs.iter().map(|need| need.run);
        runs.min().unwrap_or(0).max(1)
    }
}

impl Need {
    /// Returns whether a keyword at `place` has the run that it requires.
    fn is_met(self, place: &Range<usize>, runs: &LongRuns) -> bool {
        self.run <= runs.longest && (!self.is_near || self.run <= runs.longest_near(place, REACH))
    }
}

fn read_keywords() -> Option<Keywords> {
    let (mut near_long, mut rare) = (Vec::new(), Vec::new());
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
        let group = match is_near && run >= LONG {
            true => &mut near_long,
            false => &mut rare,
        };
        for word in fields {
            // A keyword's space can match any character, so search only for its first word.
            group.push((word.split(' ').next()?, Need { run, is_near }));
        }
    }
    Some(Keywords {
        near_long_runs: Group::of(&near_long),
        rare: Group::of(&rare),
    })
}

#[cfg(test)]
mod tests {
    use super::{REACH, may_match};
    use crate::runs::{LONG, LongRuns};

    fn matches(text: &str) -> bool {
        may_match(text, &LongRuns::of(text.as_bytes(), LONG), true)
    }

    #[test]
    fn a_run_counts_near_its_keyword_and_not_far_from_it() {
        let token = "npm_q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6";
        assert!(matches(&format!(
            "npm_ {} {token}",
            " ".repeat(REACH - 100)
        )));
        let run = "q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6q7r2k9z4";
        let near = format!("npm_ {} {run}", ". ".repeat(REACH / 4));
        assert!(matches(&near));
        let far = format!("npm_ {} {run}", ". ".repeat(REACH));
        assert!(!matches(&far));
        // The pattern of this rule does not contain its keyword.
        let anywhere = format!("twilio {} {run}", ". ".repeat(REACH));
        assert!(matches(&anywhere));
    }
}
