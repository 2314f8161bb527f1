//! The tools in the seats of a request.

use agon_record::spec::ToolName;

/// A tool and its model in a seat.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SeatedTool {
    pub(crate) tool: ToolName,
    /// `None` if the tool chooses.
    pub(crate) model: Option<String>,
}
