//! Repairs a common kind of invalid JSON.

use std::borrow::Cow;

/// Replaces each escape of a lone surrogate (`\ud83d`) with U+FFFD; leaves all other text
/// unchanged.
///
/// JavaScript writes such an escape if a text was cut inside an emoji. Strict JSON parsers reject
/// it, although the rest of the document is usable. Takes O(length) time.
///
/// ```
/// # use agon_files::json_text::replace_lone_surrogates;
/// assert_eq!(replace_lone_surrogates(r#"{"t":"a \ud83d"}"#), "{\"t\":\"a \u{fffd}\"}");
/// assert_eq!(replace_lone_surrogates(r#""\ud83d\ude00 \\ud83d""#), r#""\ud83d\ude00 \\ud83d""#);
/// ```
pub fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut whole: Option<String> = None;
    let mut copied = 0;
    for at in lone_surrogate_offsets(text) {
        let whole = whole.get_or_insert_default();
        whole.push_str(&text[copied..at]);
        whole.push(char::REPLACEMENT_CHARACTER);
        copied = at + ESCAPE_LENGTH;
    }
    match whole {
        Some(mut whole) => {
            whole.push_str(&text[copied..]);
            Cow::Owned(whole)
        }
        None => Cow::Borrowed(text),
    }
}

/// The length in bytes of an escape such as `\ud83d`.
pub const ESCAPE_LENGTH: usize = 6;

/// Returns the byte offsets of the escapes of lone surrogates in the JSON `text`, ascending.
///
/// Takes O(length) time.
///
/// ```
/// # use agon_files::json_text::lone_surrogate_offsets;
/// let offsets = lone_surrogate_offsets(r#"["\ud83d", "\ud83d\ude00", "\\ud83d"]"#);
/// assert_eq!(offsets.collect::<Vec<_>>(), [2]);
/// ```
pub fn lone_surrogate_offsets(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(found) = text[at..].find('\\') {
            at += found;
            let begin = at;
            let rest = &text[at..];
            match (
                escaped_unit(rest),
                rest.get(ESCAPE_LENGTH..).and_then(escaped_unit),
            ) {
                (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 2 * ESCAPE_LENGTH,
                (Some(0xD800..=0xDFFF), _) => {
                    at += ESCAPE_LENGTH;
                    return Some(begin);
                }
                (Some(_), _) => at += ESCAPE_LENGTH,
                (None, _) => at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            }
        }
        None
    })
}

/// The UTF-16 unit of the escape at the beginning of `text`.
fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|it| it.is_ascii_hexdigit());
    is_hex.then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_half_characters_are_replaced() {
        for (text, expected) in [
            (r#""\ude00\ud83d\ude00""#, "\"\u{fffd}\\ud83d\\ude00\""),
            (r#""\ud83d\ud83d\ude00""#, "\"\u{fffd}\\ud83d\\ude00\""),
            (r#""\ud83d\n""#, "\"\u{fffd}\\n\""),
            (r#""\uD83Dx""#, "\"\u{fffd}x\""),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, "\"\\\\\u{fffd}\""),
            (r#""\u00e9\u0000""#, r#""\u00e9\u0000""#),
            (r#""\ud83"#, r#""\ud83"#),
            (r#""\ué"#, r#""\ué"#),
            ("\\", "\\"),
            ("", ""),
        ] {
            assert_eq!(replace_lone_surrogates(text), expected, "{text}");
        }
    }
}
