//! `recall`: finds earlier decisions on a topic.

use agon_debates::past::recall;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

// Three decisions fit into a result, and a fourth is rarely relevant.
/// The maximum number of decisions.
const MAX_DECISIONS: usize = 3;

/// The fields of the result.
const FIELDS: OutputFields = &["schema", "topic", "decisions", "said_by", "notes"];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "recall",
    description: "Find earlier verdicts of this project on a topic: the answer, whether it was \
        taken, what it depends on, and which cited places have changed since. Call it before you \
        start a debate. Calls no model.",
    input: input_schema::<Recall>,
    output: FIELDS,
    effect: Effect::Reads,
    quotes: Some("the judges of earlier debates"),
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(find(context, arguments)) },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Recall {
    topic: String,
    #[expect(dead_code, reason = "read by the service, in `folder::choose_project`")]
    project: Option<String>,
}

async fn find(context: &CallContext, arguments: Value) -> Result<Value, agon_caller::Failure> {
    let wanted: Recall = read_arguments(arguments)?;
    let mut front = Collected::new(context.cancel.clone());
    let most = Some(MAX_DECISIONS);
    let recalled = recall::recall(&context.caller, &wanted.topic, most, &mut front)?;
    with_notes(&recalled, &front)
}
