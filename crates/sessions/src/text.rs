//! Unredacted text of a record.

use std::fmt;

use agon_redact::Redactor;

/// Text of a session, word for word, secrets included.
///
/// For output, use [`RawText::redacted`]. It has neither `Display` nor `Serialize`, and its
/// `Debug` prints only the length.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct RawText(Box<str>);

impl RawText {
    /// Returns the text, for comparing and searching.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns its length in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the text without secrets.
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
