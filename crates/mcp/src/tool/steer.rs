//! `debate_steer`: steers a running debate, or continues one that has ended.

use agon_caller::{Code, Failure};
use agon_debates::request::{DecisionKind, ExtendRequest, ResumeRequest};
use agon_debates::run::extend::{ExtendOutcome, extend};
use agon_debates::run::resume;
use agon_debates::status::choose::LikelyDebate;
use agon_debates::status::outcome::Outcome;
use agon_debates::steer;
use agon_debates::steer::{Decider, SayInput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{
    CallFuture, Effect, ToolSpec, find_debate, missing_parameter, read_arguments, with_notes,
};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

/// The fields that all four possible results share.
const FIELDS: OutputFields = &["schema", "debate", "said_by", "notes"];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "debate_steer",
    description: "Steer a debate. note: every seat sees your text from now on. judge: rule now. \
        stop: nothing is lost. continue: resume a stopped debate, or add \
        rounds after a verdict. decide: record what became of a verdict, and why.",
    input: input_schema::<Steer>,
    output: FIELDS,
    effect: Effect::Debates,
    quotes: Some("the tools in the seats of the debate"),
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(steer(context, arguments)) },
};

/// The operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Op {
    Note,
    Judge,
    Stop,
    Continue,
    Decide,
}

/// A [`DecisionKind`] without descriptions, which would take more of a model's context than the
/// names need.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DecisionName {
    Taken,
    Partly,
    NotTaken,
}

impl From<DecisionName> for DecisionKind {
    fn from(name: DecisionName) -> Self {
        match name {
            DecisionName::Taken => Self::Taken,
            DecisionName::Partly => Self::Partly,
            DecisionName::NotTaken => Self::NotTaken,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Steer {
    /// Name or id [default: the only candidate]
    debate: Option<String>,
    op: Op,
    /// For note and decide; with continue, a note added first
    text: Option<String>,
    /// For continue after a verdict
    rounds: Option<u16>,
    /// For decide
    taken: Option<DecisionName>,
    #[expect(dead_code, reason = "read by the service, in `folder::choose_project`")]
    project: Option<String>,
}

async fn steer(context: &CallContext, arguments: Value) -> Result<Value, Failure> {
    let wish: Steer = read_arguments(arguments)?;
    let caller = &context.caller;
    let mut front = Collected::new(context.cancel.clone());
    match wish.op {
        Op::Note => {
            let text = wish.text.filter(|text| !text.trim().is_empty());
            let Some(text) = text else {
                let message = "missing `text` of the note";
                let failure = Failure::new(Code::MissingParameter, message);
                return Err(failure.parameter("text"));
            };
            let path = find_debate(
                context,
                wish.debate.as_deref(),
                LikelyDebate::Running,
                &mut front,
            )?;
            let debate = path.display().to_string();
            let said = steer::say(caller, &debate, SayInput::Note(text), &mut front).await?;
            with_notes(&said, &front)
        }
        Op::Judge => {
            let ordered = steer::order_judgment(caller, wish.debate.as_deref(), &mut front).await?;
            with_notes(&ordered, &front)
        }
        Op::Stop => {
            let stopped = steer::stop(caller, wish.debate.as_deref(), &mut front).await?;
            with_notes(&stopped, &front)
        }
        Op::Decide => decide(context, &wish, &mut front).await,
        Op::Continue => continue_debate(context, wish, &mut front).await,
    }
}

/// Records what became of a verdict.
async fn decide(
    context: &CallContext,
    wish: &Steer,
    front: &mut Collected,
) -> Result<Value, Failure> {
    let taken = wish.taken.ok_or_else(|| missing_parameter("taken"))?;
    let why = wish.text.as_deref();
    let why = why.ok_or_else(|| missing_parameter("text"))?;
    let debate = wish.debate.as_deref();
    let path = find_debate(context, debate, LikelyDebate::LatestOwn, front)?;
    let folder = context.caller.cwd.join(path).display().to_string();
    let (caller, by) = (&context.caller, Decider::Caller);
    let decided = steer::decide(caller, Some(&folder), taken.into(), why, by, front).await?;
    with_notes(&decided, front)
}

/// Continues a debate in the background with its pending turns or, after a verdict, with more
/// rounds.
async fn continue_debate(
    context: &CallContext,
    wish: Steer,
    front: &mut Collected,
) -> Result<Value, Failure> {
    let caller = &context.caller;
    let path = find_debate(
        context,
        wish.debate.as_deref(),
        LikelyDebate::LatestOwn,
        front,
    )?;
    let folder = caller.cwd.join(path).display().to_string();
    let shown = agon_debates::read::show::show(caller, Some(&folder), front)?;
    let debate = Some(folder);
    let outcome = if shown.is_closed || shown.is_running {
        let request = ExtendRequest {
            debate,
            rounds: wish.rounds,
            note: wish.text,
            how: ResumeRequest {
                detach: true,
                ..ResumeRequest::default()
            },
        };
        match extend(caller, &request, front).await? {
            ExtendOutcome::Ran(outcome) => outcome,
            ExtendOutcome::Longer(ordered) => return with_notes(&ordered, front),
        }
    } else {
        let request = ResumeRequest {
            debate,
            detach: true,
            ..ResumeRequest::default()
        };
        resume::resume(caller, &request, front).await?
    };
    match outcome {
        Outcome::Started(started) => with_notes(&started.document(), front),
        Outcome::Ended(ended) => with_notes(&ended.document(), front),
        Outcome::Planned(planned) => with_notes(&planned.document(), front),
    }
}
