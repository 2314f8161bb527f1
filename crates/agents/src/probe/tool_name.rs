//! How a tool is called that a request offers.

// Nearly twice the 64 letters that OpenAI's interface takes for a name, as its namespace stands
// before it.
/// Characters of a name.
pub(super) const MAX_NAME: usize = 120;
/// What a tool is called that cannot be read; it stands on no list.
pub(super) const UNNAMED: &str = "unnamed";

/// The name of a tool in a namespace.
pub(super) fn qualified_name(namespace: &str, name: &str) -> String {
    match namespace {
        "" => truncate_name(name),
        space => truncate_name(&format!("{space}.{name}")),
    }
}

/// The name cut to `MAX_NAME` characters, the form in which names are compared and kept.
pub(super) fn truncate_name(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}
