//! What a session is told that was told something before.
//!
//! A part goes to a session once: it is known by its hash. The contract alone stands at the end of
//! everything that is said to it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Part, Prompt, Wording, estimate_tokens, join_with_blank_lines};

/// Stands at the end of whatever is told.
const ALWAYS: &str = "contract";
/// The findings of a reply that was sent back.
const AGAIN: &str = "again";
/// Parts that tell where the debate stands: one that is no longer there holds no longer.
const OF_THE_MOMENT: [&str; 6] = ["open", "found", "summary", "shown", "scores", "challenge"];

/// What a session has in mind, as far as it was told by us or said it itself.
///
/// What its tool read by itself is not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionMemory {
    /// The hashes of the parts that it was told.
    sent: BTreeSet<String>,
    /// What it knows of the moment, by kind: the heading and the hash of what it was told last.
    moment: BTreeMap<&'static str, (Wording, String)>,
    bytes: u64,
}

/// What a session is told of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPrompt {
    /// The parts, by their place in the prompt; none when it is told the whole.
    pub parts: Option<Vec<u32>>,
    /// The text.
    pub text: Wording,
    /// What the session has in mind once it was told.
    pub held: SessionMemory,
}

impl SessionMemory {
    /// About how many tokens it has in mind.
    pub fn tokens(&self) -> u64 {
        estimate_tokens(self.bytes)
    }

    /// Has an answer of so many bytes in mind too.
    pub fn add_answer_bytes(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
    }

    /// Whether the session was already told this part and it is still current.
    fn has_current_part(&self, part: &Part) -> bool {
        let hash = part.hash();
        match OF_THE_MOMENT.contains(&part.kind) {
            // One that held before, and then another did, is told again.
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
    /// What a session is told that has `held` in mind: the parts that it has not seen, and the
    /// contract; all of it when it was told nothing yet.
    ///
    /// A prompt for what was sent back comes down to the findings and the contract, since the
    /// session has the turn and its own reply in mind.
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

    /// The sentence before new parts: earlier parts still hold, and which headings no longer do.
    /// None when only findings and the contract are sent and no heading is over.
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
            "What you were told before still holds, and so does what you said. What \
                        follows comes to it; under a heading that you have seen before, it takes \
                        the place of what stood there.",
        );
        if !gone.is_empty() {
            text.push(&Wording::from_format(
                " This is over, and nothing takes its place: {}.",
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
    /// Its text, for a session that is told all of it or only what it has not seen.
    fn wording_for_session(&self, fresh: bool) -> &Wording {
        match &self.brief {
            Some(brief) if !fresh => brief,
            Some(_) | None => &self.text,
        }
    }
}

#[cfg(test)]
mod tests;
