//! Texts by the tokens that they take.

use agon_prompt::tokens::prefix_within;
pub use agon_prompt::tokens::{count_tokens, has_more_tokens};

/// The beginning of `text` in at most `tokens` tokens, cut at the end of a line or a word.
pub fn beginning_within(text: &str, tokens: usize) -> String {
    let whole = prefix_within(text, tokens);
    let end = whole.rfind(['\n', ' ']).filter(|&at| at > 0);
    whole[..end.unwrap_or(whole.len())].trim_end().to_owned()
}
