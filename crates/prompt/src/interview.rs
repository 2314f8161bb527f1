//! The recorded prompt of a seat whose model is interviewed: the questions of its turn.
//!
//! The words of a question are fixed. Its subject, such as an option of the topic or a side's text,
//! is fenced here, as in every prompt. The model itself gets the question without fences
//! ([`Interview::conduct`]), since a small model would write about the fence. It has no tools and
//! reads no files, so the text of a question can only make it answer.

use agon_interview::{Interview, Question};
use agon_record::spec::Seating;
use agon_wording::{OwnWords, Wording};

use crate::request::{Parts, PromptRequest};

#[cfg(test)]
mod tests;

/// Returns whether the seat is interviewed.
pub(super) fn is_interviewed(ask: &PromptRequest<'_>) -> bool {
    let seating = ask.state.seats.get(&ask.key.turn.seat);
    seating.is_some_and(Seating::is_interviewed)
}

/// Returns the questions with their subjects in fences.
pub(super) fn interview_parts(ask: &PromptRequest<'_>) -> Parts {
    let Some(interview) = Interview::for_turn(ask.state, ask.key, ask.kind) else {
        return Vec::new();
    };
    let asked = |(nth, question): (usize, &Question)| {
        let fills = question.fills.iter().enumerate();
        let fenced: Vec<Wording> = fills
            .map(|(at, text)| {
                let key = format!("{}-question-{nth}-{at}", ask.key);
                ask.fence_unveiled(&key, &"words", text)
            })
            .collect();
        let fenced: Vec<&dyn OwnWords> = fenced.iter().map(|it| it as &dyn OwnWords).collect();
        ("question", Wording::from_format(question.words, &fenced))
    };
    interview
        .questions()
        .iter()
        .enumerate()
        .map(asked)
        .collect()
}
