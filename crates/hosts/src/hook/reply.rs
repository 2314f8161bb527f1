//! Answers to a hook call, in the host's format.

use serde_json::{Value, json};

use super::HookEvent;
use super::form::{HookForm, ReplyForm};

/// Instruction about a saved file for the model that writes the summary.
const NAME_IT: &str = "Name this file in the summary.";

/// A hook's output: the answer on stdout and the warning on stderr.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookOutput {
    /// The output for the host; `None` if it simply continues.
    pub answer: Option<Value>,
    /// The message to a person if the hook failed.
    pub warning: Option<String>,
}

/// Answer to a hook call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookReply {
    /// No answer: the host continues.
    Pass,
    /// Refuses the tool use, with the reason.
    Refuse(String),
    /// Refuses to end the turn, with the reason.
    GoOn(String),
    /// A line for the model.
    Note(String),
    /// A line for the person; nothing in a host that cannot show one.
    Tell(String),
    /// Reports an action before a compaction: a line for the model that writes the summary if the
    /// host can pass it on, else for the person.
    Kept(String),
    /// The hook failed but the host continues: a line for the person.
    Warn(String),
}

impl HookReply {
    /// Returns what the hook prints for a host with this format.
    pub fn into_output(self, form: &HookForm, event: HookEvent) -> HookOutput {
        HookOutput {
            answer: self.host_output(form, event),
            warning: match self {
                Self::Warn(line) => Some(line),
                _ => None,
            },
        }
    }

    /// Returns the hook's output for a host with this format (a string is printed verbatim), or `None`
    /// if there is nothing to print.
    pub fn host_output(&self, form: &HookForm, event: HookEvent) -> Option<Value> {
        let own_event = (form.event_name)(event);
        Some(match (self, form.replies) {
            (Self::Pass, _) => return None,
            (Self::Refuse(why), ReplyForm::Nested) => json!({"hookSpecificOutput": {
                "hookEventName": own_event,
                "permissionDecision": "deny",
                "permissionDecisionReason": why,
            }}),
            (Self::Refuse(why), ReplyForm::Decision) => json!({"decision": "deny", "reason": why}),
            (Self::Refuse(why), ReplyForm::Flat) => {
                json!({"permissionDecision": "deny", "permissionDecisionReason": why})
            }
            (Self::Refuse(why), ReplyForm::Plugin) => json!({"refuse": why}),
            (Self::GoOn(why), _) => json!({"decision": "block", "reason": why}),
            (Self::Note(line), ReplyForm::Nested | ReplyForm::Decision) => {
                json!({"hookSpecificOutput": {
                    "hookEventName": own_event,
                    "additionalContext": line,
                }})
            }
            (Self::Note(line), ReplyForm::Flat) => json!({"additionalContext": line}),
            (Self::Note(line), ReplyForm::Plugin) => json!({"note": line}),
            (Self::Kept(line), ReplyForm::Nested) if form.takes_text_at_compaction => {
                Value::String(format!("{line} {NAME_IT}"))
            }
            (Self::Kept(line), ReplyForm::Plugin) => json!({"note": format!("{line} {NAME_IT}")}),
            (Self::Kept(_), ReplyForm::Flat) => return None,
            (
                Self::Kept(line) | Self::Warn(line) | Self::Tell(line),
                ReplyForm::Nested | ReplyForm::Decision,
            ) => json!({"systemMessage": line}),
            // No output for the host: the hook prints a warning on standard error instead.
            (Self::Warn(_) | Self::Tell(_), ReplyForm::Flat | ReplyForm::Plugin) => return None,
        })
    }
}
