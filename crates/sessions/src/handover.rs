//! The hand-over for a new session, and the content that other next steps need.
//!
//! All content comes from the record. Quotations are word for word, without secrets. No model
//! summarises anything.

mod constraint;
mod decision;
mod document;
mod place;
mod preparation;
mod question;
mod statements;
mod task;
mod work;

use std::collections::HashSet;
use std::path::Path;

use agon_record::text::strip_control_characters;
use serde::{Deserialize, Serialize};

pub use document::MAX_HANDOVER_TOKENS;
pub use place::CitedPlace;
pub use preparation::{Compression, NextStep, Preparation, TurnSpan};
pub use task::{OpenTask, Tasks};
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
    /// Open tasks, from the host's to-do list and from requests that the user put off.
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
        let tasks = task::tasks(&entries, options.plan, &mut quotes);
        let constraints = constraint::constraints(&entries, &mut quotes);
        let decisions = decision::decisions(&entries, &mut quotes);
        let places = place::places(&entries, options.project);
        let questions = question::open_questions(&entries, &mut quotes);
        let folder = options.project.map(Path::to_string_lossy);
        let work = work::work(&entries, folder.as_deref(), &mut quotes);
        let mut handover = Self {
            asked: requests(&entries, &mut quotes),
            questions,
            work,
            tasks,
            constraints,
            decisions,
            recorded: Vec::new(),
            places,
            not_understood: Vec::new(),
        };
        handover.not_understood = describe_gaps(&entries, options, &handover);
        handover
    }
}

/// Most characters quoted of a request. Its place leads to the rest.
const MAX_ASKED: usize = 1_000;

fn requests(entries: &[&Entry], quotes: &mut Quotes) -> Vec<Quotation> {
    let mut prompts = entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Prompt(text) if !text.is_empty() => Some((*entry, text)),
        _ => None,
    });
    let first = prompts.next();
    let last = prompts.next_back();
    first
        .into_iter()
        .chain(last)
        .map(|(entry, text)| {
            // Strip before the cut: a cut inside a control sequence would leave a part that is not
            // recognized.
            let whole = strip_control_characters(&quotes.quote(text, text.as_str()));
            let words = match whole.char_indices().nth(MAX_ASKED) {
                Some((at, _)) => format!("{}…", &whole[..at]),
                None => whole,
            };
            Quotation::new(entry, words)
        })
        .collect()
}

fn describe_gaps(
    entries: &[&Entry],
    options: &HandoverOptions<'_>,
    handover: &Handover,
) -> Vec<String> {
    let mut lines = Vec::new();
    if options.dropped > 0 {
        let dropped = options.dropped;
        lines.push(format!(
            "The first {dropped} entries were not read, so their content is missing."
        ));
    }
    // A debate seat may be asked without any words of the user, so skip empty prompts.
    let is_said = |it: &&&Entry| matches!(&it.kind, EntryKind::Prompt(text) if !text.is_empty());
    let prompts = entries.iter().filter(is_said).count();
    let quoted = [&handover.asked, &handover.constraints, &handover.decisions];
    let quoted: HashSet<u64> = quoted.into_iter().flatten().map(|it| it.entry).collect();
    let silent = entries
        .iter()
        .filter(is_said)
        .filter(|entry| !quoted.contains(&entry.index))
        .count();
    if silent > 0 {
        lines.push(format!(
            "No constraint or decision was recognized in {silent} of {prompts} user messages."
        ));
    }
    if !handover.tasks.has_plan {
        lines.push("There is no to-do list, so more tasks may be open.".to_owned());
    }
    if handover.tasks.unknown > 0 {
        let unknown = handover.tasks.unknown;
        lines.push(format!(
            "{unknown} changes to the to-do list could not be applied."
        ));
    }
    if handover.decisions.is_empty() {
        lines.push("No sentence states a decision.".to_owned());
    }
    lines
}
