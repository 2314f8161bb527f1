//! What is asked of the doctor.

use agon_record::spec::ToolName;

/// The tools are to be looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoctorRequest {
    /// Their names; those that are installed where none is named.
    pub tools: Vec<ToolName>,
    /// Whether each of them is asked, to see what it offers.
    pub deep: bool,
}
