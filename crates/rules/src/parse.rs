//! Parses replies into moves.
//!
//! A reply is prose that ends in one JSON object, or in a list of the opening arguments of a formal
//! debate. [`parse`] finds it, accepts harmless deviations, and reports all other violations of its
//! schema at once. Places in a list are those in the equivalent object: `arguments[1].title`.

mod fits;
mod json_object;
mod lenient;
mod shape;
mod sole_document;
mod value;

use agon_interview::InterviewError;
use agon_record::finding::{Finding, Severity};
use agon_record::id::{Stage, TurnId};
use agon_record::moves::{Formal, Moves, MovesKind};
use agon_record::swap;
use agon_record::text::sanitise_line;
use serde_json::{Map, Value};

use crate::parse::shape::SpellingFix;

// Limits submitted files, like `MAX_BYTES` in `debates/src/steer/ops/input.rs`; a tool's reply is
// already rejected at 64 KiB. Parsing takes linear time, as tested by
// `hostile_replies_take_linear_time_and_no_stack`.
/// The longest reply that is parsed, in bytes.
pub const MAX_REPLY: usize = 4 << 20;

// About one screen, because all findings are listed when the reply is sent back. Tested with
// 100,000 unknown keys by `a_reply_cannot_grow_without_bound`.
/// Maximum number of the parser's findings for one reply.
const MAX_FINDINGS: usize = 20;

// A message may quote a long name from the reply. Without such a name, the longest message in 53
// debates recorded for the tests has 71 characters and the longest hint 79.
/// Maximum length of a message, in characters.
const MAX_MESSAGE: usize = 200;

/// The moves of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The moves.
    pub moves: Moves,
    /// Warnings about harmless faults.
    pub findings: Vec<Finding>,
}

/// The author of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author {
    Tool,
    /// A person, who may leave out more.
    Person,
}

/// Why a reply has no usable moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("PARSE_ERROR:{code}")]
pub struct ParseError {
    /// `<type>:<code>`, such as `empty:no_text` or `schema:required`.
    pub code: String,
    /// One fatal finding for each fault; at least one.
    pub findings: Vec<Finding>,
}

/// Parses the moves at the end of `reply`.
///
/// It tries the last fenced block that is a JSON object, then the whole reply, then the last object
/// in the text. An object without any name of `kind` is used only if there is no other. It takes
/// time linear in the reply and never panics. A ruling with the sides swapped is returned with the
/// debate's own names.
///
/// # Errors
///
/// If there are no moves, or they do not fit the schema of `kind`. Messages never repeat the reply.
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

/// Parses the moves of a person: like [`parse`], but a person may leave out more.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_from_person(reply: &str, kind: MovesKind, turn: TurnId) -> Result<Parsed, ParseError> {
    parse_with_respellings(reply, kind, turn, Author::Person).map(|(parsed, _)| parsed)
}

/// Parses the moves of a seat that answers question by question, whose reply is a transcript.
///
/// # Errors
///
/// If the reply is not a transcript, or no answer is usable.
pub fn parse_interview(reply: &str, kind: MovesKind, turn: TurnId) -> Result<Parsed, ParseError> {
    let unusable = |error: InterviewError| {
        let code = match error {
            InterviewError::Damaged => "interview:shape",
            InterviewError::NoAnswer => "interview:nothing",
        };
        let message = error.to_string();
        let hint = "it will be asked once more";
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

/// Like [`parse`], and also returns the words and ids that were corrected.
fn parse_with_respellings(
    reply: &str,
    kind: MovesKind,
    turn: TurnId,
    author: Author,
) -> Result<(Parsed, Vec<SpellingFix>), ParseError> {
    let object = json_object::find_final_object(reply, kind)
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
            "this key is unknown and ignored",
            "remove it",
        )
    };
    match deserialize_moves(fitted.object, kind) {
        Ok(moves) => {
            let findings = fitted.unknown.iter().map(unknown).collect();
            Ok((Parsed { moves, findings }, fitted.respelled))
        }
        // The types check more than the schema, such as the size of a number, so this can fail.
        Err(_) => Err(ParseError {
            code: "schema:data".to_owned(),
            findings: vec![fatal_finding(
                "reply-schema",
                turn,
                "",
                "a value is out of range",
                "write line numbers as whole numbers from 1",
            )],
        }),
    }
}

fn parse_error_from_fault(fault: json_object::JsonFault, turn: TurnId) -> ParseError {
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

/// Parses the moves in a file.
///
/// The file must be one JSON document, alone or in a fenced block, with ids and words exactly as
/// the debate writes them. Nothing is searched for or guessed.
///
/// # Errors
///
/// As [`parse_bytes`], and if the file is ambiguous.
pub fn parse_strict_bytes(
    file: &[u8],
    kind: MovesKind,
    turn: TurnId,
) -> Result<Parsed, ParseError> {
    // Run the reply parser first, since its errors say more.
    parse_bytes(file, kind, turn)?;
    let text = std::str::from_utf8(file).unwrap_or_default();
    let document =
        sole_document::sole_document(text).map_err(|fault| parse_error_from_fault(fault, turn))?;
    let (parsed, respelled) = parse_with_respellings(document, kind, turn, Author::Tool)?;
    if respelled.is_empty() {
        return Ok(parsed);
    }
    let findings = respelled.iter().map(|one| {
        let message = "this is not spelled as in the debate";
        let hint = format!("write exactly `{}`", one.right);
        fatal_finding("reply-schema", turn, &one.at, message, &hint)
    });
    Err(ParseError {
        code: "schema:spelling".to_owned(),
        findings: findings.collect(),
    })
}

/// Parses the moves at the end of a reply of any bytes.
///
/// # Errors
///
/// As [`parse`], and if the bytes are not UTF-8.
pub fn parse_bytes(reply: &[u8], kind: MovesKind, turn: TurnId) -> Result<Parsed, ParseError> {
    match std::str::from_utf8(reply) {
        Ok(text) => parse(text, kind, turn),
        Err(error) => {
            let message = format!(
                "the reply is not valid UTF-8 from byte {} on",
                error.valid_up_to()
            );
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
