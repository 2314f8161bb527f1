//! Checks names of tools in an agent's file. A host silently drops unknown names, so a misspelt list can
//! leave an agent without tools.

use serde_json::Value;

use crate::shape::Words;

/// Returns the error in a list of tools for the host `title`, as text that follows the name of its key.
/// `known` are the host's own tools; `is_other` accepts tools of servers and patterns.
pub(super) fn fault(
    value: &Value,
    title: &str,
    known: Words,
    is_other: impl Fn(&str) -> bool,
) -> Option<String> {
    let names = tool_names_in(value);
    let is_known = |name: &str| known.contains(name) || name == "*" || is_other(name);
    let mut unknown = names.iter().filter(|name| !is_known(name)).peekable();
    let first = *unknown.peek()?;
    if let Some((typed, meant)) = unknown.find_map(|name| Some((name, probable_tool(name, known)?)))
    {
        return Some(format!(
            "has `{typed}`, which is not a tool of {title}: did you mean `{meant}`?"
        ));
    }
    let is_none_known = !names.iter().any(|name| is_known(name));
    is_none_known.then(|| format!("has no tool of {title}: `{first}` is unknown"))
}

/// Returns the names in a string with commas or blanks, or in a list, without text in parentheses.
fn tool_names_in(value: &Value) -> Vec<String> {
    let texts: Vec<&str> = match value {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    let mut names = Vec::new();
    for text in texts {
        let mut depth = 0_usize;
        let mut name = String::new();
        for c in text.chars().chain([',']) {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                ',' | ' ' | '\t' | '\n' if name.is_empty() => {}
                ',' | ' ' | '\t' | '\n' => names.push(std::mem::take(&mut name)),
                _ => name.push(c),
            }
        }
    }
    names
}

/// Returns the tool that `typed` probably means: a name that differs in case or in one character,
/// or in two characters if it has at least six.
fn probable_tool(typed: &str, known: Words) -> Option<&'static str> {
    let max = if typed.chars().count() < 6 { 1 } else { 2 };
    let distance = |name: &str| strsim::osa_distance(&typed.to_lowercase(), &name.to_lowercase());
    let near = known.iter().map(|name| (distance(name), name));
    let near = near.filter(|(distance, _)| *distance <= max).min();
    near.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_misspelt_tool_is_named_and_a_list_without_any_tool_is_refused() {
        let known = Words("Read Grep Bash WebFetch");
        let found = |value: Value| fault(&value, "X", known, |name| name.starts_with("mcp__"));
        for value in [
            json!("Read, Grep"),
            json!("Read Grep"),
            json!(["Read", "Bash(git log:*, x)"]),
            json!("*"),
            json!("mcp__a__b"),
            json!("Read, Telescope"),
            json!([]),
            json!(""),
        ] {
            assert_eq!(found(value.clone()), None, "{value}");
        }
        for (value, said) in [
            (
                json!("Raed, Grepp"),
                "has `Raed`, which is not a tool of X: did you mean `Read`?",
            ),
            (
                json!(["Bash", "grep"]),
                "has `grep`, which is not a tool of X: did you mean `Grep`?",
            ),
            (
                json!("Read, Webfecth"),
                "has `Webfecth`, which is not a tool of X: did you mean `WebFetch`?",
            ),
            (
                json!("Telescope"),
                "has no tool of X: `Telescope` is unknown",
            ),
        ] {
            assert_eq!(found(value).as_deref(), Some(said));
        }
    }
}
