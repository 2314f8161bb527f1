//! A text with its quoting undone, and a mapping back to the original.

use std::borrow::Cow;
use std::ops::Range;

use crate::json::Hole;
use crate::line_label;

/// Text without the backslashes of quoting, at any depth: `\n`, `\\n` and `\\\\n` are a line end,
/// `\"` and `\\\"` a quotation mark.
///
/// An escape is indivisible: a range found here never begins or ends inside an escape of the
/// original, so that a replacement leaves every escape whole.
pub(crate) struct View<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Where in the whole text the view begins.
    start: usize,
    /// Pairs of positions, here and in the whole text, from which both texts are equal, in order.
    steps: Vec<(usize, usize)>,
}

impl<'t> View<'t> {
    /// Creates the view of `part` of `whole`, with the replacement texts of the `holes`. Takes time
    /// linear in the length of the rest.
    pub(crate) fn of(whole: &'t str, part: &Range<usize>, holes: &[Hole]) -> Self {
        let raw = &whole[part.clone()];
        if holes.is_empty() && memchr::memchr(b'\\', raw.as_bytes()).is_none() {
            return Self {
                text: Cow::Borrowed(raw),
                start: part.start,
                steps: Vec::new(),
            };
        }
        let replaced: usize = holes.iter().map(|hole| hole.range.len()).sum();
        let replacements: usize = holes.iter().map(|hole| hole.text.len()).sum();
        let length = raw.len().saturating_sub(replaced) + replacements;
        let mut text = String::with_capacity(length);
        let mut steps = Vec::with_capacity(2 * holes.len());
        let mut at = part.start;
        for hole in holes {
            append_unescaped(&whole[..hole.range.start], at, &mut text, &mut steps);
            steps.push((text.len(), hole.range.start));
            text.push_str(hole.text);
            at = hole.range.end;
            steps.push((text.len(), at));
        }
        append_unescaped(&whole[..part.end], at, &mut text, &mut steps);
        Self {
            text: Cow::Owned(text),
            start: part.start,
            steps,
        }
    }

    /// Returns the view without its line labels; `None` unless most lines have a label.
    pub(crate) fn without_labels(&self) -> Option<View<'static>> {
        let length = line_label::detect_label_kind(&self.text)?;
        let (mut text, mut steps) = (String::new(), Vec::new());
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            let start = at + length(line);
            let end = at + line.len();
            steps.push((text.len(), self.original_position(start, false)));
            let first = self.steps.partition_point(|(here, _)| *here <= start);
            let inner = self.steps[first..].iter();
            let inner = inner.take_while(|(here, _)| *here < end);
            steps.extend(inner.map(|(here, there)| (here - start + text.len(), *there)));
            text.push_str(&self.text[start..end]);
            steps.push((text.len(), self.original_position(end, false)));
            at = end;
        }
        Some(View {
            text: Cow::Owned(text),
            start: self.start,
            steps,
        })
    }

    /// Returns the range of `span` in the whole text, including every escape that it touches.
    pub(crate) fn original_span(&self, span: &Range<usize>) -> Range<usize> {
        self.original_position(span.start, false)..self.original_position(span.end, true)
    }

    /// Returns the number of backslashes before the character at `at`.
    pub(crate) fn backslashes_before(&self, at: usize) -> usize {
        if self.steps.is_empty() {
            return 0;
        }
        let span = self.original_span(&(at..at + 1));
        span.len().saturating_sub(1)
    }

    fn original_position(&self, at: usize, is_end: bool) -> usize {
        let after = self.steps.partition_point(|(here, _)| *here <= at);
        let Some((here, there)) = after.checked_sub(1).and_then(|last| self.steps.get(last)) else {
            return self.start + at;
        };
        match self.steps.get(after) {
            // `at` is inside an escape, which is longer in the whole text: return its start or end.
            Some((end, whole)) if at > *here && whole - there != end - here => {
                if is_end {
                    *whole
                } else {
                    *there
                }
            }
            Some(_) | None => there + (at - here),
        }
    }
}

/// Appends the text of `raw` from `start` on, with escapes undone.
fn append_unescaped(raw: &str, start: usize, text: &mut String, steps: &mut Vec<(usize, usize)>) {
    let mut at = start;
    let backslash = |at: usize| memchr::memchr(b'\\', &raw.as_bytes()[at..]);
    while let Some(found) = backslash(at).map(|more| at + more) {
        text.push_str(&raw[at..found]);
        let (plain, length) = decode_escape(&raw[found..]);
        steps.push((text.len(), found));
        text.push(plain);
        at = found + length;
        steps.push((text.len(), at));
    }
    text.push_str(&raw[at..]);
}

/// Decodes the escape at the start of `text`, with backslashes of any quoting depth, and returns
/// its length.
fn decode_escape(text: &str) -> (char, usize) {
    let count = text.bytes().take_while(|byte| *byte == b'\\').count();
    let rest = &text[count..];
    match rest.as_bytes().first() {
        Some(b'n') if count % 2 == 1 && count > 1 && count & (count + 1) != 0 => (' ', count + 1),
        Some(b'n') => ('\n', count + 1),
        Some(b'r') => ('\r', count + 1),
        Some(b't') => ('\t', count + 1),
        Some(b'b' | b'f') => (' ', count + 1),
        Some(sign @ (b'"' | b'\'' | b'`' | b'/' | b'$')) => (char::from(*sign), count + 1),
        // A backslash at a line end continues the line.
        Some(b'\n') => (' ', count + 1),
        Some(b'u') => match decode_unicode_escape(rest) {
            Some((char, length)) => (char, count + length),
            None => ('\\', count),
        },
        Some(_) | None => ('\\', count),
    }
}

/// Returns the character of `uXXXX` at the start of `text`, or of a surrogate pair, and its length.
fn decode_unicode_escape(text: &str) -> Option<(char, usize)> {
    let first = parse_hex_digits(text)?;
    if !(0xd800..0xe000).contains(&first) {
        return Some((char::from_u32(first)?, 5));
    }
    let rest = &text[5..];
    let count = rest.bytes().take_while(|byte| *byte == b'\\').count();
    let second =
        parse_hex_digits(&rest[count..]).filter(|low| count > 0 && (0xdc00..0xe000).contains(low));
    match second {
        Some(_) => Some((char::REPLACEMENT_CHARACTER, 5 + count + 5)),
        None => Some((char::REPLACEMENT_CHARACTER, 5)),
    }
}

fn parse_hex_digits(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('u')?.get(..4)?;
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| all)
}

#[cfg(test)]
mod tests {
    use super::View;

    #[test]
    fn escapes_are_seen_through_and_found_again() {
        let raw = r#"a\n\"b\\\"c\\n\u0041\ud83d\ude00\\x\/"#;
        let view = View::of(raw, &(0..raw.len()), &[]);
        assert_eq!(view.text, "a\n\"b\"c\nA\u{fffd}\\x/");
        let of = |part: &str| {
            let at = view.text.find(part).unwrap();
            &raw[view.original_span(&(at..at + part.len()))]
        };
        assert_eq!(of("b\"c"), r#"b\\\"c"#);
        assert_eq!(of("A"), r"\u0041");
        assert_eq!(of("\u{fffd}"), r"\ud83d\ude00");
        assert_eq!(of("\\x"), r"\\x");
        assert_eq!(of("x/"), r"x\/");
        assert_eq!(view.backslashes_before(view.text.find("\"c").unwrap()), 3);
    }
}
