//! Another tool in a seat whose own cannot be used: who allows it, and how it is recorded.

use agon_record::event::Event;
use agon_record::id::Seat;
use agon_record::spec::Replaced;
use agon_record::spec::Seating;
use agon_record::state::State;

use crate::failure::{Failure, FailureKind};
use crate::front::FrontEnd;
use crate::seating::{self, Candidate};

/// How a hint names the flag that lets a substitute take a seat.
pub const FLAG_WAY: &str = "or let another tool take the seat with --substitute";

/// Whether a named tool is missing or logged out.
pub(crate) fn is_unready_failure(failure: &Failure) -> bool {
    matches!(failure.code, "tool_missing" | "tool_logged_out")
}

/// The failure with the flag as another way out.
pub(crate) fn with_flag_way(failure: Failure) -> Failure {
    let hint = match &failure.hint {
        Some(hint) => format!("{hint}; {FLAG_WAY}"),
        None => FLAG_WAY.to_owned(),
    };
    failure.hint(hint)
}

/// The failure with the command that lets substitutes take the seats of sides that have not spoken.
pub(crate) fn with_resume_way(failure: Failure, state: &State) -> Failure {
    match resume_command(state) {
        None => failure,
        Some(command) => {
            let hint = failure.hint.clone().unwrap_or_default();
            failure.hint(format!(
                "{hint}; or let another tool take the seat: {command}"
            ))
        }
    }
}

/// The command that lets substitutes take seats, where a side has not spoken.
fn resume_command(state: &State) -> Option<String> {
    let mut sides = state.spec.format().sides().into_iter();
    let is_open = sides.any(|seat| !state.has_spoken(seat));
    is_open.then(|| format!("agon resume {} --substitute", state.command_name()))
}

/// Whether the person who is there lets substitutes take these seats; no, where none is there.
pub(crate) async fn confirm(replaced: &[Replaced], front: &mut dyn FrontEnd) -> bool {
    if !front.has_person() {
        return false;
    }
    let told: Vec<_> = replaced.iter().map(question).collect();
    front.confirm(&told.join(" ")).await
}

fn question(replaced: &Replaced) -> String {
    let why = replaced.cause.as_ref();
    let why = why.map_or("it cannot be used", |cause| cause.code.describe());
    let by = match (&replaced.by_model, replaced.tool == replaced.by) {
        (Some(model), true) => format!("{} {model}", replaced.by),
        _ => replaced.by.to_string(),
    };
    format!(
        "{} cannot sit as {}: {why}. Let {by} take the seat?",
        replaced.tool, replaced.seat
    )
}

/// The events that give seats to substitutes before the debate goes on: of sides that have not spoken
/// and whose tool failed or is not ready. Only seats whose tool Agon chose, unless `all` are
/// allowed.
///
/// # Errors
///
/// If all are allowed and no substitute is left for one of them.
pub(crate) fn replacements(
    state: &State,
    candidates: &[Candidate],
    all: bool,
) -> Result<Vec<Event>, Failure> {
    let mut events = Vec::new();
    let mut state = state.clone();
    for seat in state.spec.format().sides() {
        if !is_unusable(&state, seat, candidates, all) {
            continue;
        }
        let Some(seating) = next(&state, seat, candidates, all) else {
            match all {
                true => return Err(nobody_left(&state, seat)),
                false => continue,
            }
        };
        let event = Event::Reseated { seat, seating };
        // Only an opening can be refused.
        state.apply(&event).unwrap_or_default();
        events.push(event);
    }
    Ok(events)
}

/// The next substitute for `seat`: the recorded one, else one of the tools that are here.
fn next(state: &State, seat: Seat, candidates: &[Candidate], all: bool) -> Option<Seating> {
    let recorded = state.next_side_substitute(seat).cloned();
    let here = || {
        let found = seating::side_substitutes(&state.seats, seat, candidates);
        found.into_iter().find(|next| state.can_join(seat, next))
    };
    recorded.or_else(|| all.then(here).flatten())
}

fn is_unusable(state: &State, seat: Seat, candidates: &[Candidate], all: bool) -> bool {
    let Some(seating) = state.seats.get(&seat) else {
        return false;
    };
    if seating.is_human() || state.has_spoken(seat) {
        return false;
    }
    let found = candidates.iter().find(|one| one.tool == seating.tool);
    let is_unready = found.is_some_and(|one| seating::unready_cause(one).is_some());
    match all {
        true => is_unready || state.has_failed(seat),
        false => is_unready && state.substitutes.contains_key(&seat),
    }
}

/// Refuses to reopen a duel for a substitute that no seat is open for.
///
/// # Errors
///
/// If the duel is closed.
pub(crate) fn refuse_reopening(state: &State) -> Result<(), Failure> {
    if state.closed.is_none() {
        return Ok(());
    }
    let message = "the challenger has spoken, so no substitute can take its seat";
    Err(Failure::new(FailureKind::Usage, "seat_taken", message)
        .parameter("substitute")
        .hint(format!(
            "ask it again: agon continue {}",
            state.command_name()
        )))
}

fn nobody_left(state: &State, seat: Seat) -> Failure {
    let tool = state.seats.get(&seat).map(|seating| seating.tool.as_str());
    let message = format!(
        "no other tool can take the seat of the {seat} from {}",
        tool.unwrap_or_default()
    );
    Failure::new(FailureKind::Tool, "no_substitute", message)
        .parameter("substitute")
        .hint("agon tools says which tools are here and how to log in to them")
}
