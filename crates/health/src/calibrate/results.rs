//! From what is kept of the calls to what they come to.

use agon_calibration::{Analysis, Cell, CellAnswer, QuestionOutcome, analyse};

use super::plan::Calibration;
use super::record::CallRecord;

impl Calibration {
    /// What the answers so far come to; none without one.
    pub(super) fn analysis(&self) -> Option<Analysis> {
        let cells = self.design.cells();
        let answers = cells.iter().filter_map(|cell| {
            let record = self.records.get(&self.design.cell_name(*cell))?;
            record.refused.is_none().then(|| cell_answer(*cell, record))
        });
        let answers: Vec<_> = answers.collect();
        (!answers.is_empty()).then(|| analyse(&self.design, &answers))
    }
}

fn cell_answer(cell: Cell, record: &CallRecord) -> CellAnswer {
    let outcome = |word: &str| QuestionOutcome::from_word(word).unwrap_or(QuestionOutcome::Wrong);
    let usage = &record.usage;
    CellAnswer {
        cell,
        outcomes: record
            .outcomes
            .iter()
            .map(|(depth, word)| (*depth, outcome(word)))
            .collect(),
        read: (!usage.estimated && usage.input > 0).then_some(usage.input),
    }
}

/// The tokens that each length counts as, in the order of `analysis`: those that the tool counts, with
/// what it adds of its own, since that is what a session's record has. As planned, where it does not
/// count each length, or its counts do not rise with the lengths.
pub(super) fn counted_tokens(analysis: &Analysis) -> Vec<u64> {
    let called = analysis.lengths.iter().filter(|it| it.calls > 0);
    let read: Option<Vec<u64>> = called.map(|it| it.read).collect();
    let rises = read
        .as_ref()
        .is_some_and(|it| it.windows(2).all(|pair| pair[0] < pair[1]));
    let counted = |it: &agon_calibration::LengthRecall| match it.read {
        Some(read) if rises => read,
        Some(_) | None => it.planned,
    };
    analysis.lengths.iter().map(counted).collect()
}

#[cfg(test)]
mod tests {
    use agon_calibration::Design;

    use super::*;

    fn counted(reads: [Option<u64>; 3]) -> Vec<u64> {
        let design = Design::new(&[2_000, 4_000, 8_000], 9, 1).unwrap();
        let answers = design.cells().into_iter().map(|cell| CellAnswer {
            cell,
            outcomes: vec![(0, QuestionOutcome::Found)],
            read: reads[cell.length],
        });
        counted_tokens(&analyse(&design, &answers.collect::<Vec<_>>()))
    }

    #[test]
    fn a_length_counts_as_what_the_tool_counts_where_that_can_be() {
        let rising = [Some(17_000), Some(19_500), Some(24_000)];
        assert_eq!(counted(rising), [17_000, 19_500, 24_000]);
        for other in [
            [Some(1_000), Some(1_000), Some(1_000)],
            [Some(17_000), None, Some(24_000)],
            [None; 3],
        ] {
            assert_eq!(counted(other), [2_000, 4_000, 8_000], "{other:?}");
        }
    }
}
