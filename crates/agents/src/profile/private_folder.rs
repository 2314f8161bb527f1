//! What a call writes of its own to its private folder.

/// The file in the private folder of a call that a tool writes its usage to.
pub(crate) const USAGE_FILE: &str = "usage.json";

/// What a tool reads as a project, in the private folder of a call.
pub(crate) const EMPTY: &str = "empty";
/// What it is told to write its temporary files to, there.
pub(crate) const TEMP: &str = "tmp";
