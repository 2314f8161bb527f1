//! What a tool printed in the scripted exchange, without what differs from run to run.

use serde_json::{Value, json};

use super::dialogue::REPLY;
use super::shape::{
    Fields, ShapeComparison, USAGE_FILE, compare_shapes, event_name, event_shapes, leaf_values,
    mask_variable_values, remove_field,
};
use crate::dialect::{Dialect, RawOutput};

/// Fields that are looked at: a recording has some hundred.
const MAX_FIELDS: usize = 1_000;

/// The recordings this program brings along.
const BUILTIN: &[(&str, &str)] = &[
    ("claude", include_str!("../../tools/golden/claude.jsonl")),
    ("codex", include_str!("../../tools/golden/codex.jsonl")),
    ("gemini", include_str!("../../tools/golden/gemini.jsonl")),
    (
        "opencode",
        include_str!("../../tools/golden/opencode.jsonl"),
    ),
    ("copilot", include_str!("../../tools/golden/copilot.jsonl")),
];

/// The recording of a tool's name that this program brings along.
pub fn builtin_recording(tool: &str) -> Option<&'static str> {
    BUILTIN
        .iter()
        .find(|(name, _)| *name == tool)
        .map(|(_, text)| *text)
}

/// What a tool printed, event by event.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording(Vec<Value>);

/// A text is not a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no JSON object")]
pub struct RecordingError {
    /// The line, from 1.
    pub line: usize,
}

impl Recording {
    /// What stands in an output, and in the file beside it.
    pub(super) fn from_output(stdout: &[u8], usage_file: Option<&[u8]>) -> Self {
        let mut events = parse_events(stdout);
        let usage = usage_file.and_then(|bytes| serde_json::from_slice::<Value>(bytes).ok());
        events.extend(usage.map(|usage| json!({ USAGE_FILE: usage })));
        Self(
            events
                .iter()
                .map(|event| mask_variable_values(event, REPLY))
                .collect(),
        )
    }

    /// Reads what [`Recording::text`] gave.
    ///
    /// # Errors
    ///
    /// If a line is not a JSON object.
    pub fn parse(text: &str) -> Result<Self, RecordingError> {
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.trim().is_empty());
        let event = |(at, line): (usize, &str)| match serde_json::from_str(line) {
            Ok(event @ Value::Object(_)) => Ok(event),
            Ok(_) | Err(_) => Err(RecordingError { line: at + 1 }),
        };
        lines.map(event).collect::<Result<_, _>>().map(Self)
    }

    /// One event a line.
    pub fn text(&self) -> String {
        self.0.iter().map(|event| format!("{event}\n")).collect()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is different in this one, where `before` is the recording; what `dialect` reads of
    /// either is told from what it does not.
    pub fn compare_to(&self, before: &Self, dialect: &dyn Dialect) -> ShapeComparison {
        let mut read = before.fields_read_by(dialect);
        read.extend(self.fields_read_by(dialect));
        compare_shapes(&event_shapes(&before.0), &event_shapes(&self.0), &read)
    }

    /// The fields without which a dialect would read something else.
    fn fields_read_by(&self, dialect: &dyn Dialect) -> Fields {
        let whole = reading_fingerprint(&self.0, dialect);
        let all: Fields = self
            .0
            .iter()
            .flat_map(|event| {
                let kind = event_name(event);
                leaf_values(event)
                    .into_iter()
                    .map(move |(path, _)| (kind.clone(), path))
            })
            .collect();
        all.into_iter()
            .take(MAX_FIELDS)
            .filter(|(event, path)| {
                let stripped = self.0.iter().map(|it| match event_name(it) == *event {
                    true => remove_field(it, path),
                    false => it.clone(),
                });
                reading_fingerprint(&stripped.collect::<Vec<_>>(), dialect) != whole
            })
            .collect()
    }
}

/// The events of an output: one value, a list of them, or one a line.
fn parse_events(stdout: &[u8]) -> Vec<Value> {
    let mut events = match serde_json::from_slice(stdout) {
        Ok(Value::Array(events)) => events,
        Ok(event) => vec![event],
        Err(_) => stdout
            .split(|&byte| byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect(),
    };
    // Anything else is not an event, and could not be read again.
    events.retain(Value::is_object);
    events
}

/// What the dialect reads from the events, as one comparable string.
fn reading_fingerprint(events: &[Value], dialect: &dyn Dialect) -> String {
    let (beside, printed): (Vec<_>, Vec<_>) = events
        .iter()
        .partition(|event| event.get(USAGE_FILE).is_some());
    let stdout: String = printed.iter().map(|event| format!("{event}\n")).collect();
    let reply = dialect.read(&RawOutput {
        stdout: stdout.as_bytes(),
        stderr_tail: b"",
        code: Some(0),
    });
    let usage = beside.first().and_then(|file| {
        let text = file.get(USAGE_FILE)?.to_string();
        dialect.parse_usage_file(text.as_bytes())
    });
    format!("{reply:?} {usage:?}")
}
