//! Finds the tools that a script may call, from the description of the tool that runs the script.

use std::collections::BTreeSet;

use super::tool_name::UNNAMED;

/// The text with which the declaration of a script's tools begins.
const DECLARES: &str = "declare const tools";
/// The name of the list in which a script finds all its tools, including those without a
/// description.
const FOUND_IN: &str = "ALL_TOOLS";
/// The known sentence that says that some tools are not described.
const KNOWN: &str = "Some deferred nested tools may be omitted from this description. They are \
    still available on the global `tools` object and listed in `ALL_TOOLS`.";

/// Returns the names of the tools that a script may call, according to the description of the tool
/// that runs it; empty if the description does not mention scripts.
///
/// Includes `ALL_TOOLS` if a script can find tools that are not described, and `unnamed` if the
/// description cannot be parsed.
pub(super) fn script_tool_names(description: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let finds = description.contains(FOUND_IN);
    let declares = description.contains(DECLARES);
    if !finds && !declares {
        return names;
    }
    let unnamed = || UNNAMED.to_owned();
    if finds {
        names.insert(FOUND_IN.to_owned());
    }
    let unknown = description.replace(KNOWN, "").to_lowercase();
    if !declares || unknown.contains("deferred") || unknown.contains("omitted from") {
        names.insert(unnamed());
    }
    let headings: Vec<_> = description.lines().filter_map(heading_tool_name).collect();
    if headings.is_empty() {
        names.insert(unnamed());
    }
    names.extend(headings.into_iter().map(str::to_owned));
    for declared in description.split(DECLARES).skip(1) {
        let members = declared_member_names(declared);
        if members.is_empty() {
            names.insert(unnamed());
        }
        names.extend(members);
    }
    names
}

/// Returns the tool name in a Markdown heading.
fn heading_tool_name(line: &str) -> Option<&str> {
    let name = line.trim_start().strip_prefix("### `")?;
    Some(name.split_once('`')?.0)
}

/// Returns the member names of the object at the start of a declaration: for each member, the text
/// before its first parenthesis or colon.
fn declared_member_names(declared: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut name = Some(String::new());
    let code = declared.lines().map(|line| line.split("//").next());
    for c in code.flatten().flat_map(|line| line.chars().chain([' '])) {
        match c {
            '{' | '(' | '[' | ':' | '?' | '<' if depth == 1 => {
                let full = name.take().unwrap_or_default();
                let full = full.trim().trim_matches(['"', '\'']);
                if !full.is_empty() {
                    names.push(full.to_owned());
                }
            }
            ';' | ',' if depth == 1 => name = Some(String::new()),
            _ => {}
        }
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            ';' | ',' | ':' | '?' | '<' | '>' => {}
            _ if depth == 1 => name.iter_mut().for_each(|name| name.push(c)),
            _ => {}
        }
        if depth == 0 && c == '}' {
            break;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(description: &str) -> Vec<String> {
        script_tool_names(description).into_iter().collect()
    }

    #[test]
    fn the_headings_and_the_declarations_name_the_tools() {
        let known = format!(
            "Runs it.\n- `ALL_TOOLS`: metadata.\n\n{KNOWN}\nTo find one, filter `ALL_TOOLS`.\n\n\
             ### `exec_command`\nRuns a command.\n```ts\ndeclare const tools: {{ exec_command(args: {{\n  \
             // It's the command; {{ and ( count for nothing.\n  cmd: string;\n  rule?: Array<string>;\n\
             }}): Promise<{{\n  output: string;\n}}>; }};\n```\n\n## clock\n### `clock__curr_time`\n\
             ```ts\ndeclare const tools: {{ clock__curr_time(args: {{}}): Promise<unknown>; }};\n```"
        );
        let expected = ["ALL_TOOLS", "clock__curr_time", "exec_command"];
        assert_eq!(names(&known), expected);
        assert_eq!(names("### `not a tool`\ndeferred"), [""; 0]);
        let two = "### `a`\ndeclare const tools: { a(x: { y: 1 }): P<{z: 1}>; \"b-c\": (x) => 1 };";
        assert_eq!(names(two), ["a", "b-c"]);
    }

    #[test]
    fn what_is_told_in_another_way_is_no_silence() {
        let plain = "### `a`\ndeclare const tools: { a(): void; };";
        assert_eq!(names(plain), ["a"]);
        for (description, expected) in [
            (
                format!("{plain}\nMore deferred tools."),
                vec!["a", "unnamed"],
            ),
            (plain.replace("### ", "#### "), vec!["a", "unnamed"]),
            (
                plain.replace("a();", "").replace("a(): void;", ""),
                vec!["a", "unnamed"],
            ),
            (
                "All are in `ALL_TOOLS`.".to_owned(),
                vec!["ALL_TOOLS", "unnamed"],
            ),
        ] {
            assert_eq!(names(&description), expected, "{description}");
        }
    }
}
