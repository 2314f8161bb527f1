//! Writes `debate.md`: the state of the debate, then the motion.

use agon_record::id::{Seat, Stage};
use agon_record::state::State;
use agon_rules::format::{Phase, debate_phase};
use serde_json::json;

use super::{markdown, to_safe_pretty_json};

pub(crate) fn render_file(state: &State) -> String {
    let spec = &state.spec;
    let phase = debate_phase(state);
    let tools: serde_json::Map<_, _> = state
        .seats
        .iter()
        .map(|(seat, seating)| {
            let tool = json!({ "tool": seating.tool, "model": state.model(*seat) });
            (seat.to_string(), tool)
        })
        .collect();
    let front = json!({
        "debate_id": spec.slug,
        "current_round": current_round(state, phase),
        "current_phase": phase.to_string(),
        "format": spec.format(),
        "ulid": spec.ulid.to_string(),
        "rounds": state.planned_rounds(),
        "seats": tools,
        "ruleset": spec.ruleset,
        "agon": spec.agon,
    });
    format!(
        "{}\n\n# Motion\n\n{}\n",
        to_safe_pretty_json(&front),
        markdown::escape_block(&spec.topic)
    )
}

/// Returns the current round; after the end, the last one.
fn current_round(state: &State, phase: Phase) -> u16 {
    let next = state.rounds_completed().saturating_add(1);
    match phase {
        Phase::AwaitingBlind => 0,
        Phase::AwaitingProposer | Phase::AwaitingChallenger => next.min(state.planned_rounds()),
        _ => last_spoken_round(state),
    }
}

fn last_spoken_round(state: &State) -> u16 {
    let rounds = state
        .admitted_turns()
        .filter_map(|(turn, _)| match turn.stage {
            Stage::Round(round) if !matches!(turn.seat, Seat::Judge(_)) => Some(round),
            Stage::Theses | Stage::Round(_) | Stage::Verdict | Stage::Swap => None,
        });
    rounds.max().unwrap_or(0)
}
