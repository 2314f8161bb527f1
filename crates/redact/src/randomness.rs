//! Distinguishes random characters from words.

/// For each letter, the letters that follow it in English words and in code: one bit each, `a` the
/// lowest. Counted in this project's text and in programs; a pair is in the table if at least one
/// in 2,500 pairs is this one.
const PAIRS: [u32; 26] = [
    0x1febd6e, 0x1164b17, 0x11e5d9d, 0x11e497b, 0x1fffd7f, 0x01e4939, 0x01679d1, 0x01a5111,
    0x2aef87f, 0x0100010, 0x0040111, 0x13cc91d, 0x014d913, 0x13efdfd, 0x0fefd7f, 0x11ec995,
    0x0100000, 0x13efd7f, 0x15cfdbd, 0x15ed9bd, 0x00ef97f, 0x0004111, 0x0066191, 0x0088134,
    0x00cb110, 0x0000010,
];

/// Returns the number of letter pairs in `value`, and how many of them occur in no word.
fn count_letter_pairs(value: &str) -> (usize, usize) {
    let (mut all, mut odd) = (0, 0);
    for pair in value.as_bytes().windows(2) {
        // A capital after a lower-case letter begins a new word of an identifier, so skip this
        // pair.
        if pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase() {
            continue;
        }
        let [one, other] = [pair[0], pair[1]].map(|byte| byte.to_ascii_lowercase());
        if one.is_ascii_lowercase() && other.is_ascii_lowercase() {
            all += 1;
            let follows = PAIRS[usize::from(one - b'a')];
            odd += usize::from(follows & (1 << (other - b'a')) == 0);
        }
    }
    (all, odd)
}

/// Returns whether `value` consists of letters that form no words: at least every fourth pair is in
/// no word.
pub(crate) fn is_random_letters(value: &str) -> bool {
    let (all, odd) = count_letter_pairs(value);
    all >= 6 && odd >= 3 && odd * 4 >= all
}

/// Returns whether `value`, of about 16 characters or more, looks random: letters mixed with
/// digits, or letters that form no words. Hexadecimal does not count, because ids and hashes look
/// the same.
pub(crate) fn looks_random(value: &str) -> bool {
    let bytes = value.as_bytes();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let has = |test: fn(&u8) -> bool| bytes.iter().any(test);
    let both = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let changes = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    let (all, odd) = count_letter_pairs(value);
    (digits > 0 && changes > 2 && (both || digits > 1) && (odd > 0 || all < 5))
        || is_random_letters(value)
}

/// Returns whether `value` is a UUID, except the zero UUID and those with counted-up digits.
pub(crate) fn is_uuid(value: &str) -> bool {
    let hyphens = [8, 13, 18, 23];
    value.len() == 36
        && value.bytes().enumerate().all(|(at, byte)| {
            if hyphens.contains(&at) {
                byte == b'-'
            } else {
                byte.is_ascii_hexdigit()
            }
        })
        && !value.contains("0000-0000")
        && !value.starts_with("12345678-1234")
        && !value.starts_with("01234567-89ab")
        && !value.starts_with("123e4567-e89b")
        && !value.starts_with("xxxxxxxx")
}

#[cfg(test)]
mod tests {
    use super::{is_random_letters, is_uuid, looks_random};

    #[test]
    fn words_are_told_from_what_was_drawn() {
        for word in [
            "getCurrentUserName",
            "container_registry",
            "AbstractWorkerFactory",
            "FindAdminByIdentity",
            "message_v2_handler",
        ] {
            assert!(!is_random_letters(word) && !looks_random(word), "{word}");
        }
        for drawn in [
            "kNpnRiGLNfxmgtS",
            "DRObrxOZLBPeaWq7TBb.X",
            "PsFCfj4O4AM0c0G5RI7fQ5",
        ] {
            assert!(is_random_letters(drawn) || looks_random(drawn), "{drawn}");
        }
        assert!(is_uuid("a6dff19d-53ae-4ffd-a21a-fbde2f3e42cf"));
        assert!(!is_uuid("00000000-0000-0000-0000-000000000000"));
    }
}
