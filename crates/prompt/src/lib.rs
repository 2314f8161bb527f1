//! Builds the prompts of a debate and of a team, and the forms for people.
//!
//! A prompt is a list of parts. Their texts are in `templates/`, and the inserted values come only
//! from the record, so the same state gives the same prompt. Untrusted text appears only in fences:
//! a part is a [`Wording`], which consists only of fixed text and fenced text.

use agon_record::event::PartRef;
use agon_record::id::AskKey;
use agon_record::state::State;

mod assemble;
mod broken_rules;
mod citation_checks;
mod compact;
mod consult;
mod contract;
mod dispute;
mod duel_prompt;
mod examine;
mod formal_prompt;
pub mod human;
#[cfg(test)]
mod injections;
pub mod inquiry;
mod interview;
mod kind;
mod moves_markdown;
mod narrator;
mod open_points;
mod precedents;
mod question;
mod request;
mod sent_back;
mod session;
mod shape;
pub mod summary;
pub mod team;
mod template;
#[cfg(test)]
mod tests;
mod user_input;
mod veil;
mod version;

pub use agon_wording::Wording;
pub use consult::consult_prompt;
pub use examine::examine_prompt;
pub use narrator::narrator_prompt;
pub use question::question_prompt;
use request::PromptRequest;
pub use session::{SessionMemory, SessionPrompt};
pub use version::{PROMPT_VERSION, differing_part_kinds};

/// A prompt: parts in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// The parts.
    pub parts: Vec<Part>,
}

impl Prompt {
    /// Returns the complete text: the parts, separated by empty lines.
    pub fn text(&self) -> Wording {
        join_with_blank_lines(self.parts.iter().map(|part| &part.text))
    }

    /// Returns references to the parts by content hash, in order.
    pub fn part_refs(&self) -> Vec<PartRef> {
        let refer = |part: &Part| PartRef {
            kind: part.kind.to_owned(),
            hash: part.hash(),
            bytes: part.text.len() as u64,
        };
        self.parts.iter().map(refer).collect()
    }
}

/// Joins `texts` with empty lines.
fn join_with_blank_lines<'a>(texts: impl IntoIterator<Item = &'a Wording>) -> Wording {
    let mut text = Wording::join(texts.into_iter().cloned(), "\n\n");
    text.push(&"\n");
    text
}

/// A part of a prompt; its text is always a [`Wording`].
///
/// ```
/// use agon_prompt::{Part, Wording};
///
/// let part = Part { kind: "topic", text: Wording::from_literal("plain"), brief: None };
/// ```
///
/// ```compile_fail
/// use agon_prompt::{Part, Wording};
///
/// let part = Part { kind: "topic", text: String::from("plain"), brief: None };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is for: `role`, `motion`, `thesis`, `note`, `open`, `found`, `rules`, `context`,
    /// `run`, `precedents`, `summary`, `turn`, `answer`, `shown`, `scores`, `challenge`, `again` or
    /// `contract`; of a seat that is interviewed, `question`.
    pub kind: &'static str,
    /// The text.
    pub text: Wording,
    /// The shorter text for a session that already has the context; `None` if it is the same.
    pub brief: Option<Wording>,
}

impl Part {
    /// Returns the BLAKE3 hash of the text, in hexadecimal.
    pub fn hash(&self) -> String {
        blake3::hash(self.text.as_bytes()).to_hex().to_string()
    }
}

/// Returns the complete prompt for `key`, for a call without an open session.
///
/// What a seat must answer comes first and the form of its reply last; earlier turns and material
/// are between them. Parts that do not change from turn to turn keep their hash, so a session need
/// not receive them again.
pub fn prompt(state: &State, key: AskKey) -> Prompt {
    assemble::assemble_prompt(&PromptRequest::new(state, key, state.words.len()))
}

/// Returns the text that a person reads before answering `key`: the same content in plain Markdown,
/// without the parts that only a program needs.
pub fn render_for_person(state: &State, key: AskKey) -> String {
    assemble::render_for_person(PromptRequest::new(state, key, state.words.len()))
}

/// Returns the prompt for `key` with the first `included` of the user's inputs: later inputs do not
/// change earlier prompts.
pub fn prompt_with_user_words(state: &State, key: AskKey, included: u32) -> Prompt {
    let included = usize::try_from(included).unwrap_or(usize::MAX);
    assemble::assemble_prompt(&PromptRequest::new(
        state,
        key,
        included.min(state.words.len()),
    ))
}

/// Estimates the tokens of a prompt of `bytes` bytes.
pub fn estimate_tokens(bytes: u64) -> u64 {
    bytes.div_ceil(4)
}
