//! What a turn is held to: what the prompt that asked for it demands.

use super::State;
use crate::answer::same_answer;
use crate::id::{Seat, TurnId};
use crate::moves::AnswerComparison;

/// The first version of the prompts that asks the challenger whether both first answers come to the
/// same, demands evidence for each claim, and one real flaw or a certificate of the challenger.
const PRESENT_DUTIES: u32 = 5;

impl State {
    /// The version of the prompts with which `turn` was asked last; none where no prompt of ours
    /// asked for it.
    pub fn prompt_version(&self, turn: TurnId) -> Option<u32> {
        let asks = self.turns.get(&turn)?.asks.iter().rev();
        let mut asked = asks.filter_map(|ask| ask.asked.as_ref());
        asked.next().map(|asked| asked.prompt_version)
    }

    /// The latest version of the prompts with which any turn was asked; none where none was.
    pub fn latest_prompt_version(&self) -> Option<u32> {
        let turns = self.turns.keys();
        turns.filter_map(|&turn| self.prompt_version(turn)).max()
    }

    /// Whether `turn` is held to what prompts demand today. One that an earlier version asked for
    /// is held to what it was told.
    pub fn has_present_duties(&self, turn: TurnId) -> bool {
        self.prompt_version(turn)
            .is_none_or(|version| version >= PRESENT_DUTIES)
    }

    /// Whether both first answers of a duel come to the same; none until the record says so.
    ///
    /// The challenger's first reply says it. Where that was not asked for, answers that are the same
    /// text were taken for the same; others may still come to the same in other words.
    pub fn first_answers_agree(&self) -> Option<bool> {
        let [ours, theirs] = [Seat::Proposer, Seat::Challenger].map(|seat| self.blind_answer(seat));
        let (ours, theirs) = (ours?, theirs?);
        let reply = TurnId::round(1, Seat::Challenger);
        let challenge = self.admitted(reply).and_then(|it| it.moves.challenge());
        if let Some(said) = challenge.and_then(|challenge| challenge.first_answers) {
            return Some(said == AnswerComparison::Same);
        }
        // What was decided on their being the same says that they are.
        if self.stop_on_agreement().is_some() {
            return Some(true);
        }
        let earlier = !self.has_present_duties(TurnId::round(0, Seat::Challenger));
        (earlier && same_answer(&ours.answer, &theirs.answer)).then_some(true)
    }
}
