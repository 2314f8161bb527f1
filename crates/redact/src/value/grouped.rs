//! Passwords in groups of four, as servers draw them for single programs: `abcd efgh ijkl mnop`.

use crate::letters;

/// Characters of a group.
const GROUP: usize = 4;
// Google has four groups, WordPress six.
const GROUPS: std::ops::RangeInclusive<usize> = 3..=8;

/// Whether `value` is such a password and no sentence.
pub(crate) fn is_grouped(value: &str) -> bool {
    let mut groups = 0;
    for group in value.split(' ') {
        groups += 1;
        if group.len() != GROUP || !group.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return false;
        }
    }
    let joined = value.replace(' ', "");
    let digits = joined.bytes().filter(u8::is_ascii_digit).count();
    GROUPS.contains(&groups)
        && digits < joined.len()
        && (letters::is_drawn(&joined) || is_shuffled(value))
}

/// Whether a capital follows a small letter inside of some groups, as in no word.
fn is_shuffled(value: &str) -> bool {
    let turn = |group: &&str| {
        group
            .as_bytes()
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
    };
    value.split(' ').filter(turn).count() > 1
}

/// The length of such a password at the start of `text`, 0 if there is none.
pub(crate) fn grouped_length(text: &str) -> usize {
    let part = |byte: &u8| byte.is_ascii_alphanumeric();
    let mut length = 0;
    for number in 0..*GROUPS.end() {
        let start = if number == 0 { 0 } else { length + 1 };
        let group = text.as_bytes().get(start..start + GROUP);
        let blank = number == 0 || text.as_bytes().get(length) == Some(&b' ');
        let ends = text
            .as_bytes()
            .get(start + GROUP)
            .is_none_or(|byte| !part(byte));
        if !blank || !ends || !group.is_some_and(|group| group.iter().all(part)) {
            break;
        }
        length = start + GROUP;
    }
    if is_grouped(text.get(..length).unwrap_or_default()) {
        length
    } else {
        0
    }
}
