//! The prompt that is recorded of a seat whose model is interviewed: the questions of its turn.
//!
//! The words of a question are ours. What it asks about, an option of the topic or what a side said,
//! stands in a fence here, as in every prompt. The model itself is asked in plain words
//! ([`Interview::conduct`]), since it would speak of a fence instead. It has no tools and reads no
//! files, so nothing that stands in a question can make it do anything but answer.

use agon_interview::{Interview, Question};
use agon_record::spec::Seating;
use agon_wording::{OwnWords, Wording};

use crate::ask::{Parts, PromptRequest};

#[cfg(test)]
mod tests;

/// Whether the seat that is asked is interviewed.
pub(super) fn is_interviewed(ask: &PromptRequest<'_>) -> bool {
    let seating = ask.state.seats.get(&ask.key.turn.seat);
    seating.is_some_and(Seating::is_interviewed)
}

/// The questions, with what they ask about in fences.
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
