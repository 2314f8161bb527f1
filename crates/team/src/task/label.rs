//! Labels of tasks.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum size of a label, in bytes.
const MAX_BYTES: usize = 64;

/// A text is not a valid label.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid label {0:?}: use 1 to {MAX_BYTES} bytes without commas or line breaks")]
pub struct LabelError(String);

/// A label of tasks, such as `cli` or `good first issue`.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Label(Box<str>);

impl Label {
    /// Returns the label as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Label {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<Self, LabelError> {
        let label = text.trim();
        let is_label = (1..=MAX_BYTES).contains(&label.len())
            && !label.chars().any(|it| it == ',' || it.is_control());
        match is_label {
            true => Ok(Self(label.into())),
            false => Err(LabelError(text.chars().take(40).collect())),
        }
    }
}

impl TryFrom<String> for Label {
    type Error = LabelError;

    fn try_from(text: String) -> Result<Self, LabelError> {
        text.parse()
    }
}

impl From<Label> for String {
    fn from(label: Label) -> Self {
        label.0.into()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_short_line_without_a_comma() {
        let label: Label = " good first issue ".parse().unwrap();
        assert_eq!(label.as_str(), "good first issue");
        for wrong in ["", "  ", "a,b", "a\nb", &"x".repeat(65)] {
            assert!(wrong.parse::<Label>().is_err(), "{wrong:?}");
        }
    }
}
