//! What a new session has to be told: a hand-over, and what the other next steps need.
//!
//! All of it stands in the record; what is quoted is word for word, without secrets. Nothing is
//! summed up by a model.

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

/// Words of the session with the place where they stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quotation {
    /// The words, without secrets.
    pub words: String,
    /// The entry's index.
    pub entry: u64,
    /// Where it stands in the record.
    pub location: Location,
    /// The turn.
    pub turn: u32,
    /// Whether the user said it; else the model did.
    pub is_of_user: bool,
    /// Where later words take it back or change it, the turn in which they were said.
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

/// A decision that stands in another record than the session's, such as that of a debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedDecision {
    /// Its words, without secrets.
    pub words: String,
    /// Where it stands, in words of Agon's own.
    pub place: String,
}

/// What a new session has to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handover {
    /// What the user asked for first, and last.
    pub asked: Vec<Quotation>,
    /// What is to be done, from the host's list and from what the user put off.
    pub tasks: Tasks,
    /// Questions without an answer, the user's and the model's.
    pub questions: Vec<Quotation>,
    /// Files changed, commands run and what failed.
    pub work: Work,
    /// What the user wants to be always or never so, word for word.
    pub constraints: Vec<Quotation>,
    /// Lines that say that something was decided, word for word.
    pub decisions: Vec<Quotation>,
    /// What was decided in other records than the session's. [`Handover::of`] knows of none: who has
    /// such records adds them.
    pub recorded: Vec<RecordedDecision>,
    /// Files that were cited and are there still, most cited first.
    pub places: Vec<CitedPlace>,
    /// What could not be told, in sentences of Agon's own.
    pub not_understood: Vec<String>,
}

/// What a hand-over is made with beside the entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandoverOptions<'a> {
    /// The folder of the project, in which cited places are looked for.
    pub project: Option<&'a Path>,
    /// The list of things to do, where the host keeps it beside the record.
    pub plan: &'a [PlanItem],
    /// Entries that are not looked at because they are too many.
    pub dropped: u64,
}

impl Handover {
    /// The hand-over of a session from its entries, in the order in which a reader gave them.
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
        handover.not_understood = not_understood(&entries, options, &handover);
        handover
    }
}

/// Characters of what the user asked that are quoted: the rest is found by its place.
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
            // First, for a cut within a sequence leaves what is not one.
            let whole = strip_control_characters(&quotes.quote(text, text.as_str()));
            let words = match whole.char_indices().nth(MAX_ASKED) {
                Some((at, _)) => format!("{}…", &whole[..at]),
                None => whole,
            };
            Quotation::new(entry, words)
        })
        .collect()
}

fn not_understood(
    entries: &[&Entry],
    options: &HandoverOptions<'_>,
    handover: &Handover,
) -> Vec<String> {
    let mut lines = Vec::new();
    if options.dropped > 0 {
        let dropped = options.dropped;
        lines.push(format!(
            "The first {dropped} entries were not looked at: what was said there is missing."
        ));
    }
    // A seat of a debate may be asked without a word of the user's.
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
            "{silent} of {prompts} messages of the user have no sentence that was known for a constraint or a decision."
        ));
    }
    if !handover.tasks.has_plan {
        lines.push("There is no list of things to do: what is open may be more.".to_owned());
    }
    if handover.tasks.unknown > 0 {
        let unknown = handover.tasks.unknown;
        lines.push(format!(
            "{unknown} changes of the list could not be followed."
        ));
    }
    if handover.decisions.is_empty() {
        lines.push("No line says in so many words that something was decided.".to_owned());
    }
    lines
}
