//! Generates questions whose right answers are planted. All texts are Agon's own, so no model has
//! seen them in training.

mod bug;
mod bug_kinds;
mod passage;
mod puzzle;

use std::collections::BTreeSet;

use crate::question::Question;
use crate::stats::random::Random;

/// How often a question is drawn again if it equals an earlier one.
const MAX_DRAWS: u32 = 1_000;

/// What to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// Questions about a passage that only the arm `evidence` gets.
    HiddenPassage,
    /// Sources with one planted bug, and a function that only looks wrong.
    PlantedBug,
    /// Numbers from which an expression with a given value is to be made.
    NumberPuzzle,
}

impl Generator {
    /// All generators.
    pub const ALL: [Self; 3] = [Self::HiddenPassage, Self::PlantedBug, Self::NumberPuzzle];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::HiddenPassage => "hidden-passage",
            Self::PlantedBug => "planted-bug",
            Self::NumberPuzzle => "number-puzzle",
        }
    }
}

/// How hard questions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difficulty {
    /// A glance is enough.
    Easy,
    /// A step or a trap more.
    Medium,
    /// Several steps.
    Hard,
}

impl Difficulty {
    /// All difficulties, from the easiest.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }

    /// Returns the value for this difficulty.
    fn pick<T>(self, easy: T, medium: T, hard: T) -> T {
        match self {
            Self::Easy => easy,
            Self::Medium => medium,
            Self::Hard => hard,
        }
    }
}

/// Generates `count` different questions; fewer if there are no more. A larger count begins with the
/// questions of a smaller one.
pub fn generate(
    generator: Generator,
    difficulty: Difficulty,
    seed: u64,
    count: usize,
) -> Vec<Question> {
    let draw = |number: usize, again: u32| {
        let name = format!("{} {} {number}", generator.name(), difficulty.name());
        let name = match again {
            0 => name,
            _ => format!("{name} again {again}"),
        };
        let random = &mut Random::from_name(seed, &name);
        let question = match generator {
            Generator::HiddenPassage => passage::question(difficulty, random),
            Generator::PlantedBug => bug::question(difficulty, random),
            Generator::NumberPuzzle => puzzle::question(difficulty, random),
        };
        let id = format!("{}-{}-{seed}-{number}", generator.name(), difficulty.name());
        Question { id, ..question }
    };
    let mut known = BTreeSet::new();
    let mut is_new = |question: &Question| {
        let mut hash = blake3::Hasher::new();
        hash.update(question.text.as_bytes());
        hash.update(question.context.as_deref().unwrap_or_default().as_bytes());
        known.insert(*hash.finalize().as_bytes())
    };
    let one = |number: usize| {
        let mut drawn = (0..MAX_DRAWS).map(|again| draw(number, again));
        drawn.find(|question| is_new(question))
    };
    (1..=count).map_while(one).collect()
}

#[cfg(test)]
mod tests;
