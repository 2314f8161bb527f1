//! A gate that checks whether the member's context has degraded.

use std::path::Path;

use agon_caller::{Caller, Failure};
use agon_health::{ContextState, judge_member};
use agon_team::gate::{ContextGate, ContextLevel};

use super::GateOutcome;
use crate::text::clean;

/// Judges the context of the session that works in the work tree at `root`.
pub(super) fn run(caller: &Caller, root: &Path, gate: ContextGate) -> Result<GateOutcome, Failure> {
    let Some(context) = judge_member(caller, root)? else {
        // Without a record there is nothing to judge, so the gate fails.
        let outcome = "no AI tool has a record of a session in this work tree";
        return Ok(GateOutcome::new(false, outcome));
    };
    let fails_at = match gate.fails_at {
        ContextLevel::Amber => ContextState::Amber,
        ContextLevel::Red => ContextState::Red,
    };
    let state = context.state.as_str();
    let outcome = match context.reasons.first() {
        Some(reason) => format!("the context in {} is {state}: {reason}", context.host),
        None => format!("the context in {} is {state}", context.host),
    };
    Ok(GateOutcome {
        passed: context.state < fails_at,
        outcome: clean(&outcome),
        output: context.reasons.join("\n"),
    })
}
