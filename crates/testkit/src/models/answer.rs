//! How the fake model server answers.

use std::path::PathBuf;
use std::time::Duration;

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
    /// Accepts the request and never answers.
    Hang,
    /// Sends half of the answer, then nothing.
    HangMid,
    /// Sends half of the answer, then drops the connection.
    Cut,
    /// Answers 200 with bytes that are no protocol.
    Garbage,
    /// Answers with an empty text.
    Empty,
    /// Has the tool write this file first, if it offers a way; then the script's reply.
    Write(PathBuf),
    /// Has the tool read this file first, if it offers a way; then the script's reply.
    Read(PathBuf),
    /// Has the tool run this shell command first, if it offers a way; then the script's reply.
    Shell(String),
}

impl Answer {
    /// The tool call to make, as the name and arguments of one of the `offered` tools.
    pub(crate) fn tool_call(&self, offered: &[String]) -> Option<(String, serde_json::Value)> {
        use serde_json::json;
        let (first, shell) = match self {
            Self::Write(path) => {
                let path = path.to_string_lossy().into_owned();
                let writes = vec![
                    ("Write", json!({"file_path": path, "content": "x"})),
                    ("write", json!({"filePath": path, "content": "x"})),
                    ("write_file", json!({"file_path": path, "content": "x"})),
                    ("create", json!({"path": path, "file_text": "x"})),
                ];
                (writes, format!("echo x > '{path}'"))
            }
            Self::Read(path) => {
                let path = path.to_string_lossy().into_owned();
                let reads = vec![
                    ("Read", json!({"file_path": path})),
                    ("read", json!({"filePath": path})),
                    ("read_file", json!({"file_path": path})),
                    ("view", json!({"path": path})),
                ];
                (reads, format!("cat '{path}'"))
            }
            Self::Shell(command) => (Vec::new(), command.clone()),
            Self::Ok
            | Self::Slow(_)
            | Self::Status(_)
            | Self::RateLimit(_)
            | Self::Hang
            | Self::HangMid
            | Self::Cut
            | Self::Garbage
            | Self::Empty => return None,
        };
        let shells = [
            ("Bash", json!({"command": shell, "description": "d"})),
            ("bash", json!({"command": shell, "description": "d"})),
            (
                "run_shell_command",
                json!({"command": shell, "description": "d"}),
            ),
            ("exec_command", json!({"cmd": shell})),
            ("shell_command", json!({"command": shell})),
            ("shell", json!({"command": ["bash", "-lc", shell]})),
        ];
        let mut known = first.into_iter().chain(shells);
        let call = known.find(|(name, _)| offered.iter().any(|offer| offer == name))?;
        Some((call.0.into(), call.1))
    }
}
