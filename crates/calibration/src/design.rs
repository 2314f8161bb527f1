//! What is measured: which lengths, depths and seeds, and the calls that this takes.

use crate::kinds::KINDS;
use crate::room::min_bytes;

/// Bytes that are taken for a token; English prose has between four and five.
pub const BYTES_PER_TOKEN: u64 = 4;
/// The most depths: a prompt has each kind of fact once.
pub const MAX_DEPTHS: usize = KINDS.len();
/// The most lengths.
pub const MAX_LENGTHS: usize = 12;
/// The most seeds.
pub const MAX_SEEDS: u32 = 100;
/// The longest prompt, in tokens.
pub const MAX_TOKENS: u64 = 4_000_000;

/// In which words is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wording {
    /// In the fact's own.
    Literal,
    /// In others, of which only the name stands in the fact.
    Paraphrased,
}

impl Wording {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Literal => "literal",
            Self::Paraphrased => "paraphrased",
        }
    }
}

/// Why a design cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// Too few or too many lengths.
    #[error("{count} lengths are named; 2 to {MAX_LENGTHS} can be measured")]
    Lengths {
        /// How many.
        count: usize,
    },
    /// Too few or too many depths.
    #[error("{count} depths are named; 2 to {MAX_DEPTHS} can be measured")]
    Depths {
        /// How many.
        count: usize,
    },
    /// Too few or too many seeds.
    #[error("{count} seeds are named; 1 to {MAX_SEEDS} can be measured")]
    Seeds {
        /// How many.
        count: u32,
    },
    /// A prompt so short has no room for its facts and questions.
    #[error("a prompt of {tokens} tokens is too short for its facts; at least {min} are needed")]
    TooShort {
        /// The length.
        tokens: u64,
        /// The shortest that can be.
        min: u64,
    },
    /// A prompt is too long.
    #[error("a prompt of {tokens} tokens is too long; at most {MAX_TOKENS} are measured")]
    TooLong {
        /// The length.
        tokens: u64,
    },
}

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    lengths: Vec<u64>,
    depths: usize,
    seeds: u32,
}

/// One call: a prompt with one fact at each depth and a question about each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The seed, from 0.
    pub seed: u32,
    /// Which length, from 0.
    pub length: usize,
    /// Whether each fact has another of its kind beside it, of another name.
    pub distractors: bool,
    /// In which words is asked.
    pub wording: Wording,
}

impl Design {
    /// A design with these lengths in tokens, in any order; each counts once.
    ///
    /// # Errors
    ///
    /// If it cannot be measured.
    pub fn new(lengths: &[u64], depths: usize, seeds: u32) -> Result<Self, DesignError> {
        let mut lengths = lengths.to_vec();
        lengths.sort_unstable();
        lengths.dedup();
        if !(2..=MAX_LENGTHS).contains(&lengths.len()) {
            let count = lengths.len();
            return Err(DesignError::Lengths { count });
        }
        if !(2..=MAX_DEPTHS).contains(&depths) {
            return Err(DesignError::Depths { count: depths });
        }
        if !(1..=MAX_SEEDS).contains(&seeds) {
            return Err(DesignError::Seeds { count: seeds });
        }
        let min = Self::min_tokens(depths);
        if let Some(&tokens) = lengths.iter().find(|it| **it < min) {
            return Err(DesignError::TooShort { tokens, min });
        }
        if let Some(&tokens) = lengths.iter().find(|it| **it > MAX_TOKENS) {
            return Err(DesignError::TooLong { tokens });
        }
        Ok(Self {
            lengths,
            depths,
            seeds,
        })
    }

    /// The shortest prompt with so many depths, in tokens.
    pub fn min_tokens(depths: usize) -> u64 {
        min_bytes(depths).div_ceil(BYTES_PER_TOKEN)
    }

    /// The lengths in tokens, ascending.
    pub fn lengths(&self) -> &[u64] {
        &self.lengths
    }

    /// How many depths there are, the first at the beginning of the text, the last at its end.
    pub fn depths(&self) -> usize {
        self.depths
    }

    /// How many seeds there are.
    pub fn seeds(&self) -> u32 {
        self.seeds
    }

    /// How deep in the text the depth of this number is, from 0 to 1.
    pub fn depth_share(&self, depth: usize) -> f64 {
        depth as f64 / (self.depths - 1).max(1) as f64
    }

    /// Every call. Each twelfth or so of them has every length, so that half of a calibration
    /// tells something of all of them.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for seed in 0..self.seeds {
            for distractors in [false, true] {
                for wording in [Wording::Literal, Wording::Paraphrased] {
                    cells.extend((0..self.lengths.len()).map(|length| Cell {
                        seed,
                        length,
                        distractors,
                        wording,
                    }));
                }
            }
        }
        cells
    }

    /// The tokens of all prompts together.
    pub fn prompt_tokens(&self) -> u64 {
        let calls = 4 * u64::from(self.seeds);
        self.lengths.iter().sum::<u64>().saturating_mul(calls)
    }

    /// The name of a cell, the same in every design that has it.
    pub fn cell_name(&self, cell: Cell) -> String {
        let tokens = self.lengths.get(cell.length).copied().unwrap_or_default();
        let distractors = match cell.distractors {
            true => "distractors",
            false => "plain",
        };
        format!(
            "{tokens}/{distractors}/{}/{}",
            cell.wording.as_str(),
            cell.seed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_design_has_each_combination_once_and_every_length_early() {
        let design = Design::new(&[8_000, 2_000, 4_000, 2_000], 9, 3).unwrap();
        let cells = design.cells();
        assert_eq!(design.lengths(), [2_000, 4_000, 8_000]);
        assert_eq!(cells.len(), 3 * 2 * 2 * 3);
        let names: std::collections::BTreeSet<_> =
            cells.iter().map(|it| design.cell_name(*it)).collect();
        assert_eq!(names.len(), cells.len());
        let first: Vec<_> = cells.iter().take(3).map(|it| it.length).collect();
        assert_eq!(first, [0, 1, 2]);
        assert_eq!(design.prompt_tokens(), 14_000 * 12);
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let min = Design::min_tokens(9);
        assert!((200..1_500).contains(&min), "{min}");
        let refusal = |lengths: &[u64], depths, seeds| Design::new(lengths, depths, seeds).err();
        assert_eq!(
            refusal(&[4_000], 9, 3),
            Some(DesignError::Lengths { count: 1 })
        );
        assert_eq!(
            refusal(&[4_000, 8_000], 1, 3),
            Some(DesignError::Depths { count: 1 })
        );
        assert_eq!(
            refusal(&[4_000, 8_000], 17, 3),
            Some(DesignError::Depths { count: 17 })
        );
        assert_eq!(
            refusal(&[4_000, 8_000], 9, 0),
            Some(DesignError::Seeds { count: 0 })
        );
        let too_short = DesignError::TooShort {
            tokens: min - 1,
            min,
        };
        assert_eq!(refusal(&[min - 1, 8_000], 9, 3), Some(too_short));
        assert_eq!(refusal(&[min, 8_000], 9, 3), None);
        let tokens = MAX_TOKENS + 1;
        assert_eq!(
            refusal(&[4_000, tokens], 9, 3),
            Some(DesignError::TooLong { tokens })
        );
    }
}
