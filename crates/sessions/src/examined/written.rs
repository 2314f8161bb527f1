//! Hand-written sessions for testing an examiner.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Compaction, CompactionTrigger, Entry, EntryKind, Failure, Location, ToolCall, ToolKind,
    ToolResult,
};

/// A hand-written session: a list of events, each starting with its kind.
///
/// ```
/// use agon_sessions::WrittenSession;
///
/// let line = r#"{"name": "n", "events": [["user", "Run it."], ["run", "make", "ok", 0]]}"#;
/// let session = WrittenSession::read(line)?;
/// // A prompt, a call and its outcome.
/// assert_eq!(session.entries()?.len(), 3);
/// # Ok::<(), agon_sessions::WrittenSessionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct WrittenSession {
    /// Its name.
    pub name: String,
    /// The planted pattern or another label; `None` in a healthy session.
    #[serde(default)]
    pub planted: Option<String>,
    /// The events that show the planted pattern, from 0.
    #[serde(default)]
    pub place: Vec<usize>,
    events: Vec<Vec<Value>>,
}

/// Why a hand-written session cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WrittenSessionError {
    /// It is not JSON of this format.
    #[error("not a hand-written session")]
    Form(#[from] serde_json::Error),
    /// An event has an unknown kind or lacks a field.
    #[error("event {at} of {session} has an unknown kind or lacks a field")]
    Event {
        /// The session.
        session: String,
        /// The event, from 0.
        at: usize,
    },
}

impl WrittenSession {
    /// Reads one line of a file of written sessions.
    ///
    /// # Errors
    ///
    /// If the line is not a hand-written session.
    pub fn read(line: &str) -> Result<Self, WrittenSessionError> {
        Ok(serde_json::from_str(line)?)
    }

    /// Returns its entries, as a reader would. The location of each is its event number, from 1.
    ///
    /// # Errors
    ///
    /// If an event is invalid.
    pub fn entries(&self) -> Result<Vec<Entry>, WrittenSessionError> {
        let mut entries = Vec::new();
        let mut turn = 0;
        for (at, event) in self.events.iter().enumerate() {
            let kinds = parse_event_kinds(at, event).ok_or_else(|| WrittenSessionError::Event {
                session: self.name.clone(),
                at,
            })?;
            for kind in kinds {
                turn += u32::from(matches!(kind, EntryKind::Prompt(_)));
                entries.push(Entry {
                    index: entries.len() as u64,
                    turn,
                    call: 0,
                    agent: None,
                    copied: false,
                    location: Location::Line {
                        line: at as u64 + 1,
                        byte: 0,
                    },
                    time: None,
                    kind,
                });
            }
        }
        Ok(entries)
    }
}

fn parse_event_kinds(at: usize, event: &[Value]) -> Option<Vec<EntryKind>> {
    let text = |nth: usize| event.get(nth)?.as_str();
    let id = format!("call-{at}");
    let call = |name: &str, kind: ToolKind, arguments: Value| {
        EntryKind::Call(ToolCall {
            id: id.clone(),
            name: name.to_owned(),
            kind,
            arguments,
        })
    };
    let result = |text: &str, failure: Option<Failure>| {
        EntryKind::Result(ToolResult {
            call: id.clone(),
            text: text.into(),
            whole: None,
            failure,
        })
    };
    let kinds = match text(0)? {
        "user" => vec![EntryKind::Prompt(text(1)?.into())],
        "assistant" => vec![EntryKind::Text(text(1)?.into())],
        "summary" => vec![EntryKind::Compaction(Compaction {
            trigger: CompactionTrigger::Automatic,
            before: None,
            after: None,
            summary: Some(text(1)?.into()),
            kept: None,
        })],
        "run" => {
            let exit = event.get(3)?.as_i64()?;
            let failure = (exit != 0).then_some(Failure {
                recorded: true,
                exit: Some(exit),
            });
            vec![
                call("Bash", ToolKind::Run, json!({"command": text(1)?})),
                result(text(2)?, failure),
            ]
        }
        "read" => vec![
            call("Read", ToolKind::Read, json!({"file_path": text(1)?})),
            result(text(2)?, None),
        ],
        "edit" => {
            let arguments = json!({
                "file_path": text(1)?, "old_string": text(2)?, "new_string": text(3)?,
            });
            vec![call("Edit", ToolKind::Edit, arguments), result("", None)]
        }
        "write" => vec![
            call(
                "Write",
                ToolKind::Edit,
                json!({"file_path": text(1)?, "content": text(2)?}),
            ),
            result("", None),
        ],
        "search" => vec![
            call("Grep", ToolKind::Search, json!({"pattern": text(1)?})),
            result(text(2)?, None),
        ],
        "web" => vec![
            call("WebFetch", ToolKind::Fetch, json!({"url": text(1)?})),
            result(text(2)?, None),
        ],
        _ => return None,
    };
    Some(kinds)
}
