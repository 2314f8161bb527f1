//! The conversations that a run keeps open: one for each seat that debates.
//!
//! A conversation is lent to the call that uses it and comes back with its answer, so no two calls
//! ever speak in one. One that was lost does not come back, and the next call of its seat opens
//! another, which is told everything.

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
    /// The number of the last one that was opened, by seat.
    last: BTreeMap<Seat, u32>,
    /// Those that are being ended.
    ending: JoinSet<()>,
}

/// A conversation that goes on with the next call of its seat.
pub(crate) struct SavedSession {
    name: String,
    session: Box<dyn Session>,
    held: SessionMemory,
    with: (ToolName, Option<String>, Effort),
}

/// What a call gets for the seat that it is for.
pub(crate) struct SessionLease {
    name: String,
    /// The conversation; none where it is to be opened.
    session: Option<Box<dyn Session>>,
    /// What it has in mind once it was asked.
    held: SessionMemory,
}

impl SessionLease {
    /// About how many tokens the conversation has in mind once it was asked.
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
    /// Lends the conversation of the asked seat, and notes in `asked` what it is told of `prompt`;
    /// gives the text too. Nothing is lent for a call that stands alone.
    ///
    /// One that would have more in mind than its model bears is ended, and a fresh one takes its
    /// place. That has the earlier rounds in brief, as far as the prompt has.
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
            let told = prompt.for_session(&kept.held);
            if kept.matches_ask(asked)
                && kept.session.retains_context()
                && told.held.tokens() <= severe
            {
                asked.session = Some(kept.name.clone());
                asked.told = told.parts;
                let lent = SessionLease {
                    name: kept.name,
                    session: Some(kept.session),
                    held: told.held,
                };
                return (told.text, Some(lent));
            }
            self.end(kept.session);
        }
        let told = prompt.for_session(&SessionMemory::default());
        let name = self.next_name(state, seat);
        asked.session = Some(name.clone());
        let lent = SessionLease {
            name,
            session: None,
            held: told.held,
        };
        (told.text, Some(lent))
    }

    /// The name of the next conversation of `seat`, which no earlier one had.
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

    /// Takes a conversation back.
    pub(crate) fn save(&mut self, seat: Seat, kept: SavedSession) {
        if let Some(other) = self.kept.insert(seat, kept) {
            self.end(other.session);
        }
    }

    /// Ends a conversation, while the debate goes on.
    pub(crate) fn end(&mut self, mut session: Box<dyn Session>) {
        self.ending.spawn(async move { session.close().await });
    }

    /// Ends the open conversation of a seat, while the debate goes on.
    pub(crate) fn end_for_seat(&mut self, seat: Seat) {
        if let Some(kept) = self.kept.remove(&seat) {
            self.end(kept.session);
        }
    }

    /// Ends those that are kept, while the debate goes on.
    pub(crate) fn end_all(&mut self) {
        for (_, kept) in std::mem::take(&mut self.kept) {
            self.end(kept.session);
        }
    }

    /// Ends all of them and waits until nothing of them runs any more.
    pub(crate) async fn shutdown(&mut self) {
        self.end_all();
        // One that broke off is gone too.
        while self.ending.join_next().await.is_some() {}
    }
}

impl SavedSession {
    /// The conversation, to be ended.
    pub(crate) fn into_session(self) -> Box<dyn Session> {
        self.session
    }

    fn matches_ask(&self, asked: &Asked) -> bool {
        let (tool, model, effort) = &self.with;
        (tool, model, *effort) == (&asked.tool, &asked.model, asked.effort)
    }
}

impl SessionLease {
    /// The conversation, opened where it is not yet.
    pub(crate) fn take_or_open(
        &mut self,
        open: impl FnOnce() -> Box<dyn Session>,
    ) -> Box<dyn Session> {
        self.session.take().unwrap_or_else(open)
    }

    /// The conversation, where it was open before and nothing was asked of it now.
    pub(crate) fn into_unused_session(self) -> Option<Box<dyn Session>> {
        self.session
    }

    /// What is kept of it after an answer of so many bytes.
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
