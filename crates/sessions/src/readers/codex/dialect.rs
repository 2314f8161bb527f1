//! Sessions of Codex: one line per response item and per event.
//!
//! Quirks: texts are recorded twice, as a response item and as an event, and only the former is
//! read. Counts are cumulative, and the one after a compaction is an estimate. The request for a
//! summary looks like any other until a later line identifies it. A command's failure is in its
//! event, any other failure only in the text of the result.

use std::path::PathBuf;

use serde_json::Value;

use super::outcome::Outcomes;
use super::pending::PendingResponse;
use super::replayed::ReplayedPart;
use super::{PROFILE, fields};
use crate::entry::MAX_KEPT;
use crate::json::{count_at, owned_at, raw_text_of, str_at, take_text, text_of, time_at};
use crate::jsonl::LineDialect;
use crate::open_calls::OpenCalls;
use crate::plan::items_of;
use crate::problem::ProblemKind;
use crate::seen::SeenIds;
use crate::session;
use crate::stream::{Origin, Output};
use crate::{
    CallUsage, Compaction, CompactionTrigger, EntryKind, Loaded, LoadedKind, Location, PlanChange,
    PlanItem, SubAgent, SubAgentState, Tokens, ToolCall, ToolResult,
};

/// Most to-do lists that wait for the result of their call.
const MAX_OPEN: usize = 64;

/// The state for interpreting a session's lines.
#[derive(Debug)]
pub(super) struct CodexDialect {
    model: Option<String>,
    /// Entries that may belong to the request for a summary.
    pending: PendingResponse,
    compaction: Option<(Origin, Compaction)>,
    outcomes: Outcomes,
    plans: OpenCalls<Vec<PlanItem>>,
    /// Ids of response items seen.
    items: SeenIds,
    responses: SeenIds,
    /// Whether the record has counts per response, as newer versions do. Then totals are ignored.
    has_records: bool,
    total: Tokens,
    last_fill: Option<u64>,
    is_described: bool,
    /// The part that an older version copied from the parent of a fork.
    replayed: ReplayedPart,
}

impl CodexDialect {
    pub(super) fn new() -> Self {
        Self {
            model: None,
            pending: PendingResponse::default(),
            compaction: None,
            outcomes: Outcomes::new(),
            plans: OpenCalls::new(MAX_OPEN),
            items: SeenIds::new(),
            responses: SeenIds::new(),
            has_records: false,
            total: Tokens::default(),
            last_fill: None,
            is_described: false,
            replayed: ReplayedPart::default(),
        }
    }

    fn describe_session(&mut self, meta: &mut Value, origin: &Origin, out: &mut Output<'_>) {
        // A fork's record can also contain its parent's description, after its own.
        if self.is_described {
            if owned_at(meta, "id").is_some_and(|id| id != out.stream.session.id) {
                self.replayed.begin(origin.time);
            }
            return;
        }
        self.is_described = true;
        let session = &mut out.stream.session;
        if let Some(id) = owned_at(meta, "id") {
            session.id = id;
        }
        session.project = owned_at(meta, "cwd").map(PathBuf::from);
        session.title = owned_at(meta, "agent_nickname");
        session.started = time_at(meta, "timestamp").or(origin.time);
        if let Some(parent) = owned_at(meta, "parent_thread_id") {
            session.origin = session::Origin::SubAgent { parent };
        } else if let Some(parent) = owned_at(meta, "forked_from_id") {
            let parent = Some(parent);
            session.origin = session::Origin::Fork { parent };
        }
        if let Some(version) = owned_at(meta, "cli_version") {
            out.stream.set_version(version, &PROFILE, &origin.location);
        }
        let text = meta.get("base_instructions").map(raw_text_of);
        if let Some(text) = text.filter(|it| !it.is_empty()) {
            let kind = LoadedKind::System;
            out.push(origin, EntryKind::Loaded(Loaded { kind, text }));
        }
    }

    /// Handles a response item: text or calls sent to or received from the model.
    fn item(&mut self, item: &mut Value, origin: &Origin, out: &mut Output<'_>) {
        let id = owned_at(item, "id");
        if let Some(id) = &id
            && !self.items.insert(id, out.stream.next_index())
        {
            return;
        }
        match str_at(item, "type") {
            "message" if str_at(item, "role") == "assistant" => {
                let text = item.get("content").map(raw_text_of).unwrap_or_default();
                self.hold(origin, EntryKind::Text(text), id, out);
            }
            "reasoning" => {
                let text = item.get("summary").map(raw_text_of).unwrap_or_default();
                if !text.is_empty() {
                    self.hold(origin, EntryKind::Reasoning(text), id, out);
                }
            }
            "message" => {
                self.release(out);
                let start = out.stream.next_index();
                fields::message(item, origin, out);
                self.note_entries(id.as_deref(), start, out);
            }
            "function_call" | "custom_tool_call" | "local_shell_call" | "web_search_call"
            | "tool_search_call" => {
                self.release(out);
                let start = out.stream.next_index();
                self.call(item, origin, out);
                self.note_entries(id.as_deref(), start, out);
            }
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                self.release(out);
                let start = out.stream.next_index();
                self.result(item, origin, out);
                self.note_entries(id.as_deref(), start, out);
            }
            "compaction" | "compaction_summary" | "ghost_snapshot" | "other" => {}
            other => {
                let other = format!("response_item/{other}");
                out.note(ProblemKind::UnknownKind, &origin.location, Some(&other));
            }
        }
    }

    /// Records the entries of an item, once the held-back ones are passed on.
    fn note_entries(&mut self, id: Option<&str>, start: u64, out: &Output<'_>) {
        if let Some(id) = id {
            self.items.note_entries(id, start..out.stream.next_index());
        }
    }

    /// Holds an entry back, and passes on all if there are too many for a summary request.
    fn hold(&mut self, origin: &Origin, kind: EntryKind, id: Option<String>, out: &mut Output<'_>) {
        if self.pending.is_full() {
            self.release(out);
        }
        self.pending.push(origin, kind, id);
    }

    fn call(&mut self, item: &mut Value, origin: &Origin, out: &mut Output<'_>) {
        let name = match str_at(item, "type") {
            "local_shell_call" => "local_shell".to_owned(),
            "web_search_call" => "web_search".to_owned(),
            "tool_search_call" => "tool_search".to_owned(),
            _ => str_at(item, "name").to_owned(),
        };
        let arguments = fields::arguments(item);
        let id = owned_at(item, "call_id").or_else(|| owned_at(item, "id"));
        let call = ToolCall {
            id: id.unwrap_or_default(),
            kind: PROFILE.tool_kind(&name),
            name,
            arguments,
        };
        self.outcomes.called(&call);
        if call.name == "update_plan"
            && let Some(items) = call.arguments.get("plan").and_then(Value::as_array)
        {
            self.plans.open(&call.id, items_of(items));
        }
        out.push(origin, EntryKind::Call(call));
    }

    fn result(&mut self, item: &Value, origin: &Origin, out: &mut Output<'_>) {
        let call = owned_at(item, "call_id").unwrap_or_default();
        let text = item.get("output").map(raw_text_of).unwrap_or_default();
        let failure = self.outcomes.failure(&call, text.as_str());
        let plan = self.plans.close(&call);
        let result = ToolResult {
            call,
            text,
            whole: None,
            failure,
        };
        out.push(origin, EntryKind::Result(result));
        if let (Some(items), None) = (plan, failure) {
            out.push(origin, EntryKind::Plan(PlanChange::Replaced(items)));
        }
    }

    fn event(&mut self, event: &Value, origin: &Origin, out: &mut Output<'_>) {
        match str_at(event, "type") {
            "token_count" => self.count(event, origin, out),
            "task_started" | "turn_started" => {
                self.release(out);
                let window = event.get("model_context_window").and_then(Value::as_u64);
                let session = &mut out.stream.session;
                session.window = window.or(session.window);
            }
            "thread_settings_applied" => {}
            "turn_aborted" => {
                self.release(out);
                out.push(origin, EntryKind::Aborted);
            }
            "item_completed" => {
                let item = event.get("item").unwrap_or(&Value::Null);
                match str_at(item, "type") {
                    // Skip these: the response items already contain the same text.
                    "Reasoning" | "AgentMessage" => {}
                    "CollabAgentToolCall" => {
                        self.release(out);
                        self.outcomes.completed(item);
                        sub_agents(item, origin, out);
                    }
                    _ => {
                        self.release(out);
                        self.outcomes.completed(item);
                    }
                }
            }
            // Skip these: older versions repeat the model's text here.
            "agent_message" | "agent_reasoning" | "agent_reasoning_raw_content" => {}
            "exec_command_end" | "patch_apply_end" | "mcp_tool_call_end" => {
                self.release(out);
                self.outcomes.completed(event);
            }
            _ => self.release(out),
        }
    }

    /// Handles the usage of one response.
    fn record(&mut self, record: &Value, origin: &Origin, out: &mut Output<'_>) {
        self.has_records = true;
        let Some(key) = owned_at(record, "response_id") else {
            return out.note(ProblemKind::Tokens, &origin.location, Some("response_id"));
        };
        let Some(usage) = record.get("usage").filter(|it| it.is_object()) else {
            return out.note(ProblemKind::Tokens, &origin.location, Some("usage"));
        };
        let tokens = fields::tokens(usage);
        if self.responses.insert(&key, out.stream.next_index()) {
            self.usage(key, tokens, origin, out);
        }
    }

    fn usage(&mut self, key: String, tokens: Tokens, origin: &Origin, out: &mut Output<'_>) {
        let usage = CallUsage::new(key, self.model.clone(), tokens);
        self.hold(origin, EntryKind::Usage(usage), None, out);
    }

    /// Handles the thread's total counts after a response, an estimate after a compaction.
    fn count(&mut self, event: &Value, origin: &Origin, out: &mut Output<'_>) {
        let Some(info) = event.get("info").filter(|it| it.is_object()) else {
            return;
        };
        let window = info.get("model_context_window").and_then(Value::as_u64);
        let session = &mut out.stream.session;
        session.window = window.or(session.window);
        let last = info.get("last_token_usage").unwrap_or(&Value::Null);
        let is_estimate = count_at(last, "input_tokens") == 0;
        if is_estimate {
            if let Some((_, compaction)) = &mut self.compaction {
                compaction.after = Some(count_at(last, "total_tokens"));
            }
            return;
        }
        let total = fields::tokens(info.get("total_token_usage").unwrap_or(&Value::Null));
        // When reading starts in the middle, the first total covers everything before, so use the
        // last count.
        let step = match self.total.total() {
            0 => fields::tokens(last),
            _ => total.minus(self.total),
        };
        self.total = total;
        if !self.has_records && step.total() > 0 {
            self.usage(format!("{}", origin.location), step, origin, out);
        }
    }

    fn compacted(&mut self, line: &mut Value, origin: &Origin, out: &mut Output<'_>) {
        let response = owned_at(line, "compaction_response_id");
        // Without a response id, the last response is the summary.
        self.pending
            .release_as_summary(response.as_deref(), &mut self.items, out);
        let kept = line
            .get("replacement_history")
            .and_then(Value::as_array)
            .map(|items| {
                let ids = items.iter().filter_map(|it| owned_at(it, "id"));
                let entries = ids.filter_map(|id| self.items.entries_of(&id));
                entries.flatten().take(MAX_KEPT).collect()
            });
        let summary = take_text(line, "message");
        let compaction = Compaction {
            // Codex does not record whether the compaction was automatic.
            trigger: CompactionTrigger::Unknown,
            before: self.last_fill,
            after: None,
            summary: (!summary.is_empty()).then_some(summary),
            kept,
        };
        self.compaction = Some((origin.clone(), compaction));
    }

    /// Passes on the held-back entries, which were not the request for a summary.
    fn release(&mut self, out: &mut Output<'_>) {
        if let Some((origin, compaction)) = self.compaction.take() {
            out.push(&origin, EntryKind::Compaction(compaction));
        }
        if let Some(fill) = self.pending.release(&mut self.items, out) {
            self.last_fill = Some(fill);
        }
    }
}

impl LineDialect for CodexDialect {
    fn emit_entries(&mut self, mut line: Value, at: Location, out: &mut Output<'_>) {
        let time = time_at(&line, "timestamp");
        let origin = Origin {
            time,
            copied: self.replayed.covers(time, out.stream.session.started),
            ..Origin::new(at)
        };
        let kind = str_at(&line, "type").to_owned();
        let mut payload = line.get_mut("payload").map(Value::take).unwrap_or_default();
        match kind.as_str() {
            "session_meta" => self.describe_session(&mut payload, &origin, out),
            "turn_context" => {
                self.model = owned_at(&payload, "model").or(self.model.take());
                if let Some(model) = &self.model {
                    out.stream.session.add_model(model);
                }
            }
            "response_item" => self.item(&mut payload, &origin, out),
            "event_msg" => self.event(&payload, &origin, out),
            "token_usage_record" => self.record(&payload, &origin, out),
            "compacted" => self.compacted(&mut payload, &origin, out),
            "world_state" | "inter_agent_communication" => {}
            other => out.note(ProblemKind::UnknownKind, &origin.location, Some(other)),
        }
    }

    fn emit_held_entries(&mut self, out: &mut Output<'_>) {
        self.release(out);
    }
}

/// Passes on the agents that a call started.
fn sub_agents(item: &Value, origin: &Origin, out: &mut Output<'_>) {
    if str_at(item, "tool") != "spawn_agent" {
        return;
    }
    let ids = item.get("receiver_thread_ids").and_then(Value::as_array);
    let roles = item.get("receiver_agents").and_then(Value::as_array);
    for (at, id) in ids.into_iter().flatten().enumerate() {
        let role = roles.and_then(|it| it.get(at));
        let agent = SubAgent {
            state: SubAgentState::Started,
            id: text_of(id),
            name: role.and_then(|it| owned_at(it, "agent_role")),
            call: owned_at(item, "id"),
        };
        out.push(origin, EntryKind::SubAgent(agent));
    }
}
