//! Names of tools that a request offers.

// Nearly twice the 64 characters that OpenAI's API allows for a name, to leave room for the
// namespace before it.
/// The length limit of a tool's name, in characters.
pub(super) const MAX_NAME: usize = 120;
/// The name reported for a tool that cannot be parsed; no profile lists it.
pub(super) const UNNAMED: &str = "unnamed";

/// Joins the name of a tool to its namespace.
pub(super) fn qualified_name(namespace: &str, name: &str) -> String {
    match namespace {
        "" => truncate_name(name),
        space => truncate_name(&format!("{space}.{name}")),
    }
}

/// Cuts a name to `MAX_NAME` characters, the form in which names are compared and stored.
pub(super) fn truncate_name(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}
