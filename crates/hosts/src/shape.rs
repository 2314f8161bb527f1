//! Allowed keys and values of a file. Tables of these describe what a host reads.

use serde_json::Value;

use crate::level::LintLevel;

/// A key that a host reads.
#[derive(Clone, Copy, Debug)]
pub struct FileKey {
    /// Its name.
    pub name: &'static str,
    /// Whether the host, or a person who reads its lists, needs it.
    pub is_required: bool,
    /// Its allowed values.
    pub shape: ValueShape,
    /// Severity of a wrong value.
    pub severity: LintLevel,
}

/// Allowed values of a key.
#[derive(Clone, Copy, Debug)]
pub enum ValueShape {
    /// A non-empty string with at most this many characters.
    Text(usize),
    /// A name of lower-case letters and digits with single hyphens between them.
    Slug,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A number in this range.
    Number(f64, f64),
    /// A whole number above zero.
    Count,
    /// `true` or `false`.
    Bool,
    /// A list of strings.
    Texts,
    /// A string or a list of strings.
    TextOrTexts,
    /// A map of strings to strings.
    TextMap,
    /// Any map.
    Map,
    /// `#RRGGBB`, or one of these words.
    Color(&'static [&'static str]),
    /// `PROVIDER/MODEL`.
    ProviderModel,
    /// A version of three numbers.
    Version,
    /// A value that passes this check of a host.
    Custom(fn(&Value) -> Option<String>),
    /// Anything.
    Any,
}

// Longer than any real value.
/// A string without its own limit.
pub(crate) const TEXT: ValueShape = ValueShape::Text(100_000);

/// Words separated by blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words(pub &'static str);

impl Words {
    /// Returns the words.
    pub fn iter(self) -> impl Iterator<Item = &'static str> + Clone {
        self.0.split_ascii_whitespace()
    }

    /// Returns whether `word` is one of them.
    pub fn contains(self, word: &str) -> bool {
        self.iter().any(|known| known == word)
    }
}

/// Returns a required key.
pub const fn required(name: &'static str, shape: ValueShape) -> FileKey {
    FileKey {
        name,
        is_required: true,
        shape,
        severity: LintLevel::Error,
    }
}

/// Returns an optional key.
pub const fn optional(name: &'static str, shape: ValueShape) -> FileKey {
    FileKey {
        name,
        is_required: false,
        shape,
        severity: LintLevel::Error,
    }
}

/// Returns an optional key whose value hosts do not check.
pub const fn advised(name: &'static str, shape: ValueShape) -> FileKey {
    FileKey {
        name,
        is_required: false,
        shape,
        severity: LintLevel::Warning,
    }
}

impl ValueShape {
    /// Returns the error in `value`, as text that follows the name of its key.
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
            Self::Texts => (is_texts(value), "a list of strings".to_owned()),
            Self::TextOrTexts => {
                let fits = value.is_string() || is_texts(value);
                (fits, "a string or a list of strings".to_owned())
            }
            Self::TextMap => {
                let fits = value
                    .as_object()
                    .is_some_and(|map| map.values().all(Value::is_string));
                (fits, "a map of strings to strings".to_owned())
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
        return Some("is not a string".to_owned());
    };
    let length = text.chars().count();
    if text.trim().is_empty() {
        Some("is empty".to_owned())
    } else if length > max {
        Some(format!("has {length} characters; the limit is {max}"))
    } else {
        None
    }
}

// The skill specification, and hosts that check agent names, allow 64.
/// Maximum characters of a name.
const MAX_NAME: usize = 64;

fn slug_fault(value: &Value) -> Option<String> {
    let Some(name) = value.as_str() else {
        return Some("is not a string".to_owned());
    };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits = !name.is_empty()
        && name.len() <= MAX_NAME
        && name.chars().all(plain)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--");
    let wanted = "a name of at most 64 lower-case letters, digits and single hyphens";
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
