//! The answers of the fake model server.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::request::Api;

/// The server's answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Sends the script's reply.
    Ok,
    /// Sends the script's reply, spread over this time if it is streamed.
    Slow(Duration),
    /// Refuses with an HTTP status such as 401, 404 or 500, in the protocol's format.
    Status(u16),
    /// Refuses with 429, and with `retry-after` in seconds if given.
    RateLimit(Option<u64>),
    /// Refuses with 429 because the account's quota is used up, with `retry-after` a day later.
    Spent,
    /// Refuses with this status and this message.
    Says(u16, &'static str),
    /// Accepts the request and never answers.
    Hang,
    /// Starts the response at once, and sends the script's reply after this time.
    Late(Duration),
    /// Sends half of the answer, then hangs.
    HangMid,
    /// Sends half of the answer, then drops the connection.
    Cut,
    /// Answers 200 with bytes that are not valid in any protocol.
    Garbage,
    /// Answers with an empty text.
    Empty,
    /// Sends half of the answer, then ends the stream as if it were complete.
    Stop,
    /// Sends half of the answer, then an error in the protocol's format with this status.
    ErrorMid(u16),
    /// Sends the script's reply, and reports that it was cut at the maximum length.
    Length,
    /// Sends the script's reply, with this reason for its end.
    Ends(String),
    /// Withholds the answer; Gemini does so before any of it is sent.
    Withheld,
    /// Sends the script's reply without reporting tokens.
    NoUsage,
    /// Answers 200 with an HTML page.
    Page,
    /// Answers with this status and a body of this many bytes, without a complete message.
    Flood(u16, usize),
    /// Sends a reply of this many bytes.
    Long(usize),
    /// Redirects to another address, with 307.
    Elsewhere(String),
    /// Refuses a request with a schema for the answer, with the message of such servers; otherwise
    /// sends the script's reply.
    NoSchema,
    /// Refuses a request with a reasoning effort; otherwise sends the script's reply.
    NoEffort,
    /// Makes the tool write this file first, even if it offers no tool for it; then sends the
    /// script's reply.
    Write(PathBuf),
    /// Makes the tool run this shell command first, even if it offers no tool for it; then sends
    /// the script's reply.
    Shell(String),
    /// Makes the tool read this file first, even if it offers no tool for it; then sends the
    /// script's reply.
    Read(PathBuf),
    /// Calls these tools one after the other, even if they are not offered; then sends the script's
    /// reply. Text arguments are for a tool that takes text.
    Calls(Vec<(String, Value)>),
}

impl Answer {
    /// The tool call to make, as a name and arguments: one of the `offered` tools, or else the one
    /// typical for tools that use `api`.
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
