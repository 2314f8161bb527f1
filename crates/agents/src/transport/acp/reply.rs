//! Assembles an answer from the pieces that an agent sends.

use agon_record::event::{CauseCode, Class};

use crate::dialect::DialectError;
use crate::profile::Notices;

// Known error messages have one line (Copilot 1.0.102: `Error: Authentication failed…`). A turn's
// moves are in a code block, or longer.
/// The maximum length of an error message, in bytes. A longer text, or one with a code block, is an
/// answer, however it begins.
const MAX_FAULT_BYTES: usize = 2_000;

/// The part of an answer received so far.
#[derive(Debug, Default)]
pub(super) struct ReplyText {
    text: String,
    message: Option<String>,
    /// Whether the agent has used a tool since its last text.
    turned: bool,
    /// Whether a permission was refused.
    refused: bool,
    /// Whether the text begins like an error message.
    fault: bool,
}

impl ReplyText {
    /// Adds a piece. Returns the part to pass to the listener.
    pub(super) fn push_piece<'a>(
        &mut self,
        piece: &'a str,
        message: Option<String>,
        notices: &Notices,
    ) -> Option<&'a str> {
        let begins = |list: &[String]| list.iter().any(|start| piece.starts_with(start.as_str()));
        if begins(&notices.again) {
            self.text.clear();
            return None;
        }
        let first = self.text.trim().is_empty();
        if first && begins(&notices.aside) {
            return None;
        }
        self.fault |= first && begins(&notices.fault);
        let another = message.is_some() && self.message.is_some() && message != self.message;
        if !first && (self.turned || another) && !self.text.ends_with('\n') {
            self.text.push_str("\n\n");
        }
        self.turned = false;
        self.message = message;
        self.text.push_str(piece);
        Some(piece)
    }

    /// Records that the agent uses a tool.
    pub(super) fn mark_tool_use(&mut self) {
        self.turned = true;
    }

    /// Records that a permission was refused.
    pub(super) fn mark_refused(&mut self) {
        self.refused = true;
    }

    /// Returns whether the agent ended the turn without an answer because a permission was refused.
    pub(super) fn has_given_up(&self, stop_reason: &str) -> bool {
        let silent = self.text.trim().is_empty();
        self.refused && !self.fault && (stop_reason == "cancelled" || silent)
    }

    /// Returns the length of the text so far, in bytes.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns the complete text, if it is an answer.
    pub(super) fn finish(self, stop_reason: &str) -> Result<String, DialectError> {
        let tool = |what: &str| DialectError::new(CauseCode::Empty, Class::Tool, what);
        let short = self.text.len() <= MAX_FAULT_BYTES && !self.text.contains("```");
        if self.fault && short {
            return Err(DialectError::from_message(None, &self.text));
        }
        if let Some(notice) = DialectError::from_notice(&self.text) {
            return Err(notice);
        }
        if !self.text.trim().is_empty() && stop_reason != "cancelled" {
            return Ok(self.text);
        }
        Err(match stop_reason {
            "cancelled" => DialectError::new(
                CauseCode::Failed,
                Class::Retry { after_ms: 2_000 },
                "it cancelled the turn without being asked to",
            ),
            "refusal" => tool("the model refused to answer"),
            _ if self.refused => {
                tool("it ended the turn without an answer after a permission was refused")
            }
            _ => DialectError::empty_reply(),
        })
    }
}
