//! The request for a checkup.

use agon_record::spec::ToolName;

/// A request to check tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoctorRequest {
    /// Their names; if empty, the installed tools.
    pub tools: Vec<ToolName>,
    /// Whether to call each tool to see which tools it offers.
    pub deep: bool,
    /// Whether the lines for a person include passed checks.
    pub shows_passed: bool,
    /// The width of these lines, in columns.
    pub width: usize,
}
