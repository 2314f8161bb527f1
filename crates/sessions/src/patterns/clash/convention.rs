//! What two documents prescribe for one thing, where the two exclude each other.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::{MAX_JUDGED, Pair};
use crate::ToolKind;
use crate::patterns::Window;
use crate::patterns::act::{file_name, written};
use crate::patterns::statement::file_of;
use crate::prose::{content_stems, is_stop_word, phrases, stem};

/// A longer document is read for other things than its conventions.
const MAX_TEXT: usize = 64 << 10;
/// Sentences on one thing that are compared.
const MAX_OF_SUBJECT: usize = 16;

static IS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i) (?:is|are|must be|has to be|have to be|should be|shall be|will be|gets?|goes|go|lives?|starts?|ends?|begins?|uses?) ").ok()
});

/// "Test files are named after the module": the thing, what is done, and how.
#[derive(Clone, Debug, PartialEq)]
struct Convention {
    subject: Vec<String>,
    verb: String,
    is_denied: bool,
    /// The word that leads to how: "named after" is not "named by".
    way: String,
    how: Vec<String>,
    /// What it says is not done, beside.
    denied: Vec<String>,
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

fn is_denial(word: &str) -> bool {
    matches!(word, "not" | "never" | "no")
}

fn convention(segment: &str) -> Option<Convention> {
    let is = IS.as_ref()?.find(segment)?;
    let subject = content_stems(&segment[..is.start()]);
    let mut subject: Vec<String> = subject.into_iter().collect();
    subject.sort();
    let own = segment[is.start()..]
        .split_whitespace()
        .next()
        .unwrap_or_default();
    let words: Vec<String> = segment[is.end()..].split_whitespace().map(bare).collect();
    if !(1..=4).contains(&subject.len()) || words.len() > 12 {
        return None;
    }
    let is_weak = |it: &str| {
        matches!(
            it,
            "always" | "only" | "usually" | "ever" | "a" | "an" | "the" | ""
        ) || is_denial(it)
    };
    let is_be = matches!(
        own.to_lowercase().as_str(),
        "is" | "are" | "must" | "has" | "have" | "should" | "shall" | "will"
    );
    let at = if is_be {
        words.iter().position(|it| !is_weak(it))?
    } else {
        0
    };
    let verb = if is_be {
        stem(&words[at])
    } else {
        stem(&own.to_lowercase())
    };
    let rest = if is_be { &words[at + 1..] } else { &words[..] };
    let way = rest
        .first()
        .filter(|it| is_stop_word(it))
        .cloned()
        .unwrap_or_default();
    let how = rest
        .iter()
        .filter(|it| !is_stop_word(it) && !is_weak(it))
        .cloned()
        .collect();
    let denied = words
        .windows(2)
        .filter(|it| is_denial(&it[0]))
        .map(|it| stem(&it[1]))
        .collect();
    Some(Convention {
        subject,
        is_denied: is_be && words[..at].iter().any(|it| is_denial(it)),
        verb,
        way,
        how,
        denied,
    })
}

impl Convention {
    fn excludes(&self, other: &Self) -> bool {
        if self.subject != other.subject {
            return false;
        }
        let denies = |one: &Self, two: &Self| {
            !one.is_denied && two.denied.contains(&one.verb) && one.denied.is_empty()
        };
        let lacks = |one: &Self, two: &Self| one.how.iter().any(|it| !two.how.contains(it));
        let is_other_way = self.verb == other.verb
            && self.way == other.way
            && self.is_denied == other.is_denied
            && lacks(self, other)
            && lacks(other, self);
        is_other_way || denies(self, other) || denies(other, self)
    }
}

/// What may be a sentence of its own: documents set questions and parts off by marks.
fn segments(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|it| it.len() <= 400)
        .map(|line| {
            let rest = line
                .trim_start()
                .trim_start_matches(|c: char| c.is_ascii_digit());
            match rest.strip_prefix(['\t', '→']) {
                Some(rest) => rest,
                None => line,
            }
        })
        .flat_map(|it| it.split("** "))
        .flat_map(|it| it.split(". "))
        .flat_map(|it| it.split("; "))
        .flat_map(|it| it.split(": "))
        .map(|it| {
            it.trim()
                .trim_start_matches(['-', '*', '>', '+', '#', '|'])
                .trim()
        })
        .filter(|it| (12..=160).contains(&it.len()))
}

struct ConventionSource<'a> {
    item: usize,
    file: String,
    words: &'a str,
    says: Convention,
}

/// Conventions of two documents of which the model takes one without a word of the other.
pub(super) fn find<'a>(window: &Window<'a>) -> Vec<Pair<'a>> {
    let mut sources: HashMap<Vec<String>, Vec<ConventionSource<'a>>> = HashMap::new();
    let mut found: Vec<Pair<'a>> = Vec::new();
    let mut judged = HashSet::new();
    for (at, item) in window.items.iter().enumerate() {
        if let Some(result) = item.result() {
            let file = window.call_of(result).and_then(file_of);
            let text = result.text.as_str();
            let Some(file) = file.filter(|it| {
                let name = file_name(it);
                let is_prose = [".md", ".txt", ".rst", ".adoc"]
                    .iter()
                    .any(|end| name.ends_with(end));
                is_prose && result.failure.is_none() && text.len() <= MAX_TEXT
            }) else {
                continue;
            };
            for words in segments(text) {
                let Some(says) = convention(words) else {
                    continue;
                };
                let of = sources.entry(says.subject.clone()).or_default();
                if of.len() < MAX_OF_SUBJECT {
                    of.push(ConventionSource {
                        item: at,
                        file: file.clone(),
                        words,
                        says,
                    });
                }
            }
            continue;
        }
        if sources.is_empty() {
            continue;
        }
        let text: Cow<'_, str> = match (item.model_text(), item.call()) {
            (Some(text), _) => Cow::Borrowed(text.as_str()),
            (None, Some(call)) if call.kind == ToolKind::Edit => Cow::Owned(written(call)),
            _ => continue,
        };
        for words in segments(&text) {
            let Some(says) = convention(words) else {
                continue;
            };
            let of = sources
                .get(&says.subject)
                .map(Vec::as_slice)
                .unwrap_or_default();
            let pair = of
                .iter()
                .filter(|it| !it.says.excludes(&says))
                .find_map(|one| {
                    let is_same = one.says.verb == says.verb && one.says.how == says.how;
                    let other = of.iter().find(|two| {
                        two.file != one.file
                            && two.says.excludes(&one.says)
                            && two.says.excludes(&says)
                    });
                    other.filter(|_| is_same).map(|two| (one, two))
                });
            // Whether the two were spoken of is the same each time that one of them is taken.
            if let Some((one, two)) = pair
                && judged.len() < MAX_JUDGED
                && judged.insert((one.item, one.words, two.item, two.words))
                && !is_spoken_of(window, one.item.max(two.item), two)
            {
                let (first, second) = if one.item <= two.item {
                    (one, two)
                } else {
                    (two, one)
                };
                found.push(Pair {
                    one: (first.item, first.words),
                    two: (second.item, second.words),
                    used: (at, words.to_owned()),
                });
            }
        }
    }
    found
}

/// Whether the user or the model spoke of the other one, or of a conflict, after both were known.
fn is_spoken_of(window: &Window<'_>, from: usize, other: &ConventionSource<'_>) -> bool {
    window.items[from..].iter().any(|item| {
        let text = item.model_text().or_else(|| item.prompt());
        text.is_some_and(|text| {
            let is_of_it = |words: &str| {
                let stems = content_stems(words);
                other.says.subject.iter().any(|it| stems.contains(it))
            };
            segments(text.as_str()).any(|words| {
                let is_conflict = phrases().conflict.is_match(words) && is_of_it(words);
                is_conflict || convention(words).is_some_and(|it| it == other.says)
            })
        })
    })
}
