//! How a fake tool behaves as an agent of the Agent Client Protocol.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The options that a fake agent offers, and its actions for each prompt.
///
/// By default a tool offers no options and handles each prompt according to its
/// [`Behaviour`](crate::Behaviour).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FakeAgent {
    /// The protocol version that it reports.
    pub version: u64,
    /// Its modes; it starts in the first one.
    pub modes: Vec<String>,
    /// Whether it refuses every change of mode with an error.
    pub keeps_mode: bool,
    /// Models offered as an option.
    pub models: Vec<String>,
    /// Efforts offered as an option.
    pub efforts: Vec<String>,
    /// Its actions before it answers the request for a session.
    pub opening: Vec<Act>,
    /// Its actions for each prompt, from the first; later prompts follow the behaviour.
    pub prompts: Vec<Vec<Act>>,
    /// Whether it keeps running when its input is closed or the test asks it to end.
    pub stubborn: bool,
    /// Whether it reports the tokens of the whole session.
    pub cumulative: bool,
}

impl Default for FakeAgent {
    fn default() -> Self {
        Self {
            version: 1,
            modes: Vec::new(),
            keeps_mode: false,
            models: Vec::new(),
            efforts: Vec::new(),
            opening: Vec::new(),
            prompts: Vec::new(),
            stubborn: false,
            cumulative: false,
        }
    }
}

impl FakeAgent {
    /// Adds actions for its next prompt, after which it answers unless they ended the turn.
    #[must_use]
    pub fn then(mut self, acts: impl IntoIterator<Item = Act>) -> Self {
        self.prompts.push(acts.into_iter().collect());
        self
    }
}

/// One action of a fake agent for a prompt.
///
/// After the last action it sends the script's reply, unless an action has ended the turn or sent
/// text of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Sends this text in one piece.
    Say(String),
    /// Sends all prompts of this session, one per line.
    Recall,
    /// Ends the turn without text.
    Empty,
    /// Sends this text as a thought.
    Think(String),
    /// Requests permission for a tool of this kind at these places. If it is granted, writes a file
    /// named `allowed` at a place of its own, for any kind.
    Ask {
        /// The kind of the tool.
        kind: String,
        /// The places.
        at: Vec<String>,
    },
    /// Uses a tool of this kind without permission, and reports when it is done.
    Use(String),
    /// Sends a request of its own, and records the answer.
    Request(String, Value),
    /// Reports that it has changed to this mode.
    Enter(String),
    /// Sends nothing until it is cancelled, then stops.
    Hang,
    /// Sends nothing and ignores cancellation.
    IgnoreCancel,
    /// Exits with this code.
    Die(i32),
    /// Prints these bytes as a line.
    Raw(Vec<u8>),
    /// Prints a line that is not a message.
    Garbage,
    /// Prints a line of this many bytes.
    Long(usize),
    /// Prints this many chunks of this many bytes each.
    Flood(usize, usize),
    /// Answers with an error.
    Error(i32, String, Value),
    /// Ends the turn with this reason.
    Stop(String),
    /// Answers, then exits.
    AnswerAndEnd,
    /// Waits for this many milliseconds.
    Wait(u64),
}

/// An event recorded by a fake agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The tool name under which it was called.
    pub tool: String,
    /// Its process id.
    pub pid: u32,
    /// The event: `start`, `session`, `mode`, `option`, `prompt`, `cancel`, `answer`, `eof`.
    pub what: String,
    /// Its parameters.
    pub with: Value,
}
