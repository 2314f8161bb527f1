//! Turns the transcript of an interview into moves.
//!
//! Each text is an answer, up to the point where it contradicts itself, or states that no answer
//! was usable. What was not asked stays empty. A side's stance and the verdict's answer are the
//! options of the topic, and a heading is the beginning of its claim.

use agon_record::id::TurnId;
use agon_record::moves::{
    Argument, Assessment, Blind, Category, Challenge, Defense, FollowUp, Moves, MovesKind,
    Objection, ObjectionKind, ObjectionSeverity, Opening, ReplyKind, Response, Ruling, RulingKind,
    Side,
};

use crate::field::AnswerField;
use crate::transcript::{Answer, Transcript};

#[cfg(test)]
mod tests;

// The maximum for a title (`TITLE` in `record/src/grammar/argument.rs`).
/// Number of words of a claim that become its heading.
const TITLE_WORDS: usize = 7;

/// The claim of a side without a usable answer.
pub const NO_USABLE_REASON: &str = "The model gave no usable reason.";

/// Why a transcript contains no moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterviewError {
    /// It does not have the format of a transcript.
    #[error("the transcript of the interview is corrupted")]
    Damaged,
    /// Too few answers can be used.
    #[error("no answer of the interview could be used")]
    NoAnswer,
}

/// Parses the moves of `kind` from the transcript that the seat of `turn` replied.
///
/// # Errors
///
/// If it is corrupted, or has too few answers.
pub fn read_moves(reply: &str, kind: MovesKind, turn: TurnId) -> Result<Moves, InterviewError> {
    let transcript: Transcript = reply.parse().map_err(|_| InterviewError::Damaged)?;
    assemble_moves(&transcript, kind, turn).ok_or(InterviewError::NoAnswer)
}

/// Assembles moves from the answers; `None` if there are too few.
fn assemble_moves(transcript: &Transcript, kind: MovesKind, turn: TurnId) -> Option<Moves> {
    let own = match Side::Challenger.seat() == turn.seat {
        true => &transcript.challenger,
        false => &transcript.proposer,
    };
    match kind {
        MovesKind::Blind => {
            let position = find(transcript, |field| matches!(field, AnswerField::Position))?;
            Some(Moves::Blind(Blind {
                answer: own.clone(),
                position: position.statement().to_owned(),
                because: Vec::new(),
            }))
        }
        MovesKind::Opening => {
            let arguments = arguments(transcript, |field| matches!(field, AnswerField::Claim(_)));
            let is_asked = !transcript.answers.is_empty();
            is_asked.then(|| {
                Moves::Opening(Opening {
                    stance: own.clone(),
                    arguments: with_placeholder_if_empty(arguments),
                })
            })
        }
        MovesKind::Challenge => {
            let objections = objections(transcript);
            let alternatives = arguments(transcript, |field| {
                matches!(field, AnswerField::Alternative(_))
            });
            let is_asked = !transcript.answers.is_empty();
            is_asked.then(|| {
                Moves::Challenge(Challenge {
                    alternatives: match objections.is_empty() {
                        true => with_placeholder_if_empty(alternatives),
                        false => alternatives,
                    },
                    objections,
                    ..Challenge::default()
                })
            })
        }
        MovesKind::Defense => {
            let defense = Defense {
                position_now: own.clone(),
                responses: responses(transcript),
                arguments: arguments(transcript, |field| matches!(field, AnswerField::Claim(_))),
            };
            let says = !(defense.responses.is_empty() && defense.arguments.is_empty());
            says.then_some(Moves::Defense(defense))
        }
        MovesKind::FollowUp => {
            let follow_up = FollowUp {
                assessments: assessments(transcript),
                objections: objections(transcript),
                ..FollowUp::default()
            };
            let says = !(follow_up.assessments.is_empty() && follow_up.objections.is_empty());
            says.then_some(Moves::FollowUp(follow_up))
        }
        MovesKind::Verdict => ruling(transcript).map(Moves::Verdict),
        // Only duels have interviewed seats, and these kinds belong to formal debates.
        MovesKind::Theses | MovesKind::Case | MovesKind::Rebuttal | MovesKind::Scores => None,
    }
}

fn find(transcript: &Transcript, wanted: impl Fn(AnswerField) -> bool) -> Option<&Answer> {
    transcript
        .usable_answers()
        .find(|answer| wanted(answer.field))
}

fn arguments(transcript: &Transcript, wanted: impl Fn(AnswerField) -> bool) -> Vec<Argument> {
    let answers = transcript
        .usable_answers()
        .filter(|answer| wanted(answer.field));
    answers.map(|answer| argument(answer.statement())).collect()
}

fn objections(transcript: &Transcript) -> Vec<Objection> {
    let objection = |answer: &Answer| match answer.field {
        AnswerField::Objection(_, target) => Some(Objection {
            target,
            kind: ObjectionKind::Claim,
            category: Category::Other,
            severity: ObjectionSeverity::Major,
            title: Some(first_words(answer.statement())),
            content: answer.statement().to_owned(),
            grounds: Vec::new(),
        }),
        _ => None,
    };
    transcript.usable_answers().filter_map(objection).collect()
}

/// Returns the arguments, or a single argument that says that there is none, so that the other side
/// and the judge have a point to refer to, and a demonstration does not end with an error.
fn with_placeholder_if_empty(arguments: Vec<Argument>) -> Vec<Argument> {
    match arguments.is_empty() {
        true => vec![argument(NO_USABLE_REASON)],
        false => arguments,
    }
}

fn argument(claim: &str) -> Argument {
    Argument {
        title: first_words(claim),
        claim: claim.to_owned(),
        grounds: Vec::new(),
        warrant: String::new(),
        backing: None,
        qualifier: None,
    }
}

/// Returns responses to objections; they rebut, since the seat is asked why an option is good
/// anyway.
fn responses(transcript: &Transcript) -> Vec<Response> {
    let response = |answer: &Answer| match answer.field {
        AnswerField::Response(objection) => Some(Response {
            objection,
            reply: ReplyKind::Rebut,
            content: answer.statement().to_owned(),
            still_favours_because: None,
            grounds: Vec::new(),
        }),
        _ => None,
    };
    transcript.usable_answers().filter_map(response).collect()
}

/// Returns rulings on responses; they sustain the objection, since the seat is asked what speaks
/// against an option anyway.
fn assessments(transcript: &Transcript) -> Vec<Assessment> {
    let assessment = |answer: &Answer| match answer.field {
        AnswerField::Assessment(response) => Some(Assessment {
            response,
            ruling: RulingKind::Sustained,
            content: answer.statement().to_owned(),
            grounds: Vec::new(),
        }),
        _ => None,
    };
    transcript.usable_answers().filter_map(assessment).collect()
}

fn ruling(transcript: &Transcript) -> Option<Ruling> {
    let answer = find(transcript, |field| {
        matches!(field, AnswerField::Verdict(..))
    })?;
    let AnswerField::Verdict(one, other) = answer.field else {
        return None;
    };
    let winner = answer.names?;
    let why = find(transcript, |field| field == AnswerField::Reason);
    let (name, decisive) = match winner {
        Side::Proposer => (&transcript.proposer, one),
        Side::Challenger => (&transcript.challenger, other),
    };
    Some(Ruling {
        winner,
        answer: name.clone(),
        why: why
            .map(|why| why.statement().to_owned())
            .unwrap_or_default(),
        do_next: String::new(),
        unless: String::new(),
        decisive: vec![decisive],
        open: Vec::new(),
        assumed_by_both: Vec::new(),
        agreements: Vec::new(),
        disagreements: Vec::new(),
        // The interview does not ask the judge for quality.
        quality: None,
    })
}

/// Returns the beginning of a claim as a heading.
fn first_words(claim: &str) -> String {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let whole = words.len() <= TITLE_WORDS;
    let begins = words
        .get(..TITLE_WORDS.min(words.len()))
        .unwrap_or_default();
    let text = begins.join(" ");
    let text = text.trim_end_matches([',', '.', ';', ':', '!']);
    match whole {
        true => text.to_owned(),
        false => format!("{text} …"),
    }
}
