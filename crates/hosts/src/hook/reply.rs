//! An answer, in the form that a host takes.

use serde_json::{Value, json};

use super::{HookEvent, HookForm};

/// What a host is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookReply {
    /// Nothing: it goes on.
    Pass,
    /// The edit is not to be made.
    Refuse(String),
    /// The turn is not to end yet.
    GoOn(String),
    /// A line for the model.
    Note(String),
    /// It goes on, though the hook failed: a line for the person.
    Warn(String),
}

impl HookReply {
    /// What the host of this name reads on the hook's output; nothing where it goes on.
    pub fn for_host(&self, host: &str, form: &HookForm, event: HookEvent) -> Option<Value> {
        let own_event = (form.event_name)(event);
        Some(match (self, host) {
            (Self::Pass, _) => return None,
            (Self::Refuse(why), "claude" | "codex") => json!({"hookSpecificOutput": {
                "hookEventName": own_event,
                "permissionDecision": "deny",
                "permissionDecisionReason": why,
            }}),
            (Self::Refuse(why), "gemini") => json!({"decision": "deny", "reason": why}),
            (Self::Refuse(why), "copilot") => {
                json!({"permissionDecision": "deny", "permissionDecisionReason": why})
            }
            (Self::Refuse(why), _) => json!({"refuse": why}),
            (Self::GoOn(why), _) => json!({"decision": "block", "reason": why}),
            (Self::Note(line), "claude" | "codex" | "gemini") => json!({"hookSpecificOutput": {
                "hookEventName": own_event,
                "additionalContext": line,
            }}),
            (Self::Note(line), "copilot") => json!({"additionalContext": line}),
            (Self::Note(line), _) => json!({"note": line}),
            (Self::Warn(line), "claude" | "codex" | "gemini") => json!({"systemMessage": line}),
            // It is on the hook's other output.
            (Self::Warn(_), _) => return None,
        })
    }
}
