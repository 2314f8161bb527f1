//! Finds the tools that a request offers to a model, in every supported protocol.

use std::collections::BTreeSet;

use serde_json::Value;

use super::script;
use super::tool_name::{UNNAMED, qualified_name, truncate_name};

// Limits the recursion. Tools below this depth are reported as `unnamed`, which is not in any
// profile, so a limit that is too low rejects a tool but never overlooks it.
/// The maximum nesting depth of tools.
const MAX_DEPTH: usize = 4;
/// The namespace whose tools are reported without a prefix.
const USUAL_NAMESPACE: &str = "functions";
/// The types of tools that the host defines and runs itself.
const NAMED_BY_US: [&str; 2] = ["function", "custom"];

/// Returns the names of all tools that a request offers.
///
/// A tool of the service is also listed by its type, a tool in a namespace by both names joined, a
/// tool that a script calls by its own name, and a tool that cannot be parsed as `unnamed`.
///
/// ```
/// # use agon_agents::probe::offered_tool_names;
/// let request = serde_json::json!({"tools": [{"name": "Read"}, {"type": "web_search"}]});
/// assert_eq!(offered_tool_names(&request).into_iter().collect::<Vec<_>>(), ["Read", "web_search"]);
/// ```
pub fn offered_tool_names(request: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for key in ["tools", "functions"] {
        if !request[key].is_null() {
            collect_tools(&request[key], "", 0, &mut names);
        }
    }
    // The Responses API can also deliver tools as items of the conversation, so read those too.
    for item in request["input"].as_array().into_iter().flatten() {
        if item["type"] == "additional_tools" {
            collect_tools(&item["tools"], "", 0, &mut names);
        }
    }
    for key in ["mcp_servers", "plugins", "web_search_options"] {
        let is_present = match &request[key] {
            Value::Null => false,
            Value::Array(items) => !items.is_empty(),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => true,
        };
        if is_present {
            names.insert(key.to_owned());
        }
    }
    names
}

/// Adds the names of the tools in a list.
fn collect_tools(list: &Value, namespace: &str, depth: usize, names: &mut BTreeSet<String>) {
    let Value::Array(tools) = list else {
        names.insert(qualified_name(namespace, UNNAMED));
        return;
    };
    for tool in tools {
        collect_tool(tool, namespace, depth, names);
    }
}

/// Adds the names of a tool and of the tools nested in it.
fn collect_tool(tool: &Value, namespace: &str, depth: usize, names: &mut BTreeSet<String>) {
    let mut put = |name: &str| names.insert(qualified_name(namespace, name));
    let name = [&tool["function"]["name"], &tool["name"]]
        .into_iter()
        .find_map(Value::as_str);
    let kind = &tool["type"];
    let kind_name = kind.as_str().unwrap_or(UNNAMED);
    let declared: Vec<_> = ["functionDeclarations", "function_declarations"]
        .into_iter()
        .filter(|key| tool.get(key).is_some())
        .collect();
    let is_space = kind_name == "namespace";
    if (is_space || !declared.is_empty()) && depth >= MAX_DEPTH {
        put(UNNAMED);
    } else if is_space {
        let space = name.unwrap_or_default();
        let space = if space == USUAL_NAMESPACE { "" } else { space };
        collect_tools(&tool["tools"], space, depth + 1, names);
    } else if !declared.is_empty() {
        for key in &declared {
            collect_tools(&tool[key], namespace, depth + 1, names);
        }
        collect_unnamed_tools(tool, &declared, names);
    } else if let Some(name) = name {
        put(name);
        // A service's own tool may carry any name, so also report its type, by which profiles list
        // it.
        if !kind.is_null() && !NAMED_BY_US.contains(&kind_name) {
            put(kind_name);
        }
        if tool.get("tools").is_some() {
            put(UNNAMED);
        }
    } else if kind.is_string() {
        put(kind_name);
    } else if tool.as_object().is_some_and(|fields| !fields.is_empty()) {
        collect_unnamed_tools(tool, &[], names);
    } else {
        put(UNNAMED);
    }
    let described = [&tool["description"], &tool["function"]["description"]];
    for text in described.into_iter().filter_map(Value::as_str) {
        names.extend(
            script::script_tool_names(text)
                .iter()
                .map(|name| truncate_name(name)),
        );
    }
}

/// Adds each key of an unnamed tool, except those in `but`, because each key is a tool of the
/// service, such as `googleSearch`.
fn collect_unnamed_tools(tool: &Value, but: &[&str], names: &mut BTreeSet<String>) {
    let keys = tool.as_object().into_iter().flat_map(|it| it.keys());
    names.extend(
        keys.filter(|key| !but.contains(&key.as_str()))
            .map(|key| truncate_name(key)),
    );
}

#[cfg(test)]
mod tests {
    use super::super::tool_name::MAX_NAME;
    use super::*;
    use serde_json::json;

    fn names(request: &Value) -> Vec<String> {
        offered_tool_names(request).into_iter().collect()
    }

    #[test]
    fn tools_are_read_in_the_form_of_every_protocol() {
        for (request, expected) in [
            (json!({}), vec![]),
            (json!({"tools": null, "input": "text"}), vec![]),
            (
                json!({"tools": [{"name": "Read", "input_schema": {}}, {"type": "web_search_20250305", "name": "web_search"}],
                    "mcp_servers": [{"name": "s"}]}),
                vec!["Read", "mcp_servers", "web_search", "web_search_20250305"],
            ),
            (
                json!({"tools": [{"type": "function", "function": {"name": "view"}}], "web_search_options": {}}),
                vec!["view", "web_search_options"],
            ),
            (
                json!({"tools": [{"functionDeclarations": [{"name": "glob"}], "codeExecution": {}},
                    {"googleSearch": {}}, {"urlContext": {}}]}),
                vec!["codeExecution", "glob", "googleSearch", "urlContext"],
            ),
            (
                json!({"tools": [{"type": "function", "name": "exec_command"}, {"type": "custom", "name": "apply_patch"},
                    {"type": "local_shell"}, {"type": "mcp", "server_label": "s"}, {"type": "tool_search"}]}),
                vec![
                    "apply_patch",
                    "exec_command",
                    "local_shell",
                    "mcp",
                    "tool_search",
                ],
            ),
        ] {
            assert_eq!(names(&request), expected, "{request}");
        }
    }

    #[test]
    fn tools_in_the_conversation_and_those_of_a_script_are_read_too() {
        let description = "Runs it.\n\n### `apply_patch`\nx\n```ts\ndeclare const tools: { apply_patch(input: string): Promise<unknown>; };\n```\n### `exec_command`\nx";
        let request = json!({"input": [{"type": "message"}, {"type": "additional_tools", "tools": [
            {"type": "namespace", "name": "functions", "tools": [
                {"type": "custom", "name": "exec", "description": description},
                {"type": "function", "name": "wait", "description": "### `not a tool`"}]},
            {"type": "namespace", "name": "collaboration", "tools": [{"type": "function", "name": "spawn_agent"}]}]}]});
        let expected = [
            "apply_patch",
            "collaboration.spawn_agent",
            "exec",
            "exec_command",
            "wait",
        ];
        assert_eq!(names(&request), expected);
    }

    #[test]
    fn a_list_that_cannot_be_read_and_a_type_beside_a_name_count() {
        for (tool, expected) in [
            (json!({"type": "namespace", "name": "n"}), vec!["n.unnamed"]),
            (
                json!({"type": "namespace", "name": "functions", "tools": null}),
                vec!["unnamed"],
            ),
            (json!({"functionDeclarations": null}), vec!["unnamed"]),
            (
                json!({"name": "Read", "tools": [{"name": "Bash"}]}),
                vec!["Read", "unnamed"],
            ),
            (
                json!({"type": "bash_20250124", "name": "Read"}),
                vec!["Read", "bash_20250124"],
            ),
            (json!({"type": 1, "name": "Read"}), vec!["Read", "unnamed"]),
            (json!({"name": "Re\u{200b}ad"}), vec!["Re\u{200b}ad"]),
        ] {
            assert_eq!(names(&json!({"tools": [tool]})), expected, "{tool}");
        }
        let told = json!({"input": [{"type": "additional_tools", "tools": null}]});
        assert_eq!(names(&told), ["unnamed"]);
    }

    #[test]
    fn what_cannot_be_read_is_no_silence() {
        for tools in [json!([{}]), json!([17]), json!({"a": 1}), json!("all")] {
            assert_eq!(names(&json!({ "tools": tools })), ["unnamed"], "{tools}");
        }
        let deep = (0..9).fold(
            json!([{"name": "x"}]),
            |tools, _| json!([{"type": "namespace", "name": "n", "tools": tools}]),
        );
        assert_eq!(names(&json!({ "tools": deep })), ["n.unnamed"]);
        let long = "x".repeat(500) + "\u{1b}[31m";
        assert_eq!(
            names(&json!({"tools": [{"name": long}]}))[0].len(),
            MAX_NAME
        );
    }
}
