//! What a duel is asked for with.

use agon_agents::profile::Transport;
use agon_caller::bounds::Bounds;
use agon_record::spec::Effort;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{JudgesRequest, PastedText, SeatRequest};

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
    pub seats: DuelSeats,
    /// The bounds.
    pub bounds: Bounds,
}

/// Who sits where in a duel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DuelSeats {
    /// Who proposes.
    pub proposer: SeatRequest,
    /// Who challenges.
    pub challenger: SeatRequest,
    /// Who judges.
    pub judges: JudgesRequest,
    /// How hard every seat thinks.
    pub effort: Option<Effort>,
    /// How every tool is spoken to.
    pub transport: Option<Transport>,
    /// Whether one tool with one model may sit on both sides.
    pub same_tool: bool,
    /// Whether another tool may take the seat of one that is named and cannot be used.
    pub substitute: bool,
}

impl DuelSeats {
    /// Whether the effort of each seat is said: for all, or for one after another.
    pub(crate) fn has_every_effort(&self) -> bool {
        let sides = [self.proposer.effort, self.challenger.effort];
        self.effort.is_some() || sides.iter().all(Option::is_some) && self.judges.effort.is_some()
    }
}
