//! How it is said that something is not so.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::act::{command, file_name, simple_commands};
use crate::prose::{is_code_like, runs};
use crate::{ToolCall, ToolKind};

const NAME: &str = r#"[`'"‘“]?(?P<name>-{0,2}[A-Za-z0-9_][A-Za-z0-9_./:@-]*[A-Za-z0-9_])"#;

fn regexes(patterns: &[&str]) -> Vec<Regex> {
    patterns
        .iter()
        .filter_map(|it| Regex::new(&it.replace("NAME", NAME)).ok())
        .collect()
}

/// How a user says that something is not so.
static BY_USER: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    regexes(&[
        r#"(?i)NAME[`'"’”]? (?:[a-z]+ ){0,2}(?:is|was) not (?:defined|exported|there|in)\b"#,
        r#"(?i)\bno (?:match|matches|hit|hits|trace|sign) (?:for|of) NAME"#,
        r#"(?i)\b(?:there(?:['’]s| is| are| was) no|no such|(?:does not|doesn['’]t) have(?: an?| any)?|has no) (?:[a-z]+ ){0,4}NAME"#,
        r#"(?i)NAME[`'"’”]? (?:[a-z]+ ){0,2}(?:does not|doesn['’]t|do not|don['’]t|never|did not|didn['’]t) exist"#,
        r#"(?i)NAME[`'"’”]? (?:[a-z]+ ){0,2}(?:is|was) (?:wrong|incorrect|false|made up|invented|not (?:right|correct|true|there|real|a thing))"#,
        r#"(?i)NAME[`'"’”]? (?:[a-z]+ ){0,2}(?:is|was)(?: not|n['’]t) (?:the|an?|to blame|it|involved|responsible|related|right|true|correct|there|real)\b"#,
        r#"(?i)\b(?:rejects?|refuses?|does not know|doesn['’]t know|does not take|doesn['’]t take|knows no|have no|had no|without an?) (?:[a-z]+ ){0,3}NAME"#,
        r#"(?i)NAME[`'"’”]? (?:[a-z]+ ){0,2}(?:is|was) (?:unknown|unsupported|unrecognized|gone|not supported|not recognized)"#,
        r#"(?i)\b(?:isn['’]t|is not|wasn['’]t|was not|never was) (?:[a-z]+ ){0,2}?NAME"#,
    ])
});

/// How a tool says that something is not there.
static BY_TOOL: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    regexes(&[
        r#"(?i)cannot find (?:[a-z, ]+ )?NAME[`'"]"#,
        r#"(?i)unresolved import NAME"#,
        r#"(?i)\bno (?:[a-z]+ ){1,3}(?:named |called )?[`'"](?P<name>[A-Za-z0-9_.:-]{3,})[`'"]"#,
        r#"(?i)(?:unexpected|unrecognized|unknown|invalid|unsupported) (?:option|argument|flag|command|subcommand|parameter|key|field)s?:? NAME"#,
        r#"(?i)has no attribute NAME"#,
        r#"(?i)cannot import name [`'"‘](?P<name>[A-Za-z_][A-Za-z0-9_]+)"#,
        r#"(?i)export(?:ed member)? (?:named )?[`'"‘](?P<name>[A-Za-z_][A-Za-z0-9_]+)"#,
        r#"(?i)(?:cannot find|no) [a-z, ]{0,40}[`'"‘](?P<name>[A-Za-z_][A-Za-z0-9_]+)[`'"’]"#,
        r#"(?i)unresolved imports? [`'"‘](?:[A-Za-z0-9_]+::)*(?P<name>[A-Za-z_][A-Za-z0-9_]+)[`'"’]"#,
        r#"(?P<name>[A-Za-z_][A-Za-z0-9_]+) is not (?:defined|exported|a function)"#,
        r#"\bundefined: (?:[a-z]\w*\.)?(?P<name>[A-Za-z_][A-Za-z0-9_]+)"#,
        r#"(?i)No module named NAME"#,
        r#"(?m)NAME: command not found"#,
        r#"NAME[`'"]?: No such file or directory"#,
        r#"(?i)(?:file|path|module) not found:? NAME"#,
        r#"(?i)NAME[`'"]? (?:is not a .{1,40}command|does not exist|is not defined|was not found)"#,
    ])
});

/// Names of which words say that they are not so.
pub(super) fn refuted_by_user(sentence: &str) -> Vec<String> {
    let mut names = Vec::new();
    for regex in BY_USER.iter() {
        for captures in regex.captures_iter(sentence) {
            let Some(name) = captures.name("name") else {
                continue;
            };
            let is_quoted = sentence[..name.start()].ends_with(['`', '"', '\'']);
            let name = name.as_str();
            let is_number = name.len() >= 3
                && name.chars().all(|c| c.is_ascii_digit() || c == '.')
                && name.chars().any(|c| c.is_ascii_digit());
            if is_quoted || is_code_like(name) || is_number || name.starts_with("--") {
                names.push(bare(name));
            }
        }
    }
    names
}

/// Names of which what a call gave says that they are not there.
pub(super) fn refuted_by_tool<'a>(
    call: &ToolCall,
    text: &'a str,
    failed: bool,
) -> Vec<(String, Cow<'a, str>)> {
    let mut names = Vec::new();
    if failed {
        // An error says what it is about at its beginning or its end.
        for line in text.lines().take(200) {
            for captures in BY_TOOL.iter().filter_map(|it| it.captures(line)) {
                let Some(name) = captures.name("name").map(|it| it.as_str()) else {
                    continue;
                };
                // An error of an interpreter names what is not there without quotes.
                let is_error = line.contains("Error: ") || line.contains("undefined: ");
                let is_quoted = captures.name("name").is_some_and(|it| {
                    let before = &line[..it.start()];
                    it.as_str().len() >= 3
                        && (before.ends_with(['`', '\'', '"', ':', '‘'])
                            || is_error && before.ends_with(['.', ' ']))
                });
                if name.starts_with("--") || is_quoted || is_code_like(name) || name.contains('-') {
                    names.push((bare(name), Cow::Borrowed(line.trim())));
                }
            }
        }
    }
    // A search that finds nothing says that the name is not there.
    let is_empty = is_nothing(text)
        || [
            "No files found",
            "No matches found",
            "No matches",
            "Found 0 matches",
        ]
        .iter()
        .any(|it| text.trim().starts_with(it));
    if let Some(name) = searched(call).filter(|_| {
        is_empty
            || failed && text.trim_start().starts_with("Exit code 1\n") && text.lines().count() <= 1
    }) {
        names.push((
            bare(&name),
            Cow::Owned(format!("searched for and not found: {name}")),
        ));
    }
    if call.kind == ToolKind::Search && is_empty {
        let name = pattern(call).map(whole_word);
        names.extend(
            name.filter(|it| is_code_like(it) && runs(it).count() == 1)
                .map(|it| {
                    (
                        bare(it),
                        Cow::Owned(format!("searched for and not found: {it}")),
                    )
                }),
        );
    }
    names
}

/// Lines in which hosts wrap what a command gave.
const FRAME: &[&str] = &[
    "Chunk ID:",
    "Wall time:",
    "Process exited with code",
    "Original token count:",
    "Process Group PGID:",
    "<untrusted_context>",
    "</untrusted_context>",
    "Exit code",
    "Exit Code:",
    "Command:",
    "Directory:",
];

/// Whether a call gave nothing, beside what the host wraps it in.
fn is_nothing(text: &str) -> bool {
    text.len() <= 600
        && text.lines().map(str::trim).all(|line| {
            line.is_empty()
                || matches!(line, "Output:" | "Output: (empty)" | "(no output)")
                || FRAME.iter().any(|it| line.starts_with(it))
        })
}

/// What a search looks for.
fn pattern(call: &ToolCall) -> Option<&str> {
    let pattern = call.arguments.get("pattern");
    let pattern = pattern.or_else(|| call.arguments.get("query"))?;
    pattern.as_str()
}

/// The name that a call searches for.
pub(in crate::patterns) fn searched_name(call: &ToolCall) -> Option<String> {
    if call.kind != ToolKind::Search {
        return searched(call);
    }
    let name = whole_word(pattern(call)?);
    let is_name = name.len() >= 3 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| name.to_owned())
}

/// A pattern without the marks of the edges of a word.
fn whole_word(pattern: &str) -> &str {
    pattern.trim_start_matches("\\b").trim_end_matches("\\b")
}

/// The name that a command looks for in the whole project.
fn searched(call: &ToolCall) -> Option<String> {
    let line = command(call)?;
    let words = simple_commands(&line).into_iter().next()?;
    let is_search = matches!(file_name(words.first()?), "grep" | "rg" | "egrep")
        || words.first()? == "git" && words.get(1).is_some_and(|it| it == "grep");
    let name = words
        .iter()
        .skip(1)
        .find(|it| !it.starts_with('-') && *it != "grep")?;
    let name = whole_word(name);
    let is_name = name.len() >= 4 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_search && is_name).then(|| name.to_owned())
}

/// A name as [`runs`] gives it.
fn bare(name: &str) -> String {
    runs(name).next().unwrap_or(name).to_owned()
}
