//! `consult`: several tools answer one question at once.

use agon_debates::ask::consult;
use agon_debates::request::ConsultRequest;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

// Hosts give a call up after 60 s.
/// Seconds for an answer.
const TIMEOUT_S: u64 = 50;

// Two tools are asked where none is named; with more than three each answer is told shorter.
/// The answers that have the room of a result each.
const MAX_ANSWERS: usize = 3;

/// One answer, or several.
const FIELDS: OutputFields = &[
    "schema",
    "id",
    "tool",
    "model",
    "effort",
    "transport",
    "duration_ms",
    "response",
    "session_id",
    "continuable",
    "usage",
    "error",
    "said_by",
    "notes",
    "answers",
];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "consult",
    description: "Ask several AI tools one question at once, outside any debate: second opinions \
        in under a minute, one call each, nobody objects and nothing is checked.",
    input: input_schema::<Consult>,
    output: FIELDS,
    effect: Effect::AsksModels,
    quotes: Some("the tools that were asked"),
    max_tokens: MAX_ANSWERS * MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(ask(context, arguments)) },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Consult {
    question: String,
    /// Two that are logged in where left out
    #[serde(default)]
    tools: Vec<String>,
    /// none, diff or file=PATH
    context: Option<String>,
    #[expect(
        dead_code,
        reason = "the service has taken it: `folder::choose_project`"
    )]
    project: Option<String>,
}

async fn ask(context: &CallContext, arguments: Value) -> Result<Value, agon_caller::Failure> {
    let consult: Consult = read_arguments(arguments)?;
    let tools = consult.tools.iter().map(|name| super::tool_name(name));
    let request = ConsultRequest {
        tools: tools.collect::<Result<_, _>>()?,
        context: consult.context.unwrap_or_else(|| "none".to_owned()),
        ..ConsultRequest::new(consult.question, TIMEOUT_S)
    };
    let mut front = Collected::new(context.cancel.clone());
    let answers = consult::ask(&context.caller, &request, &mut front).await?;
    with_notes(&answers.document(&*context.caller.words), &front)
}
