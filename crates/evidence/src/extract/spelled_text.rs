//! A text with the escapes in its names decoded, and the positions in the original text.

use crate::fold::{continues_character, push_folded};

/// How names in a text are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Not at all; `\` may separate parts, as on Windows.
    Plain,
    /// With `\` before characters special to a shell or Markdown, or with HTML entities.
    Escaped,
    /// With `%20` for a space, as in a URL.
    Percent,
    /// With `\303\244` or `\u00e4`, as git and JSON quote names.
    Quoted,
}

/// A text, decoded for one kind of escapes.
#[derive(Debug)]
pub(super) struct SpelledText {
    /// The text with its names decoded.
    pub(super) text: String,
    /// The position in the original for each byte of `text`, and for its end.
    written: Vec<usize>,
    /// The folded form of `text`.
    pub(super) folded: String,
    /// The position in `text` for each byte of `folded`, and for its end.
    unfolded: Vec<usize>,
}

impl SpelledText {
    /// Decodes a text for every kind of escapes that it contains. Takes linear time.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let mut views = vec![Self::new(text, Spelling::Plain)];
        if text.contains('\\') || text.contains("&amp;") || text.contains("&#39;") {
            views.push(Self::new(text, Spelling::Escaped));
        }
        if text.contains('%') {
            views.push(Self::new(text, Spelling::Percent));
        }
        let quoted = |mark: &str| {
            let mut found = text.match_indices(mark);
            found.any(|(at, _)| decode_quoted(&text[at..]).is_some())
        };
        if quoted("\\") {
            views.push(Self::new(text, Spelling::Quoted));
        }
        views
    }

    fn new(text: &str, reading: Spelling) -> Self {
        let mut view = Self {
            text: String::with_capacity(text.len()),
            written: Vec::with_capacity(text.len() + 1),
            folded: String::with_capacity(text.len()),
            unfolded: Vec::with_capacity(text.len() + 1),
        };
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let (decoded, length) = decode_at(rest, c, reading);
            match decoded {
                Decoded::Char(decoded) => view.push(decoded, at),
                Decoded::Text(decoded, each) => {
                    let mut from = at;
                    for c in decoded.chars() {
                        view.push(c, from);
                        from += c.len_utf8() * each;
                    }
                }
            }
            at += length;
        }
        view.written.push(text.len());
        view.fold();
        view
    }

    fn push(&mut self, c: char, at: usize) {
        self.text.push(c);
        self.written.resize(self.text.len(), at);
    }

    fn fold(&mut self) {
        let mut piece = 0;
        let mut chars = self.text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek();
            if next.is_some_and(|(_, next)| continues_character(*next)) {
                continue;
            }
            let end = at + c.len_utf8();
            push_folded(&self.text[piece..end], &mut self.folded);
            self.unfolded.resize(self.folded.len(), piece);
            piece = end;
        }
        self.unfolded.push(self.text.len());
    }

    /// Returns the position in `text` of a byte of the folded text, if a character begins there.
    pub(super) fn unfolded(&self, at: usize) -> Option<usize> {
        let from = *self.unfolded.get(at)?;
        let is_same = at > 0 && self.unfolded.get(at - 1) == Some(&from);
        (!is_same).then_some(from)
    }

    /// Returns the position in the original text of a byte of `text`.
    pub(super) fn written(&self, at: usize) -> usize {
        self.written.get(at).copied().unwrap_or(0)
    }
}

enum Decoded {
    Char(char),
    /// The decoded text, and the number of original bytes for each of its bytes.
    Text(String, usize),
}

/// Decodes the beginning of `rest`, whose first character is `c`. Also returns how many bytes were
/// decoded.
fn decode_at(rest: &str, c: char, reading: Spelling) -> (Decoded, usize) {
    let found = match (reading, c) {
        (Spelling::Percent, '%') => decode_percent(rest).map(|(text, length)| (text, length, 3)),
        (Spelling::Quoted, '\\') => decode_quoted(rest),
        (Spelling::Escaped, '&') => decode_entity(rest),
        (Spelling::Escaped, '\\') => decode_escaped(rest),
        _ => None,
    };
    if let Some((text, length, each)) = found {
        return (Decoded::Text(text, each), length);
    }
    if c == '\\' {
        // A string inside another string doubles its backslashes, so several count as one
        // separator.
        let length = rest.bytes().take_while(|byte| *byte == b'\\').count();
        return (Decoded::Char('/'), length);
    }
    (Decoded::Char(c), c.len_utf8())
}

type Unescaped = (String, usize, usize);

fn decode_percent(rest: &str) -> Option<(String, usize)> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while rest.as_bytes().get(at) == Some(&b'%')
        && let Some(byte) = rest.get(at + 1..at + 3)
        && let Ok(byte) = u8::from_str_radix(byte, 16)
    {
        bytes.push(byte);
        at += 3;
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.is_empty()).then_some((text, at))
}

/// Decodes `\303\244` as git writes it, `\u00e4` as JSON does, `\"` and `\\`.
fn decode_quoted(rest: &str) -> Option<Unescaped> {
    let is_octal = |byte: &u8| (b'0'..=b'7').contains(byte);
    let mut bytes = Vec::new();
    let mut at = 0;
    while rest.as_bytes().get(at) == Some(&b'\\')
        && let Some(digits) = rest.get(at + 1..at + 4)
        && digits.as_bytes().iter().all(is_octal)
        && let Ok(byte) = u8::from_str_radix(digits, 8)
    {
        bytes.push(byte);
        at += 4;
    }
    if at > 0 {
        return Some((String::from_utf8(bytes).ok()?, at, 4));
    }
    let after = rest.get(1..)?;
    if let Some(digits) = after.strip_prefix('u').and_then(|it| it.get(..4)) {
        let c = u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32)?;
        return Some((c.to_string(), 6, 1));
    }
    None
}

fn decode_escaped(rest: &str) -> Option<Unescaped> {
    let c = rest.chars().nth(1)?;
    let is_escaped = c == ' ' || c.is_ascii_punctuation() && c != '\\';
    is_escaped.then(|| (c.to_string(), 1 + c.len_utf8(), 1))
}

fn decode_entity(rest: &str) -> Option<Unescaped> {
    let entities = [
        ("&amp;", "&"),
        ("&#39;", "'"),
        ("&quot;", "\""),
        ("&nbsp;", " "),
    ];
    let found = entities
        .iter()
        .find(|(entity, _)| rest.starts_with(entity))?;
    Some((found.1.to_owned(), found.0.len(), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_were_meant() {
        for (text, reading, expected) in [
            ("src\\app\\\\x.cs", Spelling::Plain, "src/app/x.cs"),
            (
                "app/\\[id\\]/a\\ b.ts",
                Spelling::Escaped,
                "app/[id]/a b.ts",
            ),
            (
                "a%20b/%5Bid%5D%C3%A4 100% of",
                Spelling::Percent,
                "a b/[id]ä 100% of",
            ),
            ("docs/\\303\\244\\u00e4.md", Spelling::Quoted, "docs/ää.md"),
            ("R&amp;D.md", Spelling::Escaped, "R&D.md"),
        ] {
            assert_eq!(SpelledText::new(text, reading).text, expected, "{text}");
        }
        let view = SpelledText::new("Tu\u{308}r%20X", Spelling::Percent);
        assert_eq!(view.folded, "tür x");
        assert_eq!(view.unfolded(1), Some(1));
        assert_eq!(view.unfolded(2), None);
        assert_eq!((view.written(5), view.written(6)), (5, 8));
        assert_eq!(SpelledText::all("plain").len(), 1);
    }
}
