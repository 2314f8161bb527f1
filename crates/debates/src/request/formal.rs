//! What a formal debate is asked for with.

use agon_caller::bounds::Bounds;
use agon_record::spec::FormatName;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{PastedText, SeatsRequest};

/// A formal debate is to be opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NewRequest {
    /// Its format, one that is scored exchange by exchange; a formal debate where none is set.
    pub format: Option<FormatName>,
    /// The name of the debate's folder; from the motion where none is set.
    pub slug: Option<String>,
    /// The motion.
    pub motion: Option<String>,
    /// What terms of the motion mean, each as `TERM=MEANING`.
    pub definitions: Vec<String>,
    /// What the motion covers and what it does not.
    pub scope: Option<String>,
    /// What the proposition defends.
    pub thesis_for: Option<String>,
    /// What the opposition defends.
    pub thesis_against: Option<String>,
    /// What every seat is given: `none`, `diff`, `commit=A..B`, `repo`, or `file=PATH` and `dir=DIR`,
    /// several of them each in a line.
    pub context: Option<String>,
    /// Texts that every seat is given besides the files of the context.
    #[serde(skip)]
    pub pasted: Vec<PastedText>,
    /// Its unique name; one that is made where none is set.
    #[serde(skip)]
    pub id: Option<Ulid>,
    /// Whether pages that are cited are asked for.
    pub verify_urls: bool,
    /// Whether context is sent even if it seems to hold a secret.
    pub allow_secrets: bool,
    /// Whether every parameter must be given.
    pub strict: bool,
}

/// Exchanges of a formal debate are to be played; a duel goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayRequest {
    /// The debate: a folder, a name or an id; the only formal one where none is named.
    pub debate: Option<String>,
    /// How many rebuttal exchanges.
    pub exchanges: Option<u16>,
    /// What is said into it first.
    pub note: Option<String>,
    /// Whether it is only to be shown.
    pub dry_run: bool,
    /// Whether a stored reply that answers something else is asked for again.
    pub ask_again: bool,
    /// Whether every parameter must be given.
    pub strict: bool,
    /// Whether it runs in the background.
    pub detach: bool,
    /// Who sits where; as in the last run where nothing is set.
    pub seats: SeatsRequest,
    /// The bounds.
    pub bounds: Bounds,
}
