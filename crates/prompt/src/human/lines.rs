//! The lines of a form that count, each with what it looks like.

use super::SCISSORS;
use super::name::normalize_name;
use super::problem::Problem;

/// A line of a form.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormLine<'a> {
    /// Its number, from 1.
    pub(super) number: u32,
    /// Columns before its text.
    pub(super) indent: usize,
    /// Its text, without space around it.
    pub(super) text: &'a str,
    /// Whether it is words, whatever it looks like.
    pub(super) literal: bool,
}

impl FormLine<'_> {
    /// A problem of the whole line.
    pub(super) fn problem(self, message: &str, hint: &str) -> Problem {
        Problem {
            length: u32::try_from(self.text.chars().count()).unwrap_or(1),
            ..Problem::at(self.number, message, hint)
        }
    }
}

// The longest name, `still favours because`, has 21 letters, and marks of emphasis may stand around
// it; what is twice as long is a sentence with a colon in it.
/// The longest name before a colon.
const MAX_NAME_CHARS: usize = 40;

/// The lines of `text` that count: no comments, nothing below the scissors.
pub(super) fn parse_form_lines(text: &str) -> Result<Vec<FormLine<'_>>, Problem> {
    let mut found = Vec::new();
    let mut comment: Option<u32> = None;
    let mut fence: Option<(&str, u32)> = None;
    for (number, whole) in (1..).zip(text.lines()) {
        let trimmed = whole.trim();
        if comment.is_some() {
            if let Some((_, rest)) = whole.split_once("-->") {
                comment = None;
                if !rest.trim().is_empty() {
                    found.push(parse_form_line(number, rest, false));
                }
            }
            continue;
        }
        if trimmed == SCISSORS {
            break;
        }
        if let Some((mark, _)) = fence {
            found.push(parse_form_line(number, whole, true));
            let rest = trimmed.strip_prefix(mark);
            if rest.is_some_and(|rest| {
                mark.chars()
                    .next()
                    .is_some_and(|c| rest.trim_start_matches(c).is_empty())
            }) {
                fence = None;
            }
            continue;
        }
        if let Some(rest) = trimmed.strip_prefix("<!--") {
            match rest.split_once("-->") {
                Some((_, after)) if after.trim().is_empty() => {}
                Some((_, after)) => found.push(parse_form_line(number, after, false)),
                None => comment = Some(number),
            }
            continue;
        }
        fence = opening_fence_mark(trimmed).map(|mark| (mark, number));
        let literal = fence.is_some_and(|(mark, _)| trimmed.starts_with(mark));
        found.push(parse_form_line(number, whole, literal));
    }
    match (comment, fence) {
        (Some(number), _) => Err(Problem::at(
            number,
            "this comment has no end",
            "end it with `-->`, or take its beginning out",
        )),
        (None, Some((mark, number))) => Err(Problem::at(
            number,
            "this fence has no end",
            &format!("end it with a line that is `{mark}`, or take its beginning out"),
        )),
        (None, None) => Ok(found),
    }
}

/// The mark of the fence that begins in a line, also as the first words of an entry or of what
/// stands under a name.
fn opening_fence_mark(text: &str) -> Option<&str> {
    let said = list_item_text(text).unwrap_or(text);
    if said.starts_with('\\') {
        return None;
    }
    let value = said.split_once(':').map(|(_, value)| value.trim_start());
    [said, value.unwrap_or_default()]
        .into_iter()
        .find_map(|text| {
            let first = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
            let rest = text.trim_start_matches(first);
            let mark = text.get(..text.len() - rest.len())?;
            // Code within a line does not begin a fenced block.
            (mark.len() >= 3 && !(first == '`' && rest.contains('`'))).then_some(mark)
        })
}

fn parse_form_line(number: u32, whole: &str, literal: bool) -> FormLine<'_> {
    let indent = whole.chars().take_while(|c| c.is_whitespace());
    let indent = indent.map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let text = whole.trim();
    let (text, literal) = match text.strip_prefix('\\') {
        Some(rest) if !literal => (rest, true),
        Some(_) | None => (text, literal),
    };
    let text = if literal {
        text
    } else {
        strip_trailing_comment(text)
    };
    FormLine {
        number,
        indent,
        text,
        literal,
    }
}

/// `text` without a comment at its end.
fn strip_trailing_comment(text: &str) -> &str {
    match text.strip_suffix("-->").and_then(|rest| rest.rfind("<!--")) {
        Some(at) => text.get(..at).unwrap_or(text).trim_end(),
        None => text,
    }
}

/// The level and the words of a heading.
pub(super) fn parse_heading(line: FormLine<'_>) -> Option<(usize, &str)> {
    if line.literal {
        return None;
    }
    let level = line.text.bytes().take_while(|&byte| byte == b'#').count();
    let words = line.text.get(level..)?.trim();
    // `# Why #` is closed, `# Why C#` is not.
    let closed = words.trim_end_matches('#');
    let words = match closed.is_empty() || closed.ends_with(char::is_whitespace) {
        true => closed.trim_end(),
        false => words,
    };
    (1..=6)
        .contains(&level)
        .then(|| (level, strip_number_and_emphasis(words)))
}

/// `words` without a number before them and emphasis around them.
fn strip_number_and_emphasis(words: &str) -> &str {
    let words = strip_emphasis(words);
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    match words
        .get(digits..)
        .and_then(|rest| rest.strip_prefix(['.', ')']))
    {
        Some(rest) if digits > 0 && !rest.starts_with(|c: char| c.is_ascii_digit()) => {
            strip_emphasis(rest)
        }
        Some(_) | None => words,
    }
}

/// `words` without marks that stand in a pair around all of them.
fn strip_emphasis(words: &str) -> &str {
    let mut words = words.trim();
    for mark in ["**", "__", "*", "_", "`"] {
        let inside = words.strip_prefix(mark);
        let inside = inside.and_then(|rest| rest.strip_suffix(mark));
        if let Some(inside) = inside.filter(|inside| !inside.contains(mark)) {
            words = inside.trim();
        }
    }
    words
}

/// The text of an entry of a list; none where it is none.
pub(super) fn list_item_text(text: &str) -> Option<&str> {
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
pub(super) fn split_key_value(text: &str) -> Option<(String, &str)> {
    let (name, value) = text.split_once(':')?;
    if name.len() > MAX_NAME_CHARS || name.trim().is_empty() {
        return None;
    }
    // `**on:** words`
    let is_mark = |c: char| matches!(c, '*' | '_' | '`');
    let rest = name.trim_start().trim_start_matches(is_mark);
    let marks = name.trim_start().len() - rest.len();
    let marks = name.trim_start().get(..marks).unwrap_or_default();
    let value = match value.strip_prefix(marks) {
        Some(rest) if !marks.is_empty() && !name.trim_end().ends_with(is_mark) => rest,
        Some(_) | None => value,
    };
    let value = value.trim_start();
    let name = normalize_name(name);
    (!name.is_empty()).then_some((name, value))
}

/// The words of a line that is emphasised as a whole.
pub(super) fn bold_line_text(text: &str) -> Option<&str> {
    let words = text.strip_prefix("**")?;
    let words = words.strip_suffix(':').unwrap_or(words);
    let words = words.strip_suffix("**")?.trim();
    (!words.is_empty() && !words.contains('*'))
        .then(|| strip_number_and_emphasis(words.trim_end_matches(':')))
}
