//! What is said in the scripted exchange.

/// What the responder says.
pub(super) const REPLY: &str = "Seven otters crossed the quiet harbour before the rain began.";
/// What the tool is asked.
pub(super) const QUESTION: &str = "Say in one sentence what crossed the harbour.";
