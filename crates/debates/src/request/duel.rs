//! The request for a duel.

use agon_caller::bounds::Bounds;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{ChangeSelection, PastedText, SeatsRequest};

/// A request to start a duel; the configuration sets what is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StartRequest {
    /// The topic, or `TOOL vs TOOL about TOPIC`.
    pub topic: String,
    /// Rounds, 1 to 5.
    pub rounds: Option<u16>,
    /// One round, low effort, no blind answers, no swap.
    pub quick: bool,
    /// Three rounds, high effort, a panel of three judges.
    pub deep: bool,
    /// Whether the judge is asked only once, without a second time with the sides swapped.
    pub no_swap: bool,
    /// The context for every seat: `none`, `diff`, `commit=A..B`, `repo`, or `file=PATH`,
    /// `dir=DIR` and `session` or `session=ID`, several of them separated by
    /// [`CONTEXT_SEPARATOR`](super::CONTEXT_SEPARATOR).
    pub context: Option<String>,
    /// Texts for every seat besides the files of the context.
    #[serde(skip)]
    pub pasted: Vec<PastedText>,
    /// What of the changed files is given, and the question about them; for a context of commits.
    #[serde(skip)]
    pub change: Option<ChangeSelection>,
    /// Whether every seat is given similar earlier verdicts.
    pub with_precedents: bool,
    /// The name of the debate's folder; `None` derives it from the topic.
    pub slug: Option<String>,
    /// Its unique id; `None` generates one.
    #[serde(skip)]
    pub id: Option<Ulid>,
    /// Whether to fetch cited web pages.
    pub verify_urls: bool,
    /// Whether to send context that seems to contain a secret.
    pub allow_secrets: bool,
    /// Whether the built-in model may be downloaded without asking if no tool and no server can
    /// debate.
    pub allow_download: bool,
    /// Whether to show the plan only.
    pub dry_run: bool,
    /// Whether every parameter is required.
    pub strict: bool,
    /// Whether to run in the background.
    pub detach: bool,
    /// Whether to start it even if an identical debate was started within the last hour.
    pub again: bool,
    /// Whether the caller gets an identical debate of the last hour instead, if it is running or
    /// has an answer.
    pub reuse: bool,
    /// The seats.
    pub seats: SeatsRequest,
    /// The limits.
    pub bounds: Bounds,
}
