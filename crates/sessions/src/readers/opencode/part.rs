//! Interprets finished parts of messages.

use serde_json::Value;

use super::PROFILE;
use crate::json::{count_at, owned_at, str_at, take_text};
use crate::plan::items_of;
use crate::problem::ProblemKind;
use crate::seen::SeenIds;
use crate::stream::{Origin, Output};
use crate::{
    CallUsage, Compaction, CompactionTrigger, EntryKind, Failure, Loaded, LoadedKind, PlanChange,
    Purpose, RawText, SubAgent, SubAgentState, Tokens, ToolCall, ToolResult,
};

/// The state kept between messages.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The cause of a compaction whose summary is still missing.
    trigger: Option<CompactionTrigger>,
    /// The text of a summary message.
    summary: Option<RawText>,
    last_fill: Option<u64>,
}

/// Passes on a part of `message`, if it is finished and new.
pub(super) fn emit(
    part: &mut Value,
    id: &str,
    message: &Value,
    origin: &Origin,
    (seen, state): (&mut SeenIds, &mut State),
    out: &mut Output<'_>,
) {
    let is_user = str_at(message, "role") == "user";
    let is_summary = message.get("summary") == Some(&Value::Bool(true));
    let is_whole = is_user || has_ended(message) || part.pointer("/time/end").is_some();
    match str_at(part, "type") {
        "text" | "reasoning" if !is_whole => {}
        "text" if is_summary => {
            state.summary = Some(take_text(part, "text"));
        }
        "text" => {
            if !seen.insert(id, out.stream.next_index()) {
                return;
            }
            let is_synthetic = part.get("synthetic") == Some(&Value::Bool(true));
            let goes_on = part.pointer("/metadata/compaction_continue").is_some();
            let text = take_text(part, "text");
            let kind = match (is_user, is_synthetic) {
                (true, true) => {
                    let kind = match goes_on {
                        true => LoadedKind::GoOn,
                        false => LoadedKind::Surroundings,
                    };
                    EntryKind::Loaded(Loaded { kind, text })
                }
                (true, false) => EntryKind::Prompt(text),
                (false, _) => EntryKind::Text(text),
            };
            out.push(origin, kind);
        }
        "reasoning" if is_summary => {}
        "reasoning" => {
            if seen.insert(id, out.stream.next_index()) {
                let text = take_text(part, "text");
                out.push(origin, EntryKind::Reasoning(text));
            }
        }
        "tool" => tool(part, id, origin, seen, out),
        "compaction" => {
            state.trigger = Some(match part.get("auto") {
                Some(Value::Bool(true)) => CompactionTrigger::Automatic,
                Some(Value::Bool(false)) => CompactionTrigger::Manual,
                _ => CompactionTrigger::Unknown,
            });
        }
        // These add nothing: `step-finish`, for example, repeats the counts of its message.
        "step-start" | "step-finish" | "snapshot" | "patch" | "agent" | "subtask" | "file"
        | "retry" => {}
        other => {
            let other = format!("part/{other}");
            out.note(ProblemKind::UnknownKind, &origin.location, Some(&other));
        }
    }
}

fn has_ended(message: &Value) -> bool {
    message.pointer("/time/completed").is_some() || message.get("error").is_some()
}

fn tool(part: &mut Value, id: &str, origin: &Origin, seen: &mut SeenIds, out: &mut Output<'_>) {
    let name = str_at(part, "tool").to_owned();
    let call = owned_at(part, "callID").unwrap_or_else(|| id.to_owned());
    let mut none = Value::Null;
    let state = part.get_mut("state").unwrap_or(&mut none);
    let status = str_at(state, "status").to_owned();
    // A pending call may not have all its arguments yet, so wait for its next state.
    if status == "pending" {
        return;
    }
    let arguments = state.get("input").cloned().unwrap_or_default();
    let todos = (name == "todowrite")
        .then(|| arguments.get("todos")?.as_array().map(|it| items_of(it)))
        .flatten();
    let kind = PROFILE.tool_kind(&name);
    if seen.insert(&format!("call {id}"), out.stream.next_index()) {
        let call = ToolCall {
            id: call.clone(),
            name,
            kind,
            arguments,
        };
        out.push(origin, EntryKind::Call(call));
    }
    let is_error = status == "error";
    if !(is_error || status == "completed") {
        return;
    }
    if !seen.insert(&format!("result {id}"), out.stream.next_index()) {
        return;
    }
    let exit = state.pointer("/metadata/exit").and_then(Value::as_i64);
    let has_failed = is_error || exit.is_some_and(|it| it != 0);
    let failure = has_failed.then_some(Failure {
        recorded: is_error,
        exit,
    });
    let agent = state
        .pointer("/metadata/sessionId")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let agent_name = state
        .pointer("/input/subagent_type")
        .and_then(Value::as_str);
    let agent_name = agent_name.map(str::to_owned);
    let whole = state
        .pointer("/metadata/outputPath")
        .and_then(Value::as_str);
    let whole = whole.map(str::to_owned);
    let text = take_text(state, if is_error { "error" } else { "output" });
    let result = ToolResult {
        call: call.clone(),
        text,
        whole,
        failure,
    };
    out.push(origin, EntryKind::Result(result));
    if let (Some(items), None) = (todos, failure) {
        out.push(origin, EntryKind::Plan(PlanChange::Replaced(items)));
    }
    if let Some(agent) = agent {
        let agent = SubAgent {
            state: SubAgentState::Ended,
            id: agent,
            name: agent_name,
            call: Some(call),
        };
        out.push(origin, EntryKind::SubAgent(agent));
    }
}

/// Passes on the usage of a finished message, and its compaction if it is a summary.
pub(super) fn end_message(
    message: &Value,
    id: &str,
    origin: &Origin,
    (seen, state): (&mut SeenIds, &mut State),
    out: &mut Output<'_>,
) {
    if str_at(message, "role") != "assistant" || !has_ended(message) {
        return;
    }
    if !seen.insert(&format!("end {id}"), out.stream.next_index()) {
        return;
    }
    let is_summary = message.get("summary") == Some(&Value::Bool(true));
    let has_failed = message.get("error").is_some();
    let counts = message.get("tokens").unwrap_or(&Value::Null);
    let tokens = tokens(counts);
    let model = owned_at(message, "modelID");
    if let Some(model) = &model {
        out.stream.session.add_model(model);
    }
    // An aborted message without an answer has counts of 0 and is not a model call.
    if tokens.total() > 0 {
        let usage = CallUsage {
            purpose: match is_summary {
                true => Purpose::Compaction,
                false => Purpose::Work,
            },
            ..CallUsage::new(id.to_owned(), model, tokens)
        };
        out.push(origin, EntryKind::Usage(usage));
    }
    if is_summary && !has_failed {
        let compaction = Compaction {
            trigger: state.trigger.take().unwrap_or(CompactionTrigger::Unknown),
            before: state.last_fill,
            after: None,
            summary: state.summary.take(),
            kept: None,
        };
        out.push(origin, EntryKind::Compaction(compaction));
    } else if !is_summary && tokens.total() > 0 {
        state.last_fill = Some(tokens.total());
    }
    if has_failed {
        let name = message.pointer("/error/name").and_then(Value::as_str);
        if name == Some("MessageAbortedError") {
            out.push(origin, EntryKind::Aborted);
        }
    }
}

/// Reads token counts. The host excludes cached tokens from the input and reasoning from the
/// output.
fn tokens(counts: &Value) -> Tokens {
    let cache = counts.get("cache").unwrap_or(&Value::Null);
    let cached = count_at(cache, "read");
    let cache_written = count_at(cache, "write");
    let reasoning = count_at(counts, "reasoning");
    Tokens {
        input: count_at(counts, "input")
            .saturating_add(cached)
            .saturating_add(cache_written),
        cached,
        cache_written,
        output: count_at(counts, "output").saturating_add(reasoning),
        reasoning,
    }
}
