//! How a fake tool behaves when it is spoken to over the Agent Client Protocol.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a fake agent offers, and what it does with its prompts.
///
/// Without one a tool offers nothing to choose and does with each prompt what its
/// [`Behaviour`](crate::Behaviour) says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FakeAgent {
    /// The protocol's version it says it speaks.
    pub version: u64,
    /// Its modes; it begins in the first.
    pub modes: Vec<String>,
    /// Whether it stays in the mode it is in, whatever it is told, and answers with an error.
    pub keeps_mode: bool,
    /// Models that can be chosen by an option.
    pub models: Vec<String>,
    /// Efforts that can be chosen by an option.
    pub efforts: Vec<String>,
    /// What it does before it answers the request for a conversation.
    pub opening: Vec<Act>,
    /// What it does with its prompts, from the first; after them, as the behaviour says.
    pub prompts: Vec<Vec<Act>>,
    /// Whether it goes on when its input is closed and when it is told to end.
    pub stubborn: bool,
    /// Whether the tokens it reports are those of the whole conversation.
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
    /// Does this with its next prompt, and answers then unless that ended the turn.
    #[must_use]
    pub fn then(mut self, acts: impl IntoIterator<Item = Act>) -> Self {
        self.prompts.push(acts.into_iter().collect());
        self
    }
}

/// One thing a fake agent does with a prompt.
///
/// After the last it gives the script's reply, unless one has ended the turn or it has said
/// something of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Says this, in one piece.
    Say(String),
    /// Says what it has been told in this conversation, each prompt in a line.
    Recall,
    /// Ends the turn without a text.
    Empty,
    /// Thinks this aloud.
    Think(String),
    /// Asks for a permission for a tool of this kind at these places, and does it if it may: it
    /// writes a file at a place of its own, named `allowed`, for any kind.
    Ask {
        /// The kind of the tool.
        kind: String,
        /// The places.
        at: Vec<String>,
    },
    /// Uses a tool of this kind without asking anybody, and says so when it is done.
    Use(String),
    /// Sends a request of its own, and takes note of the answer.
    Request(String, Value),
    /// Says that it is in another mode now.
    Enter(String),
    /// Says nothing until it is told to give up, then gives up.
    Hang,
    /// Says nothing and does not give up.
    HangOn,
    /// Ends with an exit code.
    Die(i32),
    /// Prints these bytes as a line.
    Raw(Vec<u8>),
    /// Prints a line that is no message.
    Garbage,
    /// Prints a line of so many bytes.
    Long(usize),
    /// Prints so many pieces of so many bytes.
    Flood(usize, usize),
    /// Answers with an error.
    Error(i32, String, Value),
    /// Ends the turn for this reason.
    Stop(String),
    /// Answers, and ends then.
    AnswerAndEnd,
    /// Waits so many milliseconds.
    Wait(u64),
}

/// Something a fake agent took note of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The tool it was called as.
    pub tool: String,
    /// Its process id.
    pub pid: u32,
    /// What happened: `start`, `session`, `mode`, `option`, `prompt`, `cancel`, `answer`, `eof`.
    pub what: String,
    /// The parameters it came with.
    pub with: Value,
}
