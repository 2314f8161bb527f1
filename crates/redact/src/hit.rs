//! A secret found by a rule.

use std::ops::Range;

/// A secret that was redacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its kind; the redacted text contains `[redacted:RULE]` instead.
    pub rule: &'static str,
    /// Its byte range in the original text.
    pub span: Range<usize>,
}
