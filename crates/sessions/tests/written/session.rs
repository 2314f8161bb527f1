//! Written sessions, turned into the records of Claude Code and Codex and read back.
//!
//! A line of a file is a session: `{"name", "language", "what", "planted", "events"}`, where `planted`
//! is null, `false-success` or `broken-prohibition`, and an event is a list that begins with its kind.

use std::error::Error;
use std::path::Path;

use agon_sessions::{
    Findings, FindingsOptions, Pattern, RecentEntries, open_session, recognize_session,
};
use serde::Deserialize;
use serde_json::{Value, json};

const PROJECT: &str = "/srv/project";
const RECENT_BYTES: usize = 50 << 20;

/// A session as it is written.
#[derive(Debug, Deserialize)]
pub(crate) struct WrittenSession {
    pub(crate) name: String,
    pub(crate) planted: Option<String>,
    events: Vec<Vec<Value>>,
}

impl WrittenSession {
    /// The pattern of what is planted in it.
    pub(crate) fn pattern(&self) -> Option<Pattern> {
        match self.planted.as_deref()? {
            "false-success" => Some(Pattern::Poisoning),
            _ => Some(Pattern::LostInTheMiddle),
        }
    }

    /// What is found in it as a record of this host.
    pub(crate) fn findings(&self, host: Host) -> Result<Findings, Box<dyn Error>> {
        let mut record = Record::new(host);
        for event in &self.events {
            record.add(event);
        }
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(match host {
            Host::Claude => "session.jsonl",
            Host::Codex => "rollout-session.jsonl",
        });
        let lines: Vec<String> = record.lines.iter().map(|it| format!("{it}\n")).collect();
        std::fs::write(&path, lines.concat())?;
        let session = recognize_session(&path).ok_or("the record is not known")?;
        let mut reader = open_session(&session).ok_or("the record cannot be opened")?;
        let mut recent = RecentEntries::new(RECENT_BYTES);
        reader.read(&mut |entry| recent.push(entry))?;
        let options = FindingsOptions {
            limits: None,
            project: Some(PROJECT.into()),
            is_debate: false,
        };
        Ok(Findings::of(recent.iter(), &options))
    }
}

/// The sessions of a file.
pub(crate) fn read_sessions(path: &Path) -> Result<Vec<WrittenSession>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let lines = text.lines().filter(|it| !it.trim().is_empty());
    lines.map(|it| Ok(serde_json::from_str(it)?)).collect()
}

/// Whose form a record has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    Claude,
    Codex,
}

/// A record that is made one event after the other.
struct Record {
    host: Host,
    lines: Vec<Value>,
}

impl Record {
    fn new(host: Host) -> Self {
        let lines = match host {
            Host::Claude => Vec::new(),
            Host::Codex => vec![
                json!({"type": "session_meta", "payload": {"id": "s", "cwd": PROJECT, "cli_version": "0.169.0"}}),
            ],
        };
        Self { host, lines }
    }

    fn add(&mut self, event: &[Value]) {
        let text = |at: usize| event.get(at).and_then(Value::as_str).unwrap_or_default();
        let exit = event.get(3).and_then(Value::as_i64).unwrap_or_default();
        match (text(0), self.host) {
            ("user", Host::Claude) => {
                self.claude("user", json!({"role": "user", "content": text(1)}))
            }
            ("user", Host::Codex) => self.codex_message("user", "input_text", text(1)),
            ("assistant", Host::Claude) => {
                self.claude_says(json!({"type": "text", "text": text(1)}))
            }
            ("assistant", Host::Codex) => self.codex_message("assistant", "output_text", text(1)),
            ("summary", Host::Claude) => self.claude_summary(text(1)),
            ("summary", Host::Codex) => self.codex(
                "compacted",
                json!({"message": text(1), "replacement_history": []}),
            ),
            ("run", Host::Claude) => {
                let output = match exit {
                    0 => text(2).to_owned(),
                    _ => format!("Exit code {exit}\n{}", text(2)),
                };
                self.claude_call("Bash", json!({"command": text(1)}), &output, exit != 0);
            }
            ("run", Host::Codex) => self.codex_run(text(1), text(2), exit),
            ("read", Host::Claude) => {
                self.claude_call("Read", json!({"file_path": full(text(1))}), text(2), false)
            }
            ("read", Host::Codex) => self.codex_run(&format!("cat {}", text(1)), text(2), 0),
            ("search", Host::Claude) => {
                self.claude_call("Grep", json!({"pattern": text(1)}), text(2), false)
            }
            ("search", Host::Codex) => self.codex_run(&format!("rg -n '{}'", text(1)), text(2), 0),
            ("web", Host::Claude) => self.claude_call(
                "WebFetch",
                json!({"url": text(1), "prompt": "What does it say?"}),
                text(2),
                false,
            ),
            ("web", Host::Codex) => self.codex_run(&format!("curl -sL {}", text(1)), text(2), 0),
            ("edit", Host::Claude) => {
                let input = json!({"file_path": full(text(1)), "old_string": text(2), "new_string": text(3)});
                self.claude_call(
                    "Edit",
                    input,
                    "The file has been updated successfully.",
                    false,
                );
            }
            ("edit", Host::Codex) => {
                let body = format!("@@\n{}{}", marked('-', text(2)), marked('+', text(3)));
                self.codex_patch("Update", text(1), &body);
            }
            ("write", Host::Claude) => {
                let input = json!({"file_path": full(text(1)), "content": text(2)});
                self.claude_call("Write", input, "File created successfully.", false);
            }
            ("write", Host::Codex) => self.codex_patch("Add", text(1), &marked('+', text(2))),
            _ => {}
        }
    }

    fn claude(&mut self, kind: &str, message: Value) {
        let at = self.lines.len();
        self.lines.push(
            json!({"type": kind, "uuid": format!("u{at}"), "sessionId": "s", "cwd": PROJECT,
            "version": "2.1.197", "isSidechain": false, "message": message}),
        );
    }

    fn claude_says(&mut self, block: Value) {
        let at = self.lines.len();
        let usage = json!({"input_tokens": 900, "output_tokens": 50});
        let message = json!({"id": format!("m{at}"), "role": "assistant", "model": "m", "content": [block], "usage": usage});
        self.claude("assistant", message);
    }

    fn claude_call(&mut self, name: &str, input: Value, output: &str, is_error: bool) {
        let id = format!("c{}", self.lines.len());
        self.claude_says(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": output, "is_error": is_error});
        self.claude("user", json!({"role": "user", "content": [result]}));
    }

    fn claude_summary(&mut self, text: &str) {
        let at = self.lines.len();
        self.lines.push(json!({"type": "system", "subtype": "compact_boundary", "uuid": format!("u{at}"), "sessionId": "s",
            "compactMetadata": {"trigger": "auto", "preTokens": 90_000, "postTokens": 9_000}}));
        self.claude("user", json!({"role": "user", "content": text}));
        if let Some(fields) = self.lines.last_mut().and_then(Value::as_object_mut) {
            fields.insert("isCompactSummary".to_owned(), Value::Bool(true));
        }
    }

    fn codex(&mut self, kind: &str, payload: Value) {
        self.lines.push(json!({"type": kind, "payload": payload}));
    }

    fn codex_message(&mut self, role: &str, kind: &str, text: &str) {
        let id = format!("m{}", self.lines.len());
        self.codex("response_item", json!({"type": "message", "id": id, "role": role, "content": [{"type": kind, "text": text}]}));
        if role == "assistant" {
            self.codex_usage();
        }
    }

    fn codex_usage(&mut self) {
        let id = format!("r{}", self.lines.len());
        self.codex(
            "token_usage_record",
            json!({"response_id": id, "usage": {"input_tokens": 900, "output_tokens": 50}}),
        );
    }

    fn codex_run(&mut self, command: &str, output: &str, exit: i64) {
        let id = format!("c{}", self.lines.len());
        let arguments = json!({"cmd": command}).to_string();
        self.codex("response_item", json!({"type": "function_call", "name": "exec_command", "call_id": id, "arguments": arguments}));
        self.codex_usage();
        let status = if exit == 0 { "completed" } else { "failed" };
        let item = json!({"type": "CommandExecution", "id": id, "status": status, "exit_code": exit, "aggregated_output": output});
        self.codex("event_msg", json!({"type": "item_completed", "item": item}));
        let output = format!(
            "Chunk ID: 52048f\nWall time: 0.1 seconds\nProcess exited with code {exit}\nOutput:\n{output}"
        );
        self.codex(
            "response_item",
            json!({"type": "function_call_output", "call_id": id, "output": output}),
        );
    }

    fn codex_patch(&mut self, what: &str, path: &str, body: &str) {
        let id = format!("c{}", self.lines.len());
        let patch = format!("*** Begin Patch\n*** {what} File: {path}\n{body}*** End Patch");
        self.codex("response_item", json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": id, "input": patch}));
        self.codex_usage();
        self.codex("event_msg", json!({"type": "item_completed", "item": {"type": "FileChange", "id": id, "status": "completed"}}));
        self.codex(
            "response_item",
            json!({"type": "custom_tool_call_output", "call_id": id, "output": "Success."}),
        );
    }
}

fn full(path: &str) -> String {
    match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{PROJECT}/{path}"),
    }
}

fn marked(mark: char, text: &str) -> String {
    text.split('\n').map(|it| format!("{mark}{it}\n")).collect()
}
