//! Which prompts tell how long a context a model bears, and what its answers come to.
//!
//! Facts with invented names and values are planted at several depths in prose that is made for it,
//! and asked for after it, in the words of the fact and in others, with and without facts that nearly
//! are the one asked for. Everything follows from seeds: the same design has the same prompts. No
//! model judges an answer, and nothing in here knows files, clocks or tools.

mod analysis;
mod design;
mod fall;
mod filler;
mod interval;
mod invented;
mod isotonic;
mod kinds;
#[cfg(test)]
mod overlap;
mod prompt;
mod random;
mod recall;
mod room;
mod score;

pub use analysis::{Analysis, CellAnswer, analyse};
pub use design::{
    BYTES_PER_TOKEN, Cell, Design, DesignError, MAX_DEPTHS, MAX_LENGTHS, MAX_SEEDS, MAX_TOKENS,
    Wording,
};
pub use fall::{Fall, Falls, MIN_RECALL, ONSET_FALL, SEVERE_FALL};
pub use prompt::{PlantedQuestion, Prompt, build_prompt};
pub use recall::{LengthRecall, RecallRate};
pub use score::{QuestionOutcome, score};

#[cfg(test)]
mod simulated;
