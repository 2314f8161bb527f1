//! What may still be spent, with the judge's call set aside from the start.

use crate::event::{Cap, Reply};
use crate::id::TurnId;
use crate::spec::Context;
use crate::state::State;

/// Bytes that make one token, on average.
const BYTES_PER_TOKEN: u64 = 4;
/// Bytes of a prompt that are ours: role, rules, contract.
const FRAME_BYTES: u64 = 8_000;
/// Tokens a reply may take.
const REPLY_TOKENS: u64 = 2_000;

/// What may still be spent while one plan is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    calls: u32,
    tokens: u64,
    estimate: u64,
    over: Option<Cap>,
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
        }
    }

    /// Sets a call aside for `turn`, or says which bound forbids it.
    ///
    /// The judge may use what the others must leave for it, and is bound by
    /// calls alone: a call that took more tokens than it was thought to must
    /// not cost the debate its verdict.
    pub(crate) fn take(&mut self, turn: TurnId) -> Result<u64, Cap> {
        let judge = turn.seat.judges();
        if let Some(cap) = self.over.filter(|_| !judge) {
            return Err(cap);
        }
        let (calls, tokens) = if judge {
            (1, 0)
        } else {
            (2, self.estimate.saturating_mul(2))
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
fn estimate(state: &State) -> u64 {
    let context = match &state.spec.context {
        Context::None => 0,
        Context::Diff { text, .. } | Context::File { text, .. } => text.len(),
    };
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    let said: usize = asks.filter_map(|ask| Some(ask.text()?.len())).sum();
    let imported: u64 = state.imported.values().map(reply_bytes).sum();
    let bytes = (state.spec.topic.len() + context + said) as u64 + imported;
    (bytes + FRAME_BYTES) / BYTES_PER_TOKEN + REPLY_TOKENS
}

fn reply_bytes(reply: &Reply) -> u64 {
    match reply {
        Reply::Text(text) => text.len() as u64,
        Reply::Blob { bytes, .. } => *bytes,
    }
}
