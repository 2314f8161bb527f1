//! How the fake model server answers.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::request::Api;

/// What the server does with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Gives the script's reply.
    Ok,
    /// Gives the script's reply, spread over this time when it is streamed.
    Slow(Duration),
    /// Refuses with an HTTP status such as 401, 404 or 500, in the protocol's form.
    Status(u16),
    /// Refuses with 429, and `retry-after` in seconds where given.
    RateLimit(Option<u64>),
    /// Refuses with 429, since the account is used up, and `retry-after` a day later.
    Spent,
    /// Refuses with this status, in these words.
    Says(u16, &'static str),
    /// Accepts the request and never answers.
    Hang,
    /// Begins to answer at once, and gives the script's reply after this time.
    Late(Duration),
    /// Sends half of the answer, then nothing.
    HangMid,
    /// Sends half of the answer, then drops the connection.
    Cut,
    /// Answers 200 with bytes that are no protocol.
    Garbage,
    /// Answers with an empty text.
    Empty,
    /// Sends half of the answer, then ends the stream as if that were all.
    Stop,
    /// Sends half of the answer, then an error in the protocol's form with this status.
    ErrorMid(u16),
    /// Gives the script's reply, and says that it is cut off at its longest.
    Length,
    /// Gives the script's reply, and says this of why it ends.
    Ends(String),
    /// Withholds the answer; Gemini does so before there is any of it.
    Withheld,
    /// Gives the script's reply without a word on tokens.
    NoUsage,
    /// Answers 200 with a page for people.
    Page,
    /// Answers with this status and a body of so many bytes, in which no message ends.
    Flood(u16, usize),
    /// Gives a reply of so many bytes.
    Long(usize),
    /// Sends on to another address, with 307.
    Elsewhere(String),
    /// Refuses a request with a schema for the answer, in the words of such servers; else the script's reply.
    NoSchema,
    /// Refuses a request that says how hard to think; else the script's reply.
    NoEffort,
    /// Has the tool write this file first, whether or not it offers a way; then the script's reply.
    Write(PathBuf),
    /// Has the tool run this shell command first, whether or not it offers a way; then the script's reply.
    Shell(String),
    /// Has the tool read this file first, whether or not it offers a way; then the script's reply.
    Read(PathBuf),
    /// Calls these tools one after the other, whether or not they are offered; then gives the
    /// script's reply. Arguments that are text are those of a tool that takes text.
    Calls(Vec<(String, Value)>),
}

impl Answer {
    /// The tool call to make, as a name and arguments: of one of the `offered` tools, else of the one
    /// that the tools which speak `api` have had.
    pub(crate) fn tool_call(
        &self,
        api: Api,
        offered: &[String],
        results: usize,
    ) -> Option<(String, Value)> {
        if let Self::Calls(calls) = self {
            return calls.get(results).cloned();
        }
        if results > 0 {
            return None;
        }
        let (own, shell) = match self {
            Self::Write(path) => {
                let path = path.to_string_lossy().into_owned();
                let own = vec![
                    ("Write", json!({"file_path": path, "content": "x"})),
                    ("write", json!({"filePath": path, "content": "x"})),
                    ("write_file", json!({"file_path": path, "content": "x"})),
                    ("create", json!({"path": path, "file_text": "x"})),
                ];
                (own, format!("echo x > '{path}'"))
            }
            Self::Read(path) => {
                let path = path.to_string_lossy().into_owned();
                let own = vec![
                    ("Read", json!({"file_path": path})),
                    ("read", json!({"filePath": path})),
                    ("read_file", json!({"file_path": path})),
                    ("view", json!({"path": path})),
                ];
                (own, format!("cat '{path}'"))
            }
            Self::Shell(command) => (Vec::new(), command.clone()),
            Self::Ok
            | Self::Slow(_)
            | Self::Status(_)
            | Self::RateLimit(_)
            | Self::Spent
            | Self::Says(..)
            | Self::Hang
            | Self::Late(_)
            | Self::HangMid
            | Self::Cut
            | Self::Garbage
            | Self::Empty
            | Self::Stop
            | Self::ErrorMid(_)
            | Self::Length
            | Self::Ends(_)
            | Self::Withheld
            | Self::NoUsage
            | Self::Page
            | Self::Flood(..)
            | Self::Long(_)
            | Self::Elsewhere(_)
            | Self::NoSchema
            | Self::NoEffort
            | Self::Calls(_) => return None,
        };
        let described = json!({"command": shell, "description": "d"});
        let shells = [
            ("Bash", described.clone()),
            ("bash", described.clone()),
            ("run_shell_command", described),
            ("exec_command", json!({"cmd": shell})),
            ("shell_command", json!({"command": shell})),
            ("shell", json!({"command": ["bash", "-lc", shell]})),
        ];
        let known: Vec<_> = own.into_iter().chain(shells).collect();
        let usual = |name: &str| match api {
            Api::Anthropic => ["Write", "Read", "Bash"].contains(&name),
            Api::Responses => name == "exec_command",
            Api::Chat => ["write", "read", "bash"].contains(&name),
            Api::Gemini => ["write_file", "read_file", "run_shell_command"].contains(&name),
        };
        let offer = |(name, _): &&(&str, Value)| offered.iter().any(|offer| offer == name);
        let call = known.iter().find(offer);
        let call = call.or_else(|| known.iter().find(|(name, _)| usual(name)))?;
        Some((call.0.to_owned(), call.1.clone()))
    }
}
