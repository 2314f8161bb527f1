//! Parses the notifications and requests that an agent sends.

use agent_client_protocol::UntypedMessage;
use agent_client_protocol::v1::schema::{
    ContentBlock, ContentChunk, RequestPermissionRequest, RequestPermissionResponse,
    SessionConfigKind, SessionConfigOption, SessionConfigOptionCategory, SessionId,
    SessionNotification, SessionUpdate,
};
use serde_json::Value;

use super::consent::Consent;

/// A message from an agent that Agon handles.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AgentMessage {
    /// A piece of the answer.
    Text {
        /// The text of the piece.
        text: String,
        /// The ID of the answer's message, if the agent reports one.
        message: Option<String>,
    },
    /// A new state of a call to one of the agent's own tools.
    Call(ToolCall),
    /// The total cost of the conversation, in dollars.
    Cost(f64),
    /// The current mode of the conversation.
    Mode(String),
    /// The agent requested a permission.
    Asked {
        /// The ID of the tool call.
        call: String,
        /// Whether the permission was granted.
        granted: bool,
    },
}

/// The state of a call to one of the agent's own tools, as far as reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ToolCall {
    /// The ID of the call.
    pub(super) id: String,
    /// Whether this message reports the start of the call.
    pub(super) begins: bool,
    /// The kind of tool.
    pub(super) kind: Option<String>,
    /// The stage of the call, if reported.
    pub(super) stage: Option<Stage>,
}

/// The stage of a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The call is running.
    Running,
    /// The call was executed.
    Done,
    /// The call was not executed, or failed.
    Failed {
        /// Whether the report contains a program's exit code.
        exited: bool,
    },
}

impl Stage {
    fn of(update: &Value) -> Option<Self> {
        match update.get("status").and_then(Value::as_str)? {
            "in_progress" => Some(Self::Running),
            "completed" => Some(Self::Done),
            "failed" => {
                let told = ["rawOutput", "content", "_meta"].into_iter();
                let exited = told
                    .filter_map(|key| update.get(key))
                    .any(mentions_exit_code);
                Some(Self::Failed { exited })
            }
            _ => None,
        }
    }
}

/// Returns whether a value contains a program's exit code.
fn mentions_exit_code(value: &Value) -> bool {
    match value {
        Value::String(text) => text.to_lowercase().contains("exit code"),
        Value::Array(items) => items.iter().any(mentions_exit_code),
        Value::Object(fields) => fields.iter().any(|(key, value)| {
            let code = ["exit_code", "exitCode"].contains(&key.as_str());
            code && value.is_number() || mentions_exit_code(value)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Parses the state of a tool call, if the notification contains one. Reads each field separately,
/// because a call counts even if the rest of the notification is not valid.
fn parse_tool_call(params: &Value) -> Option<(SessionId, AgentMessage)> {
    let update = params.get("update")?;
    let text = |key: &str| update.get(key).and_then(Value::as_str);
    let begins = match text("sessionUpdate")? {
        "tool_call" => true,
        "tool_call_update" => false,
        _ => return None,
    };
    let session = params.get("sessionId").and_then(Value::as_str);
    let call = ToolCall {
        id: text("toolCallId").unwrap_or_default().to_owned(),
        begins,
        kind: text("kind").map(str::to_owned),
        stage: Stage::of(update),
    };
    let session = session.unwrap_or_default().to_owned();
    Some((SessionId::new(session), AgentMessage::Call(call)))
}

/// Returns the messages in a notification that Agon handles.
pub(super) fn parse_notification(message: &UntypedMessage) -> Vec<(SessionId, AgentMessage)> {
    if message.method != "session/update" {
        return Vec::new();
    }
    if let Some(call) = parse_tool_call(&message.params) {
        return vec![call];
    }
    // Ignore updates of a kind that the library does not know.
    let Ok(SessionNotification {
        session_id, update, ..
    }) = serde_json::from_value(message.params.clone())
    else {
        return Vec::new();
    };
    messages_from_update(update)
        .into_iter()
        .map(|message| (session_id.clone(), message))
        .collect()
}

// Ignore kinds of updates that Agon does not use, including any that the protocol adds.
fn messages_from_update(update: SessionUpdate) -> Vec<AgentMessage> {
    match update {
        SessionUpdate::AgentMessageChunk(chunk) => message_from_chunk(chunk).into_iter().collect(),
        SessionUpdate::UsageUpdate(usage) => {
            let dollars = usage.cost.filter(|cost| cost.currency == "USD");
            dollars
                .map(|cost| AgentMessage::Cost(cost.amount))
                .into_iter()
                .collect()
        }
        SessionUpdate::CurrentModeUpdate(mode) => {
            vec![AgentMessage::Mode(mode.current_mode_id.to_string())]
        }
        SessionUpdate::ConfigOptionUpdate(update) => update
            .config_options
            .iter()
            .filter_map(current_mode)
            .map(AgentMessage::Mode)
            .collect(),
        _ => Vec::new(),
    }
}

fn message_from_chunk(chunk: ContentChunk) -> Option<AgentMessage> {
    let ContentBlock::Text(text) = chunk.content else {
        return None;
    };
    Some(AgentMessage::Text {
        text: text.text,
        message: chunk.message_id.map(|id| id.to_string()),
    })
}

/// Returns the current mode, if the option is the one that sets the mode.
fn current_mode(option: &SessionConfigOption) -> Option<String> {
    let of_mode = option.category == Some(SessionConfigOptionCategory::Mode)
        || option.category.is_none() && option.id.0.as_ref() == "mode";
    let SessionConfigKind::Select(select) = &option.kind else {
        return None;
    };
    of_mode.then(|| select.current_value.to_string())
}

/// Answers a permission request, and returns the message that reports it.
pub(super) fn answer_permission_request(
    message: &UntypedMessage,
    consent: &Consent,
) -> Option<(SessionId, AgentMessage, Value)> {
    if message.method != "session/request_permission" {
        return None;
    }
    let mut params = message.params.clone();
    // Remove options of unknown kinds: they cannot be chosen, and would make the whole request
    // unreadable.
    if let Some(options) = params.get_mut("options").and_then(Value::as_array_mut) {
        options.retain(|option| {
            let kind = option.get("kind").and_then(Value::as_str);
            kind.is_some_and(|kind| {
                ["allow_once", "allow_always", "reject_once", "reject_always"].contains(&kind)
            })
        });
    }
    let request: RequestPermissionRequest = serde_json::from_value(params).ok()?;
    let (granted, outcome) = consent.answer_request(&request);
    let answer = serde_json::to_value(RequestPermissionResponse::new(outcome)).ok()?;
    let call = request.tool_call.tool_call_id.to_string();
    Some((
        request.session_id,
        AgentMessage::Asked { call, granted },
        answer,
    ))
}
