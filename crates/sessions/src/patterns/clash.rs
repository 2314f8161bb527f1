//! Clash: two statements about one setting or place exclude each other.

use std::collections::{HashMap, HashSet};

use super::act::{command, is_path, written};
use super::statement::{Statement, file_of, has_value, is_correction};
use super::{PatternFinding, Voice, Window};
use crate::prose::{Quotes, content_stems, phrases, sentences};

mod convention;
mod rows;
mod shown;

use shown::{Pair, describe, describe_pair};

/// Earlier statements about one word with which a new one is compared.
const MAX_COMPARED: usize = 16;
/// Pairs that are looked at; a file of settings could make more than any reader wants.
const MAX_PAIRS: usize = 64;
// All that was said after them is looked through for each two.
/// Pairs of sources of which it is looked whether they were spoken of.
const MAX_JUDGED: usize = 64;

/// Statements of this window that exclude each other and were not set right.
pub(super) fn find(
    window: &Window<'_>,
    statements: &[Statement<'_>],
    quotes: &mut Quotes,
) -> Vec<PatternFinding> {
    let mut found = Vec::new();
    let mut flagged: HashSet<&[String]> = HashSet::new();
    for (one, two) in pairs(statements) {
        if flagged.contains(one.subject.as_slice()) || is_settled(window, one, two) {
            continue;
        }
        flagged.insert(&one.subject);
        found.push(describe(window, one, two, quotes));
    }
    let mut shown: HashSet<(usize, usize)> = HashSet::new();
    let pairs = rows::find(window)
        .into_iter()
        .chain(convention::find(window));
    for pair in pairs.filter(|it| shown.insert((it.one.0, it.two.0))) {
        found.push(describe_pair(window, &pair, quotes));
    }
    found
}

fn pairs<'s, 'a>(statements: &'s [Statement<'a>]) -> Vec<(&'s Statement<'a>, &'s Statement<'a>)> {
    let mut by_stem: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (at, statement) in statements.iter().enumerate() {
        let mut compared: Vec<usize> = statement
            .subject
            .iter()
            .filter_map(|it| by_stem.get(it.as_str()))
            .flat_map(|earlier| earlier.iter().rev().take(MAX_COMPARED).copied())
            .collect();
        compared.sort_unstable();
        compared.dedup();
        for other in compared {
            let earlier = &statements[other];
            let is_told =
                !is_place(earlier) && !is_place(statement) && is_told_apart(earlier, statement);
            if earlier.item != statement.item && is_told && earlier.excludes(statement) {
                pairs.push((earlier, statement));
            }
        }
        if pairs.len() >= MAX_PAIRS {
            break;
        }
        for stem in &statement.subject {
            by_stem.entry(stem).or_default().push(at);
        }
    }
    pairs
}

/// Whether the model says where something stands or what it touched: no value of anything.
fn is_place(it: &Statement<'_>) -> bool {
    let file = it.raw.split(':').next().unwrap_or(it.raw);
    let has_line = it.raw.contains(':') || it.words.contains(&format!("{file}:"));
    let is_place = has_line && is_path(file) || it.raw.contains("::");
    // "In detail: a.rs 3, b.rs 1" counts.
    let is_count =
        it.words.contains(|c: char| c.is_ascii_digit()) && is_path(file) && it.subject.len() < 2;
    it.voice == Voice::Model && (is_place || is_count)
}

/// Whether what two files say is said of one thing: a lone word is not enough for that.
fn is_told_apart(one: &Statement<'_>, two: &Statement<'_>) -> bool {
    let is_of_tools = one.voice == Voice::Tool && two.voice == Voice::Tool;
    let is_url = one.raw.contains("//") || two.raw.contains("//");
    !(is_of_tools && (one.subject.len() < 2 || is_url))
}

/// Whether the second says that it takes the first's place, or the two were set right.
fn is_settled(window: &Window<'_>, one: &Statement<'_>, two: &Statement<'_>) -> bool {
    if has_value(two.words, one.raw) || was_changed(window, one, two) {
        return true;
    }
    if one.voice == Voice::Tool && two.voice == Voice::Tool && !is_topic(window, one) {
        return true;
    }
    if is_same_file(window, one, two) || is_addressed(window, one, two) {
        return true;
    }
    match two.voice {
        // A user may change their mind; what counts is whether the model took it in.
        Voice::User => {
            let is_used = |raw: &str| {
                window.items[two.item + 1..].iter().any(|item| {
                    item.model_text()
                        .is_some_and(|it| has_value(it.as_str(), raw))
                        || item.call().is_some_and(|call| {
                            super::strings(&call.arguments).any(|it| has_value(it, raw))
                        })
                })
            };
            let is_taken_in = is_used(two.raw) || is_acknowledged(window, two.item);
            is_taken_in && !is_used(one.raw)
                || is_correction(two.words) && one.voice == Voice::User && !is_used(one.raw)
        }
        // A model that says that it was wrong has set it right.
        Voice::Model => is_correction(two.words),
        Voice::Host | Voice::Tool => false,
    }
}

fn is_acknowledged(window: &Window<'_>, prompt: usize) -> bool {
    window.items[prompt + 1..]
        .iter()
        .take_while(|it| it.prompt().is_none())
        .find_map(|it| it.model_text())
        .is_some_and(|it| {
            let start: Vec<_> = sentences(it.as_str()).into_iter().take(2).collect();
            start
                .iter()
                .any(|it| phrases().acknowledgement.is_match(it.text))
        })
}

/// Whether a call or the user gave it the new value in between.
fn was_changed(window: &Window<'_>, one: &Statement<'_>, two: &Statement<'_>) -> bool {
    window.items[one.item + 1..two.item].iter().any(|item| {
        if let Some(call) = item.call() {
            let line = command(call).unwrap_or_default();
            let text = written(call);
            let is_of_it = |text: &str| {
                let stems = content_stems(&text.replace(['_', '-'], " "));
                one.subject.iter().any(|it| stems.contains(it))
            };
            return [text, line]
                .iter()
                .any(|text| has_value(text, two.raw) && is_of_it(text));
        }
        two.voice != Voice::User
            && item
                .prompt()
                .is_some_and(|it| has_value(it.as_str(), two.raw))
    })
}

/// Whether a person or the model speaks of what two files state differently.
fn is_topic(window: &Window<'_>, one: &Statement<'_>) -> bool {
    window.items.iter().any(|item| {
        let text = item.prompt().or_else(|| item.model_text());
        text.filter(|it| may_have(it.as_str(), &one.subject))
            .is_some_and(|text| {
                sentences(text.as_str()).iter().any(|it| {
                    let stems = content_stems(&it.text.replace(['_', '-'], " "));
                    let same = one.subject.iter().filter(|it| stems.contains(it)).count();
                    one.subject.len() >= 2 && same * 2 >= one.subject.len()
                        || same == one.subject.len()
                })
            })
    })
}

/// Whether a text may have a word of the subject: a quick look before it is taken apart.
fn may_have(text: &str, subject: &[String]) -> bool {
    subject.iter().any(|stem| {
        let mut chars = stem.chars();
        let first = chars.next().map(char::to_uppercase);
        let capital: String = first.into_iter().flatten().chain(chars).collect();
        text.contains(stem.as_str())
            || text.contains(&capital)
            || text.contains(&stem.to_uppercase())
    })
}

/// Whether one file was read twice: the second is what it says now.
fn is_same_file(window: &Window<'_>, one: &Statement<'_>, two: &Statement<'_>) -> bool {
    let file = |it: &Statement<'_>| {
        let result = window.items[it.item].result()?;
        file_of(window.call_of(result)?)
    };
    matches!((file(one), file(two)), (Some(one), Some(two)) if one == two)
}

/// Whether the model or the user put the two beside each other later.
fn is_addressed(window: &Window<'_>, one: &Statement<'_>, two: &Statement<'_>) -> bool {
    window.items[two.item..].iter().any(|item| {
        let text = item.prompt().or_else(|| item.model_text());
        text.is_some_and(|text| {
            let text = text.as_str();
            has_value(text, one.raw) && has_value(text, two.raw)
                || may_have(text, &one.subject)
                    && phrases().conflict.is_match(text)
                    && sentences(text).iter().any(|it| {
                        let stems = content_stems(&it.text.replace(['_', '-'], " "));
                        phrases().conflict.is_match(it.text)
                            && one.subject.iter().any(|it| stems.contains(it))
                    })
        })
    })
}
