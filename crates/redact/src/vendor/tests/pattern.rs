//! Computes properties that all matches of a pattern share.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::runs::is_run_byte;

/// The shortest runs in a match of a part.
#[derive(Clone, Copy)]
struct Runs {
    /// The length of the match, if it is always a single run.
    whole: Option<usize>,
    first: usize,
    last: usize,
    longest: usize,
}

impl Runs {
    const NONE: Self = Self {
        whole: None,
        first: 0,
        last: 0,
        longest: 0,
    };

    fn of(length: usize) -> Self {
        Self {
            whole: Some(length),
            first: length,
            last: length,
            longest: length,
        }
    }

    fn then(self, next: Self) -> Self {
        Self {
            whole: self.whole.zip(next.whole).map(|(a, b)| a + b),
            first: self.whole.map_or(self.first, |length| length + next.first),
            last: next.whole.map_or(next.last, |length| length + self.last),
            longest: (self.last + next.first).max(self.longest).max(next.longest),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            whole: self.whole.zip(other.whole).map(|(a, b)| a.min(b)),
            first: self.first.min(other.first),
            last: self.last.min(other.last),
            longest: self.longest.min(other.longest),
        }
    }
}

fn parse(pattern: &str) -> Hir {
    let parsed = |unicode| {
        let mut builder = ParserBuilder::new();
        builder
            .utf8(false)
            .unicode(unicode)
            .build()
            .parse(pattern)
            .ok()
    };
    parsed(false).or_else(|| parsed(true)).unwrap()
}

/// The minimum length of the longest run in a match of `pattern`.
pub(super) fn run(pattern: &str) -> usize {
    runs(&parse(pattern)).longest
}

fn runs(hir: &Hir) -> Runs {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Runs::of(0),
        HirKind::Literal(literal) => literal
            .0
            .iter()
            .map(|byte| {
                if is_run_byte(*byte) {
                    Runs::of(1)
                } else {
                    Runs::NONE
                }
            })
            .fold(Runs::of(0), Runs::then),
        HirKind::Class(class) if within(class) => Runs::of(1),
        HirKind::Class(_) => Runs::NONE,
        HirKind::Repetition(repetition) => {
            let one = runs(&repetition.sub);
            let whole = one.whole.map(|_| Runs::of(0));
            match repetition.min {
                0 => whole.unwrap_or(Runs::NONE),
                // More repetitions are not shorter; optional ones are last.
                min => (1..min).fold(one, |all, _| all.then(one)),
            }
        }
        HirKind::Capture(capture) => runs(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(runs).fold(Runs::of(0), Runs::then),
        HirKind::Alternation(ways) => ways.iter().map(runs).reduce(Runs::or).unwrap(),
    }
}

/// Whether every character of `class` continues a run.
fn within(class: &Class) -> bool {
    match class {
        Class::Unicode(class) => class.iter().all(|range| {
            (range.start()..=range.end().min('\u{80}'))
                .all(|char| u8::try_from(char).map_or(true, is_run_byte))
        }),
        Class::Bytes(class) => class
            .iter()
            .all(|range| (range.start()..=range.end()).all(is_run_byte)),
    }
}

/// A shortest match of `pattern`.
pub(super) fn shortest(pattern: &str) -> String {
    String::from_utf8_lossy(&short(&parse(pattern))).into_owned()
}

fn short(hir: &Hir) -> Vec<u8> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Vec::new(),
        HirKind::Literal(literal) => literal.0.to_vec(),
        HirKind::Class(Class::Unicode(class)) => {
            let char = class.iter().next().unwrap().start();
            char.to_string().into_bytes()
        }
        HirKind::Class(Class::Bytes(class)) => vec![class.iter().next().unwrap().start()],
        HirKind::Repetition(repetition) => {
            short(&repetition.sub).repeat(usize::try_from(repetition.min).unwrap())
        }
        HirKind::Capture(capture) => short(&capture.sub),
        HirKind::Concat(parts) => parts.iter().flat_map(short).collect(),
        HirKind::Alternation(ways) => ways.iter().map(short).min_by_key(Vec::len).unwrap(),
    }
}

/// Whether every match of `pattern` contains one of `words`, as far as one choice at a time tells,
/// and is short apart from runs and blanks.
pub(super) fn has_word_nearby(pattern: &str, words: &[&str]) -> bool {
    let hir = parse(pattern);
    let has_word = |variant: &Vec<u8>| {
        let text = String::from_utf8_lossy(variant).to_lowercase();
        words.iter().any(|word| text.contains(word))
    };
    variants(&hir).iter().all(has_word) && reach(&hir).is_some()
}

/// The length of the longest match of `pattern` without its unbounded runs and blanks; `None` if
/// other parts are unbounded.
pub(super) fn longest_bounded(pattern: &str) -> Option<usize> {
    reach(&parse(pattern))
}

fn reach(hir: &Hir) -> Option<usize> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(0),
        HirKind::Literal(literal) => Some(literal.0.len()),
        HirKind::Class(_) => Some(hir.properties().maximum_len().unwrap_or(4)),
        HirKind::Repetition(repetition) => match repetition.max {
            Some(max) => Some(reach(&repetition.sub)? * usize::try_from(max).unwrap()),
            None => {
                let HirKind::Class(class) = repetition.sub.kind() else {
                    return None;
                };
                is_run_or_blank(class).then_some(usize::try_from(repetition.min).unwrap())
            }
        },
        HirKind::Capture(capture) => reach(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(reach).sum(),
        HirKind::Alternation(ways) => ways
            .iter()
            .map(reach)
            .try_fold(0, |longest, length| Some(longest.max(length?))),
    }
}

fn is_run_or_blank(class: &Class) -> bool {
    let fits = |byte: u8| is_run_byte(byte) || byte.is_ascii_whitespace() || byte == 0x0b;
    match class {
        Class::Unicode(class) => class.iter().all(|range| {
            (range.start()..=range.end().min('\u{80}'))
                .all(|char| u8::try_from(char).map_or(true, fits))
        }),
        Class::Bytes(class) => class
            .iter()
            .all(|range| (range.start()..=range.end()).all(fits)),
    }
}

// Enough for a case-insensitive letter and for the choices in keywords, such as `[bp]`.
/// Classes with more characters are not tried character by character.
const MAX_TRIED: usize = 12;

/// The shortest matches: one for each choice, with the shortest of the others.
fn variants(hir: &Hir) -> Vec<Vec<u8>> {
    match hir.kind() {
        HirKind::Class(Class::Bytes(class)) => {
            let bytes = class.iter().flat_map(|range| range.start()..=range.end());
            let bytes: Vec<_> = bytes.map(|byte| vec![byte]).collect();
            match bytes.len() {
                0..=MAX_TRIED => bytes,
                _ => vec![short(hir)],
            }
        }
        HirKind::Repetition(repetition) if repetition.min > 0 => {
            let rest = usize::try_from(repetition.min - 1).unwrap();
            let rest = short(&repetition.sub).repeat(rest);
            let first = variants(&repetition.sub).into_iter();
            first.map(|first| [first, rest.clone()].concat()).collect()
        }
        HirKind::Capture(capture) => variants(&capture.sub),
        HirKind::Alternation(ways) => ways.iter().flat_map(variants).collect(),
        HirKind::Concat(parts) => {
            let shortest: Vec<_> = parts.iter().map(short).collect();
            let mut all = vec![shortest.concat()];
            for (at, part) in parts.iter().enumerate() {
                for variant in variants(part) {
                    let mut pieces = shortest.clone();
                    pieces[at] = variant;
                    all.push(pieces.concat());
                }
            }
            all
        }
        _ => vec![short(hir)],
    }
}
