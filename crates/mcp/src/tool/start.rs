//! `debate_start`: starts a debate in the background.

use agon_caller::bounds::Bounds;
use agon_debates::request::{Effort, JudgesRequest, SeatRequest, SeatsRequest, StartRequest};
use agon_debates::run::duel;
use agon_debates::status::outcome::Outcome;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

/// The fields of a started debate.
const FIELDS: OutputFields = &[
    "schema",
    "id",
    "debate",
    "folder",
    "calls_max",
    "tokens_max",
    "eta_s",
    "poll_after_s",
    "reused",
    "notes",
];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "debate_start",
    description: "Start a debate on a decision: a proposer and a challenger argue, a judge rules. \
        Returns its name at once; it runs in the background. The same start within an hour returns \
        the same debate. Ask a question with its options and constraints; leave out seats to use \
        the installed tools.",
    input: input_schema::<Start>,
    output: FIELDS,
    effect: Effect::Debates,
    quotes: None,
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(start(context, arguments)) },
};

/// The depth of a debate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Depth {
    Quick,
    #[default]
    Default,
    Deep,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Start {
    /// The decision, such as "SQLite or plain files for the job store?"
    topic: String,
    /// quick: 3 calls, default: 8, deep: 12 with three judges
    #[serde(default)]
    depth: Depth,
    /// What every seat reads and may cite: none, diff, repo, file=PATH, commit=A..B or session (a
    /// brief of yours) [default: repo if all tools can read it, otherwise none]
    context: Option<String>,
    /// A tool, or SERVICE:MODEL
    proposer: Option<String>,
    challenger: Option<String>,
    judge: Option<String>,
    model_proposer: Option<String>,
    model_challenger: Option<String>,
    /// 1 to 5
    rounds: Option<u16>,
    /// low, medium, high or max
    #[schemars(with = "Option<String>")]
    effort: Option<Effort>,
    max_calls: Option<u32>,
    max_tokens: Option<u64>,
    /// Another tool may replace one that cannot be used
    #[serde(default)]
    substitute: bool,
    /// Even if the same debate was started within an hour
    #[serde(default)]
    again: bool,
    /// Absolute path [default: the open project]
    #[expect(dead_code, reason = "read by the service, in `folder::choose_project`")]
    project: Option<String>,
}

async fn start(context: &CallContext, arguments: Value) -> Result<Value, agon_caller::Failure> {
    let start: Start = read_arguments(arguments)?;
    let seat = |tool: Option<String>, model: Option<String>| SeatRequest {
        tool,
        model,
        ..SeatRequest::default()
    };
    let request = StartRequest {
        topic: start.topic,
        rounds: start.rounds,
        quick: start.depth == Depth::Quick,
        deep: start.depth == Depth::Deep,
        context: start.context,
        detach: true,
        again: start.again,
        reuse: !start.again,
        seats: SeatsRequest {
            sides: [
                seat(start.proposer, start.model_proposer),
                seat(start.challenger, start.model_challenger),
            ],
            judges: JudgesRequest {
                tools: start.judge.into_iter().collect(),
                ..JudgesRequest::default()
            },
            effort: start.effort,
            substitute: start.substitute,
            ..SeatsRequest::default()
        },
        bounds: Bounds {
            max_calls: start.max_calls,
            max_tokens: start.max_tokens,
            ..Bounds::default()
        },
        ..StartRequest::default()
    };
    let mut front = Collected::new(context.cancel.clone());
    match duel::start(&context.caller, &request, &mut front).await? {
        Outcome::Started(started) => with_notes(&started.document(), &front),
        Outcome::Ended(ended) => with_notes(&ended.started_document(), &front),
        Outcome::Planned(planned) => with_notes(&planned.document(), &front),
    }
}
