//! `consult`: asks several tools one question at once, or lets one examine a session.

use agon_debates::questions::consult;
use agon_debates::questions::examine::{self, ExamineRequest, ExaminerRequest};
use agon_debates::request::ConsultRequest;
use agon_health::{SessionChoice, SessionRequest, shorten};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, missing_parameter, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

// Hosts cancel a call after 60 s, so answer earlier.
/// The time limit of an answer, in seconds.
const TIMEOUT_S: u64 = 50;

// By default two tools are asked. With more than three, each answer is shortened.
/// The number of answers that fit in full.
const MAX_ANSWERS: usize = 3;

/// The fields of one answer, several answers, or a session.
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
    "project",
    "sessions",
    "passed_over",
];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "consult",
    description: "Ask several AI tools one question at once, without a debate: second opinions, \
        one call each, unchecked. examine: a tool's model looks for problems in \
        your session's context; Agon verifies each finding.",
    input: input_schema::<Consult>,
    output: FIELDS,
    effect: Effect::AsksModels,
    quotes: Some("the tools that were asked"),
    max_tokens: MAX_ANSWERS * MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(ask(context, arguments)) },
};

/// The operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Op {
    #[default]
    Ask,
    Examine,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Consult {
    #[serde(default)]
    op: Op,
    /// For ask
    question: Option<String>,
    /// [default: two that are logged in]
    #[serde(default)]
    tools: Vec<String>,
    /// none, diff, file=PATH or session
    context: Option<String>,
    /// For examine [default: yours]
    session: Option<String>,
    #[expect(dead_code, reason = "read by the service, in `folder::choose_project`")]
    project: Option<String>,
}

async fn ask(context: &CallContext, arguments: Value) -> Result<Value, agon_caller::Failure> {
    let consult: Consult = read_arguments(arguments)?;
    let tools = consult.tools.iter().map(|name| super::tool_name(name));
    let tools = tools.collect::<Result<Vec<_>, _>>()?;
    let mut front = Collected::new(context.cancel.clone());
    if consult.op == Op::Examine {
        let choice = consult
            .session
            .map_or(SessionChoice::Own, SessionChoice::Named);
        let request = ExamineRequest {
            session: SessionRequest { choice, host: None },
            examiner: ExaminerRequest {
                tool: tools.into_iter().next(),
                model: None,
                timeout: TIMEOUT_S,
            },
        };
        let mut document = examine::examine(&context.caller, &request, &mut front).await?;
        document.sessions.iter_mut().for_each(shorten);
        return with_notes(&document, &front);
    }
    let question = consult
        .question
        .ok_or_else(|| missing_parameter("question"))?;
    let request = ConsultRequest {
        tools,
        context: consult.context.unwrap_or_else(|| "none".to_owned()),
        ..ConsultRequest::new(question, TIMEOUT_S)
    };
    let answers = consult::ask(&context.caller, &request, &mut front).await?;
    with_notes(&answers.document(&*context.caller.words), &front)
}
