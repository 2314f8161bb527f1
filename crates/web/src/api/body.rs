//! The bodies of requests.

use agon_caller::bounds::Bounds;
use agon_caller::{Code, Failure};
use agon_debates::request::{
    Effort, JudgesRequest, SeatRequest, SeatsRequest, StartRequest as Start,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How deep a debate goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Depth {
    /// One round, little effort.
    Quick,
    /// The configured rounds.
    #[default]
    Default,
    /// Three rounds, high effort, three judges.
    Deep,
}

/// A debate to start.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StartBody {
    /// The decision, such as "SQLite or plain files for the job store?"
    topic: String,
    #[serde(default)]
    depth: Depth,
    /// What every seat reads and may cite: none, diff, repo, file=PATH or commit=A..B
    context: Option<String>,
    /// The tool of the proposer; `human` for a person
    proposer: Option<String>,
    challenger: Option<String>,
    judge: Option<String>,
    model_proposer: Option<String>,
    model_challenger: Option<String>,
    model_judge: Option<String>,
    /// 1 to 5
    rounds: Option<u16>,
    /// low, medium, high or max
    #[schemars(with = "Option<String>")]
    effort: Option<Effort>,
    max_calls: Option<u32>,
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
    /// Only return the plan
    #[serde(default)]
    pub(super) dry_run: bool,
    /// Start a new debate even if an identical one was started within the last hour
    #[serde(default)]
    again: bool,
}

impl StartBody {
    pub(super) fn request(self) -> Start {
        let seat = |tool, model| SeatRequest {
            tool,
            model,
            ..SeatRequest::default()
        };
        Start {
            topic: self.topic,
            quick: self.depth == Depth::Quick,
            deep: self.depth == Depth::Deep,
            context: self.context,
            rounds: self.rounds,
            dry_run: self.dry_run,
            detach: true,
            again: self.again,
            reuse: !self.again,
            seats: SeatsRequest {
                sides: [
                    seat(self.proposer, self.model_proposer),
                    seat(self.challenger, self.model_challenger),
                ],
                judges: JudgesRequest {
                    tools: self.judge.into_iter().collect(),
                    models: self.model_judge.into_iter().collect(),
                    ..JudgesRequest::default()
                },
                effort: self.effort,
                ..SeatsRequest::default()
            },
            bounds: Bounds {
                max_calls: self.max_calls,
                max_tokens: self.max_tokens,
                max_cost: self.max_cost,
                ..Bounds::default()
            },
            ..Start::default()
        }
    }
}

/// A note for every seat.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteBody {
    /// The note
    pub(super) text: String,
}

/// More rounds for a debate, with an optional note first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtendBody {
    /// 1 to 5; one if left out
    pub(super) rounds: Option<u16>,
    /// A note that is added first
    pub(super) note: Option<String>,
}

/// A request without parameters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EmptyBody {}

/// Reads the body of a request.
///
/// # Errors
///
/// If a field is missing, unknown or of another type; the failure names it.
pub(super) fn read<T: DeserializeOwned>(body: Value) -> Result<T, Failure> {
    serde_json::from_value(body).map_err(|error| {
        Failure::new(Code::InvalidParameter, error.to_string())
            .parameter("body")
            .hint("/api/openapi.json describes the fields of every request")
    })
}
