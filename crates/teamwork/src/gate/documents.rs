//! What is said of gates.

use std::path::PathBuf;

use agon_team::gate::{GateDefinition, GateFile, GateRun, GateStanding};
use agon_team::id::{GateName, TaskId, TreeHash};
use schemars::JsonSchema;
use serde::Serialize;

use super::GateSubmitted;

/// The name and version of the document of a team's gates.
pub const TEAM_GATES_SCHEMA: &str = "agon.team_gates/1";
/// The name and version of the document of a run of a gate.
pub const TEAM_GATE_RUN_SCHEMA: &str = "agon.team_gate_run/1";

/// The name and version of the document of a gate that still runs.
pub const TEAM_GATE_RUNNING_SCHEMA: &str = "agon.team_gate_running/1";

/// The gates of a team: `agon.team_gates/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGatesDoc {
    #[schemars(extend("const" = TEAM_GATES_SCHEMA))]
    pub(super) schema: &'static str,
    /// The file that they stand in.
    pub path: PathBuf,
    /// Each gate, by name.
    pub gates: Vec<TeamGateState>,
    /// The task whose runs were looked at; null without one.
    pub task: Option<TaskId>,
    /// The tree of the work tree now; null where no task was named.
    pub tree: Option<TreeHash>,
    /// What the task submitted; null before it did, and where no task was named.
    pub submitted: Option<GateSubmitted>,
}

/// A gate, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGateState {
    /// Its name.
    pub name: GateName,
    /// What it does; null where the task asks for a gate that is not defined.
    pub definition: Option<GateDefinition>,
    /// What its runs for the task say of the tree now; null where no task was named.
    pub standing: Option<GateStanding>,
    /// What they say of the tree that was submitted; null where none was.
    pub of_submitted: Option<GateStanding>,
    /// Its runs for the task, the earliest first.
    pub runs: Vec<GateRun>,
}

/// A run of a gate: `agon.team_gate_run/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGateRunDoc {
    #[schemars(extend("const" = TEAM_GATE_RUN_SCHEMA))]
    pub(super) schema: &'static str,
    /// For which task; null where it ran for this folder alone, which counts for none.
    pub task: Option<TaskId>,
    /// What came of it.
    #[serde(flatten)]
    pub run: GateRun,
    /// What the task submitted; null before it did, and where no task was named.
    pub submitted: Option<GateSubmitted>,
    /// The last lines of what it printed, without secrets.
    pub output_tail: String,
}

/// A gate that still runs: `agon.team_gate_running/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGateRunningDoc {
    #[schemars(extend("const" = TEAM_GATE_RUNNING_SCHEMA))]
    pub(super) schema: &'static str,
    /// The gate.
    pub gate: GateName,
    /// For which task.
    pub task: TaskId,
    /// For how long so far, in seconds.
    pub running_s: u64,
}

/// The gates of a file, of no task.
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
