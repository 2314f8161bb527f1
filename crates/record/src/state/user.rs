//! The user's notes, runs, orders and decisions in the state.

use ulid::Ulid;

use super::{State, Turn};
use crate::decision::{Decided, Decision};
use crate::id::{Seat, Stage, TurnId};
use crate::user::{Note, Ran, UserInput, WordId};

impl State {
    /// Returns whether the request `item` was already processed, as a note, run, order or
    /// decision.
    pub fn has_processed_item(&self, item: Ulid) -> bool {
        let mut items = self.words.iter().map(UserInput::request_id);
        let mut orders = self.orders.iter();
        let mut decisions = self.decisions.iter();
        items.any(|known| known == item)
            || orders.any(|(taken, _)| *taken == item)
            || decisions.any(|decided| decided.item == item)
    }

    /// Returns the decision about the present verdict; `None` if there is none yet.
    pub fn decision(&self) -> Option<&Decision> {
        let present = self.decisions.get(self.former_decisions..)?;
        present.last().map(|decided| &decided.decision)
    }

    /// Returns the decisions before the present one, the oldest first: those that a later one
    /// replaced, and those about an earlier verdict.
    pub fn earlier_decisions(&self) -> impl Iterator<Item = &Decision> {
        let present = usize::from(self.decision().is_some());
        let earlier = self.decisions.len() - present;
        let earlier: &[Decided] = self.decisions.get(..earlier).unwrap_or_default();
        earlier.iter().map(|decided| &decided.decision)
    }

    /// Returns the notes of the user, in order.
    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        self.words.iter().filter_map(|word| match word {
            UserInput::Note(note) => Some(note),
            UserInput::Ran(_) => None,
        })
    }

    /// Returns the commands that the user ran in the debate, in order.
    pub fn command_runs(&self) -> impl Iterator<Item = &Ran> {
        self.words.iter().filter_map(|word| match word {
            UserInput::Note(_) => None,
            UserInput::Ran(ran) => Some(ran),
        })
    }

    /// Returns whether a judge of a duel has been asked for its ruling.
    pub fn has_asked_judge(&self) -> bool {
        let asked = |(turn, known): (&TurnId, &Turn)| {
            matches!(turn.stage, Stage::Verdict | Stage::Swap) && !known.asks.is_empty()
        };
        self.turns.iter().any(asked)
    }

    /// Returns whether the user's order to judge early has taken effect: both sides have spoken.
    pub fn is_judge_order_in_effect(&self) -> bool {
        let challenged = TurnId::round(1, Seat::Challenger);
        self.is_judge_ordered() && self.admitted(challenged).is_some()
    }

    /// Returns whether the note or run `word` was in the prompt of every judge whose ruling counts;
    /// in a formal debate, of those who scored last.
    pub fn has_reached_judges(&self, word: WordId) -> bool {
        let Some(place) = self.words.iter().position(|known| known.id() == word) else {
            return false;
        };
        let stage = self.last_judging_stage();
        let judges = |turn: &TurnId| Some(turn.stage) == stage && turn.seat.is_judge();
        let heard = self.admitted_turns().filter(|(turn, _)| judges(turn));
        let heard = heard.filter_map(|(turn, admitted)| {
            let asks = &self.turns.get(&turn)?.asks;
            let ask = asks.get(usize::from(admitted.key.again))?;
            Some(ask.asked.as_ref()?.user_inputs)
        });
        heard.min().is_some_and(|heard| heard as usize > place)
    }
}
