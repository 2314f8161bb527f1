//! Sessions of Copilot: events, mixed with the events of sub-agents.

use std::path::PathBuf;

use serde_json::Value;

use super::PROFILE;
use crate::json::{count_at, owned_at, raw_text_of, str_at, take_text, time_at};
use crate::jsonl::LineDialect;
use crate::problem::ProblemKind;
use crate::seen::SeenIds;
use crate::sqlite;
use crate::stream::{Origin, Output};
use crate::{
    CallUsage, Compaction, CompactionTrigger, EntryKind, Failure, Loaded, LoadedKind, Location,
    PlanItem, PlanState, Purpose, RawText, RecordedSession, SubAgent, SubAgentState, Tokens,
    ToolCall, ToolResult,
};

/// Known event families. Unknown events of these are ignored, since most do not affect the context.
const FAMILIES: &[&str] = &[
    "session",
    "assistant",
    "user",
    "system",
    "tool",
    "subagent",
    "hook",
    "model",
    "permission",
    "skill",
    "external_tool",
    "command",
    "elicitation",
    "sampling",
    "mcp",
    "exit_plan_mode",
];

/// The state for interpreting a session's lines.
#[derive(Debug)]
pub(super) struct CopilotDialect {
    events: SeenIds,
    /// Tool calls by agent and id, and model calls.
    seen: SeenIds,
}

impl CopilotDialect {
    pub(super) fn new() -> Self {
        Self {
            events: SeenIds::new(),
            seen: SeenIds::new(),
        }
    }

    fn describe_session(&self, data: &Value, origin: &Origin, out: &mut Output<'_>) {
        let session = &mut out.stream.session;
        if let Some(id) = owned_at(data, "sessionId") {
            session.id = id;
        }
        session.started = time_at(data, "startTime").or(origin.time);
        let folder = data.pointer("/context/cwd").and_then(Value::as_str);
        session.project = folder.map(PathBuf::from);
        if let Some(version) = owned_at(data, "copilotVersion") {
            out.stream.set_version(version, &PROFILE, &origin.location);
        }
    }

    fn usage(&mut self, data: &Value, origin: &Origin, out: &mut Output<'_>) {
        let Some(usage) = data.get("usage").filter(|it| it.is_object()) else {
            return out.note(ProblemKind::Tokens, &origin.location, Some("usage"));
        };
        let key = owned_at(usage, "apiCallId");
        let key = key.unwrap_or_else(|| format!("{}", origin.location));
        if !self
            .seen
            .insert(&format!("usage {key}"), out.stream.next_index())
        {
            return;
        }
        let tokens = tokens(usage);
        let model = owned_at(usage, "model");
        let session = &mut out.stream.session;
        if let Some(model) = &model {
            session.add_model(model);
        }
        if origin.agent.is_none() {
            let window = count_at(usage, "maxPromptTokens");
            session.window = (window > 0).then_some(window).or(session.window);
        }
        let usage = CallUsage::new(key, model, tokens);
        out.push(origin, EntryKind::Usage(usage));
    }

    fn message(&mut self, data: &mut Value, origin: &Origin, out: &mut Output<'_>) {
        let reasoning = take_text(data, "reasoningText");
        if !reasoning.is_empty() {
            out.push(origin, EntryKind::Reasoning(reasoning));
        }
        let text = take_text(data, "content");
        if !text.is_empty() {
            out.push(origin, EntryKind::Text(text));
        }
        if let Some(Value::Array(requests)) = data.get_mut("toolRequests").map(Value::take) {
            for mut request in requests {
                let name = str_at(&request, "name").to_owned();
                self.call(&mut request, name, origin, out);
            }
        }
    }

    fn call(&mut self, request: &mut Value, name: String, origin: &Origin, out: &mut Output<'_>) {
        let id = str_at(request, "toolCallId").to_owned();
        if !self.is_first("call", &id, origin, out) {
            return;
        }
        let call = ToolCall {
            id,
            kind: PROFILE.tool_kind(&name),
            name,
            arguments: request
                .get_mut("arguments")
                .map(Value::take)
                .unwrap_or_default(),
        };
        out.push(origin, EntryKind::Call(call));
    }

    fn result(&mut self, data: &Value, origin: &Origin, out: &mut Output<'_>) {
        let call = str_at(data, "toolCallId").to_owned();
        if !self.is_first("result", &call, origin, out) {
            return;
        }
        let text = data
            .pointer("/result/content")
            .or_else(|| data.pointer("/error/message"));
        let exit = data
            .pointer("/shellExecution/exitCode")
            .and_then(Value::as_i64);
        let recorded = data.get("success") == Some(&Value::Bool(false));
        let has_failed = recorded || exit.is_some_and(|it| it != 0);
        let result = ToolResult {
            call,
            text: text.map(raw_text_of).unwrap_or_default(),
            // Copilot stores longer output in a temporary file and deletes it when the session
            // ends.
            whole: None,
            failure: has_failed.then_some(Failure { recorded, exit }),
        };
        out.push(origin, EntryKind::Result(result));
    }

    fn is_first(&mut self, what: &str, id: &str, origin: &Origin, out: &Output<'_>) -> bool {
        let agent = origin.agent.as_deref().unwrap_or_default();
        let key = format!("{what} {agent} {id}");
        self.seen.insert(&key, out.stream.next_index())
    }

    fn compaction(&mut self, data: &Value, origin: &Origin, out: &mut Output<'_>) {
        if data.get("success") == Some(&Value::Bool(false)) {
            return;
        }
        let used = data.get("compactionTokensUsed").filter(|it| it.is_object());
        if let Some(used) = used {
            let key = format!("{}", origin.location);
            let usage = CallUsage {
                purpose: Purpose::Compaction,
                ..CallUsage::new(key, owned_at(used, "model"), tokens(used))
            };
            out.push(origin, EntryKind::Usage(usage));
        }
        let compaction = Compaction {
            trigger: match str_at(data, "trigger") {
                "threshold" => CompactionTrigger::Automatic,
                "manual" => CompactionTrigger::Manual,
                _ => CompactionTrigger::Unknown,
            },
            before: data.get("preCompactionTokens").and_then(Value::as_u64),
            after: data.get("postCompactionTokens").and_then(Value::as_u64),
            summary: owned_at(data, "summaryContent").map(RawText::from),
            kept: None,
        };
        out.push(origin, EntryKind::Compaction(compaction));
    }

    fn sub_agent(&self, state: SubAgentState, data: &Value, origin: &Origin, out: &mut Output<'_>) {
        let call = owned_at(data, "toolCallId");
        let Some(id) = origin.agent.clone().or_else(|| call.clone()) else {
            return;
        };
        let agent = SubAgent {
            state,
            id,
            name: owned_at(data, "agentName"),
            call,
        };
        let of_session = Origin {
            agent: None,
            ..origin.clone()
        };
        out.push(&of_session, EntryKind::SubAgent(agent));
    }
}

impl LineDialect for CopilotDialect {
    fn emit_entries(&mut self, mut line: Value, at: Location, out: &mut Output<'_>) {
        if let Some(id) = owned_at(&line, "id")
            && !self.events.insert(&id, out.stream.next_index())
        {
            return;
        }
        let origin = Origin {
            time: time_at(&line, "timestamp"),
            agent: owned_at(&line, "agentId"),
            ..Origin::new(at)
        };
        let mut data = line.get_mut("data").map(Value::take).unwrap_or_default();
        match str_at(&line, "type") {
            "session.start" => self.describe_session(&data, &origin, out),
            "session.resume" => {
                out.push(&origin, EntryKind::Resumed);
            }
            "session.usage_record" => self.usage(&data, &origin, out),
            "session.compaction_complete" => self.compaction(&data, &origin, out),
            "user.message" => {
                let source = str_at(&data, "source");
                let is_from_host =
                    !(source.is_empty() || source == "user" || source.starts_with("agent-"));
                let text = take_text(&mut data, "content");
                let kind = match is_from_host {
                    true => {
                        let kind = LoadedKind::Hook;
                        EntryKind::Loaded(Loaded { kind, text })
                    }
                    false => EntryKind::Prompt(text),
                };
                out.push(&origin, kind);
            }
            "system.message" => {
                let kind = LoadedKind::System;
                let text = take_text(&mut data, "content");
                out.push(&origin, EntryKind::Loaded(Loaded { kind, text }));
            }
            "assistant.message" => self.message(&mut data, &origin, out),
            "tool.execution_start" => {
                let name = str_at(&data, "toolName").to_owned();
                self.call(&mut data, name, &origin, out);
            }
            "tool.execution_complete" => self.result(&data, &origin, out),
            "subagent.started" => self.sub_agent(SubAgentState::Started, &data, &origin, out),
            "subagent.completed" | "subagent.failed" => {
                self.sub_agent(SubAgentState::Ended, &data, &origin, out);
            }
            "abort" => {
                out.push(&origin, EntryKind::Aborted);
            }
            other => {
                let family = other.split('.').next().unwrap_or_default();
                if !FAMILIES.contains(&family) {
                    let other = other.to_owned();
                    out.note(ProblemKind::UnknownKind, &origin.location, Some(&other));
                }
            }
        }
    }

    fn plan(&self, session: &RecordedSession) -> Vec<PlanItem> {
        let Some(folder) = session.file.parent() else {
            return Vec::new();
        };
        sqlite::open(&folder.join("session.db"))
            .and_then(|db| read_todos(&db).ok())
            .unwrap_or_default()
    }
}

fn tokens(usage: &Value) -> Tokens {
    Tokens {
        input: count_at(usage, "inputTokens"),
        cached: count_at(usage, "cacheReadTokens"),
        cache_written: count_at(usage, "cacheWriteTokens"),
        output: count_at(usage, "outputTokens"),
        reasoning: count_at(usage, "reasoningTokens"),
    }
}

fn read_todos(db: &sqlite::ReadOnly) -> rusqlite::Result<Vec<PlanItem>> {
    let mut rows = db
        .connection()
        .prepare("SELECT id, title, status FROM todos LIMIT 1000")?;
    let items = rows.query_map((), |row| {
        Ok(PlanItem {
            id: row.get(0)?,
            text: RawText::from(row.get::<_, String>(1)?),
            state: PlanState::from_word(&row.get::<_, String>(2)?),
        })
    })?;
    items.collect()
}
