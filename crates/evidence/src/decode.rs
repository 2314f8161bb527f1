//! Decodes bytes as text, whatever their encoding.

use std::borrow::Cow;

use encoding_rs::{Encoding, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Decoded bytes.
#[derive(Debug)]
pub struct Decoded<'b> {
    /// The text, without a byte-order mark.
    pub text: Cow<'b, str>,
    /// Whether the encoding is certain: UTF-8, or UTF-16 with a byte-order mark.
    pub is_certain: bool,
    /// Whether each byte was decoded as one character. If so, only ASCII characters are certain.
    pub is_of_one_byte: bool,
}

/// Decodes bytes as UTF-8, UTF-16, or the likeliest other encoding: Shift-JIS or Windows-1252,
/// which includes Latin-1.
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    if let Ok(text) = std::str::from_utf8(bytes)
        && utf16_encoding(bytes).is_none()
    {
        return Decoded {
            text: Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)),
            is_certain: true,
            is_of_one_byte: false,
        };
    }
    let wide = utf16_encoding(bytes);
    let encoding = wide.unwrap_or_else(|| {
        let japanese = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes);
        match japanese.is_some_and(|text| text.chars().any(is_kana_or_kanji)) {
            true => SHIFT_JIS,
            false => WINDOWS_1252,
        }
    });
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    Decoded {
        text,
        is_certain: wide.is_some() && Encoding::for_bom(bytes).is_some(),
        is_of_one_byte: encoding == WINDOWS_1252,
    }
}

/// Detects UTF-16 by its byte-order mark or by the zero bytes of ASCII characters.
pub(crate) fn utf16_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    match Encoding::for_bom(bytes) {
        // The byte-order mark of UTF-32 begins with that of UTF-16, so rule out UTF-32 first.
        Some((encoding, 2)) if !bytes.starts_with(b"\xff\xfe\0\0") => return Some(encoding),
        Some(_) => return None,
        None => {}
    }
    if bytes.len() < 8 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let zeros = |offset: usize| {
        let half = bytes.iter().skip(offset).step_by(2);
        half.filter(|byte| **byte == 0).count()
    };
    let most = bytes.len() / 2 * 3 / 4;
    match (zeros(0), zeros(1)) {
        (0, odd) if odd > most => Some(UTF_16LE),
        (even, 0) if even > most => Some(UTF_16BE),
        _ => None,
    }
}

fn is_kana_or_kanji(c: char) -> bool {
    ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_in_their_encoding() {
        let wide = |text: &str| {
            text.encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>()
        };
        for (bytes, text, is_certain) in [
            (b"\xef\xbb\xbfplain".to_vec(), "plain", true),
            (wide("\u{feff}Größe\n"), "Größe\n", true),
            (wide("plain text"), "plain text", false),
            (b"Gr\xf6\xdfe".to_vec(), "Größe", false),
            (b"\x93never\x94".to_vec(), "“never”", false),
            (
                SHIFT_JIS.encode("設計の上限").0.to_vec(),
                "設計の上限",
                false,
            ),
        ] {
            let decoded = decode(&bytes);
            assert_eq!((&*decoded.text, decoded.is_certain), (text, is_certain));
        }
    }
}
