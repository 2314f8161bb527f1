//! The bounds that a debate runs within.

use std::collections::BTreeMap;

use agon_config::{Settings, default};
use agon_record::event::{Cap, Event};
use agon_record::id::Seat;
use agon_record::spec::{Caps, Seating};
use agon_record::state::State;
use agon_rules::format;

use crate::failure::{Failure, FailureKind};
use crate::request::Bounds;

// As many as the turns of the default two rounds, of which each may be sent back once.
/// Replies that may be sent back in one debate.
const REASKS: u8 = 4;

/// The bounds that `settings` name; `calls` unless they name the calls.
pub(crate) fn caps_from_settings(settings: &Settings, calls: u32) -> Caps {
    Caps {
        calls: settings.max_calls.unwrap_or(calls),
        tokens: settings.max_tokens,
        time_ms: settings.max_time.saturating_mul(1_000),
        cost_micros: settings.max_cost.map(dollars_to_micros),
        reasks: REASKS.into(),
    }
}

/// The fewest calls after which a duel can have a verdict: each side's turns up to its first, and a
/// ruling. A person's turn is not a call.
pub(crate) fn least_calls(seats: &BTreeMap<Seat, Seating>, is_blind: bool) -> u32 {
    let turns = |seat| match seats.get(seat).is_some_and(Seating::is_human) {
        true => 0,
        false if seat.is_judge() || !is_blind => 1,
        false => 2,
    };
    let seats = [Seat::Proposer, Seat::Challenger, Seat::JUDGE];
    seats.iter().map(turns).sum()
}

// The shortest prompts of a duel, of the blind round, have about 900 tokens.
/// The fewest tokens that a call takes.
const MIN_TOKENS_OF_CALL: u64 = 500;

/// Refuses bounds within which no verdict is possible, before anything is spent.
///
/// # Errors
///
/// If the calls or tokens do not reach for the `least` calls that a verdict takes.
pub(crate) fn refuse_impossible_caps(caps: &Caps, planned: u32, least: u32) -> Result<(), Failure> {
    let least_tokens = u64::from(least) * MIN_TOKENS_OF_CALL;
    let refuse = |parameter: &str, message: String, hint: String| {
        let failure = Failure::new(FailureKind::Usage, "impossible_bound", message);
        Err(failure.parameter(parameter).hint(hint))
    };
    if caps.calls < least {
        let whole = planned + default::SPARE_CALLS;
        return refuse(
            "max-calls",
            format!(
                "a verdict takes at least {least} calls here, and {} are allowed",
                caps.calls
            ),
            format!("--max-calls {whole} leaves room for the whole plan; --quick takes 3"),
        );
    }
    if caps.tokens < least_tokens {
        return refuse(
            "max-tokens",
            format!(
                "a verdict takes at least {least_tokens} tokens here, and {} are allowed",
                caps.tokens
            ),
            format!("the default is --max-tokens {}", default::MAX_TOKENS),
        );
    }
    Ok(())
}

/// The bounds of one run, added to what the debate has spent so far.
pub(crate) fn caps_plus_spent(state: &State, run: Caps) -> Caps {
    let spent = &state.spent;
    Caps {
        calls: spent.calls.saturating_add(run.calls),
        tokens: spent.total_tokens().saturating_add(run.tokens),
        time_ms: spent.clock_ms.saturating_add(run.time_ms),
        cost_micros: run
            .cost_micros
            .map(|cost| cost.saturating_add(spent.total_cost_micros())),
        reasks: state.sent_back.saturating_add(REASKS.into()),
    }
}

/// The bounds of a debate from here on: those `before`, but for what is asked for.
///
/// In a formal debate they bound what is spent from here on.
pub(crate) fn caps_on_resume(bounds: &Bounds, state: &State, before: Caps) -> Caps {
    let spent = &state.spent;
    let [calls, tokens, time_ms, cost] =
        match format::format_by_name(state.spec.format()).has_per_run_caps() {
            false => [0; 4],
            true => [
                spent.calls.into(),
                spent.total_tokens(),
                spent.clock_ms,
                spent.total_cost_micros(),
            ],
        };
    let max_calls = bounds.max_calls.map(|max| calls.saturating_add(max.into()));
    let max_time = bounds.max_time.map(|seconds| seconds.saturating_mul(1_000));
    Caps {
        calls: max_calls.map_or(before.calls, |max| u32::try_from(max).unwrap_or(u32::MAX)),
        tokens: bounds
            .max_tokens
            .map_or(before.tokens, |max| tokens.saturating_add(max)),
        time_ms: max_time.map_or(before.time_ms, |max| time_ms.saturating_add(max)),
        cost_micros: bounds
            .max_cost
            .map(|max| cost.saturating_add(dollars_to_micros(max)))
            .or(before.cost_micros),
        reasks: before.reasks,
    }
}

/// The bounds of a record, as far as its user lets them hold: up to those of a run of the user's
/// own (`own`), added to what was spent, or up to those that the user `granted` this debate.
pub(crate) fn limit_recorded_caps(state: &State, own: Caps, granted: Option<Caps>) -> Caps {
    let of_run = caps_plus_spent(state, own);
    let allowed = granted.map_or(of_run, |granted| larger_caps(granted, of_run));
    let recorded = state.caps;
    Caps {
        calls: recorded.calls.min(allowed.calls),
        tokens: recorded.tokens.min(allowed.tokens),
        time_ms: recorded.time_ms.min(allowed.time_ms),
        cost_micros: match (recorded.cost_micros, allowed.cost_micros) {
            (Some(recorded), Some(allowed)) => Some(recorded.min(allowed)),
            (recorded, allowed) => recorded.or(allowed),
        },
        reasks: recorded.reasks.min(allowed.reasks),
    }
}

/// The larger of each two bounds.
pub(crate) fn larger_caps(one: Caps, other: Caps) -> Caps {
    Caps {
        calls: one.calls.max(other.calls),
        tokens: one.tokens.max(other.tokens),
        time_ms: one.time_ms.max(other.time_ms),
        // None: unbounded.
        cost_micros: one
            .cost_micros
            .zip(other.cost_micros)
            .map(|(one, other)| one.max(other)),
        reasks: one.reasks.max(other.reasks),
    }
}

/// A copy of `state` with `event` applied.
pub(crate) fn with_event(state: &State, event: &Event) -> State {
    let mut state = state.clone();
    // Only an opening can be refused.
    state.apply(event).unwrap_or_default();
    state
}

/// Millionths of a dollar.
fn dollars_to_micros(dollars: f64) -> u64 {
    (dollars.max(0.0) * 1e6) as u64
}

/// What to give a debate that met the bound `cap`, as the value of its flag: on calls what is needed to
/// the end, on all else as much again. Bounds of a duel hold for all of it, those of a formal debate for
/// what comes.
pub(crate) fn flag_value_to_go_on(state: &State, cap: Cap) -> String {
    let (spent, times) = match format::format_by_name(state.spec.format()).has_per_run_caps() {
        true => (0, 1),
        false => (state.spent.calls, 2),
    };
    let caps = &state.caps;
    match cap {
        Cap::Calls => spent.saturating_add(calls_to_go_on(state)).to_string(),
        Cap::Tokens => caps.tokens.saturating_mul(times).to_string(),
        Cap::Time => format!("{}m", caps.time_ms.saturating_mul(times).div_ceil(60_000)),
        Cap::Cost => {
            let micros = caps.cost_micros.unwrap_or_default().saturating_mul(times);
            let cents = micros.div_ceil(10_000);
            format!("{}.{:02}", cents / 100, cents % 100)
        }
    }
}

fn calls_to_go_on(state: &State) -> u32 {
    format::remaining_calls(state).saturating_add(default::SPARE_CALLS)
}

/// The bounds with which what is left can be asked, although calls were lost.
pub(crate) fn caps_to_go_on(state: &State) -> Caps {
    let calls = calls_to_go_on(state);
    Caps {
        calls: state
            .caps
            .calls
            .max(state.spent.calls.saturating_add(calls)),
        reasks: state
            .caps
            .reasks
            .max(state.sent_back.saturating_add(REASKS.into())),
        ..state.caps
    }
}
