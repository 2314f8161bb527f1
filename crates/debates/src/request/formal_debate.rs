//! The requests for a formal debate.

use agon_caller::bounds::Bounds;
use agon_record::spec::FormatName;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{PastedText, SeatsRequest};

/// A request to open a formal debate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NewRequest {
    /// Its format, which must be scored exchange by exchange; `None` means a formal debate.
    pub format: Option<FormatName>,
    /// The name of the debate's folder; `None` derives it from the motion.
    pub slug: Option<String>,
    /// The motion.
    pub motion: Option<String>,
    /// Definitions of terms in the motion, each `TERM=MEANING`.
    pub definitions: Vec<String>,
    /// What the motion includes and excludes.
    pub scope: Option<String>,
    /// The thesis of the proposition.
    pub thesis_for: Option<String>,
    /// The thesis of the opposition.
    pub thesis_against: Option<String>,
    /// The context for every seat: `none`, `diff`, `commit=A..B`, `repo`, or `file=PATH`,
    /// `dir=DIR` and `session` or `session=ID`, several of them separated by
    /// [`CONTEXT_SEPARATOR`](super::CONTEXT_SEPARATOR).
    pub context: Option<String>,
    /// Texts for every seat besides the files of the context.
    #[serde(skip)]
    pub pasted: Vec<PastedText>,
    /// Its unique id; `None` generates one.
    #[serde(skip)]
    pub id: Option<Ulid>,
    /// Whether to fetch cited web pages.
    pub verify_urls: bool,
    /// Whether to send context that seems to contain a secret.
    pub allow_secrets: bool,
    /// Whether every parameter is required.
    pub strict: bool,
}

/// A request to play exchanges of a formal debate, or to continue a duel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayRequest {
    /// The debate: a folder, a name or an id; `None` means the only formal one.
    pub debate: Option<String>,
    /// The number of rebuttal exchanges.
    pub exchanges: Option<u16>,
    /// A note to add first.
    pub note: Option<String>,
    /// Whether to show the plan only.
    pub dry_run: bool,
    /// Whether to ask again if a stored reply belongs to a different prompt.
    pub ask_again: bool,
    /// Whether every parameter is required.
    pub strict: bool,
    /// Whether to run in the background.
    pub detach: bool,
    /// The seats; `None` keeps the seats of the last run.
    pub seats: SeatsRequest,
    /// The limits.
    pub bounds: Bounds,
}
