//! Finds open tasks.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::checklist::open_items;
use super::constraint::asks;
use crate::prose::{Quotes, phrases, sentences};
use crate::{Entry, EntryKind, PlanChange, PlanItem, PlanState, RawText};

/// An open task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTask {
    /// Its words, from the to-do list or the user's message.
    pub words: String,
    /// Its state.
    pub state: PlanState,
    /// The turn in which it was added or last changed.
    pub turn: u32,
    /// Where it comes from.
    pub source: TaskSource,
}

/// Where an open task comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskSource {
    /// The host's to-do list.
    Plan,
    /// A check list (`- [ ]`) in this file, as the session last saw it.
    File(String),
    /// A message in which the user put it off.
    Message,
}

/// Open tasks and counts of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tasks {
    /// Open tasks: those of the host's list, those in progress first, then those of check lists,
    /// then those that the user put off.
    pub open: Vec<OpenTask>,
    /// Listed tasks that are done.
    pub done: usize,
    /// Listed tasks that were dropped.
    pub dropped: usize,
    /// Changes that refer to no listed task.
    pub unknown: usize,
    /// Whether the session has a to-do list.
    pub has_plan: bool,
}

/// Maximum number of characters of an item of a check list, and of its file's name.
const MAX_CHARS: usize = 160;

struct Row<'a> {
    id: &'a str,
    text: &'a RawText,
    state: PlanState,
    turn: u32,
}

/// Returns the current to-do list and the requests that the user put off.
///
/// `beside` is the list that the host stores outside the record. If it exists, it is the newest.
pub(super) fn tasks(
    entries: &[&Entry],
    beside: &[PlanItem],
    project: Option<&str>,
    quotes: &mut Quotes,
) -> Tasks {
    let mut list = List::default();
    let mut tasks = Tasks::default();
    let mut put_off: Vec<OpenTask> = Vec::new();
    let mut last_turn = 0;
    for entry in entries {
        last_turn = entry.turn;
        match &entry.kind {
            EntryKind::Plan(change) => {
                tasks.has_plan = true;
                list.apply(change, entry.turn, &mut tasks.unknown);
            }
            EntryKind::Prompt(text) => {
                for sentence in sentences(text.as_str()) {
                    let is_question = sentence.is_question() || asks(sentence.text).is_some();
                    if phrases().later.is_match(sentence.text) && !is_question {
                        put_off.push(OpenTask {
                            words: quotes.quote(text, sentence.text),
                            state: PlanState::Unknown,
                            turn: entry.turn,
                            source: TaskSource::Message,
                        });
                    }
                }
            }
            _ => {}
        }
    }
    let mut rows = list.rows;
    if !beside.is_empty() {
        tasks.has_plan = true;
        rows = beside.iter().map(|it| row(it, last_turn)).collect();
    }
    for row in &rows {
        match row.state {
            PlanState::Done => tasks.done += 1,
            PlanState::Dropped => tasks.dropped += 1,
            state @ (PlanState::Pending | PlanState::InProgress | PlanState::Unknown) => {
                tasks.open.push(OpenTask {
                    words: quotes.quote(row.text, row.text.as_str()),
                    state,
                    turn: row.turn,
                    source: TaskSource::Plan,
                });
            }
        }
    }
    tasks
        .open
        .sort_by_key(|it| it.state != PlanState::InProgress);
    let of_files = open_items(entries, project).into_iter().map(|it| OpenTask {
        words: quotes.quote_argument(it.words, MAX_CHARS),
        state: PlanState::Pending,
        turn: it.turn,
        source: TaskSource::File(quotes.quote_argument(&it.file, MAX_CHARS)),
    });
    tasks.open.extend(of_files);
    tasks.open.extend(put_off);
    tasks
}

fn row(item: &PlanItem, turn: u32) -> Row<'_> {
    Row {
        id: &item.id,
        text: &item.text,
        state: item.state,
        turn,
    }
}

/// The to-do list after some of its changes.
#[derive(Default)]
struct List<'a> {
    rows: Vec<Row<'a>>,
    /// The first row with each id.
    by_id: HashMap<&'a str, usize>,
}

impl<'a> List<'a> {
    fn apply(&mut self, change: &'a PlanChange, turn: u32, unknown: &mut usize) {
        match change {
            PlanChange::Replaced(items) => {
                self.by_id.clear();
                let before = std::mem::take(&mut self.rows);
                // Hosts write the whole list each time, so an unchanged row keeps its turn.
                let mut since: HashMap<(&str, PlanState), u32> = HashMap::new();
                for row in &before {
                    let same = (row.text.as_str(), row.state);
                    since.entry(same).or_insert(row.turn);
                }
                for item in items {
                    let same = since.get(&(item.text.as_str(), item.state));
                    self.push(row(item, same.copied().unwrap_or(turn)));
                }
            }
            PlanChange::Added(item) => self.push(row(item, turn)),
            PlanChange::Updated { id, state, text } => {
                let at = self.by_id.get(id.as_str());
                match at.and_then(|at| self.rows.get_mut(*at)) {
                    Some(row) => {
                        row.state = state.unwrap_or(row.state);
                        row.text = text.as_ref().unwrap_or(row.text);
                        row.turn = turn;
                    }
                    None => *unknown += 1,
                }
            }
        }
    }

    fn push(&mut self, row: Row<'a>) {
        self.by_id.entry(row.id).or_insert(self.rows.len());
        self.rows.push(row);
    }
}
