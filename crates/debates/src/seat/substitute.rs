//! Substitutes for tools that cannot be used: permission and record.

use agon_caller::{Code, Failure, Hint};
use agon_record::event::{Cause, Event};
use agon_record::id::Seat;
use agon_record::spec::Replaced;
use agon_record::spec::Seating;
use agon_record::state::State;
use agon_seats::seating;
use agon_seats::seating::Candidate;

use crate::front::FrontEnd;
use crate::status::ending::substitute_command_hint;

/// Returns the hint that names the flag which permits a substitute.
pub fn substitute_flag_hint() -> Hint {
    Hint::new("let another tool take the seat with ").flag("substitute")
}

/// Returns whether a named tool is missing or logged out.
pub(crate) fn is_unready_failure(failure: &Failure) -> bool {
    matches!(failure.code, Code::ToolMissing | Code::ToolLoggedOut)
}

/// Adds the flag to the failure's hint.
pub(crate) fn with_substitute_flag_hint(failure: Failure) -> Failure {
    let hint = failure.hint.clone().unwrap_or_default();
    failure.hint(hint.join("; or ", substitute_flag_hint()))
}

/// Adds the command that permits substitutes in `state` to the failure's hint, if all `lost` tools
/// belong to sides that have not spoken. No other seat can get a substitute.
pub(crate) fn with_resume_hint(
    failure: Failure,
    state: &State,
    lost: impl Fn(&Seating) -> bool,
) -> Failure {
    let mut seats = state.seats.iter().filter(|(_, one)| lost(one)).peekable();
    let is_open = |seat: Seat| !seat.is_judge() && !state.has_spoken(seat);
    if seats.peek().is_none() || !seats.all(|(seat, _)| is_open(*seat)) {
        return failure;
    }
    let hint = failure.hint.clone().unwrap_or_default();
    let resume = format!("resume {}", state.command_name());
    failure.hint(hint.join("; or ", substitute_command_hint(&resume)))
}

/// Asks the person whether substitutes may take these seats; false without a person.
pub(crate) async fn confirm(replaced: &[Replaced], front: &mut dyn FrontEnd) -> bool {
    if !front.has_person() {
        return false;
    }
    let questions: Vec<_> = replaced.iter().map(substitute_question).collect();
    front.confirm(&questions.join(" ")).await
}

fn substitute_question(replaced: &Replaced) -> String {
    let why = replaced.cause.as_ref();
    let why = why.map_or("it cannot be used", |cause| cause.code.describe());
    let by = match (&replaced.by_model, replaced.tool == replaced.by) {
        (Some(model), true) => format!("{} {model}", replaced.by),
        _ => replaced.by.to_string(),
    };
    format!(
        "{} cannot be the {}: {why}. Let {by} take the seat?",
        replaced.tool, replaced.seat
    )
}

/// The rules for replacing tools before a debate continues.
pub(crate) struct Replacing<'a> {
    /// The tools that were detected.
    pub(crate) candidates: &'a [Candidate],
    /// Returns whether a tool can read the debate's folder; true if it has none.
    pub(crate) can_read: &'a dyn Fn(&Seating) -> bool,
    /// The seats whose tools the user names, which keep them.
    pub(crate) named: &'a [Seat],
    /// Whether every tool may be replaced, not only the tools that Agon chose.
    pub(crate) all: bool,
}

impl Replacing<'_> {
    /// Returns the events that give seats to substitutes: of sides that have not spoken and whose
    /// tool failed or is not ready.
    ///
    /// # Errors
    ///
    /// If all may be replaced and no substitute is left for one of them.
    pub(crate) fn events(&self, state: &State) -> Result<Vec<Event>, Failure> {
        let mut events = Vec::new();
        let mut state = state.clone();
        for seat in state.spec.format().sides() {
            if !self.is_unusable(&state, seat) {
                continue;
            }
            let Some(seating) = self.next(&state, seat) else {
                match self.all {
                    true => return Err(no_substitute_left(&state, seat)),
                    false => continue,
                }
            };
            let unready = state.seats.get(&seat).and_then(|it| self.unready_cause(it));
            let event = Event::Reseated {
                seat,
                seating,
                // The cause of a lost turn is already in the record.
                cause: unready.filter(|_| !state.has_failed(seat)),
            };
            state = state.with_events([&event]);
            events.push(event);
        }
        Ok(events)
    }

    /// Returns the next ready substitute for `seat`: a recorded one, else one of the detected
    /// tools.
    fn next(&self, state: &State, seat: Seat) -> Option<Seating> {
        let recorded = state.substitutes.get(&seat).into_iter().flatten();
        let here = match self.all {
            true => seating::side_substitutes(&state.seats, seat, self.candidates),
            false => Vec::new(),
        };
        let mut all = recorded.chain(&here);
        let next = all.find(|next| state.can_join(seat, next) && self.can_take_seat(next));
        next.cloned()
    }

    fn can_take_seat(&self, seating: &Seating) -> bool {
        let is_here = self.candidates.iter().any(|one| {
            one.tool == seating.tool && !matches!(one.ready, seating::Ready::NotAllowed(_))
        });
        is_here && self.unready_cause(seating).is_none() && (self.can_read)(seating)
    }

    fn unready_cause(&self, seating: &Seating) -> Option<Cause> {
        let mut candidates = self.candidates.iter();
        seating::unready_cause(candidates.find(|one| one.tool == seating.tool)?)
    }

    fn is_unusable(&self, state: &State, seat: Seat) -> bool {
        let Some(seating) = state.seats.get(&seat) else {
            return false;
        };
        if seating.is_human() || state.has_spoken(seat) || self.named.contains(&seat) {
            return false;
        }
        let is_unready = self.unready_cause(seating).is_some();
        match self.all {
            true => is_unready || state.has_failed(seat),
            // Keep a tool whose reply is neither accepted nor rejected yet: the reply is paid for,
            // and only the user may discard it.
            false => {
                is_unready
                    && state.substitutes.contains_key(&seat)
                    && !state.has_undecided_reply(seat)
            }
        }
    }
}

/// Rejects a substitute in a closed duel, because no seat in it is open for one.
///
/// # Errors
///
/// If the duel is closed.
pub(crate) fn refuse_reopening(state: &State) -> Result<(), Failure> {
    if state.closed.is_none() {
        return Ok(());
    }
    let message = "the challenger has spoken, so no substitute can take its seat";
    Err(Failure::new(Code::SeatTaken, message)
        .parameter("substitute")
        .hint(format!(
            "ask the challenger again: agon continue {}",
            state.command_name()
        )))
}

fn no_substitute_left(state: &State, seat: Seat) -> Failure {
    let tool = state.seats.get(&seat).map(|seating| seating.tool.as_str());
    let message = format!(
        "no other tool can take the seat of the {seat} from {}",
        tool.unwrap_or_default()
    );
    Failure::new(Code::NoSubstitute, message)
        .parameter("substitute")
        .hint("run `agon tools` to see which tools are installed and how to log in")
}

#[cfg(test)]
mod tests {
    use agon_record::id::TurnId;
    use agon_samples::duel;

    use super::*;
    use crate::seat::candidate;
    use agon_seats::seating::Ready;

    fn logged_out(tool: &str) -> Candidate {
        Candidate {
            ready: Ready::LoggedOut(format!("{tool} login")),
            ..candidate(tool, tool)
        }
    }

    /// Returns a seating of `tool` without a model.
    fn seating_of(tool: &str, state: &State) -> Seating {
        Seating {
            tool: tool.parse().unwrap(),
            model: None,
            ..state.seats[&Seat::Challenger].clone()
        }
    }

    /// Returns a duel before its first turn. Agon chose its challenger codex, which has these
    /// substitutes.
    fn duel_with(substitutes: &[&str]) -> State {
        let mut state = State::open(duel::spec(2));
        let seatings = substitutes.iter().map(|tool| seating_of(tool, &state));
        let seatings = seatings.collect();
        state.substitutes.insert(Seat::Challenger, seatings);
        state
    }

    /// Claude and gemini are ready, codex is not, kiro is not, copilot is.
    fn candidates() -> Vec<Candidate> {
        let ready = ["claude", "gemini", "copilot"].map(|tool| candidate(tool, tool));
        let all = ready.into_iter().chain(["codex", "kiro"].map(logged_out));
        all.collect()
    }

    /// Returns who takes which seat, and why.
    fn replaced(state: &State, named: &[Seat], all: bool) -> Vec<String> {
        replaced_with(state, named, all, &|_| true)
    }

    fn replaced_with(
        state: &State,
        named: &[Seat],
        all: bool,
        can_read: &dyn Fn(&Seating) -> bool,
    ) -> Vec<String> {
        let candidates = candidates();
        let replacing = Replacing {
            candidates: &candidates,
            can_read,
            named,
            all,
        };
        let mut state = state.clone();
        for event in replacing.events(&state).unwrap() {
            state.apply(&event).unwrap();
        }
        state.replaced.iter().map(Replaced::describe).collect()
    }

    const BY_COPILOT: &str = "copilot challenges in place of codex (its tool is not logged in)";

    #[test]
    fn a_substitute_that_is_not_ready_is_passed_over_and_the_cause_is_told() {
        let state = duel_with(&["kiro", "absent", "copilot"]);
        for all in [false, true] {
            assert_eq!(replaced(&state, &[], all), [BY_COPILOT], "{all}");
        }
        // Another detected tool takes the seat only if every tool may be replaced.
        let state = duel_with(&["kiro"]);
        assert_eq!(replaced(&state, &[], false), Vec::<String>::new());
        assert_eq!(replaced(&state, &[], true), [BY_COPILOT]);
    }

    #[test]
    fn a_substitute_without_access_to_the_folder_is_passed_over() {
        let mut state = duel_with(&["claude", "copilot"]);
        let proposer = seating_of("opencode", &state);
        state.seats.insert(Seat::Proposer, proposer);
        let can_read = |one: &Seating| one.tool.as_str() != "claude";
        let told = replaced_with(&state, &[], false, &can_read);
        assert_eq!(told, [BY_COPILOT]);
    }

    #[test]
    fn a_seat_whose_tool_the_user_names_is_left_alone() {
        let state = duel_with(&["copilot"]);
        let told = replaced(&state, &[Seat::Challenger], true);
        assert_eq!(told, Vec::<String>::new());
    }

    #[test]
    fn a_reply_that_is_paid_for_is_not_given_up_unasked() {
        let mut state = duel_with(&["copilot"]);
        let turn = TurnId::round(0, Seat::Challenger);
        duel::ask(&mut state, duel::key(turn, 0), "a reply");
        assert_eq!(replaced(&state, &[], false), Vec::<String>::new());
        assert_eq!(replaced(&state, &[], true).len(), 1);
    }

    #[test]
    fn the_way_to_a_substitute_is_told_only_where_a_seat_is_open_for_one() {
        let state = duel_with(&[]);
        let told = |state: &State, lost: &[&str]| {
            let failure = Failure::new(Code::ToolLoggedOut, "out").hint("log in");
            let failure = with_resume_hint(failure, state, |one| lost.contains(&one.tool.as_str()));
            failure.hint.unwrap().typed().contains("--substitute")
        };
        assert!(told(&state, &["codex"]));
        assert!(told(&state, &["claude", "codex"]));
        // A judge's seat gets no substitute in this way.
        assert!(!told(&state, &["gemini"]));
        assert!(!told(&state, &["codex", "gemini"]));
        let spoken = duel::job_store(2, TurnId::round(1, Seat::Proposer));
        assert!(!told(&spoken, &["codex"]));
    }
}
