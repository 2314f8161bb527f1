//! Adds turns to an earlier transcript, so that a long debate does not render all of it each time.

use std::collections::BTreeSet;

use agon_record::event::Event;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::state::State;

use memchr::memmem;

use super::{REMARKS, head_md, push_heading, push_remarks, push_turns, stage_name};
use crate::markdown::link_points;

/// Returns the linked transcript of `state`, given the one before `events`.
///
/// The text of a finished turn stays as it is. Returns `None` if it may change, or if no turn was
/// added: then the whole transcript must be rendered.
pub(super) fn extend(state: &State, events: &[Event], earlier: &str) -> Option<String> {
    // After the end, citation faults are marked in all turns.
    if state.closed.is_some() {
        return None;
    }
    let added: BTreeSet<TurnId> = events.iter().filter_map(admitted_turn).collect();
    let &first = added.first()?;
    let mut later = state.turns.range(first..);
    let is_last = later.all(|(id, turn)| turn.end.is_none() || added.contains(id));
    let is_unchanged = |event| keeps_turns_before(state, first, event);
    if !is_last || !events.iter().all(is_unchanged) {
        return None;
    }
    let (turns, stage) = finished_turns(state, first, earlier)?;
    // A point is linked wherever it is named, even before it was made.
    if events.iter().any(|event| adds_point_named_in(event, turns)) {
        return None;
    }
    let mut new = String::new();
    push_turns(&mut new, state, state.turns.range(first..), stage);
    push_remarks(&mut new, state);
    let head = link_points(state, head_md(state).trim_end());
    let new = link_points(state, new.trim_end());
    Some([&head, turns, &new, "\n"].concat())
}

fn admitted_turn(event: &Event) -> Option<TurnId> {
    match event {
        Event::Admitted { key, .. } => Some(key.turn),
        _ => None,
    }
}

/// Returns whether the finished turns before `first` have the same text after the event.
fn keeps_turns_before(state: &State, first: TurnId, event: &Event) -> bool {
    let is_open = |turn: TurnId| {
        turn >= first || state.turns.get(&turn).is_none_or(|turn| turn.end.is_none())
    };
    match event {
        // The first section has them.
        Event::Noted(_) | Event::Ran(_) => true,
        // The transcript has no scores beside a turn.
        Event::Scored(_) => true,
        Event::Given(given) => {
            let names_model = given.model.is_some();
            is_open(given.key.turn)
                && !(names_model && has_turn_without_model(state, first, given.key.turn.seat))
        }
        Event::Asked(asked) => is_open(asked.key.turn),
        Event::Lost(lost) => is_open(lost.key.turn),
        Event::Admitted { key, .. }
        | Event::Discarded { key }
        | Event::Stamped { key, .. }
        | Event::Touched { key, .. }
        | Event::SentBack { key, .. } => is_open(key.turn),
        _ => false,
    }
}

/// Returns whether a finished turn of the seat has no model of its own: its heading then has the
/// model of the seat's latest reply.
fn has_turn_without_model(state: &State, first: TurnId, seat: Seat) -> bool {
    let mut turns = state.turns.range(..first);
    turns.any(|(id, turn)| {
        let given = turn.asks.iter().rev().find_map(|ask| ask.given.as_ref());
        id.seat == seat && turn.end.is_some() && given.is_none_or(|given| given.model.is_none())
    })
}

/// Returns the part of the earlier transcript with its finished turns, and the last one's stage.
fn finished_turns<'a>(
    state: &State,
    first: TurnId,
    earlier: &'a str,
) -> Option<(&'a str, Option<Stage>)> {
    let mut finished = state.turns.range(..first);
    let mut finished = finished.by_ref().filter(|(_, turn)| turn.end.is_some());
    let Some((from, _)) = finished.next() else {
        return Some(("", None));
    };
    let last = finished.next_back().map_or(from, |(last, _)| last);
    let mut heading = String::new();
    push_heading(
        &mut heading,
        2,
        &stage_name(state.spec.format(), from.stage),
    );
    let begins = earlier.find(&heading)?;
    let mut remarks = String::new();
    push_heading(&mut remarks, 2, REMARKS);
    let ends = earlier.rfind(&remarks).unwrap_or(earlier.trim_end().len());
    let turns = earlier.get(begins..ends)?;
    Some((turns, Some(last.stage)))
}

fn adds_point_named_in(event: &Event, text: &str) -> bool {
    match event {
        Event::Admitted { ids, .. } => ids
            .iter()
            .any(|id| memmem::find(text.as_bytes(), id.to_string().as_bytes()).is_some()),
        _ => false,
    }
}
