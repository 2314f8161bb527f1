//! Who watches a consult.

use agon_caller::CallFront;
use agon_record::spec::ToolName;

use super::answer::ConsultAnswer;

/// Shows how far a consult is.
pub trait ConsultFront: CallFront {
    /// A tool is asked, the one in this place.
    fn ask_started(&mut self, at: usize, tool: &ToolName);

    /// The tool in this place answered, or will not; `note` is what happened on the way.
    fn ask_finished(&mut self, at: usize, answer: &ConsultAnswer, note: Option<&str>);
}
