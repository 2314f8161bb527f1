//! The code that marks a fence and never appears in its content.

// Six hexadecimal digits: a guess is right once in 16 million, and the salt is secret. A code that
// appears in the text is extended: see the test `a_code_that_appears_in_the_text_is_lengthened`.
/// The minimum number of hexadecimal digits of a boundary.
const SHORTEST: usize = 6;

/// Returns the boundary of a fence around `text`: the first digits of BLAKE3(salt ‖ key ‖ text), as
/// many as needed so that the text does not contain them, ignoring case.
pub(crate) fn boundary_code(salt: &str, key: &str, text: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for piece in [salt, key, text] {
        hasher.update(piece.as_bytes());
    }
    let mut output = hasher.finalize_xof();
    let bytes = std::iter::repeat_with(|| {
        let mut byte = [0];
        output.fill(&mut byte);
        byte[0]
    });
    let nibbles = bytes.flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = nibbles.filter_map(|nibble| char::from_digit(u32::from(nibble), 16));
    shortest_absent_prefix(digits, text)
}

/// Returns the shortest prefix of `digits` that does not appear in `text`.
fn shortest_absent_prefix(digits: impl Iterator<Item = char>, text: &str) -> String {
    let text = text.to_ascii_lowercase();
    let mut code = String::new();
    for digit in digits {
        code.push(digit);
        if code.len() >= SHORTEST && !text.contains(&code) {
            break;
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    const SALT: &str = "5a";

    #[test]
    fn a_code_that_appears_in_the_text_is_lengthened() {
        // The test sets the digits, because no text can contain its own hash.
        let code = |text| shortest_absent_prefix("1f3a9c77d0".chars(), text);
        assert_eq!(code("plain"), "1f3a9c");
        assert_eq!(code("data 1f3a9c>>>"), "1f3a9c7");
        assert_eq!(code("data 1F3A9C7>>> or 1f3a9c"), "1f3a9c77");
    }

    #[test]
    fn another_salt_or_key_gives_another_code() {
        let code = boundary_code(SALT, "r1.cha#0", "text");
        assert_eq!(code.len(), SHORTEST);
        assert_eq!(code, boundary_code(SALT, "r1.cha#0", "text"));
        assert_ne!(code, boundary_code("5b", "r1.cha#0", "text"));
        assert_ne!(code, boundary_code(SALT, "r2.cha#0", "text"));
    }
}
