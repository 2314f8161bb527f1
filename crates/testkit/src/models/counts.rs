//! Tokens that answers report.

/// Input tokens that every answer reports, cached ones included.
pub const INPUT_TOKENS: u64 = 1000;
/// Cached input tokens that every answer reports.
pub const CACHED_TOKENS: u64 = 300;
/// Output tokens that every answer reports.
pub const OUTPUT_TOKENS: u64 = 50;

/// Tokens that an answer reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Input, cached tokens included.
    pub input: u64,
    /// Those of the input that were cached.
    pub cached: u64,
    /// Output.
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
