//! Decodes the inside of a JSON string, and maps positions back.

/// A decoded text, and the positions of its bytes in the original.
pub(super) struct DecodedString {
    pub(super) text: String,
    /// Pairs of positions, here and in the original, from which both texts are equal, in order.
    steps: Vec<(usize, usize)>,
    /// The length of the original.
    length: usize,
}

impl DecodedString {
    /// Decodes the escapes of `inner`. Takes time linear in its length.
    pub(super) fn of(inner: &str) -> Self {
        let (mut text, mut steps) = (String::with_capacity(inner.len()), Vec::new());
        let mut at = 0;
        while let Some(found) = inner[at..].find('\\') {
            text.push_str(&inner[at..at + found]);
            let (plain, length) = decode_escape(&inner[at + found..]);
            steps.push((text.len(), at + found));
            text.push(plain);
            at += found + length;
            steps.push((text.len(), at));
        }
        text.push_str(&inner[at..]);
        Self {
            text,
            steps,
            length: inner.len(),
        }
    }

    /// Returns the original position of the byte at `at`: the beginning of its escape, if it was
    /// one.
    pub(super) fn source(&self, at: usize) -> usize {
        let after = self.steps.partition_point(|(here, _)| *here <= at);
        let Some((here, there)) = after.checked_sub(1).and_then(|last| self.steps.get(last)) else {
            return at;
        };
        match self.steps.get(after) {
            // `at` is inside an escape, which is longer in the original: return the escape's start.
            Some((end, next)) if at > *here && next - there != end - here => *there,
            Some(_) | None => (there + (at - here)).min(self.length),
        }
    }
}

/// Returns the character of the escape at the start of `text`, and the escape's length.
fn decode_escape(text: &str) -> (char, usize) {
    match text.as_bytes().get(1) {
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => {
            let digits = text.get(2..6).unwrap_or_default();
            let code = u32::from_str_radix(digits, 16).ok();
            let char = code.and_then(char::from_u32);
            let length = if digits.is_empty() {
                text.len().min(2)
            } else {
                6
            };
            (char.unwrap_or(char::REPLACEMENT_CHARACTER), length)
        }
        Some(sign @ (b'"' | b'\\' | b'/')) => (char::from(*sign), 2),
        Some(byte) if byte.is_ascii() => (' ', 2),
        Some(_) | None => ('\\', 1),
    }
}

#[cfg(test)]
mod tests {
    use super::DecodedString;

    #[test]
    fn every_byte_leads_back_to_its_escape() {
        let inner = r#"a\"b\u00e9c\\d"#;
        let decoded = DecodedString::of(inner);
        assert_eq!(decoded.text, "a\"béc\\d");
        let sources: Vec<_> = (0..=decoded.text.len())
            .map(|at| decoded.source(at))
            .collect();
        assert_eq!(sources, [0, 1, 3, 4, 4, 10, 11, 13, 14]);
    }
}
