//! Where words of a key stand with a value beside them.

use std::collections::{HashMap, HashSet};

use super::value::{KeyedValue, bare};
use crate::prose::key;

/// The words of a key, as hashes of their beginnings in order.
pub(super) type NameKey = Vec<u64>;

/// Words after and before a key within which its value is looked for.
const AFTER: usize = 9;
const BEFORE: usize = 7;

/// A word of a name or a text: in small letters, and without the mark of the plural.
fn word_hash(part: &str) -> u64 {
    let plain = part
        .strip_suffix(['s', 'S'])
        .filter(|it| it.len() >= 3 && !it.ends_with(['s', 'S']));
    key(plain.unwrap_or(part))
}

/// The words of a name such as `lockTimeout` or of a run of words.
pub(super) fn key_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .flat_map(humps)
}

fn humps(part: &str) -> impl Iterator<Item = &str> {
    let bytes = part.as_bytes();
    let mut start = 0;
    let mut ends: Vec<usize> = (1..bytes.len())
        .filter(|at| bytes[at - 1].is_ascii_lowercase() && bytes[*at].is_ascii_uppercase())
        .collect();
    ends.push(part.len());
    ends.into_iter().map(move |end| {
        let word = &part[start..end];
        start = end;
        word
    })
}

pub(super) fn key_of<'t>(words: impl Iterator<Item = &'t str>) -> NameKey {
    words.map(word_hash).collect()
}

/// Keys that are looked for, by two words that stand side by side in them.
#[derive(Default)]
pub(super) struct KeyIndex {
    by_pair: HashMap<(u64, u64), Vec<usize>>,
    known: HashSet<NameKey>,
    pub(super) keys: Vec<NameKey>,
}

impl KeyIndex {
    pub(super) fn add(&mut self, key: &NameKey) {
        let [.., one, two] = key.as_slice() else {
            return;
        };
        if self.known.insert(key.clone()) {
            self.by_pair
                .entry((*one, *two))
                .or_default()
                .push(self.keys.len());
            self.keys.push(key.clone());
        }
    }

    /// Calls `hit` with each key, the segment in which it stands and the values beside it.
    pub(super) fn scan<'t>(&self, text: &'t str, hit: &mut impl FnMut(usize, &'t str, Beside<'t>)) {
        if self.keys.is_empty() {
            return;
        }
        for segment in segments(text) {
            self.scan_segment(segment, hit);
        }
    }

    fn scan_segment<'t>(&self, segment: &'t str, hit: &mut impl FnMut(usize, &'t str, Beside<'t>)) {
        let mut hashes: Vec<(u64, usize)> = Vec::new();
        for (token, word) in segment.split_whitespace().enumerate() {
            hashes.extend(key_words(word).map(|it| (word_hash(it), token)));
        }
        for at in 1..hashes.len() {
            let pair = (hashes[at - 1].0, hashes[at].0);
            for number in self.by_pair.get(&pair).into_iter().flatten() {
                let wanted = &self.keys[*number];
                let Some(start) = (at + 1).checked_sub(wanted.len()) else {
                    continue;
                };
                let is_here = hashes[start..=at]
                    .iter()
                    .zip(wanted)
                    .all(|(it, wanted)| it.0 == *wanted);
                if is_here {
                    let beside = Beside {
                        segment,
                        first: hashes[start].1,
                        last: hashes[at].1,
                    };
                    hit(*number, segment, beside);
                }
            }
        }
    }
}

/// What stands around a key.
#[derive(Clone, Copy)]
pub(super) struct Beside<'t> {
    segment: &'t str,
    first: usize,
    last: usize,
}

impl Beside<'_> {
    /// The value nearest to the key that is of the kind of `like`, what follows before what leads.
    pub(super) fn value(&self, like: &KeyedValue) -> Option<KeyedValue> {
        let words: Vec<&str> = self.segment.split_whitespace().collect();
        let of = |word: &&str| {
            KeyedValue::of(word)
                .filter(|it| it.is_kind_of(like) && it.is_file() == like.is_file())
                .or_else(|| match like {
                    KeyedValue::Name(name) if bare(word).eq_ignore_ascii_case(name) => {
                        Some(like.clone())
                    }
                    _ => None,
                })
        };
        // `key=value` is one word.
        // "From 4 hours to 16 hours" says what it is from now on.
        let after = &words[self.last + 1..];
        let changed = after
            .iter()
            .take(AFTER)
            .position(|it| it.eq_ignore_ascii_case("from"));
        let changed = changed.and_then(|from| {
            let rest = &after[from..];
            let to = rest
                .iter()
                .take(AFTER)
                .position(|it| it.eq_ignore_ascii_case("to"))?;
            rest[to..].iter().take(3).find_map(of)
        });
        if changed.is_some() {
            return changed;
        }
        let own = words[self.last]
            .split_once(['=', ':'])
            .and_then(|(_, it)| of(&it));
        own.or_else(|| words[self.last + 1..].iter().take(AFTER).find_map(of))
            .or_else(|| words[..self.first].iter().rev().take(BEFORE).find_map(of))
    }

    /// Whether any value follows or leads.
    pub(super) fn has_value(&self) -> bool {
        let words: Vec<&str> = self.segment.split_whitespace().collect();
        words[self.last + 1..]
            .iter()
            .take(AFTER)
            .any(|it| KeyedValue::of(it).is_some())
            || words[..self.first]
                .iter()
                .rev()
                .take(BEFORE)
                .any(|it| KeyedValue::of(it).is_some())
    }
}

/// Lines, and what stands between full stops and semicolons in them, without a line's number.
pub(super) fn segments(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|it| it.len() <= 2_000)
        .map(|line| {
            let rest = line
                .trim_start()
                .trim_start_matches(|c: char| c.is_ascii_digit());
            match rest.strip_prefix(['\t', '→']) {
                Some(rest) if rest.len() < line.len() => rest,
                _ => line,
            }
        })
        .flat_map(|line| line.split("; "))
        .flat_map(|it| it.split(". "))
        .flat_map(|it| it.split("! "))
        .filter(|it| !it.trim().is_empty())
}
