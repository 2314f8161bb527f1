//! An answer that comes in pieces.

use agon_record::event::{CauseCode, Class};

use crate::dialect::DialectError;
use crate::profile::Notices;

// What is known to come in place of an answer is one line (Copilot 1.0.102: `Error: Authentication
// failed…`); the moves of a turn are in a block or longer.
/// A longer text, or one with a block in it, is an answer, however it begins.
const MAX_FAULT_BYTES: usize = 2_000;

/// What has come of an answer so far.
#[derive(Debug, Default)]
pub(super) struct ReplyText {
    text: String,
    message: Option<String>,
    /// It has turned to a tool of its own since it last said something.
    turned: bool,
    /// It has been refused something.
    refused: bool,
    /// It began as a fault does.
    fault: bool,
}

impl ReplyText {
    /// Takes a piece; gives what of it is to be heard.
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

    /// It turns to a tool of its own.
    pub(super) fn mark_tool_use(&mut self) {
        self.turned = true;
    }

    /// It was refused a permission.
    pub(super) fn mark_refused(&mut self) {
        self.refused = true;
    }

    /// Whether it ended the turn because it was refused something, instead of answering.
    pub(super) fn has_given_up(&self, stop_reason: &str) -> bool {
        let silent = self.text.trim().is_empty();
        self.refused && !self.fault && (stop_reason == "cancelled" || silent)
    }

    /// Bytes of text so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The text, if it is an answer.
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
                "it gave up the turn without being told to",
            ),
            "refusal" => tool("the model refused to answer"),
            _ if self.refused => {
                tool("it was refused a permission and ended the turn without an answer")
            }
            _ => DialectError::empty_reply(),
        })
    }
}
