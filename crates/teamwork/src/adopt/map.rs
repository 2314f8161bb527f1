//! An entry of another tool's list, mapped to a team's terms.

use std::collections::{BTreeMap, BTreeSet};

use agon_team::store::{ImportedState, ImportedTask};
use agon_team::task::{Assignee, Label, TaskOrigin};
use serde_json::Value;

use crate::text::{clean, clean_line};

// Below the team's limits, to leave room for the note that a text was cut.
/// Maximum size of a title, in bytes.
const MAX_TITLE: usize = 450;
/// Maximum size of a description, in bytes.
const MAX_SPEC: usize = 30 * 1024;

/// An entry of another list, in a team's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapped {
    pub(super) id: String,
    /// Everything that the list says about the entry.
    pub(super) fields: Value,
    pub(super) title: String,
    pub(super) spec: String,
    pub(super) state: ImportedState,
    pub(super) note: String,
    pub(super) priority: i64,
    pub(super) labels: Vec<String>,
    pub(super) assignee: Option<String>,
    pub(super) needs: BTreeSet<String>,
    pub(super) parts: BTreeSet<String>,
}

impl Mapped {
    /// Creates an entry with only an id and its fields.
    pub(super) fn new(id: String, fields: Value) -> Self {
        Self {
            id,
            fields,
            title: String::new(),
            spec: String::new(),
            state: ImportedState::Ready,
            note: "cancelled in the list".to_owned(),
            priority: 0,
            labels: Vec::new(),
            assignee: None,
            needs: BTreeSet::new(),
            parts: BTreeSet::new(),
        }
    }
}

/// Converts an entry to a task: removes secrets and enforces the team's limits.
pub(super) fn to_task(source: &str, item: Mapped, assignee: Option<Assignee>) -> ImportedTask {
    let title = clean_line(&item.title);
    let title = match title.trim() {
        "" => item.id.clone(),
        title => cut(title, MAX_TITLE),
    };
    let labels = item.labels.iter();
    let labels: BTreeSet<Label> = labels
        .filter_map(|it| clean_line(it).parse().ok())
        .collect();
    let note = match clean_line(&item.note) {
        note if note.is_empty() => "cancelled in the list".to_owned(),
        note => cut(&note, MAX_TITLE),
    };
    ImportedTask {
        origin: TaskOrigin {
            source: source.to_owned(),
            id: item.id,
            fields: clean_fields(item.fields),
        },
        title,
        spec: cut(clean(&item.spec).trim(), MAX_SPEC),
        priority: item.priority,
        labels,
        assignee,
        state: item.state,
        note,
        needs: item.needs,
        parts: item.parts,
    }
}

/// Cuts a text that is too long; the task's origin keeps all of it.
fn cut(text: &str, max: usize) -> String {
    match text.len() > max {
        true => format!("{} […]", &text[..text.floor_char_boundary(max)]),
        false => text.to_owned(),
    }
}

/// Removes secrets from an entry's fields.
fn clean_fields(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text)),
        Value::Array(all) => all.into_iter().map(clean_fields).collect(),
        Value::Object(all) => all
            .into_iter()
            .map(|(key, value)| (clean(&key), clean_fields(value)))
            .collect(),
        other => other,
    }
}

/// Returns a field's text, or an empty string if it is neither text nor a number.
pub(super) fn text(fields: &Value, name: &str) -> String {
    match &fields[name] {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Returns a field's texts, whether it is a list or a single text.
pub(super) fn texts(fields: &Value, name: &str) -> Vec<String> {
    match &fields[name] {
        Value::Array(all) => all
            .iter()
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect(),
        Value::String(one) if !one.is_empty() => vec![one.clone()],
        _ => Vec::new(),
    }
}

/// Returns the first cycle of entries that depend on each other, ignoring parts.
pub(super) fn find_cycle(items: &[Mapped]) -> Option<Vec<String>> {
    let needs: BTreeMap<&str, &BTreeSet<String>> = items
        .iter()
        .map(|item| (item.id.as_str(), &item.needs))
        .collect();
    let mut open: BTreeSet<&str> = needs.keys().copied().collect();
    loop {
        let before = open.len();
        let free: Vec<&str> = open
            .iter()
            .copied()
            .filter(|id| !needs[id].iter().any(|need| open.contains(need.as_str())))
            .collect();
        for id in free {
            open.remove(id);
        }
        if open.len() == before {
            break;
        }
    }
    let mut at = open.first().copied()?;
    let mut way: Vec<&str> = Vec::new();
    while !way.contains(&at) {
        way.push(at);
        at = needs[at]
            .iter()
            .find_map(|it| open.get(it.as_str()).copied())?;
    }
    let begins = way.iter().position(|it| *it == at).unwrap_or_default();
    Some(way[begins..].iter().map(|&it| it.to_owned()).collect())
}
