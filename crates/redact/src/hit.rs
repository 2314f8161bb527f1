//! One find of a rule.

use std::ops::Range;

/// A secret that was taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What kind it was; the text has `[redacted:RULE]` in its place.
    pub rule: &'static str,
    /// Where it was in the original text, in bytes.
    pub span: Range<usize>,
}
