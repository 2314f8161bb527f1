//! The open conversations of a run: one for each debating seat.
//!
//! A conversation is lent to the call that uses it and returned with the answer, so that two calls
//! never share one. A failed conversation is not returned; the next call of its seat opens a new
//! one, which receives everything.

use std::collections::BTreeMap;
use std::fmt;

use agon_agents::{Agent, Session};
use agon_prompt::{Prompt, SessionMemory, Wording};
use agon_record::event::Asked;
use agon_record::id::Seat;
use agon_record::spec::{Effort, ToolName};
use agon_record::state::State;
use tokio::task::JoinSet;

/// The conversations of a run.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    kept: BTreeMap<Seat, SavedSession>,
    /// The number of the last opened conversation, by seat.
    last: BTreeMap<Seat, u32>,
    /// Conversations that are being ended.
    ending: JoinSet<()>,
}

/// A conversation that continues with the next call of its seat.
pub(crate) struct SavedSession {
    name: String,
    session: Box<dyn Session>,
    held: SessionMemory,
    with: (ToolName, Option<String>, Effort),
}

/// The conversation that is lent to a call.
pub(crate) struct SessionLease {
    name: String,
    /// The conversation; `None` if it must be opened.
    session: Option<Box<dyn Session>>,
    /// The tokens in its context after this call's prompt.
    held: SessionMemory,
}

impl SessionLease {
    /// Returns the approximate number of tokens in the conversation after this call's prompt.
    pub(crate) fn tokens(&self) -> u64 {
        self.held.tokens()
    }
}

impl fmt::Debug for SavedSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SavedSession")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SessionLease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionLease")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Sessions {
    /// Lends the conversation of the seat in `asked`, notes in `asked` which part of `prompt` is
    /// sent, and returns that text. Lends nothing to a call that stands alone.
    ///
    /// Ends a conversation that would exceed the model's context, and replaces it with a new one,
    /// which gets earlier rounds in brief like the prompt.
    pub(crate) fn lend(
        &mut self,
        state: &State,
        asked: &mut Asked,
        prompt: &Prompt,
        agent: Option<&dyn Agent>,
    ) -> (Wording, Option<SessionLease>) {
        let seat = asked.key.turn.seat;
        let warm = agent.filter(|agent| agent.transport().retains_context() && !seat.is_judge());
        let Some(agent) = warm else {
            return (prompt.text(), None);
        };
        let severe = agent.context_degradation(asked.model.as_deref()).severe;
        if let Some(kept) = self.kept.remove(&seat) {
            let wording = prompt.for_session(&kept.held);
            if kept.matches_ask(asked)
                && kept.session.retains_context()
                && wording.held.tokens() <= severe
            {
                asked.session = Some(kept.name.clone());
                asked.sent_parts = wording.parts;
                let lent = SessionLease {
                    name: kept.name,
                    session: Some(kept.session),
                    held: wording.held,
                };
                return (wording.text, Some(lent));
            }
            self.end(kept.session);
        }
        let wording = prompt.for_session(&SessionMemory::default());
        let name = self.next_name(state, seat);
        asked.session = Some(name.clone());
        let lent = SessionLease {
            name,
            session: None,
            held: wording.held,
        };
        (wording.text, Some(lent))
    }

    /// Returns a new name for a conversation of `seat`.
    fn next_name(&mut self, state: &State, seat: Seat) -> String {
        let asks = state.turns.iter().filter(|(turn, _)| turn.seat == seat);
        let asked =
            asks.flat_map(|(_, turn)| turn.asks.iter().filter_map(|ask| ask.asked.as_ref()));
        let number = |asked: &Asked| asked.session.as_ref()?.rsplit_once('#')?.1.parse().ok();
        let known: u32 = asked.filter_map(number).max().unwrap_or(0);
        let last = self.last.entry(seat).or_default();
        *last = known.max(*last).saturating_add(1);
        format!("{}#{last}", seat.short_name())
    }

    /// Stores a conversation for the next call.
    pub(crate) fn save(&mut self, seat: Seat, kept: SavedSession) {
        if let Some(other) = self.kept.insert(seat, kept) {
            self.end(other.session);
        }
    }

    /// Ends a conversation in the background.
    pub(crate) fn end(&mut self, mut session: Box<dyn Session>) {
        self.ending.spawn(async move { session.close().await });
    }

    /// Ends the open conversation of a seat in the background.
    pub(crate) fn end_for_seat(&mut self, seat: Seat) {
        if let Some(kept) = self.kept.remove(&seat) {
            self.end(kept.session);
        }
    }

    /// Ends all stored conversations in the background.
    pub(crate) fn end_all(&mut self) {
        for (_, kept) in std::mem::take(&mut self.kept) {
            self.end(kept.session);
        }
    }

    /// Ends all conversations and waits until their processes have ended.
    pub(crate) async fn shutdown(&mut self) {
        self.end_all();
        // Ignore errors, because a task that panicked has ended too.
        while self.ending.join_next().await.is_some() {}
    }
}

impl SavedSession {
    /// Returns the conversation in order to end it.
    pub(crate) fn into_session(self) -> Box<dyn Session> {
        self.session
    }

    fn matches_ask(&self, asked: &Asked) -> bool {
        let (tool, model, effort) = &self.with;
        (tool, model, *effort) == (&asked.tool, &asked.model, asked.effort)
    }
}

impl SessionLease {
    /// Returns the conversation, opening it if necessary.
    pub(crate) fn take_or_open(
        &mut self,
        open: impl FnOnce() -> Box<dyn Session>,
    ) -> Box<dyn Session> {
        self.session.take().unwrap_or_else(open)
    }

    /// Returns the conversation if it was open before and was not used.
    pub(crate) fn into_unused_session(self) -> Option<Box<dyn Session>> {
        self.session
    }

    /// Returns the conversation to store after an answer of `bytes` bytes.
    pub(crate) fn into_saved(
        mut self,
        session: Box<dyn Session>,
        asked: &Asked,
        bytes: usize,
    ) -> SavedSession {
        self.held.add_answer_bytes(bytes);
        SavedSession {
            name: self.name,
            session,
            held: self.held,
            with: (asked.tool.clone(), asked.model.clone(), asked.effort),
        }
    }
}
