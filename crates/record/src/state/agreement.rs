//! Whether both first answers of a duel agree.

use super::State;
use crate::id::{Seat, TurnId};
use crate::moves::AnswerComparison;

impl State {
    /// Returns whether both first answers of a duel agree; `None` until the record says so.
    ///
    /// The challenger's first reply says it.
    pub fn first_answers_agree(&self) -> Option<bool> {
        let both = [Seat::Proposer, Seat::Challenger];
        if !both.iter().all(|&seat| self.blind_answer(seat).is_some()) {
            return None;
        }
        let reply = TurnId::round(1, Seat::Challenger);
        let challenge = self.admitted(reply).and_then(|it| it.moves.challenge());
        if let Some(said) = challenge.and_then(|challenge| challenge.first_answers) {
            return Some(said == AnswerComparison::Same);
        }
        // Whether to stop is decided only if the answers agree, so any decision means that they do.
        self.stop_on_agreement().map(|_| true)
    }
}
