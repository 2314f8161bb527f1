//! What a seat is told.
//!
//! A prompt is a list of parts. Their texts stand in `templates/`; what is
//! filled in comes from the record alone, so the same state gives the same
//! prompt. Words of others stand in a fence and nowhere else: a part is a
//! [`Wording`], which can be made of nothing else.

use agon_record::event::PartRef;
use agon_record::id::AskKey;
use agon_record::state::State;

mod again;
mod ask;
mod assemble;
mod broken;
mod compact;
mod consult;
mod contract;
mod dispute;
mod duel;
mod examine;
mod formal;
mod found;
pub mod human;
#[cfg(test)]
mod injections;
pub mod inquiry;
mod interview;
mod kind;
mod narrator;
mod open;
mod precedents;
mod question;
mod session;
mod shape;
pub mod summary;
pub mod team;
mod tell;
mod template;
#[cfg(test)]
mod tests;
mod veil;
mod version;
mod words;

pub use agon_wording::Wording;
use ask::PromptRequest;
pub use consult::consult_prompt;
pub use examine::examine_prompt;
pub use narrator::narrator_prompt;
pub use question::question_prompt;
pub use session::{SessionMemory, SessionPrompt};
pub use version::{PROMPT_VERSION, differing_part_kinds};

/// A prompt: parts in the order in which they are told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt {
    /// The parts.
    pub parts: Vec<Part>,
}

impl Prompt {
    /// The whole text: the parts, with an empty line between them.
    pub fn text(&self) -> Wording {
        join_with_blank_lines(self.parts.iter().map(|part| &part.text))
    }

    /// The parts by their content, in order.
    pub fn part_refs(&self) -> Vec<PartRef> {
        let refer = |part: &Part| PartRef {
            kind: part.kind.to_owned(),
            hash: part.hash(),
            bytes: part.text.len() as u64,
        };
        self.parts.iter().map(refer).collect()
    }
}

/// `texts` as one, with an empty line between them.
fn join_with_blank_lines<'a>(texts: impl IntoIterator<Item = &'a Wording>) -> Wording {
    let mut text = Wording::join(texts.into_iter().cloned(), "\n\n");
    text.push(&"\n");
    text
}

/// A part of a prompt, whose text is a [`Wording`] and nothing else.
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
    /// `run`, `precedents`, `summary`, `turn`, `answer`, `shown`, `scores`, `challenge`, `again` or `contract`;
    /// of a seat that is interviewed, `question`.
    pub kind: &'static str,
    /// Its text.
    pub text: Wording,
    /// Its text for a session that has in mind what it is about; none where it is the same.
    pub brief: Option<Wording>,
}

impl Part {
    /// BLAKE3 of the text, in hexadecimal.
    pub fn hash(&self) -> String {
        blake3::hash(self.text.as_bytes()).to_hex().to_string()
    }
}

/// The prompt for `key`, whole, as a cold call needs it.
///
/// What a seat must answer and the shape of its reply stand at the ends; earlier
/// turns and material stand between them. Parts that stay the same from turn to
/// turn keep their hash, so a session that has seen one need not see it again.
pub fn prompt(state: &State, key: AskKey) -> Prompt {
    assemble::assemble_prompt(&PromptRequest::new(state, key, state.words.len()))
}

/// What a person is told before they answer `key`: the same, in plain Markdown, without what only
/// a program needs to know.
pub fn render_for_person(state: &State, key: AskKey) -> String {
    assemble::render_for_person(PromptRequest::new(state, key, state.words.len()))
}

/// The prompt for `key` as it is for a seat that was told the first `heard` of the user's words:
/// one that came later changes no prompt that was made before.
pub fn prompt_with_user_words(state: &State, key: AskKey, heard: u32) -> Prompt {
    let heard = usize::try_from(heard).unwrap_or(usize::MAX);
    assemble::assemble_prompt(&PromptRequest::new(
        state,
        key,
        heard.min(state.words.len()),
    ))
}

/// About how many tokens a prompt of `bytes` bytes has.
pub fn estimate_tokens(bytes: u64) -> u64 {
    bytes.div_ceil(4)
}
