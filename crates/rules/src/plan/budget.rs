//! What may still be spent, with the judges' calls set aside from the start.

use agon_record::event::{Cap, Reply};
use agon_record::format::Judging;
use agon_record::id::{AskKey, Stage, TurnId};
use agon_record::spec::Seating;
use agon_record::state::{Ask, State, Turn, TurnEnd};

use crate::format;

// About right for English in the o200k vocabulary, and what `agents/src/transport/call.rs` counts
// with where a tool reports nothing. Other scripts take more tokens than this says.
/// Bytes that make one token, on average.
const BYTES_PER_TOKEN: u64 = 4;
/// Bytes of a prompt that are ours: role, rules, contract.
const FRAME_BYTES: u64 = 8_000;
// As long as the longest note, and both `HALF`s of an output in `prompt/src/words.rs`.
/// Bytes of what the user put in at once that a prompt shows.
const MAX_WORD_BYTES: usize = 8 * 1024;
// The replies in the debate of `agon demo` took 320 to 1,559 tokens, by the count of four bytes
// each.
/// Tokens a reply may take.
const REPLY_TOKENS: u64 = 2_000;

/// Which of its calls a turn needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// The first one that can bring a reply.
    First,
    /// One more, after one that brought no reply or one that is sent back.
    Further {
        /// Not sooner than in so many milliseconds.
        after_ms: u64,
    },
}

/// What may still be spent while one plan is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    calls: u32,
    tokens: u64,
    /// As many and what rejected replies cost.
    first_round_tokens: u64,
    estimate: u64,
    over: Option<Cap>,
    /// The bound that the debaters have met.
    capped: Option<Cap>,
    /// Judges whose calls the debaters leave.
    judges: u32,
    /// Those that have neither ruled nor been lost.
    judges_open: u32,
    /// Those that were never asked.
    judges_unasked: u32,
    /// Substitutes who may yet have to rule; none once a judge ruled.
    substitutes: u32,
    /// Calls that a debater's second reply to one turn leaves for the swap.
    swap: u32,
    /// Whether the calls are too few for every turn that was not asked for yet.
    cut: bool,
    /// What is left of the time, in milliseconds.
    time_ms: u64,
    /// What one judge has of it when the debaters fall silent, in milliseconds.
    slice_ms: u64,
}

impl Budget {
    /// What is left of the debate's bounds.
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
            cut: caps.calls.saturating_sub(state.spent.calls) < unmade_call_count(state),
            time_ms: caps.time_ms.saturating_sub(state.spent.clock_ms),
            slice_ms: judge_slice_ms(state),
        }
    }

    /// Sets a call aside for `key`, or says which bound forbids it.
    ///
    /// The judges may use what the others must leave for them, and are bound by
    /// calls alone: a call that took more tokens than it was thought to must
    /// not cost the debate its verdict.
    ///
    /// Every judge that may yet rule has a call set aside that nothing else can take: a judge that brought
    /// nothing is asked once more only where that leaves one for each judge that was never asked
    /// and for each substitute. Another tool that was not asked is likelier to rule than one that
    /// has just failed.
    ///
    /// The swap comes after the judges: it leaves a call for each that has not
    /// ruled yet and for every substitute, and has none once a bound is reached. A
    /// debater's turn comes before it, since a turn that is missing weighs more than a trial that
    /// is; only what is sent back leaves its call. A call for a substitute is left too by what is
    /// sent back or tried again, and by the turns of a debate that the bound cuts short in any
    /// case; not by the first round, without which there is nothing to rule on.
    ///
    /// For the same reason the first round is not charged for replies that were rejected: their
    /// number is bounded by the calls and by what may be sent back.
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

    /// The tokens that a call of `stage` may count on.
    fn tokens_for_stage(&self, stage: Stage) -> u64 {
        match stage {
            Stage::Theses | Stage::Round(0 | 1) => self.first_round_tokens,
            Stage::Round(_) | Stage::Verdict | Stage::Swap => self.tokens,
        }
    }

    /// The calls that a judge leaves for others who may rule.
    fn calls_judge_must_leave(&self, attempt: Attempt) -> Result<u32, Cap> {
        let Attempt::Further { after_ms } = attempt else {
            return Ok(0);
        };
        // Where a substitute may have to rule, time is left for this call and for theirs.
        let both = self.slice_ms.saturating_mul(2).saturating_add(after_ms);
        if self.substitutes > 0 && self.time_ms < both {
            return Err(Cap::Time);
        }
        Ok(self.judges_unasked + self.substitutes)
    }

    /// The calls that a debater leaves besides the judges' own.
    fn calls_debater_must_leave(&self, key: AskKey, attempt: Attempt) -> u32 {
        let substitute = self.substitutes.min(1);
        match (attempt, key.turn.stage) {
            // The swap gives way to a substitute, so one call is enough for both.
            (Attempt::Further { .. }, _) if key.again > 0 => self.swap.max(substitute),
            (_, Stage::Round(1)) => 0,
            (Attempt::First, _) if !self.cut => 0,
            (Attempt::First | Attempt::Further { .. }, _) => substitute,
        }
    }

    /// Lets a person speak for `key`, or says which bound forbids it: they cost neither calls nor
    /// tokens, but a debater among them falls silent with the others.
    pub(crate) fn allow_person(&self, key: AskKey) -> Result<u64, Cap> {
        match self.over {
            Some(cap) if !key.turn.seat.is_judge() => Err(cap),
            Some(_) | None => Ok(0),
        }
    }

    /// Replies that must stay to be sent back when one to `turn` is.
    pub(crate) fn reasks_turn_must_leave(&self, turn: TurnId) -> u32 {
        match turn.stage {
            Stage::Swap => self.judges_open,
            Stage::Theses | Stage::Round(_) | Stage::Verdict => 0,
        }
    }
}

/// Calls that are set aside for judges: one each where they rule at the end, else one.
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

/// The calls of a debate with an end that were not made yet, without the swap's.
fn unmade_call_count(state: &State) -> u32 {
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

/// Those who may yet have to rule in place of judges that are lost.
fn available_substitute_count(state: &State) -> u32 {
    if state.rulings().next().is_some() {
        return 0;
    }
    let left = state.spec.substitutes().len();
    u32::try_from(left.saturating_sub(state.lost_judges().len())).unwrap_or(u32::MAX)
}

/// How many judges there are, persons left out, of whose rulings `keep` is true.
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

/// The debate's clock at which the debaters fall silent, in milliseconds.
///
/// The rest of the time bound is the judge's: as much as one ask may take, but
/// at most a quarter of the whole. Where another may rule in its place, as much as two may take,
/// but at most a third.
pub fn debater_deadline_ms(state: &State) -> u64 {
    let slices = if can_replace_judge(state) { 2 } else { 1 };
    state
        .caps
        .time_ms
        .saturating_sub(judge_slice_ms(state).saturating_mul(slices))
}

/// What one judge has when the debaters fall silent, in milliseconds.
fn judge_slice_ms(state: &State) -> u64 {
    let parts = if can_replace_judge(state) { 6 } else { 4 };
    state.spec.ask_timeout_ms.min(state.caps.time_ms / parts)
}

/// Whether a substitute may rule in place of a judge that is lost; the same throughout a debate.
fn can_replace_judge(state: &State) -> bool {
    !state.spec.substitutes().is_empty()
}

/// Time for one call of a judge that begins in `after_ms` and may take `ask_ms`, in milliseconds.
///
/// It ends with the debate's time. While another may have to rule, it leaves them as much as
/// one judge has when the debaters fall silent, or half of what is left.
pub fn judge_timeout_ms(state: &State, ask_ms: u64, after_ms: u64) -> u64 {
    let time = state.caps.time_ms;
    let left = time.saturating_sub(state.spent.clock_ms);
    let left = left.saturating_sub(after_ms);
    let own = match available_substitute_count(state) {
        0 => left,
        _ => left.saturating_sub(judge_slice_ms(state)).max(left / 2),
    };
    ask_ms.min(own)
}

/// Tokens set aside for calls that are under way.
fn in_flight_tokens(state: &State) -> u64 {
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    asks.filter(|ask| ask.in_flight)
        .filter_map(|ask| Some(ask.asked.as_ref()?.reserved))
        .sum()
}

/// Tokens that one more call may take.
///
/// Of each reply as much as later prompts show. In an open conversation as many as in a fresh one:
/// its tool reads again what it holds, and that is little more than the whole prompt.
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

/// Bytes of what was said in `turn` that later prompts may show, with at most so many of a reply
/// that was rejected.
fn visible_turn_bytes(turn: &Turn, most_rejected: usize) -> usize {
    let of = |(at, ask): (usize, &Ask)| {
        let whole = ask.reply_text().map_or(0, str::len);
        match &turn.end {
            Some(TurnEnd::Admitted(admitted)) if usize::from(admitted.key.again) == at => {
                let moves = serde_json::to_vec(&admitted.moves);
                moves.map_or(whole, |moves| moves.len().min(whole))
            }
            Some(_) => whole.min(most_rejected),
            None if ask.sent_back.is_some() => whole.min(most_rejected),
            None => whole,
        }
    };
    turn.asks.iter().enumerate().map(of).sum()
}

/// Tokens of calls that brought no reply, and of replies that are no part of the debate.
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
