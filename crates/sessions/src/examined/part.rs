//! Splits a long session into overlapping parts.

use agon_tokens::{count_tokens, truncate_to_tokens};

use super::condense::CondensedSession;
use super::line::Speaker;
use super::render::render;

/// The size of parts, in o200k tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartSize {
    /// Maximum number of tokens of a part, including those repeated from earlier parts.
    pub tokens: usize,
}

// Fast models still find text in the middle of 16,000 tokens, besides instructions and answer. Half
// the size would double the calls and separate more pairs of lines.
/// Maximum number of tokens of a part.
const MAX_PART_TOKENS: usize = 16_000;
// In tokens, because 200 lines can be a tenth of a part or five parts. A failure and the false
// claim are rarely more than a dozen calls apart, and a call takes up to 300 tokens.
/// The next part repeats one fifth of a part: 3,200 tokens of a full one.
const OVERLAP: usize = 5;
// A rule can be broken at any later time, so each part includes earlier messages of the user.
/// Earlier messages of the user take at most one sixth of a part.
const CARRIED: usize = 6;
/// Fewest tokens of a useful part.
const MIN_PART_TOKENS: usize = 400;

impl Default for PartSize {
    fn default() -> Self {
        Self {
            tokens: MAX_PART_TOKENS,
        }
    }
}

impl PartSize {
    /// Returns the size for a model with a context of `context` tokens, of which instructions and
    /// answer take `besides`. `None` if too few tokens are left.
    pub fn for_context(context: u64, besides: usize) -> Option<Self> {
        let left = usize::try_from(context)
            .unwrap_or(usize::MAX)
            .checked_sub(besides)?;
        (left >= MIN_PART_TOKENS).then(|| Self {
            tokens: left.min(MAX_PART_TOKENS),
        })
    }
}

/// A part of a session, as the examiner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPart {
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// Its numbered lines without secrets, after the user's earlier messages.
    pub text: String,
    /// Tokens of the text.
    pub tokens: usize,
}

impl CondensedSession<'_> {
    /// Splits the session into parts of this size.
    ///
    /// Each part overlaps the previous one and includes the user's earlier messages, the latest
    /// first if there is no room for all. When the session grows, only the last part changes.
    pub fn parts(&self, size: PartSize) -> Vec<SessionPart> {
        let carried_most = size.tokens / CARRIED;
        // A line takes at most half of a part, so that one long line does not fill it.
        let line_most = (size.tokens - carried_most) / 2;
        let shown: Vec<(String, usize)> = self
            .lines()
            .iter()
            .map(|it| cut_line(&render(it), line_most))
            .collect();
        let mut parts = Vec::new();
        let mut start = 0;
        while start < shown.len() {
            let carried = self.carried(start, &shown, carried_most);
            let mut tokens = count_tokens(&carried);
            let mut end = start;
            while let Some((_, of_line)) = shown.get(end) {
                if end > start && tokens + of_line > size.tokens {
                    break;
                }
                tokens += of_line;
                end += 1;
            }
            let lines: String = shown
                .get(start..end)
                .unwrap_or_default()
                .iter()
                .map(|it| it.0.as_str())
                .collect();
            let text = format!("{carried}{lines}");
            parts.push(SessionPart {
                first: number(start),
                last: number(end.saturating_sub(1)),
                tokens: count_tokens(&text),
                text,
            });
            if end >= shown.len() {
                break;
            }
            start = overlap_start(&shown, start, end, size.tokens / OVERLAP);
        }
        parts
    }

    /// Returns the user's messages before a line, the latest that fit.
    fn carried(&self, start: usize, shown: &[(String, usize)], most: usize) -> String {
        let earlier = self.lines().iter().zip(shown).take(start);
        let of_user = earlier.filter(|(line, _)| line.speaker == Speaker::User);
        let mut left = most;
        let mut kept: Vec<&str> = Vec::new();
        for (_, (text, tokens)) in of_user.rev() {
            if *tokens > left {
                // Skip a message that does not fit, such as a pasted text: an earlier rule may
                // still fit.
                continue;
            }
            left -= tokens;
            kept.push(text);
        }
        kept.reverse();
        kept.concat()
    }
}

fn cut_line(text: &str, most: usize) -> (String, usize) {
    let tokens = count_tokens(text);
    if tokens <= most {
        return (text.to_owned(), tokens);
    }
    let cut = format!("{}\n", truncate_to_tokens(text, most));
    let tokens = count_tokens(&cut);
    (cut, tokens)
}

/// Returns the start of the next part: `overlap` tokens before the end of this one.
fn overlap_start(shown: &[(String, usize)], start: usize, end: usize, overlap: usize) -> usize {
    let mut at = end;
    let mut tokens = 0;
    while at > start + 1 {
        let of_line = shown.get(at - 1).map_or(0, |it| it.1);
        if tokens + of_line > overlap {
            break;
        }
        tokens += of_line;
        at -= 1;
    }
    at
}

fn number(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}
