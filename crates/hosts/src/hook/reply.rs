//! An answer, in the form that a host takes.

use serde_json::{Value, json};

use super::HookEvent;
use super::form::{HookForm, ReplyForm};

/// What the model that writes the summary is asked to do with a file that it is told of.
const NAME_IT: &str = "Name this file in the summary.";

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
    /// Something that was done before the context is compacted: a line for the model that writes the
    /// summary where it can be told, else for the person.
    Kept(String),
    /// It goes on, though the hook failed: a line for the person.
    Warn(String),
}

impl HookReply {
    /// What a host of this form reads on the hook's output, a string as it is; nothing where it goes
    /// on.
    pub fn in_form(&self, form: &HookForm, event: HookEvent) -> Option<Value> {
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
            (Self::Kept(line) | Self::Warn(line), ReplyForm::Nested | ReplyForm::Decision) => {
                json!({"systemMessage": line})
            }
            // It is on the hook's other output.
            (Self::Warn(_), ReplyForm::Flat | ReplyForm::Plugin) => return None,
        })
    }
}
