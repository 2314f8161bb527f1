//! The stages of a debate and their progress, from the first to the verdict.

use std::path::Path;

use agon_caller::{Failure, find};
use agon_record::format::Judging;
use agon_record::id::{Stage, TurnId};
use agon_record::state::State;
use agon_rules::format;

/// A stage of a debate: one round, or the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebateStage {
    /// Its title.
    pub title: String,
    /// Its progress.
    pub progress: StageProgress,
}

/// The progress of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageProgress {
    /// It has not begun.
    Pending,
    /// Its turns are running.
    Underway,
    /// Its turns have ended.
    Done,
}

/// Returns the stages of the debate in `path`, past and planned, in order.
///
/// # Errors
///
/// If nothing of it can be read.
pub fn stages(path: &Path) -> Result<Vec<DebateStage>, Failure> {
    Ok(stages_of_state(&find::read(path)?.state))
}

fn stages_of_state(state: &State) -> Vec<DebateStage> {
    let planned = format::format_of(state).planned_steps(state);
    let mut turns: Vec<TurnId> = state.turns.keys().copied().collect();
    turns.extend(planned.into_iter().flatten());
    // Count a ruling and its repetition with swapped sides as one stage.
    let stage_of = |turn: &TurnId| match turn.stage {
        Stage::Swap => Stage::Verdict,
        other => other,
    };
    turns.sort_by_key(|turn| (stage_of(turn), *turn));
    turns.dedup();
    let mut stages = Vec::new();
    let mut is_first = true;
    for turns in turns.chunk_by(|one, other| stage_of(one) == stage_of(other)) {
        let ended = |turn: &TurnId| state.turns.get(turn).is_some_and(|turn| turn.end.is_some());
        let done = turns.iter().filter(|turn| ended(turn)).count();
        let progress = match done == turns.len() {
            true => StageProgress::Done,
            // Leave out stages that a closed debate never reached.
            false if state.closed.is_some() && done == 0 => continue,
            false if state.closed.is_some() => StageProgress::Done,
            false if is_first => StageProgress::Underway,
            false => StageProgress::Pending,
        };
        is_first &= progress == StageProgress::Done;
        let title = stage_title(state, stage_of(&turns[0]));
        stages.push(DebateStage { title, progress });
    }
    stages
}

fn stage_title(state: &State, stage: Stage) -> String {
    let rules = state.format_rules();
    match stage {
        Stage::Theses => "What each side defends".to_owned(),
        Stage::Round(0) => rules.rounds.opening.to_owned(),
        Stage::Round(round) => match rules.judging {
            Judging::EachRound => rules.round_heading(round),
            Judging::AtTheEnd => {
                format!(
                    "{} of {}",
                    rules.round_heading(round),
                    state.planned_rounds()
                )
            }
        },
        Stage::Verdict | Stage::Swap => "Verdict".to_owned(),
    }
}
