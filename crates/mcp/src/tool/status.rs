//! `status`: shows the installed tools, the usage of debates, and the state of a context.

use agon_caller::usage::UsageGrouping;
use agon_debates::past::usage;
use agon_health::{SessionChoice, SessionRequest, inspect_briefly};
use agon_seats::tools::overview;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

/// The fields of the tools, the usage, or a context.
const FIELDS: OutputFields = &[
    "schema",
    "tools",
    "notes",
    "since",
    "by",
    "total",
    "groups",
    "unattended",
    "project",
    "sessions",
    "month",
    "passed_over",
];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "status",
    description: "tools: which AI tools can debate and are logged in, and what to do if not. usage: \
        calls, tokens and cost of this project's debates, by tool. context: whether the context of \
        your session, or a named one, is green, amber or red, why, and the next step.",
    input: input_schema::<StatusArguments>,
    output: FIELDS,
    effect: Effect::Reads,
    quotes: None,
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(report_status(context, arguments)) },
};

/// The operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Op {
    Tools,
    Usage,
    Context,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatusArguments {
    op: Op,
    /// For context: a session id [default: yours]
    session: Option<String>,
    #[expect(dead_code, reason = "read by the service, in `folder::choose_project`")]
    project: Option<String>,
}

async fn report_status(
    context: &CallContext,
    arguments: Value,
) -> Result<Value, agon_caller::Failure> {
    let wanted: StatusArguments = read_arguments(arguments)?;
    let mut front = Collected::new(context.cancel.clone());
    match wanted.op {
        Op::Tools => with_notes(&overview::document(&context.caller).await?, &front),
        Op::Usage => {
            let by = UsageGrouping::Tool;
            let usage = usage::usage(&context.caller, None, by, &mut front)?;
            with_notes(&usage, &front)
        }
        Op::Context => {
            let choice = wanted
                .session
                .map_or(SessionChoice::Own, SessionChoice::Named);
            let request = SessionRequest { choice, host: None };
            with_notes(&inspect_briefly(&context.caller, &request)?, &front)
        }
    }
}
