//! What a task waits for, in words.

use agon_team::task::{MissingEvidence, Task};
use agon_team::why::WaitsFor;

/// One thing that a task waits for, in words.
pub fn describe_wait(waits_for: &WaitsFor) -> String {
    match waits_for {
        WaitsFor::Publication => "that it is published".to_owned(),
        WaitsFor::Need {
            task,
            state,
            holder: Some(holder),
        } => format!("{task}, which {holder} has ({state})"),
        WaitsFor::Need {
            task,
            state,
            holder: None,
        } => format!("{task}, which is {state}"),
        WaitsFor::LostNeed { task, state } => {
            format!("{task}, which is {state} and will not be done")
        }
        WaitsFor::Claim { kept_for: None } => "a member who claims it".to_owned(),
        WaitsFor::Claim {
            kept_for: Some(assignee),
        } => format!("{assignee}, for whom it is kept"),
        WaitsFor::Holder { holder, .. } => format!("{holder}, who has it"),
        WaitsFor::Declared { reason, .. } => format!("{}, as its holder says", reason.as_str()),
        WaitsFor::Lock { lock, behind, .. } => {
            let behind: Vec<String> = behind.iter().map(ToString::to_string).collect();
            format!("lock {lock}, behind {}", behind.join(", "))
        }
        WaitsFor::Evidence(missing) => missing.to_string(),
        WaitsFor::Acceptance => "the word of a member that it is done".to_owned(),
    }
}

/// What to do about all that a submitted task lacks; none where it lacks nothing.
pub fn describe_missing(task: &Task, waits_for: &[WaitsFor]) -> Option<String> {
    let missing = waits_for.iter().filter_map(|one| match one {
        WaitsFor::Evidence(missing) => Some(missing.clone()),
        _ => None,
    });
    let missing: Vec<MissingEvidence> = missing.collect();
    let hint = (!missing.is_empty()).then(|| MissingEvidence::hint(&missing, task.id, task.epoch));
    hint.map(|hint| hint.typed())
}
