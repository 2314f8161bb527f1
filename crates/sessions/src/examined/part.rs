//! A long session in overlapping parts.

use agon_tokens::{count_tokens, truncate_to_tokens};

use super::condense::CondensedSession;
use super::line::Speaker;
use super::render::render;

/// How large parts are, in o200k tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartSize {
    /// The most tokens of a part, with what is repeated of earlier ones.
    pub tokens: usize,
}

// A fast model is still sure of what is in the middle of 16,000 tokens; the instructions and the answer
// come on top. Half as much would ask twice as often, and more pairs of lines would be cut apart.
/// The most tokens of a part.
const MAX_PART_TOKENS: usize = 16_000;
// Counted in tokens and not in lines: 200 lines can be a tenth of a part or five of them. A failure and
// the claim against it are rarely more than a dozen calls apart, and a call takes up to 300 tokens.
/// The share of a part that the next one repeats: a fifth, 3,200 tokens of a whole part.
const OVERLAP: usize = 5;
// A rule can be broken any time later, so a part has the user's earlier words too.
/// The share of a part that the user's words from before it take at most.
const CARRIED: usize = 6;
/// The fewest tokens of a part in which lines can be compared.
const MIN_PART_TOKENS: usize = 400;

impl Default for PartSize {
    fn default() -> Self {
        Self {
            tokens: MAX_PART_TOKENS,
        }
    }
}

impl PartSize {
    /// The size for a model that has room for `context` tokens, of which the instructions and the
    /// answer take `besides`; `None` if too few are left.
    pub fn for_context(context: u64, besides: usize) -> Option<Self> {
        let left = usize::try_from(context)
            .unwrap_or(usize::MAX)
            .checked_sub(besides)?;
        (left >= MIN_PART_TOKENS).then(|| Self {
            tokens: left.min(MAX_PART_TOKENS),
        })
    }
}

/// A part of a session as the examiner is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPart {
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// Its lines with their numbers, without secrets; the user's words from before it come first.
    pub text: String,
    /// Tokens of the text.
    pub tokens: usize,
}

impl CondensedSession<'_> {
    /// The session in parts of this size. A part begins within the one before it and has the user's
    /// words from before it, the latest ones if there are many. Parts but the last stay as they are when
    /// the session grows.
    pub fn parts(&self, size: PartSize) -> Vec<SessionPart> {
        let carried_most = size.tokens / CARRIED;
        // A line has at most half of what a part has room for.
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

    /// What the user said before a line, the latest that there is room for.
    fn carried(&self, start: usize, shown: &[(String, usize)], most: usize) -> String {
        let earlier = self.lines().iter().zip(shown).take(start);
        let of_user = earlier.filter(|(line, _)| line.speaker == Speaker::User);
        let mut left = most;
        let mut kept: Vec<&str> = Vec::new();
        for (_, (text, tokens)) in of_user.rev() {
            if *tokens > left {
                // A paste has no room; a rule before it does.
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

/// Where the next part begins: so many tokens before the end of this one, and after its start.
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
