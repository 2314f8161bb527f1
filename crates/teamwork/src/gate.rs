//! Gates: named checks that run on a work tree. A result counts for exactly that tree.

mod command;
mod context;
mod debate;
mod definitions;
mod detached;
mod documents;
mod evidence;
mod log;
mod propose;
mod run;
mod show;
mod submitted;

pub(super) use self::command::{CommandRun, RunOf, run_command};
#[cfg(test)]
pub(super) use self::debate::judge_answer;
pub(super) use self::debate::{read_verdict, run_debate, yes_no_question};
pub use self::definitions::{add, remove};
pub(super) use self::definitions::{lock as lock_definitions, path as gate_file, read};
pub use self::detached::{detach_from_caller, run_detached};
pub use self::documents::{
    TEAM_GATE_RUN_SCHEMA, TEAM_GATE_RUNNING_SCHEMA, TEAM_GATES_SCHEMA, TeamGateRunDoc,
    TeamGateRunningDoc, TeamGateState, TeamGatesDoc,
};
pub(super) use self::log::last_lines;
pub use self::propose::{
    ProposedGate, TEAM_GATES_PROPOSED_SCHEMA, TeamGatesProposedDoc, add_proposed, propose,
};
pub use self::run::run;
pub(super) use self::run::{GateOrder, run_at, run_with_output};
pub use self::show::show;
pub use self::submitted::GateSubmitted;

/// The outcome of one run of a gate.
pub(super) struct GateOutcome {
    /// Whether it passed.
    pub(super) passed: bool,
    /// How it ended, in one line without secrets.
    pub(super) outcome: String,
    /// Its output, without secrets; may be empty.
    pub(super) output: String,
}

impl GateOutcome {
    fn new(passed: bool, outcome: impl Into<String>) -> Self {
        Self {
            passed,
            outcome: outcome.into(),
            output: String::new(),
        }
    }
}
