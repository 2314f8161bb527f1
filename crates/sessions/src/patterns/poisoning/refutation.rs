//! What a user or a tool said is not so and is used all the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::{Mention, Poison};
use crate::patterns::Window;
use crate::patterns::act::{command, file_name, paths, strings, written};
use crate::prose::{KeyMap, KeySet, key, phrases, runs, sentences};
use crate::{ToolCall, ToolKind};

mod denial;

pub(in crate::patterns) use denial::searched_name;
use denial::{refuted_by_tool, refuted_by_user};

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
                // What was looked for is spoken of.
                let is_searched = searched_name(call).is_some_and(|it| it == name);
                if is_searched || used_by_model.contains(&key(&name)) {
                    insert(at, name, words, &mut keys, &mut refuted, &mut found);
                }
            }
        } else if let Some(prompt) = item.prompt() {
            for sentence in sentences(prompt.as_str()) {
                let names = refuted_by_user(sentence.text);
                // What a user speaks of without denying it is there.
                if names.is_empty() && !phrases().negation.is_match(sentence.text) {
                    for name in runs(sentence.text).filter_map(|it| keys.get(&key(it))) {
                        if !is_spoken_as_code(sentence.text, name) {
                            continue;
                        }
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
        // A name such as `upgrade` is no word about a change.
        let bare = sentence.text.split('`').step_by(2).collect::<String>();
        let is_aware = sentence.is_question()
            || [&phrases.negation, &phrases.correction, &phrases.conflict]
                .iter()
                .any(|it| it.is_match(&bare));
        for name in names {
            if let Some(it) = refuted.get_mut(name)
                && !is_aware
                && is_spoken_as_code(sentence.text, name)
            {
                it.uses.push(Mention {
                    item: at,
                    words: Cow::Borrowed(sentence.text),
                });
            }
        }
    }
}

/// Whether a name is one of the language's own words: its letters alone say nothing.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase())
}

/// Whether a text has a name as a name: a plain word only where it is marked as code.
fn is_spoken_as_code(text: &str, name: &str) -> bool {
    !is_plain(name)
        || text.match_indices(name).any(|(at, _)| {
            let after = &text[at + name.len()..];
            text[..at].ends_with(['`', '-', '\'', '"', '.', ':'])
                && !after.starts_with(char::is_alphanumeric)
                || after.starts_with('(')
        })
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

/// Whether a text defines a name.
fn defines(text: &str, name: &str) -> bool {
    DEFINES
        .iter()
        .flat_map(|it| it.captures_iter(text))
        .any(|it| {
            it.get(1)
                .or_else(|| it.get(2))
                .is_some_and(|it| it.as_str().eq_ignore_ascii_case(name))
        })
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
        let is_there = !is_plain(name) || defines(text, name);
        if is_there
            && refuted
                .get(name)
                .is_some_and(|it| !it.is_written && it.uses.len() <= 1)
        {
            refuted.remove(name);
        }
    }
}
