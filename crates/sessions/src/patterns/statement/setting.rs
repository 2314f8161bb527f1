//! Lines of files of settings that give something a value.

use std::sync::LazyLock;

use regex::Regex;

use super::stated::Statement;
use super::subject::subject;
use super::value::plain_value;
use crate::patterns::Voice;

static CONFIG_LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^\s*(?:\d+(?:\t|→|:\s))?\s*(?:export\s+|set\s+)?["']?(?P<key>[A-Za-z][A-Za-z0-9_.-]*)["']?\s*[:=]\s*["']?(?P<value>[A-Za-z0-9_./:@~-]{1,60})["']?,?\s*(?:#.*|//.*)?$"#).ok()
});

/// Settings in lines of the form `key = value` whose key is a name of several parts.
pub(super) fn settings<'a>(
    item: usize,
    voice: Voice,
    text: &'a str,
    found: &mut Vec<Statement<'a>>,
) {
    let Some(form) = CONFIG_LINE.as_ref() else {
        return;
    };
    for line in text.split_inclusive('\n') {
        if line.len() > 160 || !line.contains(['=', ':']) {
            continue;
        }
        let Some(captures) = form.captures(line.trim_end()) else {
            continue;
        };
        let (Some(key), Some(raw)) = (captures.name("key"), captures.name("value")) else {
            continue;
        };
        let key = key.as_str();
        let spaced: String = key
            .chars()
            .flat_map(|c| {
                let gap = c.is_ascii_uppercase() && key.contains(|c: char| c.is_ascii_lowercase());
                gap.then_some(' ').into_iter().chain([c])
            })
            .collect();
        let Some(subject) = subject(&spaced.replace('.', " ")) else {
            continue;
        };
        if subject.len() < 2 {
            continue;
        }
        found.push(Statement {
            item,
            voice,
            subject,
            raw: raw.as_str(),
            value: plain_value(raw.as_str()),
            words: line.trim(),

        });
    }
}
