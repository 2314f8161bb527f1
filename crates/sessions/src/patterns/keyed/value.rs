//! Values beside the words of a key.

use crate::patterns::act::{file_name, is_path};

/// A value, so far as two of them can be told apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum KeyedValue {
    Number(f64),
    Name(String),
}

/// Factors between units of one thing: 2 s and 2000 may be one value.
const FACTORS: [f64; 8] = [
    1000.0,
    60.0,
    3600.0,
    24.0,
    86400.0,
    1024.0,
    1_000_000.0,
    1_048_576.0,
];

impl KeyedValue {
    /// The value of a word, where it has the form of one.
    pub(super) fn of(word: &str) -> Option<Self> {
        let bare = bare(word);
        Self::number(bare).or_else(|| is_name(bare).then(|| Self::Name(bare.to_lowercase())))
    }

    /// The value that stands in a setting or a statement, whatever its form.
    pub(super) fn stated(word: &str) -> Option<Self> {
        let bare = bare(word);
        if bare.is_empty() {
            return None;
        }
        Some(Self::number(bare).unwrap_or_else(|| Self::Name(bare.to_lowercase())))
    }

    fn number(bare: &str) -> Option<Self> {
        let digits = bare.trim_start_matches(['$', '€', '~']);
        let end = digits
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '_' | ',' | '.')))
            .unwrap_or(digits.len());
        let unit = &digits[end..];
        let is_unit = unit.is_empty()
            || ["ms", "s", "m", "h", "d", "%", "kb", "mb", "gb", "px", "k"]
                .contains(&unit.to_lowercase().as_str());
        if !is_unit || !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let plain: String = digits[..end]
            .trim_end_matches(['.', ','])
            .chars()
            .filter(|c| !matches!(c, '_' | ','))
            .collect();
        plain.parse().ok().map(Self::Number)
    }

    /// Whether the two exclude each other.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(two)) => {
                let (small, large) = (one.min(*two), one.max(*two));
                let is_same = |factor: &f64| (small * factor - large).abs() < 1e-9;
                (small - large).abs() > 1e-9 && (small <= 0.0 || !FACTORS.iter().any(is_same))
            }
            (Self::Name(one), Self::Name(two)) => one != two,
            _ => false,
        }
    }

    /// Whether it is a file: where something stands, and seldom what it is.
    pub(super) fn is_file(&self) -> bool {
        matches!(self, Self::Name(name) if is_path(name) && file_name(name).contains('.'))
    }

    pub(super) fn is_kind_of(&self, other: &Self) -> bool {
        matches!(
            (self, other),
            (Self::Number(_), Self::Number(_)) | (Self::Name(_), Self::Name(_))
        )
    }
}

/// A word without quotation marks and what ends a sentence.
pub(super) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| {
        matches!(
            c,
            '`' | '"'
                | '\''
                | '“'
                | '”'
                | '‘'
                | '’'
                | '*'
                | ','
                | ';'
                | ':'
                | '!'
                | '?'
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
        )
    })
    .trim_end_matches(['.', '`', '"', '\''])
}

/// Whether a word has the form of a name that stands for a value: not one of plain letters.
fn is_name(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    let is_joined = word.contains(['-', '_', '.', '/', ':', '@'])
        || word.chars().any(|c| c.is_ascii_digit()) && letters > 0;
    word.len() >= 2 && letters > 0 && (is_joined || capitals >= 2)
}
