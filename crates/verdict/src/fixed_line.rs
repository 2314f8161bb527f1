//! Fixed lines that programs written for other debate tools look for.

use agon_record::event::{Cause, Halt, Outcome};
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::state::State;
use agon_record::text::sanitise_line;

/// The challenger gave no usable reply in round 1.
pub const CHALLENGER_FAILED: &str =
    "[WARN] Challenger failed. Showing proposer's uncontested position.";
/// Every call timed out.
pub const ALL_TIMED_OUT: &str = "[ERROR] Debate failed: all tool invocations timed out.";
/// No turn was usable.
pub const NO_EXCHANGES: &str = "[ERROR] Debate failed: no successful exchanges were recorded.";

// The same limit as for a `PARSE_ERROR` line.
/// Maximum length of the error at the end of a line, in characters.
const MAX_ERROR: usize = 200;

/// Returns the fixed line for a failed duel; `None` if it did not fail, and for a formal debate.
///
/// The result is always one line without control characters.
pub fn fixed_line(state: &State) -> Option<String> {
    if state.closed == Some(Outcome::Uncontested) {
        return Some(CHALLENGER_FAILED.to_owned());
    }
    match state.halted.as_ref()? {
        Halt::AllTimedOut => Some(ALL_TIMED_OUT.to_owned()),
        Halt::NoTurns => Some(NO_EXCHANGES.to_owned()),
        Halt::ProposerLost { cause } => Some(proposer_failed(state, cause)),
        Halt::User { turn, cause } if is_opening_of_proposer(*turn) => {
            Some(proposer_failed(state, cause))
        }
        Halt::User { .. }
        | Halt::TurnLost { .. }
        | Halt::JudgeLost { .. }
        | Halt::Capped { .. } => None,
    }
}

fn is_opening_of_proposer(turn: TurnId) -> bool {
    turn.seat == Seat::Proposer && matches!(turn.stage, Stage::Round(0 | 1))
}

fn proposer_failed(state: &State, cause: &Cause) -> String {
    let proposer = state.seats.get(&Seat::Proposer);
    let tool = proposer.map_or_else(String::new, |seating| seating.tool.to_string());
    let error = match cause.detail.as_str() {
        "" => cause.code.describe(),
        detail => detail,
    };
    let error = sanitise_line(error, MAX_ERROR);
    format!("[ERROR] Debate aborted: proposer ({tool}) failed on opening round. {error}")
}

#[cfg(test)]
mod tests {
    use agon_record::event::CauseCode;
    use agon_samples::duel;

    use super::*;

    fn halted(halt: Halt) -> State {
        let mut state = duel::job_store(2, TurnId::round(0, Seat::Proposer));
        state.halted = Some(halt);
        state
    }

    fn cause(detail: &str) -> Cause {
        Cause {
            code: CauseCode::Timeout,
            detail: detail.to_owned(),
        }
    }

    #[test]
    fn each_failure_of_a_duel_has_its_line_word_for_word() {
        let line = |halt| fixed_line(&halted(halt));
        let aborted = |error: &str| {
            let aborted = "[ERROR] Debate aborted: proposer (claude) failed on opening round. ";
            Some(format!("{aborted}{error}"))
        };
        let lost = |detail: &str| Halt::ProposerLost {
            cause: cause(detail),
        };
        assert_eq!(line(lost("exit code 1")), aborted("exit code 1"));
        assert_eq!(line(lost("")), aborted("no reply in time"));
        assert_eq!(line(lost("a\nb\u{1b}[31m")), aborted("a b"));
        let user = |turn| Halt::User {
            turn,
            cause: cause("logged out"),
        };
        let opening = TurnId::round(1, Seat::Proposer);
        assert_eq!(line(user(opening)), aborted("logged out"));
        assert_eq!(line(user(TurnId::round(2, Seat::Proposer))), None);
        assert_eq!(line(user(TurnId::round(1, Seat::Challenger))), None);
        let timed_out = "[ERROR] Debate failed: all tool invocations timed out.";
        assert_eq!(line(Halt::AllTimedOut).as_deref(), Some(timed_out));
        let none = "[ERROR] Debate failed: no successful exchanges were recorded.";
        assert_eq!(line(Halt::NoTurns).as_deref(), Some(none));
        let mut state = duel::job_store(2, TurnId::round(1, Seat::Challenger));
        assert_eq!(fixed_line(&state), None);
        state.closed = Some(Outcome::Uncontested);
        let warned = "[WARN] Challenger failed. Showing proposer's uncontested position.";
        assert_eq!(fixed_line(&state).as_deref(), Some(warned));
    }

    #[test]
    fn the_line_is_bounded_whatever_the_tool_said() {
        let state = halted(Halt::ProposerLost {
            cause: cause(&"x".repeat(10_000)),
        });
        assert!(fixed_line(&state).unwrap().chars().count() < 300);
    }
}
