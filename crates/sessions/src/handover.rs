//! The hand-over for a new session, and the content that other next steps need.
//!
//! All content comes from the record. Quotations are word for word, without secrets. No model
//! summarises anything.

mod brief;
mod checklist;
mod command;
mod constraint;
mod decision;
mod document;
mod gap;
mod last_words;
mod page;
mod place;
mod preparation;
mod question;
mod request;
mod statements;
mod task;
mod work;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use brief::MAX_BRIEF_TOKENS;
pub use document::MAX_HANDOVER_TOKENS;
pub use last_words::LastWords;
pub use place::CitedPlace;
pub use preparation::{Compression, NextStep, Preparation, TurnSpan};
pub use request::{Exchange, Exchanges, MAX_EXCHANGE_TOKENS};
pub use task::{OpenTask, TaskSource, Tasks};
pub use work::{ChangedFile, CommandOutcome, RanCommand, Work};

use crate::prose::Quotes;
use crate::{Entry, EntryKind, Location, PlanItem};

/// Words of the session with their place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quotation {
    /// The words, without secrets.
    pub words: String,
    /// The entry's index.
    pub entry: u64,
    /// Its place in the record.
    pub location: Location,
    /// The turn.
    pub turn: u32,
    /// Whether the user wrote it; otherwise the model did.
    pub is_of_user: bool,
    /// The turn in which later words withdraw or change it.
    pub revised_in: Option<u32>,
}

impl Quotation {
    fn new(entry: &Entry, words: String) -> Self {
        Self {
            words,
            entry: entry.index,
            location: entry.location.clone(),
            turn: entry.turn,
            is_of_user: matches!(entry.kind, EntryKind::Prompt(_)),
            revised_in: None,
        }
    }
}

/// A decision from another record, such as a debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedDecision {
    /// Its words, without secrets.
    pub words: String,
    /// Its place, in Agon's words.
    pub place: String,
}

/// The information that a new session needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handover {
    /// The user's first and last request.
    pub asked: Vec<Quotation>,
    /// All requests with the model's answers, without the oldest ones of a long session.
    pub exchanges: Exchanges,
    /// The model's last message and its last plan.
    pub last_words: LastWords,
    /// Open tasks, from the host's to-do list, from check lists and from requests that the user
    /// put off.
    pub tasks: Tasks,
    /// Unanswered questions of the user and the model.
    pub questions: Vec<Quotation>,
    /// Changed files, commands and failures.
    pub work: Work,
    /// Constraints that the user stated, word for word.
    pub constraints: Vec<Quotation>,
    /// Sentences that state a decision, word for word.
    pub decisions: Vec<Quotation>,
    /// Decisions from other records. [`Handover::of`] leaves this empty for the caller to fill.
    pub recorded: Vec<RecordedDecision>,
    /// Cited files that still exist, most cited first.
    pub places: Vec<CitedPlace>,
    /// Gaps of the hand-over, in Agon's words.
    pub not_understood: Vec<String>,
}

/// Options of a hand-over.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandoverOptions<'a> {
    /// The project folder, which cited files are relative to.
    pub project: Option<&'a Path>,
    /// The to-do list, if the host stores it outside the record.
    pub plan: &'a [PlanItem],
    /// The number of entries left out because the session is too long.
    pub dropped: u64,
}

impl Handover {
    /// Builds the hand-over of a session from its entries, in reading order.
    pub fn of<'a>(
        entries: impl IntoIterator<Item = &'a Entry>,
        options: &HandoverOptions<'_>,
    ) -> Self {
        let entries: Vec<&Entry> = entries
            .into_iter()
            .filter(|it| it.agent.is_none())
            .collect();
        let mut quotes = Quotes::default();
        let quotes = &mut quotes;
        let folder = options.project.map(Path::to_string_lossy);
        let folder = folder.as_deref();
        let mut handover = Self {
            asked: request::first_and_last(&entries, quotes),
            exchanges: request::exchanges(&entries, folder, quotes),
            last_words: last_words::last_words(&entries, quotes),
            tasks: task::tasks(&entries, options.plan, folder, quotes),
            questions: question::open_questions(&entries, quotes),
            work: work::work(&entries, folder, quotes),
            constraints: constraint::constraints(&entries, quotes),
            decisions: decision::decisions(&entries, quotes),
            recorded: Vec::new(),
            places: place::places(&entries, options.project),
            not_understood: Vec::new(),
        };
        handover.not_understood = gap::describe_gaps(&entries, options, &handover);
        handover
    }
}

/// Returns a path relative to the project folder if inside it.
fn within<'a>(path: &'a str, project: Option<&str>) -> &'a str {
    let within = project.and_then(|it| path.strip_prefix(it)?.strip_prefix('/'));
    within.unwrap_or(path)
}
