//! What lines of code import and define.

use std::sync::LazyLock;

use regex::Regex;

use crate::ToolCall;
use crate::patterns::act::strings;

static IMPORTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?m)^\s*(?:pub )?use ([A-Za-z_][A-Za-z0-9_]*)::|^\s*(?:from|import) ([A-Za-z_][A-Za-z0-9_]*)|(?:from|require\(|import) ?["']([A-Za-z@][A-Za-z0-9_@-]*)"#).ok()
});

static DEFINED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:fn|def|function|func|class|struct|trait|enum)\s+([A-Za-z_][A-Za-z0-9_]{2,})")
        .ok()
});

/// Names that a text defines.
pub(super) fn defined(text: &str) -> impl Iterator<Item = &str> {
    DEFINED
        .iter()
        .flat_map(move |it| it.captures_iter(text))
        .filter_map(|it| it.get(1))
        .map(|it| it.as_str())
        .take(200)
}

/// Packages that lines of code import.
pub(super) fn imports(text: &str) -> impl Iterator<Item = &str> {
    IMPORTS
        .iter()
        .flat_map(move |it| it.captures_iter(text))
        .filter_map(|it| it.get(1).or_else(|| it.get(2)).or_else(|| it.get(3)))
        .map(|it| it.as_str())
}

/// Whether an edit takes the place of what stands there.
pub(super) fn replaces(call: &ToolCall) -> bool {
    ["old_string", "oldString", "old_str"]
        .iter()
        .any(|it| call.arguments.get(it).is_some())
        || strings(&call.arguments).any(|it| it.contains("*** Update File: "))
}
