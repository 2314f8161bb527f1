//! The remaining budget, with calls reserved for the judges from the start.

use agon_record::event::{Cap, Reply};
use agon_record::format::Judging;
use agon_record::id::{AskKey, Stage, TurnId};
use agon_record::spec::Seating;
use agon_record::state::{Ask, State, Turn, TurnEnd};

use crate::format;

// About right for English in the o200k vocabulary; `agents/src/transport/call.rs` uses the same
// value if a tool reports nothing. Other scripts take more tokens.
/// The average number of bytes per token.
const BYTES_PER_TOKEN: u64 = 4;
/// The bytes of a prompt for role, rules and contract.
const FRAME_BYTES: u64 = 8_000;
// The length of the longest note, and of both `HALF`s of an output in the prompt crate.
/// Maximum size of one user input in a prompt, in bytes.
const MAX_WORD_BYTES: usize = 8 * 1024;
// Above the 320 to 1,559 tokens of the replies in the debate of `agon demo`, at four bytes per
// token.
/// The tokens reserved for a reply.
const REPLY_TOKENS: u64 = 2_000;

/// Which call a turn needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// The first call that can return a reply.
    First,
    /// A further call, after a failed one or a reply that was sent back.
    Further {
        /// The minimum delay, in milliseconds.
        after_ms: u64,
    },
}

/// The remaining budget during one planning step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    calls: u32,
    tokens: u64,
    /// The remaining tokens for the first round, which is not charged for rejected replies.
    first_round_tokens: u64,
    estimate: u64,
    over: Option<Cap>,
    /// The limit that the debaters have reached.
    capped: Option<Cap>,
    /// The number of judges whose calls are reserved.
    judges: u32,
    /// Judges that have neither ruled nor been lost.
    judges_open: u32,
    /// Judges that were never asked.
    judges_unasked: u32,
    /// Substitutes that may still have to rule; zero once a judge ruled.
    substitutes: u32,
    /// Calls that a debater's second reply must leave for the ruling with the sides swapped.
    swap: u32,
    /// Whether there are too few calls for all remaining turns.
    cut: bool,
    /// The remaining time, in milliseconds.
    time_ms: u64,
    /// The time reserved for one judge after the debaters' deadline, in milliseconds.
    slice_ms: u64,
}

impl Budget {
    /// Computes the remaining budget of the debate.
    pub(crate) fn from_state(state: &State) -> Self {
        let caps = &state.caps;
        let over_cost = caps
            .cost_micros
            .is_some_and(|cap| state.spent.total_cost_micros() >= cap);
        let over = if state.spent.clock_ms >= debater_deadline_ms(state) {
            Some(Cap::Time)
        } else if over_cost {
            Some(Cap::Cost)
        } else {
            None
        };
        let taken = state
            .spent
            .total_tokens()
            .saturating_add(in_flight_tokens(state));
        Self {
            calls: caps.calls.saturating_sub(state.spent.calls),
            tokens: caps.tokens.saturating_sub(taken),
            first_round_tokens: caps
                .tokens
                .saturating_sub(taken.saturating_sub(lost_and_rejected_tokens(state))),
            estimate: estimate_call_tokens(state),
            over,
            capped: state.capped,
            judges: reserved_judge_calls(state),
            judges_open: open_judge_count(state),
            judges_unasked: unasked_judge_count(state),
            substitutes: available_substitute_count(state),
            swap: u32::from(state.is_swap_planned()),
            cut: caps.calls.saturating_sub(state.spent.calls) < remaining_duel_call_count(state),
            time_ms: caps.time_ms.saturating_sub(state.spent.clock_ms),
            slice_ms: reserved_judge_ms(state),
        }
    }

    /// Reserves a call for `key`, or returns the limit that forbids it.
    ///
    /// Judges may use the reserve that others must leave for them, and only the call limit applies
    /// to them: a call that used more tokens than expected must not cost the debate its verdict.
    ///
    /// Every judge that may still rule has a reserved call. A judge that failed is asked once more
    /// only if that leaves a call for each judge that was never asked and for each substitute,
    /// since a different tool is more likely to rule than one that has just failed.
    ///
    /// The ruling with the sides swapped comes after the judges. It leaves a call for each judge
    /// that has not ruled and for every substitute, and is skipped once a limit is reached. A
    /// debater's turn has priority over it, since a missing turn matters more than a missing trial;
    /// only a reply that is sent back leaves its call. A call for a substitute is also left by
    /// replies that are sent back, by retries, and by the turns of a debate that the limit cuts
    /// short in any case. The first round does not leave one, since without it there is nothing to
    /// rule on.
    ///
    /// For the same reason the first round is not charged for rejected replies: their number is
    /// limited by the calls and by the replies that may be sent back.
    pub(crate) fn reserve_call(&mut self, key: AskKey, attempt: Attempt) -> Result<u64, Cap> {
        let (calls, tokens) = match (key.turn.stage, key.turn.seat.is_judge()) {
            (Stage::Swap, _) => {
                if let Some(cap) = self.over.or(self.capped) {
                    return Err(cap);
                }
                let second = self.judges_open + self.substitutes.min(1);
                (1 + second.max(self.substitutes), self.estimate)
            }
            (Stage::Verdict, true) => (1 + self.calls_judge_must_leave(attempt)?, 0),
            (Stage::Theses | Stage::Round(_), true) => (1, 0),
            (Stage::Theses | Stage::Round(_) | Stage::Verdict, false) => {
                if let Some(cap) = self.over {
                    return Err(cap);
                }
                let tokens = u64::from(1 + self.judges).saturating_mul(self.estimate);
                (
                    1 + self.judges + self.calls_debater_must_leave(key, attempt),
                    tokens,
                )
            }
        };
        if self.calls < calls {
            return Err(Cap::Calls);
        }
        if self.tokens_for_stage(key.turn.stage) < tokens {
            return Err(Cap::Tokens);
        }
        self.calls -= 1;
        self.tokens = self.tokens.saturating_sub(self.estimate);
        self.first_round_tokens = self.first_round_tokens.saturating_sub(self.estimate);
        Ok(self.estimate)
    }

    /// Returns the tokens available to a call of `stage`.
    fn tokens_for_stage(&self, stage: Stage) -> u64 {
        match stage {
            Stage::Theses | Stage::Round(0 | 1) => self.first_round_tokens,
            Stage::Round(_) | Stage::Verdict | Stage::Swap => self.tokens,
        }
    }

    /// Returns the calls that a judge must leave for other possible judges.
    fn calls_judge_must_leave(&self, attempt: Attempt) -> Result<u32, Cap> {
        let Attempt::Further { after_ms } = attempt else {
            return Ok(0);
        };
        // If a substitute may have to rule, there must be time for this call and the substitute's.
        let both = self.slice_ms.saturating_mul(2).saturating_add(after_ms);
        if self.substitutes > 0 && self.time_ms < both {
            return Err(Cap::Time);
        }
        Ok(self.judges_unasked + self.substitutes)
    }

    /// Returns the calls that a debater must leave in addition to the judges' own.
    fn calls_debater_must_leave(&self, key: AskKey, attempt: Attempt) -> u32 {
        let substitute = self.substitutes.min(1);
        match (attempt, key.turn.stage) {
            // One call is enough for both: if a substitute needs it, the swap is skipped.
            (Attempt::Further { .. }, _) if key.again > 0 => self.swap.max(substitute),
            (_, Stage::Round(1)) => 0,
            (Attempt::First, _) if !self.cut => 0,
            (Attempt::First | Attempt::Further { .. }, _) => substitute,
        }
    }

    /// Allows a person to answer `key`, or returns the limit that forbids it. A person does not use
    /// calls or tokens, but the debaters' deadline applies to people too.
    pub(crate) fn allow_person(&self, key: AskKey) -> Result<u64, Cap> {
        match self.over {
            Some(cap) if !key.turn.seat.is_judge() => Err(cap),
            Some(_) | None => Ok(0),
        }
    }

    /// Returns how many sent-back replies must remain for the judges if a reply to `turn` is sent
    /// back.
    pub(crate) fn reasks_turn_must_leave(&self, turn: TurnId) -> u32 {
        match turn.stage {
            Stage::Swap => self.judges_open,
            Stage::Theses | Stage::Round(_) | Stage::Verdict => 0,
        }
    }
}

/// Returns the calls reserved for judges: one each in a duel, else one.
fn reserved_judge_calls(state: &State) -> u32 {
    match state.format_rules().judging {
        Judging::AtTheEnd => count_tool_judges(state, |_| true),
        Judging::EachRound => 1,
    }
}

fn open_judge_count(state: &State) -> u32 {
    count_tool_judges(state, |turn| {
        let turn = state.turns.get(&turn);
        turn.is_none_or(|turn| turn.end.is_none())
    })
}

fn unasked_judge_count(state: &State) -> u32 {
    count_tool_judges(state, |turn| !state.turns.contains_key(&turn))
}

/// Returns the remaining calls of a duel, without the ruling with the sides swapped.
fn remaining_duel_call_count(state: &State) -> u32 {
    if state.format_rules().judging == Judging::EachRound {
        return unasked_judge_count(state);
    }
    let blind = format::blind_turns(state).into_iter();
    let turns = blind.chain(format::side_turns(state));
    let called = |turn: &TurnId| !state.seats.get(&turn.seat).is_some_and(Seating::is_human);
    let turns = turns.filter(|turn| called(turn) && !state.turns.contains_key(turn));
    let turns = u32::try_from(turns.count()).unwrap_or(u32::MAX);
    turns.saturating_add(unasked_judge_count(state))
}

/// Returns the number of substitutes that may still have to replace lost judges.
fn available_substitute_count(state: &State) -> u32 {
    if state.rulings().next().is_some() {
        return 0;
    }
    let left = state.spec.substitutes().len();
    u32::try_from(left.saturating_sub(state.lost_judges().len())).unwrap_or(u32::MAX)
}

/// Counts the judges, except people, for whose turns `keep` is true.
fn count_tool_judges(state: &State, keep: impl Fn(TurnId) -> bool) -> u32 {
    let judges = state
        .seats
        .iter()
        .filter(|(seat, seating)| seat.is_judge() && !seating.is_human());
    let judges = judges
        .filter(|&(&seat, _)| keep(TurnId::verdict(seat)))
        .count();
    u32::try_from(judges).unwrap_or(u32::MAX)
}

/// Returns the debaters' deadline on the debate's clock, in milliseconds.
///
/// The rest of the time limit is for the judge: as much as one call may take, but at most a quarter
/// of the total. If a substitute may have to rule, it is as much as two calls may take, but at most
/// a third.
pub fn debater_deadline_ms(state: &State) -> u64 {
    let slices = if can_replace_judge(state) { 2 } else { 1 };
    state
        .caps
        .time_ms
        .saturating_sub(reserved_judge_ms(state).saturating_mul(slices))
}

/// Returns the time reserved for one judge after the debaters' deadline, in milliseconds.
fn reserved_judge_ms(state: &State) -> u64 {
    let parts = if can_replace_judge(state) { 6 } else { 4 };
    state.spec.ask_timeout_ms.min(state.caps.time_ms / parts)
}

/// Returns whether a substitute may replace a lost judge; constant throughout a debate.
fn can_replace_judge(state: &State) -> bool {
    !state.spec.substitutes().is_empty()
}

/// Returns the timeout in milliseconds of a judge's call that starts in `after_ms` and may take
/// `ask_ms`.
///
/// It ends with the debate's time. While a substitute may have to rule, it leaves the time reserved
/// for one judge, or half of the rest.
pub fn judge_timeout_ms(state: &State, ask_ms: u64, after_ms: u64) -> u64 {
    let time = state.caps.time_ms;
    let left = time.saturating_sub(state.spent.clock_ms);
    let left = left.saturating_sub(after_ms);
    let own = match available_substitute_count(state) {
        0 => left,
        _ => left.saturating_sub(reserved_judge_ms(state)).max(left / 2),
    };
    ask_ms.min(own)
}

/// Returns the tokens reserved for running calls.
fn in_flight_tokens(state: &State) -> u64 {
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    asks.filter(|ask| ask.in_flight)
        .filter_map(|ask| Some(ask.asked.as_ref()?.reserved))
        .sum()
}

/// Estimates the tokens of one more call.
///
/// Each reply counts as far as later prompts show it. An open conversation counts like a new one,
/// since its tool reads the stored messages again, which are little more than the whole prompt.
fn estimate_call_tokens(state: &State) -> u64 {
    let context = state
        .spec
        .context
        .texts()
        .iter()
        .map(|text| text.len())
        .sum::<usize>();
    let most = state.format_rules().max_rejected_bytes;
    let turns = state.turns.values();
    let said: usize = turns.map(|turn| visible_turn_bytes(turn, most)).sum();
    let imported: u64 = state.imported_files().values().map(reply_bytes).sum();
    let words = state.words.iter();
    let words: usize = words
        .map(|word| word.text().len().min(MAX_WORD_BYTES))
        .sum();
    let bytes = (state.spec.topic.len() + context + said + words) as u64 + imported;
    (bytes + FRAME_BYTES) / BYTES_PER_TOKEN + REPLY_TOKENS
}

/// Returns the bytes of `turn` that later prompts may show, with at most `max_rejected` bytes of a
/// rejected reply.
fn visible_turn_bytes(turn: &Turn, max_rejected: usize) -> usize {
    let of = |(at, ask): (usize, &Ask)| {
        let whole = ask.reply_text().map_or(0, str::len);
        match &turn.end {
            Some(TurnEnd::Admitted(admitted)) if usize::from(admitted.key.again) == at => {
                let moves = serde_json::to_vec(&admitted.moves);
                moves.map_or(whole, |moves| moves.len().min(whole))
            }
            Some(_) => whole.min(max_rejected),
            None if ask.sent_back.is_some() => whole.min(max_rejected),
            None => whole,
        }
    };
    turn.asks.iter().enumerate().map(of).sum()
}

/// Returns the tokens of failed calls and of replies that are not part of the debate.
fn lost_and_rejected_tokens(state: &State) -> u64 {
    let of = |turn: &Turn| -> u64 {
        let lost = matches!(turn.end, Some(TurnEnd::Lost { .. }));
        let asks = turn.asks.iter().map(|ask| {
            let rejected = lost || ask.sent_back.is_some();
            let given = ask.given.as_ref().filter(|_| rejected);
            let given = given.map_or(0, |given| given.usage.total_tokens());
            ask.lost_tokens.saturating_add(given)
        });
        asks.fold(0, u64::saturating_add)
    };
    state.turns.values().map(of).fold(0, u64::saturating_add)
}

fn reply_bytes(reply: &Reply) -> u64 {
    match reply {
        Reply::Text(text) => text.len() as u64,
        Reply::Blob { bytes, .. } => *bytes,
    }
}
