//! The status of a debate that the user waits for.

use agon_record::state::State;
use agon_rules::plan;
use agon_verdict::status::{RunState, StatusDoc};

use super::list::run_state_words;
use crate::text::{abbreviate_count, count_with_noun, format_duration, plain_line};

/// Returns the status of the debate in one line, after its name.
pub fn status_line(state: &State, status: &StatusDoc) -> String {
    let name = plain_line(&state.spec.slug);
    format!("{name} · {}", status_without_name(state, status))
}

/// Returns the status of a debate whose name is shown elsewhere.
pub fn status_without_name(state: &State, status: &StatusDoc) -> String {
    let mut parts = vec![run_state_words(status.state).to_owned()];
    let rules = state.format_rules();
    if status.round > 0 || rules.rounds.zero.is_none() {
        parts.push(rules.round_label(status.round));
    }
    if !status.speaking.is_empty() {
        let seats: Vec<_> = status.speaking.iter().map(ToString::to_string).collect();
        parts.push(format!("{} speaking", seats.join(", ")));
    }
    parts.push(count_with_noun(status.spent.calls, "call"));
    parts.push(format_duration(state.spent.clock_ms));
    parts.push(format!("{} tokens", abbreviate_count(status.spent.tokens)));
    if let Some(reason) = &status.error {
        parts.push(plain_line(&reason.message));
    }
    parts.join(" · ")
}

/// Returns the next command for a debate in this state.
pub fn next_step_line(state: &State, standing: RunState) -> Option<String> {
    let name = state.command_name();
    match standing {
        RunState::Running => None,
        RunState::WaitingForPerson if !plan::asks_awaiting_only_person(state).is_empty() => Some(
            format!("see who must answer: agon show {name}; submit the answer: agon resume {name}"),
        ),
        RunState::WaitingForPerson => {
            Some("answer at the terminal where the debate runs".to_owned())
        }
        RunState::Done => Some(format!("agon show {name}")),
        RunState::Stopped | RunState::Failed => Some(format!("continue with agon resume {name}")),
    }
}
