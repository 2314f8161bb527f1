//! Statements that give a setting or a place a value.

mod sentence;
mod setting;
mod stated;
mod subject;
mod value;

pub(super) use self::stated::Statement;

use self::sentence::prose;
use self::setting::settings;
use super::act::{command, is_path};
use super::{Voice, Window};
use crate::prose::{content_stems, phrases, runs};
use crate::{EntryKind, LoadedKind, ToolCall, ToolKind};

/// Ends of names of files that hold settings, and of files that hold prose.
const SETTINGS: &[&str] = &[
    "toml",
    "yaml",
    "yml",
    "json",
    "ini",
    "env",
    "conf",
    "cfg",
    "properties",
];
const PROSE: &[&str] = &["md", "txt", "rst", "adoc"];

/// The file whose text a call gives, by its end.
pub(super) fn file_of(call: &ToolCall) -> Option<String> {
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

/// The statements of a window, in order.
pub(super) fn statements<'a>(window: &Window<'a>) -> Vec<Statement<'a>> {
    let mut found = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        let entry: &'a crate::Entry = item.entry;
        match &entry.kind {
            EntryKind::Prompt(text) => prose(at, Voice::User, text.as_str(), &mut found),
            EntryKind::Text(text) => prose(at, Voice::Model, text.as_str(), &mut found),
            EntryKind::Loaded(loaded)
                if matches!(loaded.kind, LoadedKind::Instructions | LoadedKind::Hook) =>
            {
                prose(at, Voice::Host, loaded.text.as_str(), &mut found);
            }
            EntryKind::Result(result) if result.failure.is_none() => {
                let Some(file) = window.call_of(result).and_then(file_of) else {
                    continue;
                };
                let name = super::act::file_name(&file);
                let end = name.rsplit('.').next().unwrap_or_default();
                if SETTINGS.contains(&end) {
                    settings(at, Voice::Tool, result.text.as_str(), &mut found);
                } else if PROSE.contains(&end) || !name.contains('.') {
                    prose(at, Voice::Tool, result.text.as_str(), &mut found);
                }
            }
            _ => {}
        }
    }
    found
}

/// The settings that an edit writes, with the line.
pub(super) fn written_settings(text: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    settings(0, Voice::Model, text, &mut found);
    found
}

/// Whether `text` has the value as a word of its own.
pub(super) fn has_value(text: &str, raw: &str) -> bool {
    text.contains(raw)
        && runs(text).any(|run| {
            run == raw
                || run
                    .strip_suffix(raw)
                    .is_some_and(|rest| rest.ends_with([':', '/', '=', '@', '-']))
                || run
                    .strip_prefix(raw)
                    .is_some_and(|rest| rest.starts_with([':', '/', '=', '@', '-', 's', 'm']))
        })
}

/// Whether a line of `text` has the value and a word of what has it.
pub(super) fn states(text: &str, raw: &str, subject: &[String]) -> bool {
    text.contains(raw)
        && text
            .lines()
            .filter(|line| has_value(line, raw))
            .any(|line| {
                let stems = content_stems(&line.replace(['_', '-', '.'], " "));
                subject.iter().any(|it| stems.contains(it))
            })
}

/// Whether a sentence takes back or changes what was said before.
pub(super) fn is_correction(words: &str) -> bool {
    phrases().correction.is_match(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Statement<'_>> {
        let mut found = Vec::new();
        prose(0, Voice::User, text, &mut found);
        found
    }

    fn exclude(one: &str, two: &str) -> bool {
        let (one, two) = (of(one), of(two));
        assert!(!one.is_empty() && !two.is_empty(), "{one:?} {two:?}");
        one.iter()
            .any(|it| two.iter().any(|other| it.excludes(other)))
    }

    #[test]
    fn two_values_of_one_setting_exclude_each_other_however_they_are_written() {
        assert!(exclude(
            "The staging database listens on port 5544.",
            "The staging database port is 5433."
        ));
        assert!(exclude("`max_retries` is 3", "max retries must be 5"));
        assert!(exclude(
            "The config lives in src/config.rs.",
            "The config is in `lib/settings.rs`."
        ));
        assert!(exclude(
            "The request cache is enabled.",
            "The request cache is off."
        ));
        assert!(!exclude(
            "The session timeout is 30 s.",
            "The session timeout is 30 seconds."
        ));
        assert!(!exclude(
            "The session timeout is 60 s.",
            "The session timeout is 1 minute."
        ));
    }

    #[test]
    fn things_that_are_told_apart_by_a_word_do_not_exclude_each_other() {
        assert!(!exclude(
            "The staging database port is 5544.",
            "The production database port is 5433."
        ));
        assert!(!exclude(
            "The database port is 5544.",
            "The staging database port is 5433."
        ));
    }

    #[test]
    fn what_is_measured_supposed_or_denied_states_no_setting() {
        for text in [
            "The number of tests is 14.",
            "If the database port is 5544, stop.",
            "The database port is not 5544.",
            "Is the database port 5544?",
            "It takes 3 s.",
            "`is_safety` has one caller.",
        ] {
            assert!(of(text).is_empty(), "{text} {:?}", of(text));
        }
    }

    #[test]
    fn a_line_of_a_file_of_settings_states_one() {
        let text = "[pool]\nmax_connections = 20\nname = \"x\"\n";
        let mut found = Vec::new();
        settings(0, Voice::Tool, text, &mut found);
        assert_eq!(found.len(), 1);
        assert!(found[0].excludes(&of("max connections is 50")[0]));
    }
}
