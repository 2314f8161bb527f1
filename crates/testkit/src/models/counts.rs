//! The token counts in answers.

/// Input tokens that every answer reports, including cached ones.
pub const INPUT_TOKENS: u64 = 1000;
/// Cached input tokens that every answer reports.
pub const CACHED_TOKENS: u64 = 300;
/// Output tokens that every answer reports.
pub const OUTPUT_TOKENS: u64 = 50;

/// Token counts in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Input tokens, including cached ones.
    pub input: u64,
    /// Cached input tokens.
    pub cached: u64,
    /// Output tokens.
    pub output: u64,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            input: INPUT_TOKENS,
            cached: CACHED_TOKENS,
            output: OUTPUT_TOKENS,
        }
    }
}
