//! Values of one key: what the user and files give it, and what the model goes on with.
//!
//! The keys come from what the model writes, says and asks for; where their words stand with
//! another value in what it was given, something was lost or two sources clash.

use std::collections::HashMap;

use self::mention::{KeyIndex, NameKey, segments};
use self::value::KeyedValue;
use super::statement::file_of;
use super::{
    Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Voice, Window,
};
use crate::ToolKind;
use crate::prose::{Quotes, phrases};

mod mention;
mod said;
mod value;

/// Keys that are looked for, and places of one that are held.
const MAX_KEYS: usize = 4_000;
const MAX_MENTIONS: usize = 32;
/// A text above this is too long for a value to be agreed on in it.
const MAX_TEXT: usize = 64 << 10;

/// What the model gave a key, or that it asked for it.
struct Use<'a> {
    item: usize,
    key: usize,
    value: Option<KeyedValue>,
    words: std::borrow::Cow<'a, str>,
}

/// Where a key stands in what the model was given.
struct KeyMention<'a> {
    item: usize,
    voice: Voice,
    segment: &'a str,
    beside: mention::Beside<'a>,
}

/// Values that were lost, and values that clash.
pub(super) fn find(window: &Window<'_>, quotes: &mut Quotes) -> Vec<PatternFinding> {
    let mut index = KeyIndex::default();
    let uses = uses(window, &mut index);
    let mentions = mentions(window, &index);
    let mut found: Vec<PatternFinding> = Vec::new();
    let mut done: Vec<(usize, Pattern)> = Vec::new();
    for it in &uses {
        let Some(of) = mentions.get(&it.key) else {
            continue;
        };
        let judged = match &it.value {
            Some(value) => judge(window, it, value, of),
            None => asked_again(window, it, of),
        };
        let Some((pattern, causes)) = judged else {
            continue;
        };
        if done.contains(&(it.key, pattern)) {
            continue;
        }
        // A question has a key of two words beside that of three.
        let is_known = found.iter().any(|other| {
            other.pattern == pattern
                && other.evidence.iter().any(|place| {
                    causes
                        .first()
                        .is_some_and(|it| window.items[it.item].entry.index == place.entry)
                })
        });
        done.push((it.key, pattern));
        if !is_known {
            found.push(describe(window, pattern, &causes, it, quotes));
        }
    }
    found
}

fn uses<'a>(window: &Window<'a>, index: &mut KeyIndex) -> Vec<Use<'a>> {
    let mut numbers: HashMap<NameKey, usize> = HashMap::new();
    let mut uses = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        let (values, asked) = if let Some(call) = item.call() {
            match call.kind {
                ToolKind::Edit => (said::written_values(call), Vec::new()),
                ToolKind::Ask => (Vec::new(), said::asked_in_call(call)),
                _ => continue,
            }
        } else if let Some(text) = item.model_text() {
            let waits = window.waits_for_user(at);
            let asked = if waits {
                said::asked_keys(text.as_str())
            } else {
                Vec::new()
            };
            (said::spoken_values(text.as_str()), asked)
        } else {
            continue;
        };
        let values = values
            .into_iter()
            .map(|it| (it.key, Some(it.value), it.words));
        let asked = asked.into_iter().map(|(key, words)| (key, None, words));
        for (key, value, words) in values.chain(asked) {
            if key.len() < 2 || index.keys.len() >= MAX_KEYS {
                continue;
            }
            index.add(&key);
            let number = *numbers.entry(key).or_insert(index.keys.len() - 1);
            uses.push(Use {
                item: at,
                key: number,
                value,
                words: words.into(),
            });
        }
    }
    uses
}

fn mentions<'a>(window: &Window<'a>, index: &KeyIndex) -> HashMap<usize, Vec<KeyMention<'a>>> {
    let mut found: HashMap<usize, Vec<KeyMention<'a>>> = HashMap::new();
    for (at, item) in window.items.iter().enumerate() {
        let Some((voice, text)) = item.text() else {
            continue;
        };
        let is_source = match voice {
            Voice::User | Voice::Host => true,
            Voice::Tool => item.result().is_some_and(|result| {
                let call = window.call_of(result);
                result.failure.is_none() && call.is_some_and(|it| file_of(it).is_some())
            }),
            Voice::Model => false,
        };
        if !is_source || text.len() > MAX_TEXT {
            continue;
        }
        index.scan(text.as_str(), &mut |number, segment, beside| {
            let of = found.entry(number).or_default();
            if of.len() < MAX_MENTIONS {
                of.push(KeyMention {
                    item: at,
                    voice,
                    segment,
                    beside,
                });
            }
        });
    }
    found
}

type Judged<'m, 'a> = (Pattern, Vec<&'m KeyMention<'a>>);

fn judge<'m, 'a>(
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
        if it.voice == Voice::User && phrases().correction.is_match(it.segment) {
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
            let written = item.call().map(super::act::written);
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
fn asked_again<'m, 'a>(
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

fn describe(
    window: &Window<'_>,
    pattern: Pattern,
    causes: &[&KeyMention<'_>],
    used: &Use<'_>,
    quotes: &mut Quotes,
) -> PatternFinding {
    let mut evidence = Vec::new();
    for cause in causes {
        let item = &window.items[cause.item];
        if let Some((_, text)) = item.text() {
            let role = EvidenceRole::Cause;
            let words = cause.segment.trim();
            evidence.push(PatternEvidence::from_text(
                role, item.entry, text, words, quotes,
            ));
        }
    }
    let entry = window.items[used.item].entry;
    evidence.push(PatternEvidence::from_words(
        EvidenceRole::Effect,
        entry,
        &used.words,
        quotes,
    ));
    let is_lost = pattern == Pattern::LostInTheMiddle;
    let is_asked = used.value.is_none();
    PatternFinding {
        pattern,
        severity: if is_asked { Severity::Amber } else { Severity::Red },
        confidence: 0.75,
        cure: if is_lost { Cure::Write } else { Cure::Select },
        reason: match (is_lost, is_asked) {
            (true, true) => "A value that the user gave was asked for again.",
            (true, false) => "A value that the user gave was taken for another.",
            (false, _) => "Two sources give one key values that exclude each other, and the model went on with one of them without a word.",
        }
        .to_owned(),
        evidence,
        is_current: window.is_current,
    }
}
