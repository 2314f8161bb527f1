//! Describes what a task waits for, and the results of its gates.

use agon_team::gate::GateStanding;
use agon_team::task::{MissingEvidence, Task};
use agon_team::why::WaitsFor;

/// Describes one thing that a task waits for.
pub fn describe_wait(waits_for: &WaitsFor) -> String {
    match waits_for {
        WaitsFor::Publication => "publication".to_owned(),
        WaitsFor::Need {
            task,
            state,
            holder: Some(holder),
        } => format!("{task} ({state}, held by {holder})"),
        WaitsFor::Need {
            task,
            state,
            holder: None,
        } => format!("{task} ({state})"),
        WaitsFor::LostNeed { task, state } => {
            format!("{task}, which is {state} and will never be done")
        }
        WaitsFor::Claim { kept_for: None } => "a member to claim it".to_owned(),
        WaitsFor::Claim {
            kept_for: Some(assignee),
        } => format!("{assignee}, to whom it is assigned"),
        WaitsFor::Holder { holder, .. } => format!("{holder}, who holds it"),
        WaitsFor::Declared { reason, .. } => {
            format!("{} (reported by its holder)", reason.as_str())
        }
        WaitsFor::Lock { lock, behind, .. } => {
            let behind: Vec<String> = behind.iter().map(ToString::to_string).collect();
            format!("lock {lock}, behind {}", behind.join(", "))
        }
        WaitsFor::Evidence(missing) => missing.to_string(),
        WaitsFor::Acceptance => "a member to mark it as done".to_owned(),
    }
}

/// Returns the hint for everything that a submitted task lacks, or `None` if it lacks nothing.
pub fn describe_missing(task: &Task, waits_for: &[WaitsFor]) -> Option<String> {
    let missing = waits_for.iter().filter_map(|one| match one {
        WaitsFor::Evidence(missing) => Some(missing.clone()),
        _ => None,
    });
    let missing: Vec<MissingEvidence> = missing.collect();
    let hint = (!missing.is_empty()).then(|| MissingEvidence::hint(&missing, task.id, task.epoch));
    hint.map(|hint| hint.typed())
}

/// Describes the result of a gate of a task, or `None` before anything was submitted.
pub fn describe_standing(standing: Option<&GateStanding>) -> String {
    match standing {
        None => "nothing submitted yet".to_owned(),
        Some(GateStanding::Passed) => "passed".to_owned(),
        Some(GateStanding::Failed { outcome }) => format!("failed: {outcome}"),
        Some(GateStanding::Stale { .. }) => "ran on another tree".to_owned(),
        Some(GateStanding::NotRun) => "not run".to_owned(),
    }
}
