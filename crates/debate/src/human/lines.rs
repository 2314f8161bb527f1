//! The lines of a form that count, each with what it looks like.

use super::SCISSORS;
use super::name::plain;
use super::read::Problem;

/// A line of a form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Its number, from 1.
    pub(super) number: u32,
    /// Columns before its text.
    pub(super) indent: usize,
    /// Its text, without space around it.
    pub(super) text: &'a str,
    /// Whether it is words, whatever it looks like.
    pub(super) literal: bool,
}

/// The longest name before a colon.
const MOST_NAME: usize = 40;

/// The lines of `text` that count: no comments, nothing below the scissors.
pub(super) fn lines(text: &str) -> Result<Vec<Line<'_>>, Problem> {
    let mut found = Vec::new();
    let mut comment: Option<u32> = None;
    let mut fenced = false;
    for (number, whole) in (1..).zip(text.lines()) {
        let trimmed = whole.trim();
        if comment.is_some() {
            if let Some((_, rest)) = whole.split_once("-->") {
                comment = None;
                if !rest.trim().is_empty() {
                    found.push(line(number, rest, false));
                }
            }
            continue;
        }
        if trimmed == SCISSORS {
            break;
        }
        if !fenced && let Some(rest) = trimmed.strip_prefix("<!--") {
            match rest.split_once("-->") {
                Some((_, after)) if after.trim().is_empty() => {}
                Some((_, after)) => found.push(line(number, after, false)),
                None => comment = Some(number),
            }
            continue;
        }
        let mark = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        found.push(line(number, whole, fenced || mark));
        fenced ^= mark;
    }
    match comment {
        None => Ok(found),
        Some(number) => Err(Problem::at(
            number,
            "this comment has no end",
            "end it with `-->`, or take its beginning out",
        )),
    }
}

fn line(number: u32, whole: &str, literal: bool) -> Line<'_> {
    let indent = whole.chars().take_while(|c| c.is_whitespace());
    let indent = indent.map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let text = whole.trim();
    let (text, literal) = match text.strip_prefix('\\') {
        Some(rest) if !literal => (rest, true),
        Some(_) | None => (text, literal),
    };
    let text = if literal { text } else { without_comment(text) };
    Line {
        number,
        indent,
        text,
        literal,
    }
}

/// `text` without a comment at its end.
fn without_comment(text: &str) -> &str {
    match text.strip_suffix("-->").and_then(|rest| rest.rfind("<!--")) {
        Some(at) => text.get(..at).unwrap_or(text).trim_end(),
        None => text,
    }
}

/// The level and the words of a heading.
pub(super) fn heading(line: Line<'_>) -> Option<(usize, &str)> {
    if line.literal {
        return None;
    }
    let level = line.text.bytes().take_while(|&byte| byte == b'#').count();
    let words = line.text.get(level..)?.trim().trim_end_matches('#').trim();
    (1..=6).contains(&level).then(|| (level, bare(words)))
}

/// `words` without a number before them and emphasis around them.
fn bare(words: &str) -> &str {
    let emphasis = |c: char| matches!(c, '*' | '_' | '`');
    let words = words.trim_matches(emphasis).trim();
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    match words
        .get(digits..)
        .and_then(|rest| rest.strip_prefix(['.', ')']))
    {
        Some(rest) if digits > 0 => rest.trim().trim_matches(emphasis).trim(),
        Some(_) | None => words,
    }
}

/// The text of an entry of a list; none where it is none.
pub(super) fn bullet(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix(['-', '*', '+', '•']) {
        let is_one = rest.is_empty() || rest.starts_with(char::is_whitespace);
        return is_one.then(|| rest.trim_start());
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..)?.strip_prefix(['.', ')'])?;
    let is_one =
        (1..=3).contains(&digits) && (rest.is_empty() || rest.starts_with(char::is_whitespace));
    is_one.then(|| rest.trim_start())
}

/// The name before a colon, made plain, and what stands after it.
pub(super) fn keyed(text: &str) -> Option<(String, &str)> {
    let (name, value) = text.split_once(':')?;
    if name.len() > MOST_NAME || name.trim().is_empty() {
        return None;
    }
    let value = value.trim_start_matches(['*', '_', '`']).trim_start();
    let name = plain(name);
    (!name.is_empty()).then_some((name, value))
}

/// The words of a line that is emphasised as a whole.
pub(super) fn emphasised(text: &str) -> Option<&str> {
    let words = text.strip_prefix("**")?;
    let words = words.strip_suffix(':').unwrap_or(words);
    let words = words.strip_suffix("**")?.trim();
    (!words.is_empty() && !words.contains('*')).then(|| bare(words.trim_end_matches(':')))
}
