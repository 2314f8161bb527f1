//! Turns the end of a debate into a result or a failure.

use agon_caller::{Code, Failure, FailureKind, Hint};
use agon_record::authority::Authority;
use agon_record::event::{Cause, CauseCode, Halt};
use agon_record::format::Judging;
use agon_record::id::Seat;
use agon_record::state::State;
use agon_rules::format::has_reached_target;
use agon_verdict::verdict::verdict_without_graph;

use crate::limits::bounds::flag_value_to_continue;
use crate::status::outcome::Ended;

/// Returns the result of a debate that was just run.
///
/// # Errors
///
/// If there is no verdict; the failure says why and what to do.
pub fn ended_with_verdict(state: State, folder: String) -> Result<Ended, Failure> {
    let authority = verdict_authority(&state)?;
    Ok(Ended {
        authority,
        ..Ended::new(state, folder)
    })
}

/// Returns the result of a debate that was not run now.
pub fn ended_earlier(state: State, folder: String) -> Ended {
    let (authority, failure) = match verdict_authority(&state) {
        Ok(authority) => (authority, None),
        Err(failure) => (None, Some(failure)),
    };
    Ended {
        authority,
        failure,
        ..Ended::new(state, folder)
    }
}

/// The authority that a command requires of a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequiredAuthority {
    /// A judge ruled after both sides spoke.
    #[default]
    Judged,
    /// Full authority.
    Full,
}

impl RequiredAuthority {
    /// Returns whether a verdict meets it. A formal debate has scores and no authority.
    pub fn is_met_by(self, authority: Option<Authority>) -> bool {
        match authority {
            None | Some(Authority::Full) => true,
            Some(Authority::Unstable | Authority::BuiltInModel | Authority::Partial) => {
                self == Self::Judged
            }
            Some(Authority::Uncontested) => false,
        }
    }
}

/// Returns the authority of the verdict of a closed or halted debate; `None` for a formal debate.
///
/// # Errors
///
/// If there is no verdict; the failure says why and what to do.
pub fn verdict_authority(state: &State) -> Result<Option<Authority>, Failure> {
    if state.format_rules().judging == Judging::EachRound {
        return require_formal_done(state).map(|()| None);
    }
    if let Some(verdict) = verdict_without_graph(state) {
        return Ok(Some(verdict.authority));
    }
    let resume = format!("resume {}", state.command_name());
    let Some(halt) = &state.halted else {
        return Err(Failure::new(Code::Unfinished, "the debate has not ended")
            .hint(Hint::new("run ").command(resume).text(" to continue")));
    };
    Err(halt_failure(state, halt, &resume))
}

/// Checks that a formal debate has played the requested exchanges.
fn require_formal_done(state: &State) -> Result<(), Failure> {
    let name = state.command_name();
    match &state.halted {
        Some(Halt::Capped { cap }) => Err(Failure::new(
            Code::Limit,
            format!(
                "the limit on {} was reached before the exchange was judged",
                cap.name()
            ),
        )
        .hint(format!(
            "run `agon run {name}` to continue with new limits; nothing is lost"
        ))),
        Some(halt) => Err(halt_failure(state, halt, &format!("resume {name}"))),
        None if state.through.is_some() && !has_reached_target(state) => {
            Err(Failure::new(Code::Unfinished, "the exchange has not ended")
                .hint(format!("run `agon resume {name}` to continue")))
        }
        None => Ok(()),
    }
}

fn halt_failure(state: &State, halt: &Halt, resume: &str) -> Failure {
    let failure = describe_halt(state, halt, resume);
    let is_busy =
        |cause: &Cause| matches!(cause.code, CauseCode::RateLimited | CauseCode::Unavailable);
    match cause_of_halt(halt) {
        Some(cause) if is_busy(cause) => failure.retry_after(BUSY_FOR_S),
        _ => failure,
    }
}

/// Returns the cause of the lost call; `None` if no single call halted the debate.
fn cause_of_halt(halt: &Halt) -> Option<&Cause> {
    match halt {
        Halt::User { cause, .. } | Halt::TurnLost { cause, .. } => Some(cause),
        Halt::ProposerLost { cause } | Halt::JudgeLost { cause } => Some(cause),
        Halt::AllTimedOut | Halt::NoTurns | Halt::Capped { .. } => None,
    }
}

// Services limit calls and tokens per minute, so a minute suffices.
/// Seconds to wait before retrying a busy service.
const BUSY_FOR_S: u64 = 60;

/// Describes that a side was not heard, with the number of its replies. Mentions a first answer
/// although the other side did not reply to it.
fn describe_silent_side(state: &State, seat: Seat) -> String {
    let who = match state.has_spoken(seat) {
        true => format!("after its first answer, the {seat}"),
        false => format!("the {seat}"),
    };
    match (state.unusable_replies(seat), state.has_spoken(seat)) {
        (0, true) => format!("{who} did not reply"),
        (0, false) => format!("{who} never spoke"),
        (1, _) => format!("{who} gave 1 reply, which was not usable"),
        (replies, _) => format!("{who} gave {replies} replies, none of them usable"),
    }
}

/// Describes why a call was lost.
fn describe_cause(cause: &Cause) -> String {
    let what = cause.code.describe();
    match cause.detail.as_str() {
        "" => what.to_owned(),
        detail => format!("{what} ({detail})"),
    }
}

/// Returns the hint that lets a substitute take a seat with the command `resume`.
pub(crate) fn substitute_command_hint(resume: &str) -> Hint {
    Hint::new("let another tool take the seat: ").command(format!("{resume} --substitute"))
}

fn describe_halt(state: &State, halt: &Halt, resume: &str) -> Failure {
    let open = state.seat_awaiting_permission();
    let or_substitute = |hint: Hint| match open {
        Some(_) => hint.join("; or ", substitute_command_hint(resume)),
        None => hint,
    };
    let again = Hint::new("try again: ").command(resume);
    let again = or_substitute(again.then("nothing is lost"));
    let replace = |seat: Seat| {
        Hint::new("give the seat to another tool: ")
            .command(format!("{resume} --replace {seat}=TOOL"))
    };
    match halt {
        Halt::User { turn, cause } => {
            let tool = state
                .seats
                .get(&turn.seat)
                .map(|s| s.tool.to_string())
                .unwrap_or_default();
            let seat = turn.seat;
            let message = format!("{tool} cannot speak as {seat}: {}", cause.detail);
            let exit = match cause.code {
                CauseCode::NoSuchModel => FailureKind::Config,
                _ => FailureKind::Tool,
            };
            let hint = Hint::new("fix that (see `agon tools`), then run ")
                .command(resume)
                .join("; or ", replace(seat));
            Failure::new(cause.code.into(), message)
                .kind(exit)
                .hint(or_substitute(hint))
        }
        Halt::ProposerLost { cause } => Failure::new(
            Code::ProposerLost,
            format!(
                "{}: {}",
                describe_silent_side(state, Seat::Proposer),
                describe_cause(cause)
            ),
        )
        .hint(again),
        Halt::TurnLost { turn, cause } => Failure::new(
            Code::TurnLost,
            format!(
                "the {} gave no usable turn: {}",
                turn.seat,
                describe_cause(cause)
            ),
        )
        .hint(
            again
                .join("; or ", replace(turn.seat))
                .then("exchanges cannot be skipped"),
        ),
        Halt::JudgeLost { cause } => Failure::new(
            Code::JudgeLost,
            format!("no judge gave a verdict: {}", describe_cause(cause)),
        )
        .hint(again),
        Halt::AllTimedOut => Failure::new(Code::AllTimedOut, "every call timed out").hint(
            Hint::new("give the tools more time: ")
                .command(resume)
                .or(Hint::new("start again with ").flag("timeout")),
        ),
        Halt::NoTurns => {
            let lost = state.lost_turns().map(|(turn, cause)| {
                let tool = state.seats.get(&turn.seat).map(|seating| &seating.tool);
                let tool = tool.map_or_else(String::new, |tool| format!("{tool}, "));
                format!("{tool}{}: {}", turn.describe(), describe_cause(cause))
            });
            let lost: Vec<_> = lost.collect();
            let message = format!("no turn could be used: {}", lost.join("; "));
            Failure::new(Code::NoTurns, message).hint(again)
        }
        Halt::Capped { cap } => Failure::new(
            Code::Limit,
            format!(
                "the limit on {} was reached before a verdict was possible",
                cap.name()
            ),
        )
        .hint(Hint::new("continue with a higher limit: ").command(format!(
            "{resume} --max-{} {}",
            cap.name(),
            flag_value_to_continue(state, *cap)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use agon_record::id::TurnId;
    use agon_samples::duel;

    use super::*;

    #[test]
    fn only_a_judged_verdict_succeeds_and_only_a_full_one_where_that_is_required() {
        use Authority::{BuiltInModel, Full, Partial, Uncontested, Unstable};
        let all = [Full, Unstable, BuiltInModel, Partial, Uncontested];
        let met = |required: RequiredAuthority| all.map(|it| required.is_met_by(Some(it)));
        assert_eq!(
            met(RequiredAuthority::default()),
            [true, true, true, true, false]
        );
        assert_eq!(
            met(RequiredAuthority::Full),
            [true, false, false, false, false]
        );
        assert!(RequiredAuthority::Full.is_met_by(None), "a formal debate");
    }

    #[test]
    fn a_side_that_gave_its_first_answer_was_heard() {
        let state = duel::job_store(2, TurnId::round(0, Seat::Proposer));
        let told = describe_silent_side(&state, Seat::Proposer);
        assert_eq!(told, "the proposer never spoke");
        let mut state = duel::job_store(2, TurnId::round(1, Seat::Proposer));
        let told = describe_silent_side(&state, Seat::Proposer);
        assert_eq!(told, "after its first answer, the proposer did not reply");
        let first = duel::key(TurnId::round(1, Seat::Proposer), 0);
        duel::ask(&mut state, first, "no moves");
        let told = describe_silent_side(&state, Seat::Proposer);
        assert_eq!(
            told,
            "after its first answer, the proposer gave 1 reply, which was not usable"
        );
    }
}
