//! What a summary or a recap says has happened although nothing before it says so.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::describe;
use super::{Mention, Poison};
use crate::EntryKind;
use crate::patterns::window::Item;
use crate::patterns::{PatternFinding, Voice, Window, strings};
use crate::prose::{
    KeyMap, KeySet, Quotes, content_stems, is_code_like, key, parts, phrases, runs, sentences, stem,
};

/// Claims that are looked up, and words of one.
const MAX_CLAIMS: usize = 64;
const MAX_STEMS: usize = 10;

/// Words that say of whom or when, not what.
const IDLE: &[&str] = &[
    "anybody",
    "nobody",
    "everybody",
    "anyone",
    "everyone",
    "longer",
    "already",
    "went",
    "through",
    "yesterday",
    "today",
    "meanwhile",
    "finally",
    "now",
    "still",
    "week",
    "morning",
];

/// How a recap begins, where the model gives one.
static RECAP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^\W*(?:so far|to sum up|summary|in summary|recap|to recap|status|where we are|done so far|what (?:we|i) (?:did|have|changed)|here is where|overview|until now|up to now|in short|state of|current state|as of now|up to here|what happened)\b").ok()
});
/// How a recap is asked for.
static ASKED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:recap|sum (?:it )?up|summar(?:y|ise|ize)|so far|where (?:are|do|did) we|what (?:did|have) (?:we|you)|(?:bring|catch) me up|in words|what (?:happened|is done|was done|has been done|changed)|status|progress|overview|hand[- ]?over|so we (?:are|have))\b").ok()
});
/// What says that something happened.
static HAPPENED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:has|have|had|was|were|went|gone|came|(?:is|are) (?:no longer|now|already))\b",
    )
    .ok()
});

struct RecapClaim<'a> {
    /// The window, and the item in it.
    window: usize,
    item: usize,
    words: &'a str,
    stems: Vec<String>,
    is_supported: bool,
    uses: Vec<(usize, Mention<'a>)>,
}

/// What recaps say without support, where the model goes on from it.
pub(in crate::patterns) fn find(
    windows: &[Window<'_>],
    quotes: &mut Quotes,
) -> Vec<PatternFinding> {
    // What was dropped, or stands in a record that this one goes on from, may have said it.
    let begins = windows.first().and_then(|it| it.items.first());
    let is_whole = begins.is_some_and(|it| {
        it.entry.index == 0 && !matches!(it.entry.kind, EntryKind::Compaction(_))
    });
    if !is_whole {
        return Vec::new();
    }
    let mut claims = claims(windows);
    if claims.is_empty() {
        return Vec::new();
    }
    let mut by_stem = Stems::default();
    for (number, claim) in claims.iter().enumerate() {
        for (bit, stem) in claim.stems.iter().enumerate() {
            by_stem.begin.insert(beginning(stem));
            by_stem.of.entry(key(stem)).or_default().push((number, bit));
        }
    }
    for (number, window) in windows.iter().enumerate() {
        for (at, item) in window.items.iter().enumerate() {
            look(number, at, item, &by_stem, &mut claims);
        }
    }
    claims
        .into_iter()
        .filter(|it| !it.is_supported && !it.uses.is_empty())
        .filter_map(|it| {
            // A use in the window of the claim, or in the one after it, is shown there.
            let shown = it.uses.first()?.0;
            let window = windows.get(shown).filter(|_| shown == it.window)?;
            let poison = Poison {
                reason: "A recap says what nothing before it says, and later turns go on from it.",
                cause: Mention {
                    item: it.item,
                    words: it.words.into(),
                },
                uses: it.uses.into_iter().map(|(_, it)| it).collect(),
            };
            Some(describe(&poison, window, quotes))
        })
        .collect()
}

/// Stems of claims, with the claim and its bit.
#[derive(Default)]
struct Stems {
    of: KeyMap<Vec<(usize, usize)>>,
    /// Their beginnings, by which most words are passed over without a look at their ends.
    begin: KeySet,
}

fn beginning(word: &str) -> u64 {
    key(&word[..word.floor_char_boundary(3)])
}

fn is_match(regex: &Option<Regex>, text: &str) -> bool {
    regex.as_ref().is_some_and(|it| it.is_match(text))
}

/// The text of a recap: a summary, or what the model says where it says that it is one or was asked
/// for one.
fn recap<'a>(item: &Item<'a>, is_asked: bool) -> Option<&'a str> {
    if let EntryKind::Compaction(it) = &item.entry.kind {
        return it.summary.as_ref().map(crate::RawText::as_str);
    }
    let text = item.model_text()?.as_str();
    (is_asked || is_match(&RECAP, text)).then_some(text)
}

fn claims<'a>(windows: &[Window<'a>]) -> Vec<RecapClaim<'a>> {
    let mut found = Vec::new();
    for (number, window) in windows.iter().enumerate() {
        let mut is_asked = false;
        for (at, item) in window.items.iter().enumerate() {
            if let Some(prompt) = item.prompt() {
                is_asked = is_match(&ASKED, prompt.as_str());
            }
            let Some(text) = recap(item, is_asked) else {
                continue;
            };
            for sentence in sentences(text) {
                let words = sentence.text;
                let says = HAPPENED.as_ref().is_some_and(|it| it.is_match(words))
                    && words.len() <= 200
                    && !sentence.is_question()
                    // What is said of code and of files can be seen in them.
                    && !words.contains('`')
                    && !runs(words).any(is_code_like)
                    && !words.contains(|c: char| c.is_ascii_digit());
                let mut stems = content_stems(words);
                stems.retain(|it| !IDLE.contains(&it.as_str()));
                if says && (2..=MAX_STEMS).contains(&stems.len()) && found.len() < MAX_CLAIMS {
                    found.push(RecapClaim {
                        window: number,
                        item: at,
                        words,
                        stems,
                        is_supported: false,
                        uses: Vec::new(),
                    });
                }
            }
        }
    }
    found
}

/// Holds the lines of an item against what was claimed.
fn look<'a>(
    number: usize,
    at: usize,
    item: &Item<'a>,
    by_stem: &Stems,
    claims: &mut [RecapClaim<'a>],
) {
    let is_given = item.result().is_some();
    let mut see = |line: &'a str, is_model: bool| {
        let mut met: HashMap<usize, u32> = HashMap::new();
        let words = runs(line).flat_map(parts);
        for word in words.filter(|it| by_stem.begin.contains(&beginning(it))) {
            for (claim, bit) in by_stem.of.get(&key(&stem(word))).into_iter().flatten() {
                *met.entry(*claim).or_default() |= 1 << bit;
            }
        }
        for (claim, bits) in met {
            let claim = &mut claims[claim];
            let same = bits.count_ones() as usize;
            let all = claim.stems.len();
            // Among all that tools give there is a line that has two words of any three.
            let is_enough = match is_given {
                true => same * 4 >= all * 3,
                false => same * 3 >= all * 2,
            };
            if same < 2 || !is_enough {
                continue;
            }
            let place = (number, at);
            let of = (claim.window, claim.item);
            if place < of || place > of && !is_model && claim.uses.is_empty() {
                claim.is_supported = true;
            } else if place > of && is_model {
                let is_aware = line.trim_end().ends_with('?')
                    || phrases().conflict.is_match(line)
                    // Said again word for word it is an answer to the same question.
                    || line == claim.words;
                if !is_aware {
                    let words = line.into();
                    claim.uses.push((number, Mention { item: at, words }));
                }
            }
        }
    };
    if let Some(text) = item.model_text() {
        for sentence in sentences(text.as_str()) {
            see(sentence.text, true);
        }
    } else if let Some((voice, text)) = item.text() {
        let is_model = voice == Voice::Model;
        text.as_str().lines().for_each(|it| see(it, is_model));
    } else if let Some(call) = item.call() {
        // What the model does is its own word too.
        for text in strings(&call.arguments) {
            text.lines().for_each(|it| see(it, true));
        }
    }
}
