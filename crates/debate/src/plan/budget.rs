//! What may still be spent, with the judges' calls set aside from the start.

use crate::event::{Cap, Reply};
use crate::id::{AskKey, Stage, TurnId};
use crate::spec::FormatName;
use crate::state::State;

/// Bytes that make one token, on average.
const BYTES_PER_TOKEN: u64 = 4;
/// Bytes of a prompt that are ours: role, rules, contract.
const FRAME_BYTES: u64 = 8_000;
/// Bytes of what the user put in at once that a prompt shows.
const MOST_WORD_BYTES: usize = 8 * 1024;
/// Tokens a reply may take.
const REPLY_TOKENS: u64 = 2_000;

/// What may still be spent while one plan is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    calls: u32,
    tokens: u64,
    estimate: u64,
    over: Option<Cap>,
    /// The bound that the debaters have met.
    capped: Option<Cap>,
    /// Judges whose calls the debaters leave.
    judges: u32,
    /// Those that have neither ruled nor been lost.
    judges_open: u32,
    /// Calls that a debater's second reply to one turn leaves for the swap.
    swap: u32,
}

impl Budget {
    /// What is left of the debate's bounds.
    pub(crate) fn of(state: &State) -> Self {
        let caps = &state.caps;
        let over_cost = caps
            .cost_micros
            .is_some_and(|cap| state.spent.cost_micros() >= cap);
        let over = if state.spent.clock_ms >= debaters_until_ms(state) {
            Some(Cap::Time)
        } else if over_cost {
            Some(Cap::Cost)
        } else {
            None
        };
        Self {
            calls: caps.calls.saturating_sub(state.spent.calls),
            tokens: caps
                .tokens
                .saturating_sub(state.spent.tokens())
                .saturating_sub(in_flight(state)),
            estimate: estimate(state),
            over,
            capped: state.capped,
            judges: judges(state),
            judges_open: judges_open(state),
            swap: u32::from(state.swaps()),
        }
    }

    /// Sets a call aside for `key`, or says which bound forbids it.
    ///
    /// The judges may use what the others must leave for them, and are bound by
    /// calls alone: a call that took more tokens than it was thought to must
    /// not cost the debate its verdict.
    ///
    /// The swap comes after the judges: it leaves a call for each that has not
    /// ruled yet, and has none once a bound is reached. A debater's turn comes
    /// before it, since a turn that is missing weighs more than a trial that is;
    /// only what is sent back leaves its call.
    pub(crate) fn take(&mut self, key: AskKey) -> Result<u64, Cap> {
        let (calls, tokens) = match (key.turn.stage, key.turn.seat.judges()) {
            (Stage::Swap, _) => {
                if let Some(cap) = self.over.or(self.capped) {
                    return Err(cap);
                }
                (1 + self.judges_open, self.estimate)
            }
            (Stage::Theses | Stage::Round(_) | Stage::Verdict, true) => (1, 0),
            (Stage::Theses | Stage::Round(_) | Stage::Verdict, false) => {
                if let Some(cap) = self.over {
                    return Err(cap);
                }
                let swap = if key.again > 0 { self.swap } else { 0 };
                let tokens = u64::from(1 + self.judges).saturating_mul(self.estimate);
                (1 + self.judges + swap, tokens)
            }
        };
        if self.calls < calls {
            return Err(Cap::Calls);
        }
        if self.tokens < tokens {
            return Err(Cap::Tokens);
        }
        self.calls -= 1;
        self.tokens = self.tokens.saturating_sub(self.estimate);
        Ok(self.estimate)
    }

    /// Lets a person speak for `key`, or says which bound forbids it: they cost neither calls nor
    /// tokens, but a debater among them falls silent with the others.
    pub(crate) fn hear(&self, key: AskKey) -> Result<u64, Cap> {
        match self.over {
            Some(cap) if !key.turn.seat.judges() => Err(cap),
            Some(_) | None => Ok(0),
        }
    }

    /// Replies that must stay to be sent back when one to `turn` is.
    pub(crate) fn reasks_left_by(&self, turn: TurnId) -> u32 {
        match turn.stage {
            Stage::Swap => self.judges_open,
            Stage::Theses | Stage::Round(_) | Stage::Verdict => 0,
        }
    }
}

/// Calls that are set aside for judges: one each in a duel, one in a formal debate.
fn judges(state: &State) -> u32 {
    match state.spec.format {
        FormatName::Duel => count(state, |_| true),
        FormatName::Formal => 1,
    }
}

fn judges_open(state: &State) -> u32 {
    count(state, |turn| {
        let turn = state.turns.get(&turn);
        turn.is_none_or(|turn| turn.end.is_none())
    })
}

fn count(state: &State, keep: impl Fn(TurnId) -> bool) -> u32 {
    let judges = state
        .seats
        .iter()
        .filter(|(seat, seating)| seat.judges() && !seating.is_human());
    let judges = judges
        .filter(|&(&seat, _)| keep(TurnId::verdict(seat)))
        .count();
    u32::try_from(judges).unwrap_or(u32::MAX)
}

/// The debate's clock at which the debaters fall silent, in milliseconds.
///
/// The rest of the time bound is the judge's: as much as one ask may take, but
/// at most a quarter of the whole.
pub fn debaters_until_ms(state: &State) -> u64 {
    let time = state.caps.time_ms;
    time.saturating_sub(state.spec.ask_timeout_ms.min(time / 4))
}

/// Tokens set aside for calls that are under way.
fn in_flight(state: &State) -> u64 {
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    asks.filter(|ask| ask.in_flight)
        .filter_map(|ask| Some(ask.asked.as_ref()?.reserved))
        .sum()
}

/// Tokens that one more call may take.
///
/// In an open conversation as many as in a fresh one: its tool reads again what it holds, and that
/// is no more than the whole prompt and what the seat said itself.
fn estimate(state: &State) -> u64 {
    let context = state.spec.context.text().map_or(0, str::len);
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    let said: usize = asks.filter_map(|ask| Some(ask.text()?.len())).sum();
    let imported: u64 = state.imported.values().map(reply_bytes).sum();
    let words = state.words.iter();
    let words: usize = words
        .map(|word| word.text().len().min(MOST_WORD_BYTES))
        .sum();
    let bytes = (state.spec.topic.len() + context + said + words) as u64 + imported;
    (bytes + FRAME_BYTES) / BYTES_PER_TOKEN + REPLY_TOKENS
}

fn reply_bytes(reply: &Reply) -> u64 {
    match reply {
        Reply::Text(text) => text.len() as u64,
        Reply::Blob { bytes, .. } => *bytes,
    }
}
