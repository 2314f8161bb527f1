//! Finds out whether a run executes anything: without a gate that runs a command it does not, and
//! the report says so.

use std::collections::{BTreeMap, BTreeSet};

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Failure};
use agon_team::gate::GateDefinition;
use agon_team::id::{GateName, RunId};
use agon_team::store::{RunDoc, RunStage};
use schemars::JsonSchema;
use serde::Serialize;

use super::gates;
use crate::gate::read;
use crate::member::lead;
use crate::open_team::open;

/// The state of a run, on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamRunState {
    /// The run.
    pub run: RunId,
    /// The goal.
    pub goal: String,
    /// The current stage.
    pub stage: RunStage,
    /// The gates that each of its tasks must pass.
    pub gates: BTreeSet<GateName>,
    /// Why nothing is executed in it; null if a gate runs a command.
    pub nothing_executed: Option<String>,
    /// Why it stopped.
    pub note: Option<String>,
}

impl TeamRunState {
    pub(crate) fn new(run: RunDoc, defined: &BTreeMap<GateName, GateDefinition>) -> Self {
        Self {
            nothing_executed: nothing_executed(&run, defined),
            run: run.run,
            goal: run.goal,
            stage: run.stage,
            gates: run.gates,
            note: run.note,
        }
    }
}

/// Returns why a run with these gates would execute nothing, or `None` if a gate runs a command.
/// Without `named`, the gates are all of the team's.
///
/// # Errors
///
/// Fails if the caller may not start a run, or a gate is unknown.
pub fn nothing_executed_reason(
    caller: &Caller,
    named: Option<&BTreeSet<GateName>>,
) -> Result<Option<&'static str>, Failure> {
    refuse_nested(caller)?;
    let (team, location) = open(caller)?;
    lead(caller, &team, &location, "run a goal")?;
    let gates = gates::choose(&location, named)?;
    Ok(reason(&gates, &read(&location)?.gates))
}

/// Returns a line saying that a run executes nothing, or `None` if a gate runs a command.
pub(super) fn nothing_executed(
    run: &RunDoc,
    defined: &BTreeMap<GateName, GateDefinition>,
) -> Option<String> {
    let why = reason(&run.gates, defined)?;
    Some(match run.stage {
        RunStage::Done | RunStage::Stopped => format!("nothing was executed: {why}"),
        RunStage::Planning | RunStage::Debating | RunStage::Working => {
            format!("nothing is executed: {why}")
        }
    })
}

fn reason(
    gates: &BTreeSet<GateName>,
    defined: &BTreeMap<GateName, GateDefinition>,
) -> Option<&'static str> {
    let runs_command = |name: &GateName| {
        // A gate that has since been removed counts as a command gate: earlier tasks may have run it.
        defined
            .get(name)
            .is_none_or(|gate| matches!(gate, GateDefinition::Command(_)))
    };
    match (gates.is_empty(), defined.is_empty()) {
        (true, true) => Some("no gate is defined"),
        (true, false) => Some("the run has no gate"),
        (false, _) if gates.iter().any(runs_command) => None,
        (false, _) => Some("no gate of the run runs a command"),
    }
}

#[cfg(test)]
mod tests {
    use agon_team::gate::CommandGate;

    use super::*;

    #[test]
    fn only_a_gate_with_a_command_executes_something() {
        let name = |name: &str| -> GateName { name.parse().unwrap() };
        let command = GateDefinition::Command(CommandGate {
            argv: vec!["true".to_owned()],
            timeout_s: 1,
            exit: 0,
            env: Vec::new(),
        });
        let defined: BTreeMap<GateName, GateDefinition> = [
            (name("tests"), command),
            (name("seen"), GateDefinition::Review {}),
        ]
        .into();
        for (gates, defined, expected) in [
            (&[][..], &BTreeMap::new(), Some("no gate is defined")),
            (&[], &defined, Some("the run has no gate")),
            (
                &["seen"],
                &defined,
                Some("no gate of the run runs a command"),
            ),
            (&["seen", "tests"], &defined, None),
            (&["removed"], &defined, None),
        ] {
            let gates = gates.iter().map(|it| name(it)).collect();
            assert_eq!(reason(&gates, defined), expected, "{gates:?}");
        }
    }
}
