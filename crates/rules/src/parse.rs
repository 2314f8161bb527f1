//! From a reply to moves.
//!
//! A reply is prose that ends in one JSON object, or in a list of the opening
//! arguments of a formal debate. [`parse`] finds it, forgives what is harmless,
//! and names everything else that is wrong with its shape at once. The places
//! in a list are those of the object it stands for: `arguments[1].title`.

mod alone;
mod ladder;
mod lenient;
mod shape;
mod value;

use agon_interview::InterviewError;
use agon_record::finding::{Finding, Severity};
use agon_record::id::{Stage, TurnId};
use agon_record::moves::{Formal, Moves, MovesKind};
use agon_record::swap;
use agon_record::text::sanitise_line;
use serde_json::{Map, Value};

use crate::parse::shape::Respelled;

// A reply of a tool is refused at 64 KiB before; this bounds what is handed in, as `MAX_BYTES` in
// `debates/src/steer/ops/input.rs` does. Time is in proportion:
// `hostile_replies_take_linear_time_and_no_stack`.
/// The longest reply that is read, in bytes.
pub const MAX_REPLY: usize = 4 << 20;

// All of them are told when the reply is sent back: about a screen. A reply with 100,000 strange
// keys gets no more: `a_reply_cannot_grow_without_bound`.
/// The most findings that one reply gets from the parser.
const MAX_FINDINGS: usize = 20;

// The longest message in 53 debates recorded for the tests has 71 characters, the longest hint 79;
// a message may quote a name of the reply.
/// The most characters of a message.
const MAX_MESSAGE: usize = 200;

/// A reply that ends in moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The moves.
    pub moves: Moves,
    /// What is odd about the reply but does not hinder: warnings.
    pub findings: Vec<Finding>,
}

/// Who gave a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author {
    Tool,
    /// A person is asked for less.
    Person,
}

/// Why a reply has no usable moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("PARSE_ERROR:{code}")]
pub struct ParseError {
    /// `<type>:<code>`, such as `empty:no_text` or `schema:required`.
    pub code: String,
    /// What is wrong, one finding each; all fatal, and at least one.
    pub findings: Vec<Finding>,
}

/// Reads the moves that `reply` ends in.
///
/// Tried in order: the last fenced block that is a JSON object, the whole
/// reply, the last object that stands in the text. An object that has none of
/// the names of `kind` is taken only when there is no other. Takes time linear
/// in the reply, whatever is in it; nothing in it can make this fail other than
/// by an error. A reply to a swap is read in the debate's own names.
///
/// # Errors
///
/// If there are none, or they do not have the shape of `kind`. No message
/// repeats the reply.
///
/// ```
/// # use agon_record::{id::TurnId, moves::MovesKind};
/// # use agon_rules::parse::parse;
/// let turn: TurnId = "r0.pro".parse()?;
/// let reply = "Files.\n```json\n{\"answer\": \"Files\", \"position\": \"Plain files do.\"}\n```";
/// assert!(parse(reply, MovesKind::Blind, turn).is_ok());
/// let error = parse("I think files.", MovesKind::Blind, turn).unwrap_err();
/// assert_eq!(error.to_string(), "PARSE_ERROR:json:none");
/// # Ok::<(), agon_record::id::IdError>(())
/// ```
pub fn parse(reply: &str, kind: MovesKind, turn: TurnId) -> Result<Parsed, ParseError> {
    parse_with_respellings(reply, kind, turn, Author::Tool).map(|(parsed, _)| parsed)
}

/// Reads the moves of a person: as [`parse`] does, but what a person need not say may be missing.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_from_person(reply: &str, kind: MovesKind, turn: TurnId) -> Result<Parsed, ParseError> {
    parse_with_respellings(reply, kind, turn, Author::Person).map(|(parsed, _)| parsed)
}

/// Reads the moves of a seat that is interviewed, whose reply is a transcript.
///
/// # Errors
///
/// If it is not a transcript, or no answer can be used.
pub fn parse_interview(reply: &str, kind: MovesKind, turn: TurnId) -> Result<Parsed, ParseError> {
    let unusable = |error: InterviewError| {
        let code = match error {
            InterviewError::Damaged => "interview:shape",
            InterviewError::NoAnswer => "interview:nothing",
        };
        let message = error.to_string();
        let hint = "it is asked once more";
        ParseError {
            code: code.to_owned(),
            findings: vec![fatal_finding("reply-parse", turn, "", &message, hint)],
        }
    };
    agon_interview::read_moves(reply, kind, turn)
        .map(|moves| Parsed {
            moves,
            findings: Vec::new(),
        })
        .map_err(unusable)
}

/// As [`parse`], with what was taken for something that is written otherwise.
fn parse_with_respellings(
    reply: &str,
    kind: MovesKind,
    turn: TurnId,
    author: Author,
) -> Result<(Parsed, Vec<Respelled>), ParseError> {
    let object = ladder::find_final_object(reply, kind)
        .map_err(|fault| parse_error_from_fault(fault, turn))?;
    let object = match turn.stage {
        Stage::Swap => swap::restore_reply_names(object),
        Stage::Theses | Stage::Round(_) | Stage::Verdict => object,
    };
    if let Some((at, message, hint)) = shape::single_item_fault(&object, kind) {
        return Err(ParseError {
            code: "schema:required".to_owned(),
            findings: vec![fatal_finding("reply-schema", turn, at, message, hint)],
        });
    }
    let fitted = shape::fit_to_shape(object, kind, author);
    if let Some(first) = fitted.violations.first() {
        return Err(ParseError {
            code: format!("schema:{}", first.rule),
            findings: fitted
                .violations
                .iter()
                .map(|broken| {
                    fatal_finding(
                        "reply-schema",
                        turn,
                        &broken.at,
                        &broken.message,
                        &broken.hint,
                    )
                })
                .collect(),
        });
    }
    let unknown = |at: &String| Finding {
        severity: Severity::Warning,
        ..fatal_finding(
            "reply-unknown-key",
            turn,
            at,
            "this key is not known here and is ignored",
            "leave it out",
        )
    };
    match deserialize_moves(fitted.object, kind) {
        Ok(moves) => {
            let findings = fitted.unknown.iter().map(unknown).collect();
            Ok((Parsed { moves, findings }, fitted.respelled))
        }
        // The schema cannot say all that the types do, such as how large a line number may be.
        Err(_) => Err(ParseError {
            code: "schema:data".to_owned(),
            findings: vec![fatal_finding(
                "reply-schema",
                turn,
                "",
                "a value is out of range",
                "give line numbers as whole numbers from 1",
            )],
        }),
    }
}

fn parse_error_from_fault(fault: ladder::JsonFault, turn: TurnId) -> ParseError {
    ParseError {
        findings: vec![fatal_finding(
            "reply-parse",
            turn,
            "",
            &fault.message,
            &fault.hint,
        )],
        code: fault.code,
    }
}

/// Reads the moves that a file of any bytes is.
///
/// It is one JSON document, by itself or in a fenced block, and the ids and words in it are as the
/// debate writes them: nothing is searched for and nothing is guessed.
///
/// # Errors
///
/// As [`parse_bytes`], and if something else may be meant.
pub fn parse_strict_bytes(
    file: &[u8],
    kind: MovesKind,
    turn: TurnId,
) -> Result<Parsed, ParseError> {
    // What is wrong with it as a reply says more.
    parse_bytes(file, kind, turn)?;
    let text = std::str::from_utf8(file).unwrap_or_default();
    let document =
        alone::sole_document(text).map_err(|fault| parse_error_from_fault(fault, turn))?;
    let (parsed, respelled) = parse_with_respellings(document, kind, turn, Author::Tool)?;
    if respelled.is_empty() {
        return Ok(parsed);
    }
    let findings = respelled.iter().map(|one| {
        let message = "this is written otherwise in the debate";
        let hint = format!("write `{}`, and nothing else", one.right);
        fatal_finding("reply-schema", turn, &one.at, message, &hint)
    });
    Err(ParseError {
        code: "schema:spelling".to_owned(),
        findings: findings.collect(),
    })
}

/// Reads the moves that a reply of any bytes ends in.
///
/// # Errors
///
/// As [`parse`], and if the bytes are no UTF-8.
pub fn parse_bytes(reply: &[u8], kind: MovesKind, turn: TurnId) -> Result<Parsed, ParseError> {
    match std::str::from_utf8(reply) {
        Ok(text) => parse(text, kind, turn),
        Err(error) => {
            let message = format!("the reply is no UTF-8 from byte {} on", error.valid_up_to());
            let hint = "answer in plain UTF-8 text";
            Err(ParseError {
                code: "utf8:invalid".to_owned(),
                findings: vec![fatal_finding("reply-parse", turn, "", &message, hint)],
            })
        }
    }
}

fn deserialize_moves(object: Map<String, Value>, kind: MovesKind) -> serde_json::Result<Moves> {
    let value = Value::Object(object);
    Ok(match kind {
        MovesKind::Blind => Moves::Blind(serde_json::from_value(value)?),
        MovesKind::Opening => Moves::Opening(serde_json::from_value(value)?),
        MovesKind::Challenge => Moves::Challenge(serde_json::from_value(value)?),
        MovesKind::Defense => Moves::Defense(serde_json::from_value(value)?),
        MovesKind::FollowUp => Moves::FollowUp(serde_json::from_value(value)?),
        MovesKind::Verdict => Moves::Verdict(serde_json::from_value(value)?),
        MovesKind::Theses => Moves::Formal(Formal::Theses(serde_json::from_value(value)?)),
        MovesKind::Case => Moves::Formal(Formal::Case(serde_json::from_value(value)?)),
        MovesKind::Rebuttal => Moves::Formal(Formal::Rebuttal(serde_json::from_value(value)?)),
        MovesKind::Scores => Moves::Formal(Formal::Scores(serde_json::from_value(value)?)),
    })
}

fn fatal_finding(code: &str, turn: TurnId, at: &str, message: &str, hint: &str) -> Finding {
    Finding {
        code: code.to_owned(),
        severity: Severity::Fatal,
        turn,
        at: at.to_owned(),
        path: None,
        span: None,
        message: sanitise_line(message, MAX_MESSAGE),
        hint: sanitise_line(hint, MAX_MESSAGE),
    }
}

#[cfg(test)]
mod tests;
