//! `gate`: runs and shows the checks of a task.

use std::time::Duration;

use agon_caller::Failure;
use agon_teamwork::{GateName, TaskId, gate};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, missing_parameter, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

// Hosts cancel a call after 60 s, so the call returns earlier while the gate continues.
/// The time that a call waits for a gate.
const WAIT: Duration = Duration::from_secs(50);

/// The fields of a result, of a running gate, or of the list.
const FIELDS: OutputFields = &[
    "schema",
    "task",
    "gate",
    "tree",
    "passed",
    "outcome",
    "took_ms",
    "log",
    "output_tail",
    "submitted",
    "running_s",
    "path",
    "gates",
    "notes",
];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "gate",
    description: "Run or show the checks a task needs; a result counts only for the current tree. \
        After 50 s a run continues in the background: call show.",
    input: input_schema::<GateArguments>,
    output: FIELDS,
    effect: Effect::Team,
    quotes: None,
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(run_op(context, arguments)) },
};

/// The operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum GateOp {
    Run,
    Show,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GateArguments {
    op: GateOp,
    #[schemars(with = "Option<String>")]
    gate: Option<GateName>,
    #[schemars(with = "Option<String>")]
    task: Option<TaskId>,
}

async fn run_op(context: &CallContext, arguments: Value) -> Result<Value, Failure> {
    let wish: GateArguments = read_arguments(arguments)?;
    let caller = &context.caller;
    let front = Collected::new(context.cancel.clone());
    match wish.op {
        GateOp::Run => {
            let name = wish.gate.ok_or_else(|| missing_parameter("gate"))?;
            let task = wish.task.ok_or_else(|| missing_parameter("task"))?;
            let outcome = gate::run_detached(caller, &name, task, WAIT, &context.cancel).await?;
            with_notes(&outcome, &front)
        }
        GateOp::Show => {
            let document = gate::show(caller, wish.gate.as_ref(), wish.task).await?;
            with_notes(&document, &front)
        }
    }
}
