//! The command, paths and written text of a call.

use serde_json::Value;

use crate::command_line::{SimpleCommand, plain_commands};
use crate::{ToolCall, ToolKind};

/// Returns every string within a value.
pub(crate) fn all_strings(value: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match value {
        Value::String(text) => Box::new(std::iter::once(text.as_str())),
        Value::Array(values) => Box::new(values.iter().flat_map(all_strings)),
        Value::Object(fields) => Box::new(fields.values().flat_map(all_strings)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Returns the command line of a call that runs one.
pub(crate) fn command(call: &ToolCall) -> Option<String> {
    if call.kind != ToolKind::Run {
        return None;
    }
    call.command_line()
}

/// Returns the words of each of the [`plain_commands`], then `>` and the name of each file that its
/// output goes to.
pub(super) fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let with_targets = |command: SimpleCommand| {
        let targets = command.targets.into_iter();
        let targets = targets.flat_map(|file| [">".to_owned(), file]);
        command.words.into_iter().chain(targets).collect()
    };
    plain_commands(line).into_iter().map(with_targets).collect()
}

/// Arguments with the text that an edit writes.
const WRITTEN: &[&str] = &[
    "new_string",
    "newString",
    "new_str",
    "content",
    "file_text",
    "new_source",
    "insert_text",
    "patch",
    "patchText",
    "input",
    "new_text",
];

/// Returns the lines that an edit writes, without those it removes.
pub(super) fn written_text(call: &ToolCall) -> String {
    if call.kind != ToolKind::Edit {
        return String::new();
    }
    let mut lines = String::new();
    let mut add = |text: &str| {
        let is_patch = text.contains("*** Begin Patch") || text.starts_with("--- ");
        for line in text.lines() {
            let line = match (is_patch, line.strip_prefix('+')) {
                (false, _) => line,
                (true, Some(line)) if !line.starts_with("++ ") => line,
                (true, _) => continue,
            };
            lines.push_str(line);
            lines.push('\n');
        }
    };
    match &call.arguments {
        Value::String(text) => add(text),
        arguments => {
            collect_written(arguments, &mut add);
        }
    }
    lines
}

fn collect_written(value: &Value, add: &mut impl FnMut(&str)) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str() {
                    Some(text) if WRITTEN.contains(&name.as_str()) => add(text),
                    _ => collect_written(value, add),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|it| collect_written(it, add)),
        _ => {}
    }
}

/// Returns the files and folders that a call names.
pub(crate) fn paths(call: &ToolCall) -> Vec<String> {
    let mut found: Vec<String> = call.path().map(str::to_owned).into_iter().collect();
    if call.kind == ToolKind::Edit {
        for text in all_strings(&call.arguments).filter(|it| it.contains("*** ")) {
            for line in text.lines() {
                let path = ["*** Update File: ", "*** Add File: ", "*** Delete File: "]
                    .iter()
                    .find_map(|mark| line.strip_prefix(mark));
                found.extend(path.map(|it| it.trim().to_owned()));
            }
        }
    }
    if let Some(line) = command(call) {
        for words in simple_commands(&line) {
            found.extend(words.into_iter().skip(1).filter(|word| is_path(word)));
        }
    }
    found
}

/// Returns the file that a call shows, with a read tool or a command such as `cat`.
pub(super) fn find_shown_file(call: &ToolCall) -> Option<String> {
    if call.kind == ToolKind::Read {
        return call.path().map(str::to_owned);
    }
    let line = command(call)?;
    let mut words = line.split_whitespace();
    let program = words.next()?;
    if !matches!(program, "cat" | "head" | "tail" | "sed" | "less" | "bat") {
        return None;
    }
    let mut files = words.filter(|it| is_path(it));
    let first = files.next()?;
    files.next().is_none().then(|| first.to_owned())
}

/// Returns whether a word of a command is a path.
pub(super) fn is_path(word: &str) -> bool {
    let is_plain = !word.starts_with('-')
        && !word.contains("://")
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '~' | '@' | '+'));
    let named = word
        .rsplit('/')
        .next()
        .and_then(|name| name.rsplit_once('.'))
        .is_some_and(|(stem, end)| {
            !stem.is_empty()
                && (1..=6).contains(&end.len())
                && end.chars().all(|c| c.is_ascii_alphanumeric())
                && end.starts_with(|c: char| c.is_ascii_alphabetic())
        });
    is_plain && word.len() > 2 && (named || word.contains('/'))
}

/// Returns the last part of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(kind: ToolKind, arguments: Value) -> ToolCall {
        ToolCall {
            id: "1".to_owned(),
            name: "tool".to_owned(),
            kind,
            arguments,
        }
    }

    #[test]
    fn a_command_is_found_also_in_a_list_of_arguments() {
        let one = call(
            ToolKind::Run,
            json!({"command": ["bash", "-lc", "cargo test"]}),
        );
        assert_eq!(command(&one).as_deref(), Some("cargo test"));
        let other = call(ToolKind::Run, json!({"cmd": "ls"}));
        assert_eq!(command(&other).as_deref(), Some("ls"));
    }

    #[test]
    fn a_command_is_without_the_variables_and_wrappers_before_it() {
        assert_eq!(
            simple_commands("cd a && sudo FOO=1 cargo test; FOO=1"),
            [vec!["cd", "a"], vec!["cargo", "test"], vec!["FOO=1"]]
        );
    }

    #[test]
    fn what_an_edit_takes_away_is_not_what_it_writes() {
        let edit = call(
            ToolKind::Edit,
            json!({"old_string": "gone", "new_string": "new"}),
        );
        assert_eq!(written_text(&edit), "new\n");
        let patch = "*** Begin Patch\n*** Update File: a/b.rs\n-gone\n+new\n*** End Patch";
        let edit = call(ToolKind::Edit, json!(patch));
        assert_eq!(written_text(&edit), "new\n");
        assert_eq!(paths(&edit), ["a/b.rs"]);
    }
}
