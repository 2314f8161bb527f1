//! Prompts for a session that already received some parts.
//!
//! Each part is sent to a session once, identified by its hash. Only the contract ends every
//! message.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Part, Prompt, Wording, estimate_tokens, join_with_blank_lines};

/// The kind of the part that ends every message.
const ALWAYS: &str = "contract";
/// The kind of the part with the findings on a reply that was sent back.
const AGAIN: &str = "again";
/// Kinds of parts about the current state of the debate. A part that disappears is no longer valid.
const OF_THE_MOMENT: [&str; 6] = ["open", "found", "summary", "shown", "scores", "challenge"];

/// The contents of a session: the parts it received and its own answers.
///
/// Files that its tool read are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionMemory {
    /// The hashes of the parts it received.
    sent: BTreeSet<String>,
    /// The latest parts about the current state, by kind: heading and hash.
    moment: BTreeMap<&'static str, (Wording, String)>,
    bytes: u64,
}

/// The message for a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPrompt {
    /// The indexes of the sent parts; `None` for the complete prompt.
    pub parts: Option<Vec<u32>>,
    /// The text.
    pub text: Wording,
    /// The contents of the session after this message.
    pub held: SessionMemory,
}

impl SessionMemory {
    /// Estimates the tokens in the session.
    pub fn tokens(&self) -> u64 {
        estimate_tokens(self.bytes)
    }

    /// Adds an answer of `bytes` bytes.
    pub fn add_answer_bytes(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
    }

    /// Returns whether the session already has this part and it is current.
    fn has_current_part(&self, part: &Part) -> bool {
        let hash = part.hash();
        match OF_THE_MOMENT.contains(&part.kind) {
            // Compare only with the latest part of this kind: if A was replaced by B, A is new.
            true => self
                .moment
                .get(part.kind)
                .is_some_and(|(_, last)| *last == hash),
            false => self.sent.contains(&hash),
        }
    }

    fn remember_part(&mut self, part: &Part) {
        self.sent.insert(part.hash());
        if OF_THE_MOMENT.contains(&part.kind) {
            let known = (part.text.heading(), part.hash());
            self.moment.insert(part.kind, known);
        }
    }
}

impl Prompt {
    /// Returns the message for a session with the contents `held`: the new parts and the contract,
    /// or the complete prompt for a new session.
    ///
    /// After a reply was sent back, the message has only the findings and the contract, since the
    /// session has the turn and its own reply.
    pub fn for_session(&self, held: &SessionMemory) -> SessionPrompt {
        let mut after = held.clone();
        let fresh = held.sent.is_empty();
        let unseen = |part: &Part| fresh || part.kind == ALWAYS || !held.has_current_part(part);
        let mut parts = Vec::new();
        let mut texts = Vec::new();
        for (at, part) in (0_u32..).zip(&self.parts) {
            if unseen(part) {
                parts.push(at);
                texts.push(part.wording_for_session(fresh));
                after.remember_part(part);
            }
        }
        let goes_on = (!fresh)
            .then(|| self.continuation_notice(held, &parts))
            .flatten();
        let text = join_with_blank_lines(goes_on.iter().chain(texts));
        after.moment.retain(|kind, _| self.has_part_kind(kind));
        after.bytes = after.bytes.saturating_add(text.len() as u64);
        SessionPrompt {
            parts: (!fresh).then_some(parts),
            text,
            held: after,
        }
    }

    /// Returns the sentence before new parts: earlier parts are still valid, except some headings.
    /// `None` if only findings and the contract are sent and no heading became invalid.
    fn continuation_notice(&self, held: &SessionMemory, parts: &[u32]) -> Option<Wording> {
        let mut kinds = self.parts.iter().zip(0_u32..);
        let more = kinds
            .any(|(part, at)| parts.contains(&at) && part.kind != ALWAYS && part.kind != AGAIN);
        let gone: Vec<_> = held
            .moment
            .iter()
            .filter(|(kind, _)| !self.has_part_kind(kind))
            .map(|(_, (heading, _))| Wording::from_format("\"{}\"", &[heading]))
            .collect();
        if !more && gone.is_empty() {
            return None;
        }
        let mut text = Wording::from_literal(
            "Everything you were told before and everything you said is still valid. The \
             following is added to it. Under a heading that you have seen before, it \
             replaces the earlier text.",
        );
        if !gone.is_empty() {
            text.push(&Wording::from_format(
                " These sections are no longer valid, and nothing replaces them: {}.",
                &[&Wording::join(gone, ", ")],
            ));
        }
        Some(text)
    }

    fn has_part_kind(&self, kind: &str) -> bool {
        self.parts.iter().any(|part| part.kind == kind)
    }
}

impl Part {
    /// Returns the text for a new session, or the brief text for a session that knows the rest.
    fn wording_for_session(&self, fresh: bool) -> &Wording {
        match &self.brief {
            Some(brief) if !fresh => brief,
            Some(_) | None => &self.text,
        }
    }
}

#[cfg(test)]
mod tests;
