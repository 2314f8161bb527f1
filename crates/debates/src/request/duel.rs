//! What a duel is asked for with.

use agon_caller::bounds::Bounds;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{PastedText, SeatsRequest};

/// A duel is to be opened and run; what is not set is left to the configuration.
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
    /// Whether the judge is asked once only, not a second time with the sides swapped.
    pub no_swap: bool,
    /// What every seat is given: `none`, `diff`, `commit=A..B`, `repo`, or `file=PATH` and `dir=DIR`,
    /// several of them each in a line.
    pub context: Option<String>,
    /// Texts that every seat is given besides the files of the context.
    #[serde(skip)]
    pub pasted: Vec<PastedText>,
    /// Whether every seat is told of the nearest earlier verdicts.
    pub with_precedents: bool,
    /// The name of the debate's folder; from the topic where none is set.
    pub slug: Option<String>,
    /// Its unique name; one that is made where none is set.
    #[serde(skip)]
    pub id: Option<Ulid>,
    /// Whether pages that are cited are asked for.
    pub verify_urls: bool,
    /// Whether context is sent even if it seems to hold a secret.
    pub allow_secrets: bool,
    /// Whether the built-in model may be fetched without asking, where no tool and no server can debate.
    pub allow_download: bool,
    /// Whether it is only to be shown.
    pub dry_run: bool,
    /// Whether every parameter must be given.
    pub strict: bool,
    /// Whether it runs by itself.
    pub detach: bool,
    /// Whether it is opened even if the same one was started within the hour.
    pub again: bool,
    /// Whether the caller is given the same one that was started within the hour, while it runs or
    /// when it has its answer.
    pub reuse: bool,
    /// Who sits where.
    pub seats: SeatsRequest,
    /// The bounds.
    pub bounds: Bounds,
}
