//! The limits of one debate.

use std::collections::BTreeMap;

use agon_caller::bounds::Bounds;
use agon_caller::hint::{flag, flag_with};
use agon_caller::{Code, Failure, Hint};
use agon_config::{Settings, default};
use agon_record::event::{Cap, Event};
use agon_record::id::Seat;
use agon_record::spec::{Caps, Seating};
use agon_record::state::State;
use agon_report::text::{count_with_noun, format_dollars};
use agon_rules::format;
use agon_rules::plan::{Plan, plan};

// One for each turn of the two rounds that a duel has by default.
/// Maximum number of replies that are sent back in one debate.
const REASKS: u8 = 4;

/// Returns the limits in `settings`; `calls` is the default for the number of calls.
pub(crate) fn caps_from_settings(settings: &Settings, calls: u32) -> Caps {
    Caps {
        calls: settings.max_calls.unwrap_or(calls),
        tokens: settings.max_tokens,
        time_ms: settings.max_time.saturating_mul(1_000),
        cost_micros: settings.max_cost.map(dollars_to_micros),
        reasks: REASKS.into(),
    }
}

/// Returns the fewest calls after which a duel can have a verdict: each side's turns up to its
/// first, and one ruling. A person's turn is not a call.
pub(crate) fn least_calls(seats: &BTreeMap<Seat, Seating>, is_blind: bool) -> u32 {
    let turns = |seat| match seats.get(seat).is_some_and(Seating::is_human) {
        true => 0,
        false if seat.is_judge() || !is_blind => 1,
        false => 2,
    };
    let seats = [Seat::Proposer, Seat::Challenger, Seat::JUDGE];
    seats.iter().map(turns).sum()
}

// About half of the shortest prompts of a duel, those of the blind round, which have 900 tokens.
/// The fewest tokens that a call uses.
const MIN_TOKENS_OF_CALL: u64 = 500;

/// Rejects limits that are too low for a verdict, before anything is spent.
///
/// # Errors
///
/// If the calls or tokens do not allow the `least` calls that a verdict needs.
pub(crate) fn refuse_impossible_caps(caps: &Caps, planned: u32, least: u32) -> Result<(), Failure> {
    let least_tokens = u64::from(least) * MIN_TOKENS_OF_CALL;
    let refuse = |parameter: &str, message: String, hint: Hint| {
        let failure = Failure::new(Code::ImpossibleBound, message);
        Err(failure.parameter(parameter).hint(hint))
    };
    if caps.calls < least {
        let whole = planned + default::SPARE_CALLS;
        return refuse(
            "max-calls",
            format!(
                "a verdict needs at least {least} calls here, but the limit is {}",
                caps.calls
            ),
            flag_with("max-calls", whole)
                .text(" allows the whole plan")
                .then(flag("quick").text(" needs 3")),
        );
    }
    if caps.tokens < least_tokens {
        return refuse(
            "max-tokens",
            format!(
                "a verdict needs at least {least_tokens} tokens here, but the limit is {}",
                caps.tokens
            ),
            Hint::new("the default is ").flag_with("max-tokens", default::MAX_TOKENS),
        );
    }
    Ok(())
}

/// Adds the limits of one run to what the debate has already spent.
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

/// Returns the limits of a resumed debate: `before`, except where another limit is requested.
///
/// In a formal debate, requested limits apply to what is spent from now on.
pub(crate) fn caps_on_resume(bounds: &Bounds, state: &State, before: Caps) -> Caps {
    let spent = &state.spent;
    let [calls, tokens, time_ms, cost] = match format::format_of(state).has_per_run_caps() {
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

/// Rejects limits that would end the debate at once.
///
/// # Errors
///
/// If a requested limit is already spent, or leaves no room for the next call.
pub(crate) fn refuse_spent_bounds(bounds: &Bounds, state: &State) -> Result<(), Failure> {
    if state.closed.is_some() {
        return Ok(());
    }
    refuse_spent_caps(bounds, caps_on_resume(bounds, state, state.caps), state)
}

/// Like [`refuse_spent_bounds`], for the `caps` of the resumed debate.
///
/// # Errors
///
/// As [`refuse_spent_bounds`].
pub(crate) fn refuse_spent_caps(bounds: &Bounds, caps: Caps, state: &State) -> Result<(), Failure> {
    let asked = [
        (Cap::Calls, bounds.max_calls.is_some()),
        (Cap::Tokens, bounds.max_tokens.is_some()),
        (Cap::Time, bounds.max_time.is_some()),
        (Cap::Cost, bounds.max_cost.is_some()),
    ];
    let ends = |cap: &Cap| would_end_at_once(state, caps, *cap);
    let asked = asked
        .into_iter()
        .filter_map(|(cap, is_asked)| is_asked.then_some(cap));
    let Some(cap) = asked.into_iter().find(ends) else {
        return Ok(());
    };
    let name = cap.name();
    let spent = &state.spent;
    let spent = match cap {
        Cap::Calls => count_with_noun(spent.calls, "call"),
        Cap::Tokens => format!("{} tokens", spent.total_tokens()),
        Cap::Time => format!("{} s", spent.clock_ms.div_ceil(1_000)),
        Cap::Cost => format_dollars(spent.total_cost_micros() as f64 / 1e6),
    };
    let message = format!("max-{name} is too low: the debate already used {spent}");
    let failure = Failure::new(Code::ImpossibleBound, message);
    let name = format!("max-{name}");
    let hint = flag_with(name.clone(), flag_value_to_continue(state, cap))
        .text(" is enough for the remaining calls")
        .then("without the flag, the debate keeps its limits");
    Err(failure.parameter(name).hint(hint))
}

/// Returns whether the debate `state` with the limits `caps` would reach `cap` before another call.
fn would_end_at_once(state: &State, caps: Caps, cap: Cap) -> bool {
    let spent = &state.spent;
    let is_spent = match cap {
        Cap::Calls => spent.calls >= caps.calls,
        Cap::Tokens => spent.total_tokens() >= caps.tokens,
        Cap::Time => spent.clock_ms >= caps.time_ms,
        Cap::Cost => caps
            .cost_micros
            .is_some_and(|most| spent.total_cost_micros() >= most),
    };
    let after = with_event(state, &Event::resumed(caps));
    let ended = Event::Capped { cap };
    is_spent || matches!(plan(&after), Plan::Decide(events) if events.contains(&ended))
}

/// Caps the limits of a record: at what was spent plus the limits of a run of the user's own
/// (`own`), or at what the user `granted` this debate if that is more.
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

/// Returns the larger of each pair of limits.
pub(crate) fn larger_caps(one: Caps, other: Caps) -> Caps {
    Caps {
        calls: one.calls.max(other.calls),
        tokens: one.tokens.max(other.tokens),
        time_ms: one.time_ms.max(other.time_ms),
        // `None` means unlimited, so it is the larger one.
        cost_micros: one
            .cost_micros
            .zip(other.cost_micros)
            .map(|(one, other)| one.max(other)),
        reasks: one.reasks.max(other.reasks),
    }
}

/// Returns a copy of `state` with `event` applied.
pub(crate) fn with_event(state: &State, event: &Event) -> State {
    state.clone().with_events([event])
}

/// Converts dollars to millionths of a dollar.
fn dollars_to_micros(dollars: f64) -> u64 {
    (dollars.max(0.0) * 1e6) as u64
}

/// Returns the flag value that lets a debate continue after it reached `cap`. For calls, this is
/// what the rest needs; otherwise, as much again, or more if that would end it at once. The limits
/// of a duel cover the whole debate, the limits of a formal debate only the turns to come.
pub(crate) fn flag_value_to_continue(state: &State, cap: Cap) -> String {
    let spent = &state.spent;
    let is_per_run = format::format_of(state).has_per_run_caps();
    let (caps, before) = (state.caps, if is_per_run { 0 } else { spent.calls });
    let (bound, used) = match cap {
        Cap::Calls => return before.saturating_add(calls_to_continue(state)).to_string(),
        Cap::Tokens => (caps.tokens, spent.total_tokens()),
        Cap::Time => (caps.time_ms, spent.clock_ms),
        Cap::Cost => (
            caps.cost_micros.unwrap_or_default(),
            spent.total_cost_micros(),
        ),
    };
    let mut wanted = match is_per_run {
        true => bound.max(1),
        false => bound.max(used).max(1).saturating_mul(2),
    };
    let ends = |wanted: u64| {
        let all = if is_per_run {
            used.saturating_add(wanted)
        } else {
            wanted
        };
        let caps = match cap {
            Cap::Calls => caps,
            Cap::Tokens => Caps {
                tokens: all,
                ..caps
            },
            Cap::Time => Caps {
                time_ms: all,
                ..caps
            },
            Cap::Cost => Caps {
                cost_micros: Some(all),
                ..caps
            },
        };
        would_end_at_once(state, caps, cap)
    };
    while wanted < u64::MAX / 2 && ends(wanted) {
        wanted *= 2;
    }
    match cap {
        Cap::Calls | Cap::Tokens => wanted.to_string(),
        Cap::Time => format!("{}m", wanted.div_ceil(60_000)),
        Cap::Cost => {
            let cents = wanted.div_ceil(10_000);
            format!("{}.{:02}", cents / 100, cents % 100)
        }
    }
}

fn calls_to_continue(state: &State) -> u32 {
    format::remaining_calls(state).saturating_add(default::SPARE_CALLS)
}

/// Returns limits that allow the remaining calls although some calls were lost.
pub(crate) fn caps_to_continue(state: &State) -> Caps {
    let calls = calls_to_continue(state);
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

#[cfg(test)]
mod tests {
    use agon_record::event::{Outcome, Usage};
    use agon_record::id::TurnId;
    use agon_record::state::ToolSpent;
    use agon_samples::duel;

    use super::*;

    /// Returns a duel before its second round that has spent this much.
    fn halfway() -> State {
        let mut state = duel::job_store(2, TurnId::round(2, Seat::Proposer));
        state.spent.clock_ms = 90_000;
        let spent = ToolSpent {
            usage: Usage {
                input: 6_000,
                cost_micros: Some(250_000),
                ..Usage::default()
            },
            ..ToolSpent::default()
        };
        state.spent.tools = [("claude".parse().unwrap(), spent)].into();
        state
    }

    fn bounds(cap: Cap, value: &str) -> Bounds {
        let number = || value.parse().unwrap();
        let none = Bounds::default();
        match cap {
            Cap::Calls => Bounds {
                max_calls: value.parse().ok(),
                ..none
            },
            Cap::Tokens => Bounds {
                max_tokens: Some(number()),
                ..none
            },
            Cap::Time => Bounds {
                max_time: agon_config::parse_seconds(value).ok(),
                ..none
            },
            Cap::Cost => Bounds {
                max_cost: value.parse().ok(),
                ..none
            },
        }
    }

    #[test]
    fn a_bound_that_is_spent_is_refused_and_the_one_that_is_offered_works() {
        let state = halfway();
        for (cap, value, spent) in [
            (Cap::Calls, "2", "calls"),
            (Cap::Tokens, "100", "6000 tokens"),
            (Cap::Tokens, "6000", "6000 tokens"),
            // No room for one more call and the judge's.
            (Cap::Tokens, "6100", "6000 tokens"),
            (Cap::Time, "60s", "90 s"),
            (Cap::Cost, "0.25", "$0.25"),
        ] {
            let refused = refuse_spent_bounds(&bounds(cap, value), &state).unwrap_err();
            assert_eq!(refused.code, Code::ImpossibleBound, "{cap:?} {value}");
            assert!(refused.message.contains(spent), "{}", refused.message);
            let hint = refused.hint.unwrap().typed();
            let offered = hint.split(' ').nth(1).unwrap();
            let offered = bounds(cap, offered);
            assert_eq!(refuse_spent_bounds(&offered, &state).err(), None, "{hint}");
        }
        assert_eq!(refuse_spent_bounds(&Bounds::default(), &state).err(), None);
    }

    #[test]
    fn what_goes_on_after_a_bound_is_more_than_what_was_spent() {
        let mut state = halfway();
        state.caps.tokens = 100;
        let wanted: u64 = flag_value_to_continue(&state, Cap::Tokens).parse().unwrap();
        assert!(wanted > 6_000, "{wanted}");
        state.caps.cost_micros = Some(1);
        let wanted: f64 = flag_value_to_continue(&state, Cap::Cost).parse().unwrap();
        assert!(wanted > 0.25, "{wanted}");
    }

    #[test]
    fn the_bounds_of_a_duel_that_is_reopened_are_refused_where_they_are_spent() {
        let mut closed = halfway();
        closed.closed = Some(Outcome::Uncontested);
        let tokens = bounds(Cap::Tokens, "100");
        let caps = caps_on_resume(&tokens, &closed, closed.caps);
        let reopened = with_event(
            &closed,
            &Event::Continued {
                through: closed.planned_rounds(),
                seats: closed.seats.clone(),
                caps,
                standby: closed.standby(),
            },
        );
        assert_eq!(reopened.closed, None);
        let refused = refuse_spent_caps(&tokens, caps, &reopened).unwrap_err();
        assert_eq!(refused.code, Code::ImpossibleBound);
        let enough = bounds(Cap::Tokens, "250000");
        let caps = caps_on_resume(&enough, &closed, closed.caps);
        assert_eq!(refuse_spent_caps(&enough, caps, &reopened).err(), None);
    }
}
