//! Text of a record, as it stands there.

use std::fmt;

use agon_redact::Redactor;

/// Text of a session as it stands in the record, secrets included.
///
/// It can be looked at, and it can leave only through [`RawText::redacted`]: it has neither
/// `Display` nor `Serialize`, and its `Debug` gives the length.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct RawText(Box<str>);

impl RawText {
    /// The text, to compare and to search.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Bytes it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text without its secrets.
    pub fn redacted(&self) -> String {
        Redactor::new().redact(&self.0).text.into_owned()
    }
}

impl From<String> for RawText {
    fn from(text: String) -> Self {
        Self(text.into_boxed_str())
    }
}

impl From<&str> for RawText {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for RawText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawText({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_in_what_leaves() {
        let secret = format!("ghp_{}", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
        let text = RawText::from(format!("token {secret} here"));
        assert!(!text.redacted().contains(&secret), "{}", text.redacted());
        assert!(!format!("{text:?}").contains("ghp_"));
    }
}
