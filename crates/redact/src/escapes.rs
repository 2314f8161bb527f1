//! Undoes JSON escapes, which can disguise a secret.

use std::borrow::Cow;

/// Returns `text` with `\/` and the escapes of printable ASCII characters undone.
///
/// Quotation marks and backslashes stay escaped, so JSON stays JSON with the same meaning. Takes
/// time linear in the length of the text.
///
/// ```
/// assert_eq!(agon_redact::unescape_printable(r"\u0067hp\u005f1 a\/b"), "ghp_1 a/b");
/// assert_eq!(agon_redact::unescape_printable(r"\\u0067 \u0022 \u005c"), r"\\u0067 \u0022 \u005c");
/// ```
pub fn unescape_printable(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let (plain, taken) = decode_escape(escape);
        match plain {
            Some(plain) => out.push(plain),
            None => out.push_str(&escape[..taken]),
        }
        rest = &escape[taken..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns the character of the escape at the start of `text`, if it is undone, and the escape's
/// length.
fn decode_escape(text: &str) -> (Option<char>, usize) {
    match text.as_bytes().get(1) {
        Some(b'/') => (Some('/'), 2),
        Some(b'\\') => (None, 2),
        Some(b'u') => match text.get(2..6).and_then(parse_printable_hex) {
            Some(plain) => (Some(plain), 6),
            None => (None, 1),
        },
        Some(_) | None => (None, 1),
    }
}

fn parse_printable_hex(digits: &str) -> Option<char> {
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let byte = u8::try_from(u16::from_str_radix(digits, 16).ok().filter(|_| all)?).ok()?;
    let plain = byte == b' ' || byte.is_ascii_graphic();
    (plain && !matches!(byte, b'"' | b'\\')).then_some(char::from(byte))
}
