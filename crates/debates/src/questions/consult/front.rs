//! The interface that shows the progress of a consult.

use agon_caller::CallFront;
use agon_record::spec::ToolName;

use super::answer::ConsultAnswer;

/// Shows the progress of a consult.
pub trait ConsultFront: CallFront {
    /// Called when the tool at index `at` is asked.
    fn ask_started(&mut self, at: usize, tool: &ToolName);

    /// Called when the tool at index `at` has answered or failed; `note` reports what happened on
    /// the way.
    fn ask_finished(&mut self, at: usize, answer: &ConsultAnswer, note: Option<&str>);
}
