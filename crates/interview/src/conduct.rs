//! Conducts an interview: asks one question after another and keeps the answers that say something.

use std::collections::BTreeSet;

use agon_record::moves::Side;

use crate::field::AnswerField;
use crate::filter::AnswerFilter;
use crate::question::{Interview, Question};
use crate::said::upheld_part;
use crate::transcript::{Answer, Transcript};

#[cfg(test)]
mod tests;

// A second try with another seed fixes most of what the filter refuses; a third one mostly says the
// same again, so that another question comes first.
/// How often one question is asked in a row.
const TRIES: u64 = 2;

// One question of the 40 in `cargo xtask bench first-debate` has no answer after one round of all
// its phrasings, and has one after the next.
/// How often the questions are gone through while one of them has no answer.
const ROUNDS: u64 = 2;

// Any number does, as long as it stays: the same request has the same answer.
/// The seed of a first try.
const FIRST_SEED: u64 = 1;

// Measured with SmolLM2 135M on four topics: fluent, and on the topic.
/// The temperature of a first try.
const FIRST_TEMPERATURE: f32 = 0.2;

// At that of a first try another seed mostly gives the same sentence.
/// The temperature of a further try.
const FURTHER_TEMPERATURE: f32 = 0.5;

// Measured with SmolLM2 135M: asked for one short sentence, it needs 20 to 35 tokens; what has more
// has lost its thread.
/// The most tokens of an answer.
pub const MAX_ANSWER_TOKENS: usize = 48;

/// A question as a model is asked it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainQuestion {
    /// Questions with answers that go before it, as an example.
    pub examples: &'static [[&'static str; 2]],
    /// The question.
    pub question: String,
    /// The words between which the answer chooses; none where it is a sentence.
    pub choices: Option<[String; 2]>,
    /// Where chance begins: another one for each try.
    pub seed: u64,
    /// The temperature at which the answer is chosen.
    pub temperature: f32,
}

impl Interview {
    /// Asks the questions, one at a time, and returns the reply of the seat: a transcript of what
    /// was answered, with what is left out and why.
    ///
    /// `ask` answers one question in plain words. The first error of it ends the interview.
    ///
    /// # Errors
    ///
    /// Those of `ask`.
    pub fn conduct<E>(
        &self,
        ask: impl FnMut(&PlainQuestion) -> Result<String, E>,
    ) -> Result<String, E> {
        collect_answers(self, ask).map(|transcript| transcript.to_string())
    }
}

fn collect_answers<E>(
    interview: &Interview,
    mut ask: impl FnMut(&PlainQuestion) -> Result<String, E>,
) -> Result<Transcript, E> {
    let mut held = AnswerFilter::new(interview);
    let mut asked = BTreeSet::new();
    let mut transcript = Transcript {
        proposer: interview.options.proposer.name.clone(),
        challenger: interview.options.challenger.name.clone(),
        answers: Vec::new(),
    };
    let rounds =
        (0..ROUNDS).flat_map(|round| interview.questions.iter().map(move |it| (round, it)));
    for (round, question) in rounds {
        let known = transcript
            .usable_answers()
            .any(|it| it.field == question.field);
        let chosen = question
            .after
            .is_none_or(|side| chosen_side(&transcript) == Some(side));
        if known || !chosen {
            continue;
        }
        for attempt in 0..TRIES {
            let seed = FIRST_SEED + attempt + TRIES * (round + ROUNDS * u64::from(interview.again));
            // The same question with the same seed has the same answer.
            if !asked.insert((question.text(), seed)) {
                continue;
            }
            let told = PlainQuestion {
                examples: interview.examples,
                question: question.text(),
                choices: question.choices.clone(),
                seed,
                temperature: match seed {
                    FIRST_SEED => FIRST_TEMPERATURE,
                    _ => FURTHER_TEMPERATURE,
                },
            };
            let text = ask(&told)?;
            let answer = judge_answer(&mut held, question, &told.question, &text);
            let taken = answer.left_out.is_none();
            transcript.answers.push(answer);
            if taken {
                break;
            }
        }
    }
    Ok(transcript)
}

/// The side that a verdict is for, once there is one.
fn chosen_side(transcript: &Transcript) -> Option<Side> {
    let mut taken = transcript.usable_answers();
    let verdict = taken.find(|it| matches!(it.field, AnswerField::Verdict(..)))?;
    verdict.names
}

fn judge_answer(held: &mut AnswerFilter, question: &Question, asked: &str, text: &str) -> Answer {
    let answer = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = held.side_named_first(question, &answer);
    let left_out = held.refuse(question, asked, &answer, names);
    if left_out.is_none() {
        held.add(upheld_part(&answer));
    }
    Answer {
        field: question.field,
        question: asked.to_owned(),
        answer,
        names,
        left_out: left_out.map(str::to_owned),
    }
}
