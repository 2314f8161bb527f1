//! The shape of what a tool prints: which events, which fields in them, of which type.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Map, Value};

/// What was recorded beside the output: the file a tool wrote its usage to.
pub(super) const USAGE_FILE: &str = "usage_file";

/// One difference between what was recorded and what a tool prints now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The event, such as `item.completed/agent_message`; empty where there is only one.
    pub event: String,
    /// The field, such as `item.text`; empty where it is the event.
    pub field: String,
    /// What became of it.
    pub what: FieldChange,
}

/// What became of an event or a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldChange {
    /// It is not there any more.
    Gone {
        /// Its type; empty for an event.
        was: String,
    },
    /// It was not there.
    New {
        /// Its type; empty for an event.
        is: String,
    },
    /// It is of another type.
    Changed {
        /// Its type before.
        was: String,
        /// Its type now.
        is: String,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.event.as_str(), self.field.as_str()) {
            ("", field) => write!(f, "field `{field}`")?,
            (event, "") => write!(f, "event `{event}`")?,
            (event, field) => write!(f, "field `{field}` of event `{event}`")?,
        }
        let of = |kind: &str| match kind {
            "" => String::new(),
            kind => format!(" ({kind})"),
        };
        match &self.what {
            FieldChange::Gone { was } => write!(f, " is gone{}", of(was)),
            FieldChange::New { is } => write!(f, " is not in the recording{}", of(is)),
            FieldChange::Changed { was, is } => write!(f, " is {is} now, and was {was}"),
        }
    }
}

/// Two outputs, held against each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShapeComparison {
    /// Differences in what we read.
    pub drift: Vec<Difference>,
    /// Differences in what we do not read.
    pub other: Vec<Difference>,
}

/// The types of each field of each event.
pub(super) type Shape = BTreeMap<String, BTreeMap<String, BTreeSet<&'static str>>>;

/// Fields of events.
pub(super) type Fields = BTreeSet<(String, String)>;

/// The shape of some events.
pub(super) fn event_shapes(events: &[Value]) -> Shape {
    let mut shape = Shape::new();
    for event in events {
        let fields = shape.entry(event_name(event)).or_default();
        for (path, value) in leaf_values(event) {
            fields
                .entry(path)
                .or_default()
                .insert(json_type_name(value));
        }
    }
    shape
}

/// What is different between `was` and `is`, of which the fields in `read` are read.
///
/// That an event is gone counts as read; what a version adds does not, unless it is read.
pub(super) fn compare_shapes(was: &Shape, is: &Shape, read: &Fields) -> ShapeComparison {
    let mut compared = ShapeComparison::default();
    let none = BTreeMap::new();
    let events: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    for event in events {
        let is_read = |field: &str| read.contains(&(event.clone(), field.to_owned()));
        let of_event = |what| Difference {
            event: event.clone(),
            field: String::new(),
            what,
        };
        if !is.contains_key(event) {
            let was = String::new();
            compared.drift.push(of_event(FieldChange::Gone { was }));
            continue;
        }
        if !was.contains_key(event) {
            let difference = of_event(FieldChange::New { is: String::new() });
            if read.iter().any(|(name, _)| name == event) {
                compared.drift.push(difference);
            } else {
                compared.other.push(difference);
            }
            continue;
        }
        let (before, now) = (
            was.get(event).unwrap_or(&none),
            is.get(event).unwrap_or(&none),
        );
        let fields: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        for field in fields {
            let what = match (before.get(field), now.get(field)) {
                (Some(was), Some(is)) if is.is_subset(was) => continue,
                (Some(was), Some(is)) => FieldChange::Changed {
                    was: join_type_names(was),
                    is: join_type_names(is),
                },
                (Some(was), None) => FieldChange::Gone {
                    was: join_type_names(was),
                },
                (None, Some(is)) => FieldChange::New {
                    is: join_type_names(is),
                },
                (None, None) => continue,
            };
            let difference = Difference {
                event: event.clone(),
                field: field.clone(),
                what,
            };
            if is_read(field) {
                compared.drift.push(difference);
            } else {
                compared.other.push(difference);
            }
        }
    }
    compared
}

fn join_type_names(types: &BTreeSet<&'static str>) -> String {
    types.iter().copied().collect::<Vec<_>>().join(" or ")
}

fn json_type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The name of an event: its `type`, and that of what it carries.
pub(super) fn event_name(event: &Value) -> String {
    let name = |value: &Value| value.get("type").and_then(Value::as_str).map(str::to_owned);
    let own = name(event);
    let fields = event.as_object().into_iter().flat_map(Map::values);
    let inner = fields.into_iter().find_map(name);
    match (own, inner) {
        (Some(own), Some(inner)) => format!("{own}/{inner}"),
        (Some(own), None) => own,
        (None, _) if event.get(USAGE_FILE).is_some() => USAGE_FILE.to_owned(),
        (None, _) => String::new(),
    }
}

/// Every value that holds no other, with its path: `a.b`, and `a[]` for the items of a list.
pub(super) fn leaf_values(value: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                open.extend(
                    fields
                        .iter()
                        .map(|(key, value)| (join_path(&path, key), value)),
                );
            }
            Value::Array(items) if !items.is_empty() => {
                open.extend(items.iter().map(|item| (format!("{path}[]"), item)));
            }
            _ => found.push((path, value)),
        }
    }
    found
}

fn join_path(path: &str, key: &str) -> String {
    match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    }
}

/// The event without the field at `path`.
pub(super) fn remove_field(event: &Value, path: &str) -> Value {
    fn remove_at_path(value: &mut Value, here: &str, path: &str) {
        match value {
            Value::Object(fields) => {
                fields.retain(|key, _| join_path(here, key) != path);
                for (key, value) in fields.iter_mut() {
                    remove_at_path(value, &join_path(here, key), path);
                }
            }
            Value::Array(items) => {
                let inside = format!("{here}[]");
                if inside == path {
                    items.clear();
                }
                items
                    .iter_mut()
                    .for_each(|item| remove_at_path(item, &inside, path));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut event = event.clone();
    remove_at_path(&mut event, "", path);
    event
}

/// The same shape with nothing in it that differs from run to run: ids, times, counts, paths.
///
/// `said` is the text that was to be said; it stays, and so does every plain word.
pub(super) fn mask_variable_values(value: &Value, said: &str) -> Value {
    match value {
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| {
                (mask_model_key(key), mask_variable_values(value, said))
            };
            Value::Object(fields.iter().map(field).collect())
        }
        Value::Array(items) => items
            .iter()
            .map(|item| mask_variable_values(item, said))
            .collect(),
        Value::String(text) if text.trim() == said || is_plain_word(text) => value.clone(),
        Value::String(_) => "…".into(),
        Value::Number(number) => i32::from(number.as_f64() != Some(0.0)).into(),
        Value::Null | Value::Bool(_) => value.clone(),
    }
}

/// The key, or `*` where it looks like the name of a model and so varies.
fn mask_model_key(key: &str) -> String {
    if key.contains(['-', '/', '[']) {
        "*".to_owned()
    } else {
        key.to_owned()
    }
}

fn is_plain_word(text: &str) -> bool {
    let inside = |byte: u8| byte.is_ascii_lowercase() || b"_.-".contains(&byte);
    (1..=40).contains(&text.len()) && text.bytes().all(inside)
}
