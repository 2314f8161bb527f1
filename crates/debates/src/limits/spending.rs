//! Token limits: per day for unattended runs, and per month for everything.
//!
//! A model can start one debate after another, each within its own limits. Agon therefore counts
//! unattended starts by day. If the user set a monthly limit, it counts all starts by month.

use agon_caller::{Caller, Code, Failure, Hint, Notes, settings};
use agon_record::state::State;
use agon_report::text::abbreviate_count;
use schemars::JsonSchema;
use serde::Serialize;
use ulid::Ulid;

use crate::limits::ledger;
use crate::limits::ledger::Period;

/// The unattended usage of today (UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnattendedDoc {
    /// Tokens that were used.
    pub used: u64,
    /// Tokens reserved by what runs now.
    pub reserved: u64,
    /// The limit of both together: `daily_tokens` in the user's own configuration.
    pub limit: u64,
}

/// The usage of this month (UTC), if it has a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MonthDoc {
    /// Tokens that were used.
    pub used: u64,
    /// Tokens reserved by what runs now.
    pub reserved: u64,
    /// The limit of both together: `monthly_tokens` in the user's own configuration.
    pub limit: u64,
}

/// Returns today's unattended usage.
///
/// # Errors
///
/// If the user's configuration is not valid.
pub(crate) fn unattended_usage_today(caller: &Caller) -> Result<UnattendedDoc, Failure> {
    let limit = settings::read_user_settings(caller)?.daily_tokens;
    let day = ledger::now(caller, Period::Day);
    Ok(UnattendedDoc {
        used: day.used(),
        reserved: day.reserved(),
        limit,
    })
}

/// Returns this month's usage; `None` if it has no limit.
///
/// # Errors
///
/// If the user's configuration is not valid.
pub(crate) fn usage_this_month(caller: &Caller) -> Result<Option<MonthDoc>, Failure> {
    let limit = settings::read_user_settings(caller)?.monthly_tokens;
    let month = ledger::now(caller, Period::Month);
    Ok(limit.map(|limit| MonthDoc {
        used: month.used(),
        reserved: month.reserved(),
        limit,
    }))
}

// Chosen, not measured: an answer of 2,000 tokens, plus the tool's thinking and system prompt.
/// Tokens reserved for one answer, besides its question.
const ANSWER_TOKENS: u64 = 20_000;

/// Returns the tokens to reserve for an answer to a question of `question` tokens.
pub(crate) fn tokens_for_answer(question: u64) -> u64 {
    question.saturating_add(ANSWER_TOKENS)
}

/// Reserves the tokens that the debate `state` may still use.
///
/// # Errors
///
/// If fewer are left today, or this month.
pub(crate) fn reserve_for_debate(
    caller: &Caller,
    state: &State,
    notes: &mut dyn Notes,
) -> Result<(), Failure> {
    let spent = state.spent.total_tokens();
    let tokens = state.caps.tokens.saturating_sub(spent);
    reserve(caller, state.spec.ulid, spent, tokens, notes)
}

/// Counts what the debate `state` used and releases the rest of its reservation.
pub(crate) fn settle_debate(caller: &Caller, state: &State) {
    settle(caller, state.spec.ulid, state.spent.total_tokens());
}

/// Reserves `tokens` for the start `id`, which had used `spent` before: for the month if it has a
/// limit, and for the day if the start is unattended.
///
/// If a file cannot be used, notes that and counts nothing.
///
/// # Errors
///
/// If fewer are left today, or this month.
pub(crate) fn reserve(
    caller: &Caller,
    id: Ulid,
    spent: u64,
    tokens: u64,
    notes: &mut dyn Notes,
) -> Result<(), Failure> {
    reserve_with_hint(caller, id, (spent, tokens), Some(spent == 0), notes)
}

/// Reserves `tokens` for the questions `id`, which have no limit that a flag could lower.
///
/// # Errors
///
/// If fewer are left today, or this month.
pub(crate) fn reserve_for_answers(
    caller: &Caller,
    id: Ulid,
    tokens: u64,
    notes: &mut dyn Notes,
) -> Result<(), Failure> {
    reserve_with_hint(caller, id, (0, tokens), None, notes)
}

/// `is_new` is `None` if no flag limits the tokens.
fn reserve_with_hint(
    caller: &Caller,
    id: Ulid,
    (spent, tokens): (u64, u64),
    is_new: Option<bool>,
    notes: &mut dyn Notes,
) -> Result<(), Failure> {
    let settings = settings::read_user_settings(caller)?;
    let day = (!caller.is_watched).then_some((Period::Day, settings.daily_tokens));
    let month = settings.monthly_tokens.map(|limit| (Period::Month, limit));
    for (period, limit) in month.into_iter().chain(day) {
        match ledger::reserve(caller, period, id, (spent, tokens, limit)) {
            Ok(Ok(())) => {}
            Ok(Err(left)) => {
                settle(caller, id, spent);
                return Err(refusal(period, tokens, (left, limit), is_new));
            }
            Err(why) => {
                let of = match period {
                    Period::Day => "today",
                    Period::Month => "this month",
                };
                notes.note(&format!("note: the tokens of {of} are not counted: {why}"));
            }
        }
    }
    Ok(())
}

/// Counts that the start `id` used `spent` tokens in all, and releases its reservation. Does
/// nothing without a reservation.
pub(crate) fn settle(caller: &Caller, id: Ulid, spent: u64) {
    for period in [Period::Day, Period::Month] {
        ledger::settle(caller, period, id, spent);
    }
}

// A little more than the 42,000 tokens that the debate of `agon demo` used.
/// The fewest tokens that a hint offers for a debate.
const FEWEST_OFFERED: u64 = 50_000;

fn refusal(
    period: Period,
    tokens: u64,
    (left, limit): (u64, u64),
    is_new: Option<bool>,
) -> Failure {
    let used = Hint::new("run `agon usage` to see the usage");
    let [tokens, some_left, limit] = [tokens, left, limit].map(abbreviate_count);
    match period {
        Period::Day => {
            let message = format!(
                "this may use {tokens} tokens, but only {some_left} of {limit} are left today (UTC) \
                 for unattended runs"
            );
            let hint = match is_new {
                Some(_) => used
                    .then(Hint::new("ask for less with ").flag_with("max-tokens", "N"))
                    .then("the user can start it from a terminal"),
                None => used.then("the user can ask from a terminal"),
            };
            let hint =
                hint.or("raise daily_tokens in their own configuration (`agon config edit`)");
            Failure::new(Code::DailyTokens, message).hint(hint)
        }
        Period::Month => {
            let message = format!(
                "this may use {tokens} tokens, but only {some_left} of {limit} are left this month (UTC)"
            );
            let raise = "the user can raise monthly_tokens in their own configuration \
                         (`agon config edit`)";
            let hint = match is_new == Some(true) && left >= FEWEST_OFFERED {
                true => used.then(Hint::new("ask for less with ").flag_with("max-tokens", left)),
                false => used,
            };
            Failure::new(Code::MonthlyTokens, message).hint(hint.then(raise))
        }
    }
}
