//! Sessions of Gemini CLI: a log to replay.
//!
//! A line is a message, which replaces an earlier one with the same id. A `$set` line repeats the
//! whole list of messages, after a resume or a compaction. So each message, call and result is
//! passed on when its id first appears. The only sign of a compaction is the snapshot at the start
//! of a new list. Messages kept beside it have new ids.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::PROFILE;
use crate::json::{count_at, owned_at, raw_text_of, str_at, text_of, time_at};
use crate::jsonl::LineDialect;
use crate::plan::items_of;
use crate::problem::ProblemKind;
use crate::seen::SeenIds;
use crate::session;
use crate::stream::{Origin, Output};
use crate::{
    CallUsage, Compaction, CompactionTrigger, EntryKind, Failure, Loaded, LoadedKind, Location,
    PlanChange, RawText, SubAgent, SubAgentState, Tokens, ToolCall, ToolKind, ToolResult,
};

/// The start of a compacted list of messages.
const SNAPSHOT: &str = "<state_snapshot>";

/// The state for interpreting a session's lines.
#[derive(Debug)]
pub(super) struct GeminiDialect {
    /// Messages, thoughts, calls and results passed on.
    seen: SeenIds,
    /// Texts passed on, to recognize those kept by a compaction.
    texts: SeenIds,
    usages: HashMap<String, Tokens>,
    last_fill: Option<u64>,
}

impl GeminiDialect {
    pub(super) fn new() -> Self {
        Self {
            seen: SeenIds::new(),
            texts: SeenIds::new(),
            usages: HashMap::new(),
            last_fill: None,
        }
    }

    fn describe_session(&self, header: &Value, out: &mut Output<'_>) {
        let session = &mut out.stream.session;
        if session.started.is_some() {
            return;
        }
        if let Some(id) = owned_at(header, "sessionId") {
            session.id = id;
        }
        session.started = time_at(header, "startTime");
        if str_at(header, "kind") == "subagent" {
            // A sub-agent's file is chats/PARENT/AGENT.jsonl.
            let parent = session.file.parent().and_then(Path::file_name);
            let parent = parent.map(|it| it.to_string_lossy().into_owned());
            session.origin = session::Origin::SubAgent {
                parent: parent.unwrap_or_default(),
            };
        }
    }

    fn set(&mut self, fields: &Value, origin: &Origin, out: &mut Output<'_>) {
        let Some(messages) = fields.get("messages").and_then(Value::as_array) else {
            return;
        };
        let is_new = |message: &&Value| !self.seen.contains(&message_key(message));
        let snapshot = messages
            .iter()
            .filter(|it| str_at(it, "type") == "user")
            .filter(is_new)
            .map(content_text)
            .find(|text| text.trim_start().starts_with(SNAPSHOT));
        let Some(snapshot) = snapshot else {
            for message in messages {
                self.message(message, origin, out);
            }
            return;
        };
        let kept = messages
            .iter()
            .filter_map(|message| self.texts.index_of(&content_text(message)))
            .collect();
        let compaction = Compaction {
            // The record does not say whether it was automatic.
            trigger: CompactionTrigger::Unknown,
            before: self.last_fill,
            after: None,
            summary: Some(RawText::from(snapshot)),
            kept: Some(kept),
        };
        let index = out.push(origin, EntryKind::Compaction(compaction));
        for message in messages {
            self.seen.insert(&message_key(message), index);
        }
    }

    fn message(&mut self, message: &Value, origin: &Origin, out: &mut Output<'_>) {
        let origin = Origin {
            time: time_at(message, "timestamp").or(origin.time),
            ..origin.clone()
        };
        match str_at(message, "type") {
            "user" => self.user(message, &origin, out),
            "gemini" => self.model(message, &origin, out),
            // These messages of the program are for the user, not for the model.
            "info" | "error" | "warning" => {}
            other => out.note(ProblemKind::UnknownKind, &origin.location, Some(other)),
        }
    }

    fn user(&mut self, message: &Value, origin: &Origin, out: &mut Output<'_>) {
        let key = message_key(message);
        if !self.seen.insert(&key, out.stream.next_index()) {
            return;
        }
        let none = Value::Null;
        let content = message.get("content").unwrap_or(&none);
        let whole = [content];
        let parts: Vec<&Value> = match content {
            Value::Array(parts) => parts.iter().collect(),
            _ => whole.to_vec(),
        };
        for part in parts {
            // Skip a result: the preceding call already contains it.
            if part.get("functionResponse").is_some() {
                continue;
            }
            let text = raw_text_of(part);
            if text.is_empty() {
                continue;
            }
            self.texts.insert(text.as_str(), out.stream.next_index());
            let kind = match loaded_kind(text.as_str()) {
                Some(kind) => EntryKind::Loaded(Loaded { kind, text }),
                None => EntryKind::Prompt(text),
            };
            out.push(origin, kind);
        }
    }

    fn model(&mut self, message: &Value, origin: &Origin, out: &mut Output<'_>) {
        let key = message_key(message);
        if self.seen.insert(&key, out.stream.next_index()) {
            let thoughts = message.get("thoughts").and_then(Value::as_array);
            for thought in thoughts.into_iter().flatten() {
                let parts = ["subject", "description"].map(|key| str_at(thought, key));
                let text = parts.join("\n").trim().to_owned();
                out.push(origin, EntryKind::Reasoning(RawText::from(text)));
            }
            let text = content_text(message);
            if !text.is_empty() {
                self.texts.insert(&text, out.stream.next_index());
                out.push(origin, EntryKind::Text(RawText::from(text)));
            }
        }
        self.usage(message, origin, out);
        let calls = message.get("toolCalls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            self.call(call, origin, out);
        }
    }

    fn usage(&mut self, message: &Value, origin: &Origin, out: &mut Output<'_>) {
        let Some(counts) = message.get("tokens").filter(|it| it.is_object()) else {
            return;
        };
        let reasoning = count_at(counts, "thoughts");
        let tokens = Tokens {
            input: count_at(counts, "input").saturating_add(count_at(counts, "tool")),
            cached: count_at(counts, "cached"),
            cache_written: 0,
            // Gemini counts thoughts separately from the output, so add them.
            output: count_at(counts, "output").saturating_add(reasoning),
            reasoning,
        };
        let key = str_at(message, "id").to_owned();
        let before = self.usages.insert(key.clone(), tokens);
        if before == Some(tokens) {
            return;
        }
        let model = owned_at(message, "model");
        if let Some(model) = &model {
            out.stream.session.add_model(model);
        }
        self.last_fill = Some(tokens.total());
        let usage = CallUsage {
            replaces: before,
            ..CallUsage::new(key, model, tokens)
        };
        out.push(origin, EntryKind::Usage(usage));
    }

    fn call(&mut self, call: &Value, origin: &Origin, out: &mut Output<'_>) {
        let origin = Origin {
            time: time_at(call, "timestamp").or(origin.time),
            ..origin.clone()
        };
        let id = str_at(call, "id").to_owned();
        let name = str_at(call, "name").to_owned();
        let kind = PROFILE.tool_kind(&name);
        let arguments = call.get("args").cloned().unwrap_or_default();
        let todos = (name == "write_todos")
            .then(|| arguments.get("todos")?.as_array().map(|it| items_of(it)));
        if self
            .seen
            .insert(&format!("call {id}"), out.stream.next_index())
        {
            let call = ToolCall {
                id: id.clone(),
                name,
                kind,
                arguments,
            };
            out.push(&origin, EntryKind::Call(call));
        }
        let status = str_at(call, "status");
        if !matches!(status, "success" | "error" | "cancelled") {
            return;
        }
        if !self
            .seen
            .insert(&format!("result {id}"), out.stream.next_index())
        {
            return;
        }
        let text = result_text(call);
        let failure = failure(status, kind, &text);
        let result = ToolResult {
            call: id.clone(),
            text: RawText::from(text),
            whole: owned_at(call, "outputFile"),
            failure,
        };
        out.push(&origin, EntryKind::Result(result));
        if let (Some(Some(items)), None) = (todos, failure) {
            out.push(&origin, EntryKind::Plan(PlanChange::Replaced(items)));
        }
        if let Some(agent) = owned_at(call, "agentId") {
            let agent = SubAgent {
                state: SubAgentState::Ended,
                id: agent,
                name: call.pointer("/args/agent_name").map(text_of),
                call: Some(id),
            };
            out.push(&origin, EntryKind::SubAgent(agent));
        }
    }
}

impl LineDialect for GeminiDialect {
    fn emit_entries(&mut self, line: Value, at: Location, out: &mut Output<'_>) {
        let origin = Origin::new(at);
        if let Some(fields) = line.get("$set") {
            self.set(fields, &origin, out);
        } else if line.get("type").is_some() {
            self.message(&line, &origin, out);
        } else if line.get("sessionId").is_some() {
            self.describe_session(&line, out);
        } else {
            let key = line.as_object().and_then(|it| it.keys().next());
            let key = key.map(String::as_str);
            out.note(ProblemKind::UnknownKind, &origin.location, key);
        }
    }
}

fn message_key(message: &Value) -> String {
    format!("message {}", str_at(message, "id"))
}

/// Returns the text of a message, without thoughts, calls and results.
fn content_text(message: &Value) -> String {
    match message.get("content") {
        Some(Value::Array(parts)) => {
            let is_thought = |part: &&Value| part.get("thought") == Some(&Value::Bool(true));
            let texts: Vec<&str> = parts
                .iter()
                .filter(|part| !is_thought(part))
                .map(|part| part.as_str().unwrap_or_else(|| str_at(part, "text")))
                .filter(|text| !text.is_empty())
                .collect();
            texts.join("\n")
        }
        Some(Value::String(text)) => text.clone(),
        _ => String::new(),
    }
}

/// Classifies a text that the program wrote in the user's name.
fn loaded_kind(text: &str) -> Option<LoadedKind> {
    let text = text.trim_start();
    let starts = |words: &[&str]| words.iter().any(|it| text.starts_with(it));
    if starts(&["<session_context>", "<loaded_context>"]) {
        Some(LoadedKind::Instructions)
    } else if starts(&["<hook_context>"]) {
        Some(LoadedKind::Hook)
    } else if starts(&["System: ", "Please continue.", SNAPSHOT]) {
        Some(LoadedKind::GoOn)
    } else {
        None
    }
}

fn result_text(call: &Value) -> String {
    let results = call.get("result").and_then(Value::as_array);
    let texts: Vec<String> = results
        .into_iter()
        .flatten()
        .map(|part| {
            part.pointer("/functionResponse/response")
                .map_or_else(|| text_of(part), text_of)
        })
        .collect();
    texts.join("\n")
}

fn failure(status: &str, kind: ToolKind, text: &str) -> Option<Failure> {
    let exit = (kind == ToolKind::Run).then(|| exit_code(text)).flatten();
    let recorded = status != "success";
    (recorded || exit.is_some_and(|it| it != 0)).then_some(Failure { recorded, exit })
}

/// Returns the exit code that the program writes after a command's output.
fn exit_code(text: &str) -> Option<i64> {
    let (_, rest) = text.rsplit_once("\nExit Code: ")?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Returns the project of the sessions in a `chats` folder.
pub(super) fn project_of(chats: &Path) -> Option<PathBuf> {
    let file = chats.parent()?.join(".project_root");
    let text = agon_files::read_to_string(&file, 1 << 16).ok()?;
    Some(PathBuf::from(text.trim_end_matches('\n')))
}
