//! Values that the model gave to a key, and keys that it asked for.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::mention::{NameKey, key_of, key_words, segments};
use super::value::KeyedValue;
use crate::ToolCall;
use crate::patterns::act::{file_name, paths, strings, written};
use crate::prose::{is_stop_word, phrases, sentences};

/// A value that the model gave to a key.
pub(super) struct SaidValue {
    pub(super) key: NameKey,
    pub(super) value: KeyedValue,
    pub(super) words: String,
}

static SETTING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^[\s`]*(?:pub |export |static |final |const |let |var |val |set )*["']?(?P<key>[A-Za-z][A-Za-z0-9_.-]*)["']?(?:: ?&?[A-Za-z][A-Za-z0-9_<>']*)?\s*[:=]\s*["']?(?P<value>[^\s"',;`{}\[\]():=][^\s"',;`{}\[\]()]{0,59})["']?[,;`]*\s*(?:(?:#|//).*)?$"#).ok()
});
static INLINE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"`([^`\n]{4,120})`").ok());
/// "the lock timeout is 5", "a lock timeout of 5", "lock timeout: 5".
static FORWARD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?i)(?P<key>(?:[a-z][a-z-]+ ){1,5}[a-z][a-z-]+)(?: (?:is|are|of|will be|shall be|should be|is set to|set to|stays|becomes|at) |: | = )(?:now |set to )?(?P<value>[^\s]+)"#).ok()
});
/// "5 ms is the lock timeout", "5 for the lock timeout".
static BACKWARD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?i)^(?P<value>[^\s]+)(?: [a-z]+)? (?:is|are|as) (?:the|our|a) (?P<key>(?:[a-z][a-z-]+ ){1,4}[a-z][a-z-]+)"#).ok()
});

static ASKS_FOR: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:what|what['’]s|which|how|who|where|when|whose)\b").ok());
/// How a value is asked for without a question.
static NEEDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:i|we) (?:still )?(?:need|lack|miss)\b.*\b(?:from you|value|number|name)\b|\bwaiting for (?:you|your)\b").ok()
});

/// Values that a call writes.
pub(super) fn written_values(call: &ToolCall) -> Vec<SaidValue> {
    let text = written(call);
    if text.is_empty() {
        return Vec::new();
    }
    let before: HashSet<&str> = ["old_string", "oldString", "old_str"]
        .iter()
        .filter_map(|it| call.arguments.get(it)?.as_str())
        .flat_map(str::lines)
        .map(str::trim)
        .collect();
    let is_prose = paths(call).iter().any(|it| {
        let name = file_name(it);
        !name.contains('.')
            || [".md", ".txt", ".rst", ".adoc"]
                .iter()
                .any(|end| name.ends_with(end))
    });
    let mut found = Vec::new();
    for line in text
        .lines()
        .filter(|it| !before.contains(it.trim()) && it.len() <= 400)
    {
        found.extend(setting(line));
        if is_prose {
            prose(line, &mut found);
        }
    }
    found
}

/// Values that words of the model give.
pub(super) fn spoken_values(text: &str) -> Vec<SaidValue> {
    let mut found = Vec::new();
    for captures in INLINE.iter().flat_map(|it| it.captures_iter(text)) {
        found.extend(captures.get(1).and_then(|it| setting(it.as_str())));
    }
    for segment in segments(text).filter(|it| it.len() <= 400) {
        prose(segment, &mut found);
    }
    found
}

fn setting(line: &str) -> Option<SaidValue> {
    let captures = SETTING.as_ref()?.captures(line.trim_end())?;
    let name = captures.name("key")?.as_str();
    let words: Vec<&str> = key_words(name).collect();
    if words.len() < 2 || words.len() > 6 {
        return None;
    }
    Some(SaidValue {
        key: key_of(words.into_iter()),
        value: KeyedValue::stated(captures.name("value")?.as_str())?,
        words: line.trim().trim_matches('`').to_owned(),
    })
}

fn prose(segment: &str, found: &mut Vec<SaidValue>) {
    // A question states nothing, and a line of code is read as one above.
    let line = segment.trim_end();
    if line.ends_with(['?', ';', '{']) || line.contains("::") {
        return;
    }
    for (regex, is_backward) in [(&*FORWARD, false), (&*BACKWARD, true)] {
        for captures in regex.iter().flat_map(|it| it.captures_iter(segment)) {
            let (Some(name), Some(value)) = (captures.name("key"), captures.name("value")) else {
                continue;
            };
            let value = if is_backward {
                KeyedValue::of(value.as_str())
            } else {
                KeyedValue::of(value.as_str()).or_else(|| plain(value.as_str()))
            };
            let key = noun(name.as_str(), is_backward);
            if let (Some(value), Some(key)) = (value, key) {
                let words = segment.trim().to_owned();
                found.push(SaidValue { key, value, words });
            }
        }
    }
}

/// A plain word as the value of a statement: only where it ends it.
fn plain(word: &str) -> Option<KeyedValue> {
    let ends = word.ends_with('.');
    let bare = super::value::bare(word);
    let is_word = bare.len() >= 2 && bare.chars().all(char::is_alphabetic);
    (ends && is_word && !is_stop_word(&bare.to_lowercase()))
        .then(|| KeyedValue::Name(bare.to_lowercase()))
}

/// The words of the thing itself: what stands behind the last article, at least two.
fn noun(words: &str, is_backward: bool) -> Option<NameKey> {
    let mut all: Vec<&str> = words.split_whitespace().collect();
    let is_article = |it: &&str| {
        [
            "the", "a", "an", "our", "your", "its", "this", "that", "and", "default",
        ]
        .contains(&it.to_lowercase().as_str())
    };
    if is_backward {
        let end = all
            .iter()
            .position(|it| is_stop_word(&it.to_lowercase()))
            .unwrap_or(all.len());
        all.truncate(end);
    } else if let Some(at) = all.iter().rposition(is_article) {
        all.drain(..=at);
    }
    let says = all.first().is_some_and(|it| it.len() >= 3)
        && all
            .last()
            .is_some_and(|it| !is_stop_word(&it.to_lowercase()));
    (says && (2..=5).contains(&all.len())).then(|| key_of(all.into_iter().flat_map(key_words)))
}

/// Keys that a text of the model asks the user for.
pub(super) fn asked_keys(text: &str) -> Vec<(NameKey, String)> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        if sentence.text.len() > 300 {
            continue;
        }
        let asks = sentence.is_question()
            && ASKS_FOR
                .as_ref()
                .is_some_and(|it| it.is_match(sentence.text))
            || phrases().asking.is_match(sentence.text) && sentence.text.contains("you")
            || NEEDS.as_ref().is_some_and(|it| it.is_match(sentence.text));
        // What names a value asks whether it is so.
        let names_one = sentence
            .text
            .split_whitespace()
            .any(|it| KeyedValue::of(it).is_some());
        if !asks || names_one {
            continue;
        }
        // A name of code is spoken of, not asked for.
        let words: Vec<&str> = sentence
            .text
            .split_whitespace()
            .filter(|it| !it.contains(['`', '_', '/', '.']) || it.ends_with('.'))
            .flat_map(key_words)
            .collect();
        for length in (2..=4).rev() {
            for some in words.windows(length) {
                let says = some
                    .iter()
                    .all(|it| it.len() >= 2 && !is_stop_word(&it.to_lowercase()));
                if says {
                    found.push((key_of(some.iter().copied()), sentence.text.to_owned()));
                }
            }
        }
    }
    found
}

/// Texts of a call that asks the user.
pub(super) fn asked_in_call(call: &ToolCall) -> Vec<(NameKey, String)> {
    strings(&call.arguments).flat_map(asked_keys).collect()
}
