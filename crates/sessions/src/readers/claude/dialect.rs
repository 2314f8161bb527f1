//! Sessions of Claude Code: one line per block of a message.
//!
//! Duplicates to remove: each line of a message repeats its usage. After a compaction, the kept
//! messages are appended again with the same ids. A fork begins with its parent's lines under the
//! new session's id, recognizable only by their time.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::Value;

use super::{PROFILE, attachment, task};
use crate::entry::MAX_KEPT;
use crate::json::{count_at, owned_at, raw_text_of, str_at, take_text, time_at};
use crate::jsonl::LineDialect;
use crate::problem::ProblemKind;
use crate::seen::SeenIds;
use crate::session;
use crate::stream::{Origin, Output};
use crate::{
    CallUsage, Compaction, CompactionTrigger, EntryKind, Failure, Loaded, LoadedKind, Location,
    PlanItem, RawText, RecordedSession, SubAgent, SubAgentState, Tokens, ToolCall, ToolResult,
};

/// The model name in lines that the host writes itself.
const SYNTHETIC: &str = "<synthetic>";

// More than the number of sub-agents that can answer at once.
/// Most messages whose counts may still change.
const MAX_RECENT: usize = 32;

/// The state for interpreting a session's lines.
#[derive(Debug)]
pub(super) struct ClaudeDialect {
    /// Ids of lines seen.
    lines: SeenIds,
    /// The usage of the last messages, since lines of sub-agents can come between the lines of a
    /// message.
    recent: VecDeque<(String, Tokens)>,
    /// Messages whose usage was passed on.
    messages: SeenIds,
    /// The last compaction, until the next line brings its summary.
    boundary: Option<(Origin, Compaction)>,
    /// Whether the last compaction was passed on without its summary, because the record ended
    /// there.
    awaits_summary: bool,
    /// The time of the fork; earlier lines are copies from the parent.
    forked_at: Option<Timestamp>,
    first_time: Option<Timestamp>,
    warned_of_version: bool,
    /// Whether the record belongs to a sub-agent.
    is_sub_agent: bool,
    tasks: task::TaskCalls,
    /// The folder of the to-do lists.
    task_folder: Option<PathBuf>,
}

impl ClaudeDialect {
    pub(super) fn new(path: &Path) -> Self {
        // The host's folder has projects/SLUG/SESSION.jsonl and tasks/SESSION/.
        let base = path.ancestors().nth(3);
        Self {
            lines: SeenIds::new(),
            recent: VecDeque::new(),
            messages: SeenIds::new(),
            boundary: None,
            awaits_summary: false,
            forked_at: None,
            first_time: None,
            warned_of_version: false,
            is_sub_agent: path.parent().is_some_and(|it| it.ends_with("subagents")),
            tasks: task::TaskCalls::new(),
            task_folder: base.map(|base| base.join("tasks")),
        }
    }

    fn describe_session(&mut self, line: &Value, at: &Location, out: &mut Output<'_>) {
        let session = &mut out.stream.session;
        if session.project.is_none() {
            session.project = owned_at(line, "cwd").map(PathBuf::from);
        }
        let version = str_at(line, "version");
        let is_known = version.is_empty() || session.version.as_deref() == Some(version);
        if !is_known {
            let version = version.to_owned();
            let is_newer = PROFILE.is_newer(&version);
            if is_newer && !self.warned_of_version {
                self.warned_of_version = true;
                out.note(ProblemKind::NewerVersion, at, Some(&version));
            }
            out.stream.session.version = Some(version);
        }
    }

    /// Returns whether to skip a line, because it is older than the session and a fork copied it.
    fn skip_if_copied(
        &mut self,
        time: Option<Timestamp>,
        has_id: bool,
        out: &mut Output<'_>,
    ) -> bool {
        let Some(time) = time else { return false };
        let first = *self.first_time.get_or_insert(time);
        let session = &mut out.stream.session;
        session.started.get_or_insert(first);
        if has_id && time < first && self.forked_at.is_none() && self.lines.is_empty() {
            self.forked_at = Some(first);
            if session.origin == session::Origin::New {
                session.origin = session::Origin::Fork { parent: None };
            }
        }
        self.forked_at.is_some_and(|forked| time < forked)
    }

    fn user(&mut self, line: &mut Value, origin: &Origin, out: &mut Output<'_>) {
        let is_meta = line.get("isMeta") == Some(&Value::Bool(true));
        let details = line.get_mut("toolUseResult").map(Value::take);
        let Some(content) = line.pointer_mut("/message/content").map(Value::take) else {
            return out.note(ProblemKind::Damaged, &origin.location, Some("user"));
        };
        if let Value::Array(blocks) = &content {
            for block in blocks
                .iter()
                .filter(|it| str_at(it, "type") == "tool_result")
            {
                self.result(block, details.as_ref(), origin, out);
            }
            if blocks.iter().any(|it| str_at(it, "type") == "tool_result") {
                return;
            }
        }
        let text = raw_text_of(&content);
        let kind = if is_meta || is_host_text(text.as_str()) {
            let kind = LoadedKind::GoOn;
            EntryKind::Loaded(Loaded { kind, text })
        } else if text.as_str().starts_with("[Request interrupted by user") {
            EntryKind::Aborted
        } else {
            EntryKind::Prompt(text)
        };
        out.push(origin, kind);
    }

    fn result(
        &mut self,
        block: &Value,
        details: Option<&Value>,
        origin: &Origin,
        out: &mut Output<'_>,
    ) {
        let call = str_at(block, "tool_use_id").to_owned();
        let text = block.get("content").map(raw_text_of).unwrap_or_default();
        let is_error = block.get("is_error") == Some(&Value::Bool(true));
        let exit = exit_code(text.as_str());
        let failure = is_error.then_some(Failure {
            recorded: true,
            exit,
        });
        let whole = details.and_then(|it| owned_at(it, "persistedOutputPath"));
        let plan = match failure {
            None => self.tasks.outcome(&call, text.as_str()),
            Some(_) => None,
        };
        out.push(
            origin,
            EntryKind::Result(ToolResult {
                call: call.clone(),
                text,
                whole,
                failure,
            }),
        );
        if let Some(change) = plan {
            out.push(origin, EntryKind::Plan(change));
        }
        if let Some(id) = details.and_then(|it| owned_at(it, "agentId")) {
            let agent = SubAgent {
                state: SubAgentState::Ended,
                id,
                name: details.and_then(|it| owned_at(it, "agentType")),
                call: Some(call),
            };
            out.push(origin, EntryKind::SubAgent(agent));
        }
    }

    fn assistant(&mut self, line: &mut Value, origin: &Origin, out: &mut Output<'_>) {
        let Some(message) = line.get_mut("message") else {
            return out.note(ProblemKind::Damaged, &origin.location, Some("assistant"));
        };
        let is_synthetic = str_at(message, "model") == SYNTHETIC;
        if !is_synthetic {
            self.usage(message, origin, out);
        }
        let blocks = match message.get_mut("content").map(Value::take) {
            Some(Value::Array(blocks)) => blocks,
            Some(Value::String(text)) => vec![serde_json::json!({"type": "text", "text": text})],
            _ => Vec::new(),
        };
        for mut block in blocks {
            if is_synthetic {
                let kind = LoadedKind::GoOn;
                let text = take_text(&mut block, "text");
                out.push(origin, EntryKind::Loaded(Loaded { kind, text }));
                continue;
            }
            let kind = match str_at(&block, "type") {
                "text" => EntryKind::Text(take_text(&mut block, "text")),
                "thinking" => EntryKind::Reasoning(take_text(&mut block, "thinking")),
                "tool_use" | "server_tool_use" => {
                    let name = str_at(&block, "name").to_owned();
                    let call = ToolCall {
                        id: str_at(&block, "id").to_owned(),
                        kind: PROFILE.tool_kind(&name),
                        name,
                        arguments: block.get_mut("input").map(Value::take).unwrap_or_default(),
                    };
                    let change = self.tasks.call(&call);
                    out.push(origin, EntryKind::Call(call));
                    if let Some(change) = change {
                        out.push(origin, EntryKind::Plan(change));
                    }
                    continue;
                }
                // Encrypted reasoning has no text to pass on.
                "redacted_thinking" => continue,
                other => {
                    let other = other.to_owned();
                    out.note(ProblemKind::UnknownKind, &origin.location, Some(&other));
                    continue;
                }
            };
            out.push(origin, kind);
        }
    }

    /// Passes on the usage of a message once, and again if a later line corrects it.
    fn usage(&mut self, message: &Value, origin: &Origin, out: &mut Output<'_>) {
        let Some(usage) = message.get("usage").filter(|it| it.is_object()) else {
            return out.note(ProblemKind::Tokens, &origin.location, Some("usage"));
        };
        let cached = count_at(usage, "cache_read_input_tokens");
        let cache_written = count_at(usage, "cache_creation_input_tokens");
        let tokens = Tokens {
            // The three input counts do not overlap, so add them.
            input: count_at(usage, "input_tokens")
                .saturating_add(cached)
                .saturating_add(cache_written),
            cached,
            cache_written,
            output: count_at(usage, "output_tokens"),
            reasoning: 0,
        };
        let key = match owned_at(message, "id") {
            Some(id) => id,
            None => format!("{}", origin.location),
        };
        let index = out.stream.next_index();
        let replaces = match self.recent.iter_mut().find(|(id, _)| *id == key) {
            Some((_, before)) if *before == tokens => return,
            Some((_, before)) => Some(std::mem::replace(before, tokens)),
            None if !self.messages.insert(&key, index) => return,
            None => {
                if self.recent.len() >= MAX_RECENT {
                    self.recent.pop_front();
                }
                self.recent.push_back((key.clone(), tokens));
                None
            }
        };
        let model = owned_at(message, "model");
        if let Some(model) = &model {
            out.stream.session.add_model(model);
        }
        let usage = CallUsage {
            replaces,
            ..CallUsage::new(key, model, tokens)
        };
        out.push(origin, EntryKind::Usage(usage));
    }

    fn boundary(&mut self, line: &Value, origin: &Origin, out: &mut Output<'_>) {
        self.end_boundary(None, out);
        let none = Value::Null;
        let details = line.get("compactMetadata").unwrap_or(&none);
        let kept = self.preserved_entries(details);
        let compaction = Compaction {
            trigger: match str_at(details, "trigger") {
                "auto" => CompactionTrigger::Automatic,
                "manual" => CompactionTrigger::Manual,
                _ => CompactionTrigger::Unknown,
            },
            before: details.get("preTokens").and_then(Value::as_u64),
            after: details.get("postTokens").and_then(Value::as_u64),
            summary: None,
            kept,
        };
        self.boundary = Some((origin.clone(), compaction));
    }

    /// Returns the kept entries, if the boundary names their lines or the first and last one.
    fn preserved_entries(&self, details: &Value) -> Option<Vec<u64>> {
        if let Some(ids) = details.pointer("/preservedMessages/uuids") {
            let ids = ids.as_array()?.iter().filter_map(Value::as_str);
            let entries = ids.filter_map(|id| self.lines.entries_of(id));
            return Some(entries.flatten().take(MAX_KEPT).collect());
        }
        let segment = details.get("preservedSegment")?;
        let entries = |key| self.lines.entries_of(str_at(segment, key));
        let (head, tail) = (entries("headUuid")?, entries("tailUuid")?);
        Some((head.start..tail.end).take(MAX_KEPT).collect())
    }

    /// Passes on the open compaction, with its summary if there is one.
    fn end_boundary(&mut self, summary: Option<RawText>, out: &mut Output<'_>) {
        if let Some((origin, mut compaction)) = self.boundary.take() {
            compaction.summary = summary;
            out.push(&origin, EntryKind::Compaction(compaction));
        }
    }
}

impl LineDialect for ClaudeDialect {
    fn emit_entries(&mut self, mut line: Value, at: Location, out: &mut Output<'_>) {
        let time = time_at(&line, "timestamp");
        let id = owned_at(&line, "uuid");
        self.describe_session(&line, &at, out);
        let copied = self.skip_if_copied(time, id.is_some(), out);
        let is_summary = line.get("isCompactSummary") == Some(&Value::Bool(true));
        if !is_summary {
            self.awaits_summary = false;
            self.end_boundary(None, out);
        }
        let start = out.stream.next_index();
        if let Some(id) = &id
            && !self.lines.insert(id, start)
        {
            return;
        }
        let is_aside = !self.is_sub_agent && line.get("isSidechain") == Some(&Value::Bool(true));
        let agent = owned_at(&line, "agentId");
        let origin = Origin {
            time,
            copied,
            agent: is_aside.then(|| agent.unwrap_or_else(|| "sidechain".to_owned())),
            location: at,
        };
        match str_at(&line, "type") {
            "user" if is_summary => {
                let text = line.pointer("/message/content").map(raw_text_of);
                match self.boundary.is_some() {
                    true => self.end_boundary(text, out),
                    false if std::mem::take(&mut self.awaits_summary) => {
                        let kind = LoadedKind::GoOn;
                        let text = text.unwrap_or_default();
                        out.push(&origin, EntryKind::Loaded(Loaded { kind, text }));
                    }
                    // A summary without a boundary: the record is old or the boundary damaged.
                    false => {
                        let compaction = Compaction {
                            trigger: CompactionTrigger::Unknown,
                            before: None,
                            after: None,
                            summary: text,
                            kept: None,
                        };
                        out.push(&origin, EntryKind::Compaction(compaction));
                    }
                }
            }
            "user" => self.user(&mut line, &origin, out),
            "assistant" => self.assistant(&mut line, &origin, out),
            "system" if str_at(&line, "subtype") == "compact_boundary" => {
                self.boundary(&line, &origin, out);
            }
            "attachment" => attachment::emit(&line, &origin, out),
            "summary" | "ai-title" | "custom-title" => {
                let title = ["summary", "aiTitle", "customTitle"]
                    .iter()
                    .find_map(|key| owned_at(&line, key));
                out.stream.session.title = title.or(out.stream.session.title.take());
            }
            "system"
            | "queue-operation"
            | "last-prompt"
            | "mode"
            | "permission-mode"
            | "file-history-snapshot"
            | "progress"
            | "agent-name"
            | "pr-link"
            | "tag" => {}
            other => {
                let other = other.to_owned();
                out.note(ProblemKind::UnknownKind, &origin.location, Some(&other));
            }
        }
        if let Some(id) = id {
            self.lines.note_entries(&id, start..out.stream.next_index());
        }
    }

    fn emit_held_entries(&mut self, out: &mut Output<'_>) {
        self.awaits_summary |= self.boundary.is_some();
        self.end_boundary(None, out);
    }

    fn plan(&self, session: &RecordedSession) -> Vec<PlanItem> {
        let folder = self.task_folder.as_ref().map(|it| it.join(&session.id));
        folder.map(|it| task::read(&it)).unwrap_or_default()
    }
}

/// Returns whether the host wrote a text in the user's name.
fn is_host_text(text: &str) -> bool {
    [
        "<command-name>",
        "<command-message>",
        "<local-command-",
        "<bash-",
        "<task-notification>",
        "<teammate-message",
        "<system-reminder>",
        "Caveat: ",
    ]
    .iter()
    .any(|start| text.trim_start().starts_with(start))
}

/// Returns the code of "Exit code 3", the start of a failed command's result.
fn exit_code(text: &str) -> Option<i64> {
    let rest = text.strip_prefix("Exit code ")?;
    rest.split_whitespace().next()?.parse().ok()
}
