//! Names in a call's private folder that Agon itself uses.

/// The file in which a tool writes its usage.
pub(crate) const USAGE_FILE: &str = "usage.json";

/// The empty folder that a tool reads as a project.
pub(crate) const EMPTY: &str = "empty";
/// The folder for a tool's temporary files.
pub(crate) const TEMP: &str = "tmp";
