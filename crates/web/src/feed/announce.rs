//! One sentence for each turn and for the end, which a screen reader reads out.

use agon_debates::status::watch::Recorded;
use agon_record::event::Event;
use agon_record::id::TurnId;
use agon_record::state::State;
use agon_report::text::{capitalize, count_with_noun, plain_line, truncate_to_width};
use agon_verdict::verdict::verdict_without_graph;

/// Maximum width of an answer in an announcement, in columns.
const ANSWER: usize = 300;

/// Returns the announcement of an event that `state` already includes; `None` for most events, so
/// that each turn is announced once.
pub(super) fn announcement(state: &State, recorded: &Recorded) -> Option<String> {
    match &recorded.event {
        Event::Admitted { key, .. } => {
            let points = state.admitted(key.turn).map_or(0, |said| said.ids.len());
            let points = match points {
                0 => String::new(),
                points => format!(", {}", count_with_noun(points as u64, "point")),
            };
            Some(format!(
                "{} has answered{points}.",
                turn_name(state, key.turn)
            ))
        }
        Event::TurnLost { turn, .. } => {
            Some(format!("{}: this turn was lost.", turn_name(state, *turn)))
        }
        Event::Closed { .. } => Some(match verdict_without_graph(state) {
            Some(verdict) => {
                let answer = plain_line(verdict.answer.as_deref().unwrap_or_default());
                format!("The verdict: {}", truncate_to_width(&answer, ANSWER))
            }
            None => "The debate has ended.".to_owned(),
        }),
        Event::Halted { .. } => Some("The debate is halted.".to_owned()),
        _ => None,
    }
}

fn turn_name(state: &State, turn: TurnId) -> String {
    let seat = capitalize(&turn.seat.to_string());
    match state.seats.get(&turn.seat) {
        Some(seating) => format!("{seat} ({})", seating.tool),
        None => seat,
    }
}
