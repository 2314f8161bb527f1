//! Whether a value that the model gave a key is the one that it was given.

use std::sync::LazyLock;

use regex::Regex;

use super::mention::segments;
use super::value::KeyedValue;
use super::{KeyMention, Use};
use crate::patterns::statement::file_of;
use crate::patterns::{Pattern, Voice, Window};
use crate::prose::phrases;

/// A prompt up to this takes back what it speaks of, in whichever of its sentences.
const MAX_SHORT: usize = 240;
static RETRACTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:scratch that|forget (?:that|the|about)|changed my mind|correction|never mind|i was wrong|i misspoke|no longer)\b").ok()
});

/// A pattern, and the mentions that show it.
pub(super) type Judged<'m, 'a> = (Pattern, Vec<&'m KeyMention<'a>>);

/// What is wrong with a value that the model gave a key.
pub(super) fn judge<'m, 'a>(
    window: &Window<'a>,
    used: &Use<'_>,
    value: &KeyedValue,
    mentions: &'m [KeyMention<'a>],
) -> Option<Judged<'m, 'a>> {
    let turn = |item: usize| window.items[item].entry.turn;
    let mut given: Vec<(&KeyMention<'a>, KeyedValue)> = Vec::new();
    for it in mentions.iter().filter(|it| it.item < used.item) {
        let Some(of) = it.beside.value(value) else {
            continue;
        };
        // What is said to take the place of another value does so.
        let retracts = || {
            let prompt = window.items[it.item].prompt().map_or("", |it| it.as_str());
            prompt.len() <= MAX_SHORT && RETRACTS.as_ref().is_some_and(|it| it.is_match(prompt))
        };
        let is_correction = phrases().correction.is_match(it.segment);
        if it.voice == Voice::User && (is_correction || retracts()) {
            given.retain(|(earlier, _)| earlier.voice != Voice::User);
        }
        given.push((it, of));
    }
    // What the user asked for in this very turn is so.
    let is_asked = given.iter().any(|(it, of)| {
        it.voice == Voice::User && turn(it.item) == turn(used.item) && !of.excludes(value)
    });
    if is_asked {
        return None;
    }
    let of_user: Vec<_> = given
        .iter()
        .filter(|(it, _)| it.voice == Voice::User)
        .collect();
    let has_source = given.iter().any(|(_, of)| !of.excludes(value))
        || given.iter().any(|(it, _)| {
            it.segment
                .split_whitespace()
                .any(|word| KeyedValue::stated(word).is_some_and(|of| of == *value))
        });
    if let Some((last, of)) = of_user.last()
        && of.excludes(value)
        && !has_source
        && turn(last.item) < turn(used.item)
        && !is_said_elsewhere(window, last.item, used, value)
    {
        return Some((Pattern::LostInTheMiddle, vec![last]));
    }
    let (one, two) = clash(window, &given, value)?;
    (!is_settled(window, used, value, &given)).then_some((Pattern::Clash, vec![one, two]))
}

/// Two sources of one kind that give different values, of which the model has one.
fn clash<'m, 'a>(
    window: &Window<'a>,
    given: &[(&'m KeyMention<'a>, KeyedValue)],
    value: &KeyedValue,
) -> Option<(&'m KeyMention<'a>, &'m KeyMention<'a>)> {
    let file = |it: &KeyMention<'_>| {
        let call = window.call_of(window.items[it.item].result()?)?;
        file_of(call)
    };
    let taken = given.iter().filter(|(_, of)| !of.excludes(value));
    for (one, _) in taken {
        let other = given.iter().find(|(two, of)| {
            let is_apart = match one.voice {
                Voice::User => one.item != two.item,
                // One file that was read twice has changed, and one has a key in several sections; a
                // remark and the value beside it clash.
                _ if one.item == two.item => is_remark(one) != is_remark(two),
                _ => file(one) != file(two),
            };
            of.excludes(value) && one.voice == two.voice && is_apart
        });
        if let Some((two, _)) = other {
            return Some(if one.item <= two.item {
                (one, two)
            } else {
                (two, one)
            });
        }
    }
    None
}

/// Whether a mention stands in a remark of a file, and not in what the file sets.
fn is_remark(mention: &KeyMention<'_>) -> bool {
    // Tools number the lines that they show.
    let line = mention
        .segment
        .trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || "→|:".contains(c));
    ["#", "//", "/*", "*", "--", ";", "<!--"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Whether the model or the user spoke of the other value, or of a conflict.
fn is_settled(
    window: &Window<'_>,
    used: &Use<'_>,
    value: &KeyedValue,
    given: &[(&KeyMention<'_>, KeyedValue)],
) -> bool {
    let others: Vec<&KeyedValue> = given
        .iter()
        .filter(|(_, of)| of.excludes(value))
        .map(|(_, of)| of)
        .collect();
    let sources: Vec<usize> = given.iter().map(|(it, _)| it.item).collect();
    let last = sources.iter().copied().max().unwrap_or_default();
    let turn = window.items[used.item].entry.turn;
    window.items[last..]
        .iter()
        .take_while(|it| it.entry.turn <= turn + 1)
        .any(|item| {
            let text = item.model_text().or_else(|| item.prompt());
            let written = item.call().map(crate::patterns::act::written);
            let said = text.map_or(written.as_deref(), |it| Some(it.as_str()));
            said.is_some_and(|text| {
                let has = |of: &KeyedValue| {
                    segments(text).any(|it| {
                        it.split_whitespace()
                            .any(|word| KeyedValue::stated(word).as_ref() == Some(of))
                    })
                };
                let is_source = item.prompt().is_some()
                    && sources
                        .iter()
                        .any(|it| window.items[*it].entry.index == item.entry.index);
                !is_source && (has(value) && others.iter().any(|it| has(it)))
                    || item.model_text().is_some() && phrases().conflict.is_match(text)
            })
        })
}

/// Whether the new value came from anywhere since.
fn is_said_elsewhere(window: &Window<'_>, from: usize, used: &Use<'_>, value: &KeyedValue) -> bool {
    let turn = window.items[used.item].entry.turn;
    window.items[from + 1..used.item].iter().any(|item| {
        item.prompt().is_some_and(|text| {
            item.entry.turn == turn
                && text
                    .as_str()
                    .split_whitespace()
                    .any(|word| KeyedValue::stated(word).as_ref() == Some(value))
        })
    })
}

/// A key that the model asks the user for and to which the user gave a value in an earlier turn.
pub(super) fn asked_again<'m, 'a>(
    window: &Window<'a>,
    used: &Use<'_>,
    mentions: &'m [KeyMention<'a>],
) -> Option<Judged<'m, 'a>> {
    let turn = window.items[used.item].entry.turn;
    let cause = mentions.iter().rfind(|it| {
        it.item < used.item
            && it.voice == Voice::User
            && window.items[it.item].entry.turn < turn
            && it.beside.has_value()
    })?;
    Some((Pattern::LostInTheMiddle, vec![cause]))
}
