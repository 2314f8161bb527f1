//! The result of asking one tool.

use std::time::Duration;

use agon_agents::SavedConversation;
use agon_caller::Failure;
use agon_record::event::Usage;
use agon_record::spec::{Effort, ToolName};
use agon_store::Conversation;

/// The result of asking one tool.
#[derive(Debug)]
pub struct ConsultAnswer {
    /// The tool.
    pub tool: ToolName,
    /// Its model, if one was named.
    pub model: Option<String>,
    /// Its reasoning effort.
    pub effort: Effort,
    /// The transport; `None` if it was not called.
    pub transport: Option<String>,
    /// How long it took.
    pub took: Duration,
    /// Its cost.
    pub usage: Option<Usage>,
    /// Its answer, redacted and safe to print, or why there is none.
    pub answer: Result<String, Failure>,
    /// The saved part of the conversation.
    pub(super) conversation: Option<SavedConversation>,
}

impl ConsultAnswer {
    /// Returns the conversation to save so that `--continue` can resume it.
    pub(super) fn conversation_to_keep(&self) -> Option<Conversation> {
        let kept = self.conversation.as_ref()?;
        Some(Conversation {
            tool: self.tool.clone(),
            model: self.model.clone(),
            effort: self.effort,
            transport: self.transport.clone()?,
            session: kept.id.to_string(),
            spent: kept.spent,
        })
    }

    /// Returns how long the call took, in milliseconds.
    pub fn took_ms(&self) -> u64 {
        u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX)
    }
}
