//! What is asked of the doctor.

use std::path::PathBuf;

use agon_record::spec::ToolName;

/// The tools are to be looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoctorRequest {
    /// Their names; those that are installed where none is named.
    pub tools: Vec<ToolName>,
    /// Whether there is an exchange with each of them.
    pub deep: bool,
    /// The folder with the recordings that an exchange is held against; our own where none is named.
    pub against: Option<PathBuf>,
}

/// What the tools print now is to be recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordRequest {
    /// Their names; those that are installed where none is named.
    pub tools: Vec<ToolName>,
    /// The folder that recordings are written to.
    pub folder: PathBuf,
}
