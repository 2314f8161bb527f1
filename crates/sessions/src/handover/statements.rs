//! A list of distinct statements in order.

use std::collections::HashMap;

use super::Quotation;
use crate::prose::phrases;

// A correction concerns recent statements. Without the limit, a session of only corrections takes
// quadratic time.
/// Most earlier statements that a correction is compared with, per shared word.
const MAX_COMPARED: usize = 256;

/// The statements found so far.
#[derive(Default)]
pub(super) struct Statements {
    /// Every added statement; `None` if it was repeated later.
    all: Vec<Option<Quotation>>,
    /// The number of stems of each statement.
    stem_counts: Vec<usize>,
    /// The statements by stem, listed once per occurrence.
    by_stem: HashMap<String, Vec<usize>>,
    by_words: HashMap<String, usize>,
}

impl Statements {
    pub(super) fn has(&self, words: &str) -> bool {
        self.by_words.contains_key(words)
    }

    /// Adds a statement with its stems and removes an earlier identical one.
    pub(super) fn add(&mut self, statement: Quotation, stems: Vec<String>) {
        let at = self.all.len();
        if let Some(before) = self.by_words.insert(statement.words.clone(), at) {
            self.all[before] = None;
        }
        self.all.push(Some(statement));
        self.stem_counts.push(stems.len());
        for stem in stems {
            self.by_stem.entry(stem).or_default().push(at);
        }
    }

    /// Marks earlier statements on the same subject that `words` withdraw or change in this turn.
    pub(super) fn revise(&mut self, stems: &[String], words: &str, turn: u32) {
        if !phrases().correction.is_match(words) {
            return;
        }
        let mut distinct: Vec<&String> = stems.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for with_it in distinct.iter().filter_map(|stem| self.by_stem.get(*stem)) {
            for at in with_it.iter().rev().take(MAX_COMPARED) {
                *shared.entry(*at).or_default() += 1;
            }
        }
        for (at, same) in shared {
            let is_same_matter = same >= 2 && same * 2 >= self.stem_counts[at];
            if let Some(it) = &mut self.all[at]
                && is_same_matter
                && it.turn < turn
                && it.revised_in.is_none()
            {
                it.revised_in = Some(turn);
            }
        }
    }

    /// Returns the statements in order.
    pub(super) fn into_quotations(self) -> Vec<Quotation> {
        self.all.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Location;

    fn statement(words: &str, turn: u32) -> Quotation {
        Quotation {
            words: words.to_owned(),
            entry: u64::from(turn),
            location: Location::Line { line: 1, byte: 0 },
            turn,
            is_of_user: true,
            revised_in: None,
        }
    }

    fn stems(words: &str) -> Vec<String> {
        words.split(' ').map(str::to_owned).collect()
    }

    // Comparing every statement with all others takes minutes here.
    #[test]
    fn a_hundred_thousand_corrections_of_one_matter_are_read_in_one_pass() {
        let mut all = Statements::default();
        for turn in 0..100_000 {
            let words = format!("actually always use spaces {turn}");
            all.revise(&stems(&words), &words, turn);
            all.add(statement(&words, turn), stems(&words));
        }
        assert_eq!(all.into_quotations().len(), 100_000);
    }

    #[test]
    fn a_statement_that_is_said_again_stands_where_it_was_said_last() {
        let mut all = Statements::default();
        for (turn, words) in [(1, "use tabs"), (2, "use nothing"), (3, "use tabs")] {
            all.add(statement(words, turn), stems(words));
        }
        assert!(all.has("use tabs") && !all.has("use"));
        let turns: Vec<u32> = all.into_quotations().iter().map(|it| it.turn).collect();
        assert_eq!(turns, [2, 3]);
    }
}
