//! `debate_wait`: waits for the next turns of a debate.

use std::time::{Duration, Instant};

use agon_debates::status::choose::LikelyDebate;
use agon_debates::status::new_turns::{HeardDoc, wait_for_turns};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, find_debate, read_arguments, with_notes};
use crate::context::{CallContext, Step};
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

// Hosts cancel a call after 60 s (OpenCode, Codex). The difference is a margin for slow disks.
/// The maximum wait, in seconds.
const MAX_WAIT_S: u64 = 50;

/// The fields of the state and the new turns.
const FIELDS: OutputFields = &[
    "schema",
    "id",
    "debate",
    "state",
    "round",
    "speaking",
    "spent",
    "calls_max",
    "turns",
    "cursor",
    "waiting",
    "error",
    "said_by",
    "notes",
];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "debate_wait",
    description: "Wait at most 50 s for a debate's next turns, and get them in full. Call it again \
        with the returned cursor while state is running. Show the user each turn. Cancelling \
        ends the wait, not the debate.",
    input: input_schema::<Wait>,
    output: FIELDS,
    effect: Effect::Reads,
    quotes: Some("the tools in the seats of the debate"),
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(wait(context, arguments)) },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wait {
    /// Name or id [default: the running one]
    debate: Option<String>,
    /// From the last call; 0 for the first
    #[serde(default)]
    cursor: u64,
    /// Seconds, at most 50
    timeout: Option<u64>,
    #[expect(dead_code, reason = "read by the service, in `folder::choose_project`")]
    project: Option<String>,
}

async fn wait(context: &CallContext, arguments: Value) -> Result<Value, agon_caller::Failure> {
    let wait: Wait = read_arguments(arguments)?;
    let mut front = Collected::new(context.cancel.clone());
    let path = find_debate(
        context,
        wait.debate.as_deref(),
        LikelyDebate::Running,
        &mut front,
    )?;
    let seconds = wait.timeout.unwrap_or(MAX_WAIT_S).min(MAX_WAIT_S);
    let until = Instant::now() + Duration::from_secs(seconds);
    let heard = wait_for_turns(&path, wait.cursor, until, |seen| {
        context.report(step(seen));
        !context.cancel.is_cancelled()
    })?;
    with_notes(&heard, &front)
}

/// Returns the progress of a debate, in calls and in words.
fn step(seen: &HeardDoc) -> Step {
    let speaking: Vec<_> = seen.speaking.iter().map(ToString::to_string).collect();
    Step {
        done: seen.spent.calls,
        total: seen.calls_max,
        words: match speaking.as_slice() {
            [] => format!("round {}", seen.round),
            speaking => format!("round {}: {}", seen.round, speaking.join(" and ")),
        },
    }
}
