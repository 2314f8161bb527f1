//! Names of tools that a request offers.

// Nearly twice the 64 characters that OpenAI's API allows for a name, because the namespace comes
// before it.
/// The length limit of a name, in characters.
pub(super) const MAX_NAME: usize = 120;
/// The name for a tool that cannot be parsed; it is in no list.
pub(super) const UNNAMED: &str = "unnamed";

/// The name of a tool in a namespace.
pub(super) fn qualified_name(namespace: &str, name: &str) -> String {
    match namespace {
        "" => truncate_name(name),
        space => truncate_name(&format!("{space}.{name}")),
    }
}

/// The name cut to `MAX_NAME` characters, the form in which names are compared and stored.
pub(super) fn truncate_name(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}
