//! What a user or a tool said is not so and is used all the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::{Mention, Poison};
use crate::patterns::Window;
use crate::patterns::act::{command, file_name, paths, simple_commands, strings, written};
use crate::prose::{KeyMap, KeySet, is_code_like, key, phrases, runs, sentences};
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
        r#"(?i)No module named NAME"#,
        r#"(?m)NAME: command not found"#,
        r#"NAME[`'"]?: No such file or directory"#,
        r#"(?i)(?:file|path|module) not found:? NAME"#,
        r#"(?i)NAME[`'"]? (?:is not a .{1,40}command|does not exist|is not defined|was not found)"#,
    ])
});

/// How a name is defined where it is written.
static DEFINES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:\b(?:fn|def|class|struct|enum|trait|type|const|static|let|var|function|mod|interface|macro_rules!|func|val|export|alias|arg|long)\b[\s(]+(?:mut\s+|async\s+|self\.)?)([A-Za-z_][A-Za-z0-9_]*)|([A-Za-z_][A-Za-z0-9_.-]*)\s*(?:=|:)").ok()
});

struct Refuted<'a> {
    cause: Mention<'a>,
    uses: Vec<Mention<'a>>,
    /// Whether the model wrote it into a file since, so that a file that has it proves nothing.
    is_written: bool,
}

/// Names that were refuted, and how they were used later.
pub(super) fn find<'a>(window: &Window<'a>) -> Vec<Poison<'a>> {
    let mut used_by_model: KeySet = KeySet::default();
    let mut refuted: BTreeMap<String, Refuted<'a>> = BTreeMap::new();
    let mut keys: KeyMap<String> = KeyMap::default();
    let mut found = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        if let Some(text) = item.model_text() {
            let text = text.as_str();
            note_words(at, text, &keys, &mut refuted);
            // What the model itself saw not to be there.
            for sentence in sentences(text).iter().filter(|it| !it.is_question()) {
                for name in refuted_by_user(sentence.text) {
                    let is_quoted = sentence.text.contains(&format!("`{name}`"));
                    if is_quoted && !refuted.contains_key(&name) {
                        let words = Cow::Borrowed(sentence.text);
                        insert(at, name, words, &mut keys, &mut refuted, &mut found);
                    }
                }
            }
            used_by_model.extend(runs(text).map(key));
        } else if let Some(call) = item.call() {
            note_call(at, call, &keys, &mut refuted);
            used_by_model.extend(strings(&call.arguments).flat_map(runs).map(key));
        } else if let Some(result) = item.result() {
            let Some(call) = window.call_of(result) else {
                continue;
            };
            let text = result.text.as_str();
            if result.failure.is_none() {
                settle(call, text, &keys, &mut refuted);
            }
            for (name, words) in refuted_by_tool(call, text, result.failure.is_some()) {
                if used_by_model.contains(&key(&name)) {
                    insert(at, name, words, &mut keys, &mut refuted, &mut found);
                }
            }
        } else if let Some(prompt) = item.prompt() {
            for sentence in sentences(prompt.as_str()) {
                let names = refuted_by_user(sentence.text);
                // What a user speaks of without denying it is there.
                if names.is_empty() && !phrases().negation.is_match(sentence.text) {
                    for name in runs(sentence.text).filter_map(|it| keys.get(&key(it))) {
                        close(name, &mut refuted, &mut found);
                    }
                }
                for name in names {
                    // An option or a function that is not there need not have been tried before.
                    let is_code =
                        name.starts_with("--") || sentence.text.contains(&format!("--{name}"));
                    if is_code || used_by_model.contains(&key(&name)) {
                        let words = Cow::Borrowed(sentence.text);
                        insert(at, name, words, &mut keys, &mut refuted, &mut found);
                    }
                }
            }
        }
    }
    let names: Vec<String> = refuted.keys().cloned().collect();
    for name in names {
        close(&name, &mut refuted, &mut found);
    }
    // A name once used in the turn in which it was refuted is a last try.
    found.retain(|it| {
        let turn = |mention: &Mention<'_>| window.items[mention.item].entry.turn;
        it.uses.len() > 1
            || it
                .uses
                .iter()
                .any(|mention| turn(mention) > turn(&it.cause))
    });
    found
}

fn insert<'a>(
    at: usize,
    name: String,
    words: Cow<'a, str>,
    keys: &mut KeyMap<String>,
    refuted: &mut BTreeMap<String, Refuted<'a>>,
    found: &mut Vec<Poison<'a>>,
) {
    // Refuted once more by its own use: the uses so far belong to the first.
    if refuted.get(&name).is_some_and(|it| !it.uses.is_empty()) {
        return;
    }
    close(&name, refuted, found);
    keys.insert(key(&name), name.clone());
    refuted.insert(
        name,
        Refuted {
            cause: Mention { item: at, words },
            uses: Vec::new(),
            is_written: false,
        },
    );
}

fn close<'a>(name: &str, refuted: &mut BTreeMap<String, Refuted<'a>>, found: &mut Vec<Poison<'a>>) {
    if let Some(it) = refuted.remove(name)
        && !it.uses.is_empty()
    {
        found.push(Poison {
            reason: "What was said not to be so is used all the same.",
            cause: it.cause,
            uses: it.uses,
        });
    }
}

fn refuted_by_user(sentence: &str) -> Vec<String> {
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

fn refuted_by_tool<'a>(
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
                let is_quoted = captures.name("name").is_some_and(|it| {
                    it.as_str().len() >= 3
                        && line[..it.start()].ends_with(['`', '\'', '"', ':', '‘'])
                });
                if name.starts_with("--") || is_quoted || is_code_like(name) || name.contains('-') {
                    names.push((bare(name), Cow::Borrowed(line.trim())));
                }
            }
        }
    }
    // A search that finds nothing says that the name is not there.
    let is_empty = text.trim().is_empty()
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
        let pattern = call
            .arguments
            .get("pattern")
            .or_else(|| call.arguments.get("query"));
        let name = pattern.and_then(serde_json::Value::as_str).map(whole_word);
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

fn note_words<'a>(
    at: usize,
    text: &'a str,
    keys: &KeyMap<String>,
    refuted: &mut BTreeMap<String, Refuted<'a>>,
) {
    if refuted.is_empty() {
        return;
    }
    for sentence in sentences(text) {
        let mut names = runs(sentence.text)
            .filter_map(|it| keys.get(&key(it)))
            .peekable();
        if names.peek().is_none() {
            continue;
        }
        let phrases = phrases();
        let is_aware = sentence.is_question()
            || [&phrases.negation, &phrases.correction, &phrases.conflict]
                .iter()
                .any(|it| it.is_match(sentence.text));
        for name in names {
            if let Some(it) = refuted.get_mut(name)
                && !is_aware
            {
                it.uses.push(Mention {
                    item: at,
                    words: Cow::Borrowed(sentence.text),
                });
            }
        }
    }
}

fn note_call<'a>(
    at: usize,
    call: &ToolCall,
    keys: &KeyMap<String>,
    refuted: &mut BTreeMap<String, Refuted<'a>>,
) {
    if refuted.is_empty() {
        return;
    }
    let text = match call.kind {
        ToolKind::Run => command(call).unwrap_or_default(),
        ToolKind::Edit => {
            let text = written(call);
            for path in paths(call) {
                // Writing the file makes it be there.
                refuted.retain(|name, _| file_name(name) != file_name(&path));
            }
            for captures in DEFINES.iter().flat_map(|it| it.captures_iter(&text)) {
                let name = captures.get(1).or_else(|| captures.get(2));
                if let Some(name) = name.and_then(|it| keys.get(&key(it.as_str()))) {
                    refuted.remove(name);
                }
            }
            text
        }
        ToolKind::Read | ToolKind::Search => return,
        _ => return,
    };
    let names: HashSet<&String> = runs(&text).filter_map(|it| keys.get(&key(it))).collect();
    for name in names {
        if let Some(it) = refuted.get_mut(name) {
            it.is_written |= call.kind == ToolKind::Edit;
            let line = text.lines().find(|line| line.contains(name.as_str()));
            it.uses.push(Mention {
                item: at,
                words: Cow::Owned(line.unwrap_or(name).trim().to_owned()),
            });
        }
    }
}

/// A name that a result has, or with which a command worked, is there after all.
fn settle(
    call: &ToolCall,
    text: &str,
    keys: &KeyMap<String>,
    refuted: &mut BTreeMap<String, Refuted<'_>>,
) {
    if refuted.is_empty() || call.kind == ToolKind::Edit {
        return;
    }
    let line = command(call).unwrap_or_default();
    let of_call = paths(call);
    for name in runs(&line)
        .chain(runs(text))
        .chain(of_call.iter().map(String::as_str))
        .filter_map(|it| keys.get(&key(it)))
    {
        if refuted
            .get(name)
            .is_some_and(|it| !it.is_written && it.uses.len() <= 1)
        {
            refuted.remove(name);
        }
    }
}
