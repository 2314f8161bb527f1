//! What a key of a file may be: tables of them say what a host reads.

use serde_json::Value;

use crate::level::LintLevel;

/// A key that a host reads.
#[derive(Clone, Copy, Debug)]
pub struct FileKey {
    /// Its name.
    pub name: &'static str,
    /// Whether the host needs it, or a person who looks at its lists.
    pub is_required: bool,
    /// What it may be.
    pub shape: ValueShape,
    /// How bad another value is.
    pub severity: LintLevel,
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum ValueShape {
    /// A text with something in it, of at most so many characters.
    Text(usize),
    /// Lower-case letters, digits and single hyphens between them.
    Slug,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A number between these.
    Number(f64, f64),
    /// A whole number above zero.
    Count,
    /// `true` or `false`.
    Bool,
    /// A list of texts.
    Texts,
    /// A text, or a list of texts.
    TextOrTexts,
    /// A map of texts to texts.
    TextMap,
    /// A map of anything.
    Map,
    /// `#RRGGBB`, or one of these words.
    Color(&'static [&'static str]),
    /// `PROVIDER/MODEL`.
    ProviderModel,
    /// A version of three numbers.
    Version,
    /// What one of these functions of a host says.
    Custom(fn(&Value) -> Option<String>),
    /// Anything.
    Any,
}

// Longer than any text that a host shows in one line.
/// A text without a bound of its own.
pub(crate) const TEXT: ValueShape = ValueShape::Text(100_000);

/// Words with blanks between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words(pub &'static str);

impl Words {
    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = &'static str> + Clone {
        self.0.split_ascii_whitespace()
    }

    /// Whether `word` is one of them.
    pub fn contains(self, word: &str) -> bool {
        self.iter().any(|known| known == word)
    }
}

/// A key that must be there.
pub const fn required(name: &'static str, shape: ValueShape) -> FileKey {
    FileKey {
        name,
        is_required: true,
        shape,
        severity: LintLevel::Error,
    }
}

/// A key that may be there.
pub const fn optional(name: &'static str, shape: ValueShape) -> FileKey {
    FileKey {
        name,
        is_required: false,
        shape,
        severity: LintLevel::Error,
    }
}

/// A key that may be there, and whose value no host looks at.
pub const fn advised(name: &'static str, shape: ValueShape) -> FileKey {
    FileKey {
        name,
        is_required: false,
        shape,
        severity: LintLevel::Warning,
    }
}

impl ValueShape {
    /// What is wrong with `value`, in words that follow the name of its key.
    pub(crate) fn fault(self, value: &Value) -> Option<String> {
        let wanted = match self {
            Self::Any => return None,
            Self::Custom(fault) => return fault(value),
            Self::Text(max) => return text_fault(value, max),
            Self::Slug => return slug_fault(value),
            Self::OneOf(words) => {
                let fits = value.as_str().is_some_and(|text| words.contains(&text));
                (fits, format!("one of {}", words.join(", ")))
            }
            Self::Number(min, max) => {
                let number = value.as_f64();
                let fits = number.is_some_and(|number| (min..=max).contains(&number));
                (fits, format!("a number from {min} to {max}"))
            }
            Self::Count => {
                let fits = value.as_u64().is_some_and(|number| number > 0);
                (fits, "a whole number above 0".to_owned())
            }
            Self::Bool => (value.is_boolean(), "true or false".to_owned()),
            Self::Texts => (is_texts(value), "a list of texts".to_owned()),
            Self::TextOrTexts => {
                let fits = value.is_string() || is_texts(value);
                (fits, "a text or a list of texts".to_owned())
            }
            Self::TextMap => {
                let fits = value
                    .as_object()
                    .is_some_and(|map| map.values().all(Value::is_string));
                (fits, "a map of texts to texts".to_owned())
            }
            Self::Map => (value.is_object(), "a map".to_owned()),
            Self::Color(words) => {
                let fits = value
                    .as_str()
                    .is_some_and(|text| words.contains(&text) || is_hex_color(text));
                (fits, format!("#RRGGBB or one of {}", words.join(", ")))
            }
            Self::ProviderModel => {
                let parts = value.as_str().and_then(|text| text.split_once('/'));
                let fits = parts.is_some_and(|(first, rest)| !first.is_empty() && !rest.is_empty());
                (fits, "PROVIDER/MODEL".to_owned())
            }
            Self::Version => {
                let fits = value.as_str().is_some_and(is_version);
                (fits, "a version such as 1.2.3".to_owned())
            }
        };
        let (fits, wanted) = wanted;
        (!fits).then(|| format!("is not {wanted}"))
    }
}

fn text_fault(value: &Value, max: usize) -> Option<String> {
    let Some(text) = value.as_str() else {
        return Some("is not a text".to_owned());
    };
    let length = text.chars().count();
    if text.trim().is_empty() {
        Some("is empty".to_owned())
    } else if length > max {
        Some(format!("has {length} characters, {max} are allowed"))
    } else {
        None
    }
}

// 64 by the specification of skills; the hosts that check names of agents allow no more.
/// The most characters of a name.
const MAX_NAME: usize = 64;

fn slug_fault(value: &Value) -> Option<String> {
    let Some(name) = value.as_str() else {
        return Some("is not a text".to_owned());
    };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits = !name.is_empty()
        && name.len() <= MAX_NAME
        && name.chars().all(plain)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--");
    let wanted = "lower-case letters, digits and single hyphens between them, at most 64";
    (!fits).then(|| format!("is not {wanted}"))
}

fn is_texts(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|all| all.iter().all(Value::is_string))
}

fn is_hex_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit())
}

fn is_version(text: &str) -> bool {
    let core = text.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<&str> = core.split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    numbers.len() == 3 && numbers.iter().all(is_number)
}
