//! Values of one key: what the user and files give it, and what the model goes on with.
//!
//! The keys come from what the model writes, says and asks for; where their words stand with
//! another value in what it was given, something was lost or two sources clash.

use std::collections::{HashMap, HashSet};

use self::judge::{asked_again, judge};
use self::mention::{KeyIndex, NameKey};
use self::value::KeyedValue;
use super::statement::file_of;
use super::{
    Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Voice, Window,
};
use crate::ToolKind;
use crate::prose::Quotes;

mod judge;
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
    let mut done: HashSet<(usize, Pattern)> = HashSet::new();
    for it in &uses {
        let Some(of) = mentions.get(&it.key) else {
            continue;
        };
        let is_done = |pattern| done.contains(&(it.key, pattern));
        // What was found of a key is found once: later uses of it are not judged anew.
        let is_over = match &it.value {
            Some(_) => is_done(Pattern::Clash),
            None => is_done(Pattern::LostInTheMiddle),
        };
        if is_over {
            continue;
        }
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
        done.insert((it.key, pattern));
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
            of.push(KeyMention {
                item: at,
                voice,
                segment,
                beside,
            });
            if of.len() > MAX_MENTIONS {
                drop_one(of);
            }
        });
    }
    found
}

/// Makes room: the user's words stay, and of the others the newest.
fn drop_one(mentions: &mut Vec<KeyMention<'_>>) {
    let oldest = mentions.iter().position(|it| it.voice != Voice::User);
    mentions.remove(oldest.unwrap_or_default());
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
