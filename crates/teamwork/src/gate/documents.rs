//! The documents about gates.

use std::path::PathBuf;

use agon_team::gate::{GateDefinition, GateFile, GateRun, GateStanding};
use agon_team::id::{GateName, TaskId, TreeHash};
use schemars::JsonSchema;
use serde::Serialize;

use super::GateSubmitted;

/// The name and version of the gates document.
pub const TEAM_GATES_SCHEMA: &str = "agon.team_gates/1";
/// The name and version of the gate run document.
pub const TEAM_GATE_RUN_SCHEMA: &str = "agon.team_gate_run/1";

/// The name and version of the document about a gate that is still running.
pub const TEAM_GATE_RUNNING_SCHEMA: &str = "agon.team_gate_running/1";

/// The gates of a team: `agon.team_gates/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGatesDoc {
    #[schemars(extend("const" = TEAM_GATES_SCHEMA))]
    pub(super) schema: &'static str,
    /// The file that defines them.
    pub path: PathBuf,
    /// The gates, sorted by name.
    pub gates: Vec<TeamGateState>,
    /// The task whose runs are shown; null if no task was named.
    pub task: Option<TaskId>,
    /// The current tree of the work tree; null if no task was named.
    pub tree: Option<TreeHash>,
    /// The task's submission; null if there is none or no task was named.
    pub submitted: Option<GateSubmitted>,
}

/// A gate with its results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGateState {
    /// Its name.
    pub name: GateName,
    /// Its action; null for a gate that the task requires but that is not defined.
    pub definition: Option<GateDefinition>,
    /// The result of its runs for the current tree; null if no task was named.
    pub standing: Option<GateStanding>,
    /// The result of its runs for the submitted tree; null if nothing was submitted.
    pub of_submitted: Option<GateStanding>,
    /// Its runs for the task, the earliest first.
    pub runs: Vec<GateRun>,
}

/// A run of a gate: `agon.team_gate_run/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGateRunDoc {
    #[schemars(extend("const" = TEAM_GATE_RUN_SCHEMA))]
    pub(super) schema: &'static str,
    /// The task; null for a run for this folder only, which counts for no task.
    pub task: Option<TaskId>,
    /// The run and its result.
    #[serde(flatten)]
    pub run: GateRun,
    /// The task's submission; null if there is none or no task was named.
    pub submitted: Option<GateSubmitted>,
    /// The last lines of its output, without secrets.
    pub output_tail: String,
}

/// A gate that is still running: `agon.team_gate_running/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGateRunningDoc {
    #[schemars(extend("const" = TEAM_GATE_RUNNING_SCHEMA))]
    pub(super) schema: &'static str,
    /// The gate.
    pub gate: GateName,
    /// The task.
    pub task: TaskId,
    /// How long it has been running, in seconds.
    pub running_s: u64,
}

/// Returns the gates of a file, without results.
pub(super) fn gates_document(path: PathBuf, file: GateFile) -> TeamGatesDoc {
    let gates = file.gates.into_iter();
    TeamGatesDoc {
        schema: TEAM_GATES_SCHEMA,
        path,
        gates: gates
            .map(|(name, definition)| TeamGateState {
                name,
                definition: Some(definition),
                standing: None,
                of_submitted: None,
                runs: Vec::new(),
            })
            .collect(),
        task: None,
        tree: None,
        submitted: None,
    }
}
