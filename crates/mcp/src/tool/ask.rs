//! `debate_ask`: asks a tool about a debate, which it answers from the record.

use agon_debates::questions::inquiry;
use agon_debates::request::InquiryRequest;
use agon_debates::status::choose::LikelyDebate;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, find_debate, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

// Hosts cancel a call after 60 s, which leaves no time for a second attempt if the answer cites
// unknown points. The result lists these points instead.
/// The time limit of one answer, in seconds.
const TIMEOUT_S: u64 = 50;

/// The fields of an answer.
const FIELDS: OutputFields = &[
    "schema",
    "id",
    "debate",
    "question",
    "answer",
    "cited",
    "unknown",
    "whole_record",
    "tool",
    "model",
    "usage",
    "said_by",
    "notes",
];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "debate_ask",
    description: "Ask a question about a debate. A tool answers from the record and cites its \
        points; code checks that they exist. One model call.",
    input: input_schema::<AskArguments>,
    output: FIELDS,
    effect: Effect::AsksModels,
    quotes: Some("the tool that was asked about the debate"),
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(ask(context, arguments)) },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AskArguments {
    /// Name or id [default: the latest]
    debate: Option<String>,
    question: String,
    /// Tool to ask instead of the judge's
    tool: Option<String>,
    #[expect(dead_code, reason = "read by the service, in `folder::choose_project`")]
    project: Option<String>,
}

async fn ask(context: &CallContext, arguments: Value) -> Result<Value, agon_caller::Failure> {
    let ask: AskArguments = read_arguments(arguments)?;
    let mut front = Collected::new(context.cancel.clone());
    let path = find_debate(
        context,
        ask.debate.as_deref(),
        LikelyDebate::LatestOwn,
        &mut front,
    )?;
    let request = InquiryRequest {
        tool: ask.tool.as_deref().map(super::tool_name).transpose()?,
        ..InquiryRequest::new(path.display().to_string(), ask.question, TIMEOUT_S)
    };
    let answer = inquiry::ask(&context.caller, &request, &mut front).await?;
    with_notes(&answer, &front)
}
