//! JSON as programs really write it.

use std::borrow::Cow;

/// Replaces each escape of half a surrogate pair (`\ud83d` alone) with U+FFFD; leaves all else as it is.
///
/// JavaScript writes such an escape when a text was cut in the middle of an emoji. No strict JSON
/// parser reads it, and the rest of the document is worth reading. Takes O(length) time.
///
/// ```
/// # use agon_record::json_text::replace_half_characters;
/// assert_eq!(replace_half_characters(r#"{"t":"a \ud83d"}"#), "{\"t\":\"a \u{fffd}\"}");
/// assert_eq!(replace_half_characters(r#""\ud83d\ude00 \\ud83d""#), r#""\ud83d\ude00 \\ud83d""#);
/// ```
pub fn replace_half_characters(text: &str) -> Cow<'_, str> {
    let mut mended: Option<String> = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let rest = &text[at..];
        match (escaped_unit(rest), rest.get(6..).and_then(escaped_unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 12,
            (Some(0xD800..=0xDFFF), _) => {
                let mended = mended.get_or_insert_default();
                mended.push_str(&text[copied..at]);
                mended.push(char::REPLACEMENT_CHARACTER);
                at += 6;
                copied = at;
            }
            (Some(_), _) => at += 6,
            (None, _) => at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    match mended {
        Some(mut mended) => {
            mended.push_str(&text[copied..]);
            Cow::Owned(mended)
        }
        None => Cow::Borrowed(text),
    }
}

/// The UTF-16 unit of the escape that `text` begins with.
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
            assert_eq!(replace_half_characters(text), expected, "{text}");
        }
    }
}
