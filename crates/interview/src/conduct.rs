//! Conducts an interview: asks one question after another and keeps the usable answers.

use std::collections::BTreeSet;

use agon_record::moves::Side;

use crate::field::AnswerField;
use crate::filter::AnswerFilter;
use crate::question::{Interview, Question};
use crate::statement::part_before_contradiction;
use crate::transcript::{Answer, Transcript};

#[cfg(test)]
mod tests;

// A second attempt with another seed fixes most rejected answers. A third one mostly repeats the
// second, so the next question is asked instead.
/// How often a question is asked in a row.
const TRIES: u64 = 2;

// In `cargo xtask bench first-debate`, one of 40 questions has no usable answer after the first
// round of all its phrasings, but gets one in the second.
/// How often all questions are repeated while one of them has no answer.
const ROUNDS: u64 = 2;

// Any constant works. With a fixed seed, the same request always gets the same answer.
/// The seed of a first attempt.
const FIRST_SEED: u64 = 1;

// Measured with SmolLM2 135M on four topics: answers are fluent and on topic.
/// The temperature of a first attempt.
const FIRST_TEMPERATURE: f32 = 0.2;

// Higher, because at `FIRST_TEMPERATURE` another seed mostly gives the same sentence.
/// The temperature of further attempts.
const FURTHER_TEMPERATURE: f32 = 0.5;

// Measured with SmolLM2 135M: one short sentence takes 20 to 35 tokens; longer answers are
// incoherent.
/// Maximum number of tokens in an answer.
pub const MAX_ANSWER_TOKENS: usize = 48;

/// A question in the form in which a model is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainQuestion {
    /// Example questions with answers that precede it.
    pub examples: &'static [[&'static str; 2]],
    /// The question.
    pub question: String,
    /// The words of which the model chooses one; `None` if the answer is a sentence.
    pub choices: Option<[String; 2]>,
    /// The seed, which differs for each attempt.
    pub seed: u64,
    /// The sampling temperature.
    pub temperature: f32,
}

impl Interview {
    /// Asks the questions one at a time, and returns the reply of the seat: a transcript of all
    /// answers, with the reason for each one that is left out.
    ///
    /// `ask` answers one question in plain words. Its first error ends the interview.
    ///
    /// # Errors
    ///
    /// The errors of `ask`.
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
    let mut filter = AnswerFilter::new(interview);
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
            // Skip a repeated pair: the same question and seed give the same answer.
            if !asked.insert((question.text(), seed)) {
                continue;
            }
            let plain = PlainQuestion {
                examples: interview.examples,
                question: question.text(),
                choices: question.choices.clone(),
                seed,
                temperature: match seed {
                    FIRST_SEED => FIRST_TEMPERATURE,
                    _ => FURTHER_TEMPERATURE,
                },
            };
            let text = ask(&plain)?;
            let answer = judge_answer(&mut filter, question, &plain.question, &text);
            let taken = answer.left_out.is_none();
            transcript.answers.push(answer);
            if taken {
                break;
            }
        }
    }
    Ok(transcript)
}

/// Returns the side that the verdict favours, if there is a verdict.
fn chosen_side(transcript: &Transcript) -> Option<Side> {
    let mut taken = transcript.usable_answers();
    let verdict = taken.find(|it| matches!(it.field, AnswerField::Verdict(..)))?;
    verdict.names
}

fn judge_answer(filter: &mut AnswerFilter, question: &Question, asked: &str, text: &str) -> Answer {
    let answer = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = filter.side_named_first(question, &answer);
    let left_out = filter.rejection_reason(question, asked, &answer, names);
    if left_out.is_none() {
        filter.add(part_before_contradiction(&answer));
    }
    Answer {
        field: question.field,
        question: asked.to_owned(),
        answer,
        names,
        left_out: left_out.map(str::to_owned),
    }
}
