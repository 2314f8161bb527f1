//! Finds tokens with a known prefix and length.

use std::ops::Range;
use std::sync::LazyLock;

use crate::hit::Hit;
use crate::randomness;
use crate::value::is_placeholder;

/// The table: one line for each form, with tabs between the tag, the prefix, the character set of
/// the body, and the body's minimum length (after `=`: exact length).
///
/// Sets: `x` lower-case hexadecimal, `l` lower-case letters and digits, `u` capitals and digits,
/// `n` letters and digits, `w` these with `_` and `-`, `t` these with `.` and `~`, `b` base64, `g`
/// a UUID.
const TABLE: &str = include_str!("forms/table.txt");

// Two characters less than an MD5 sum; shorter hexadecimal may be any number, not a key.
/// Minimum length of a hexadecimal body if other characters are allowed too.
const MIN_HEX_BODY: usize = 30;

/// A token format: its prefix and the characters and length of its body.
#[derive(Debug)]
pub(crate) struct TokenForm {
    tag: &'static str,
    pub(crate) prefix: &'static str,
    set: u8,
    length: usize,
    is_exact: bool,
}

/// All formats, in table order.
pub(crate) static FORMS: LazyLock<Vec<TokenForm>> =
    LazyLock::new(|| TABLE.lines().filter_map(read_form).collect());

fn read_form(line: &'static str) -> Option<TokenForm> {
    let mut fields = line.split('\t');
    let (tag, prefix) = (fields.next()?, fields.next()?);
    let set = *fields.next()?.as_bytes().first()?;
    let length = fields.next()?;
    Some(TokenForm {
        tag,
        prefix,
        set,
        length: length.trim_start_matches('=').parse().ok()?,
        is_exact: length.starts_with('='),
    })
}

/// Returns the token of this format whose prefix is at `place`.
pub(crate) fn find_secret(text: &str, form: &TokenForm, place: &Range<usize>) -> Option<Hit> {
    let bytes = text.as_bytes();
    let before = place.start.checked_sub(1).map_or(b' ', |at| bytes[at]);
    if before.is_ascii_alphanumeric()
        || matches!(before, b'_' | b'-' | b'.' | b'$' | b'+')
        // A `/` before a plain prefix usually belongs to base64, where the prefix occurs by chance.
        || before == b'/' && form.prefix.bytes().all(|byte| byte.is_ascii_alphanumeric())
        || text.get(place.clone()) != Some(form.prefix)
    {
        return None;
    }
    let rest = bytes.get(place.end..)?;
    let count = rest.iter().take_while(|byte| form.accepts(**byte)).count();
    if form.set == b'n' && matches!(rest.get(count), Some(b'+' | b'/' | b'=')) {
        return None;
    }
    let mut body = text.get(place.end..place.end + count)?;
    body = body.trim_end_matches(['.', '-', '~']);
    let fits = match form.is_exact {
        true => body.len() == form.length,
        false => body.len() >= form.length,
    };
    if !fits {
        return None;
    }
    if form.set == b'g' {
        body = &body[..36];
    }
    (form.is_random_body(body) && !is_placeholder(&text[place.start..place.end + body.len()])).then(
        || Hit {
            rule: form.tag,
            span: place.start..place.end + body.len(),
        },
    )
}

/// Words in the prefix of any vendor's token that mark it as secret, with the separator after them.
pub(crate) const SECRET_WORDS: [&str; 12] = [
    "sk_", "secret_", "live_", "prod_", "pat_", "token_", "key_", "api_", "sk-", "secret-",
    "live-", "pat-",
];

// The longest known prefixes are three words of about six letters (`vercel_blob_rw_`).
/// Maximum length of a token's prefix, in bytes.
const MAX_PREFIX: usize = 32;
// Twice the 256 characters of the longest known token; a longer run is not a token.
/// Maximum length of a token, in bytes.
const MAX_TOKEN: usize = 512;

/// Returns the token whose prefix contains the word at `place`, and where the run of token
/// characters ends.
///
/// Most vendors outside the table use similar names: a word for the product, a word for the kind,
/// and at least about 20 random characters.
pub(crate) fn find_prefixed(text: &str, place: &Range<usize>) -> (Option<Hit>, usize) {
    let bytes = text.as_bytes();
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let lead = bytes[..place.start].iter().rev().take(MAX_PREFIX + 1);
    let lead = lead.take_while(is_part).count();
    // The word ends another word, as `sk-` does in `task-`, so it is not a prefix.
    if lead > 0 && bytes[place.start - 1].is_ascii_alphanumeric() {
        return (None, 0);
    }
    let rest = bytes[place.end..].iter().take(MAX_TOKEN);
    let end = place.end + rest.take_while(is_part).count();
    let start = place.start - lead;
    let prefix = &text[start..place.end];
    let body = text[place.end..end].trim_end_matches(['-', '_']);
    // The prefix may have further words, as in `sk_prod_` and `secret_v2_`.
    let more = body
        .match_indices(['_', '-'])
        .map(|(at, _)| at + 1)
        .take_while(|at| *at <= 8)
        .last()
        .unwrap_or(0);
    let (more, drawn) = body.split_at(more);
    let word = |part: &str| {
        part.len() <= 12
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let is_prefix = lead <= MAX_PREFIX
        && prefix
            .split(['_', '-'])
            .chain(more.split(['_', '-']))
            .all(word);
    let is_open = |part: &str| {
        matches!(
            part,
            "pk" | "pub" | "public" | "publishable" | "id" | "hash" | "cache"
        )
    };
    if !is_prefix || prefix.split(['_', '-']).any(is_open) {
        return (None, end);
    }
    let kind = text[place.clone()].trim_end_matches(['_', '-']);
    let telling = matches!(kind, "sk" | "secret" | "live" | "pat");
    let hex = drawn.bytes().all(|byte| byte.is_ascii_hexdigit());
    let counts = |test: fn(&u8) -> bool| drawn.bytes().filter(test).count();
    let fits = if hex {
        telling && drawn.len() >= 32 && counts(u8::is_ascii_digit) > 3
    } else {
        drawn.len() >= 20
            && !drawn.contains(['_', '-'])
            && counts(u8::is_ascii_digit) > 1
            && randomness::looks_random(drawn)
            || drawn.len() >= 30
                && counts(u8::is_ascii_digit) > 2
                && counts(u8::is_ascii_uppercase) > 2
                && randomness::is_random_letters(drawn)
    };
    let hit = (fits && !is_placeholder(&text[start..place.end + body.len()])).then(|| Hit {
        rule: "token",
        span: start..place.end + body.len(),
    });
    (hit, end)
}

impl TokenForm {
    fn accepts(&self, byte: u8) -> bool {
        let word = byte.is_ascii_alphanumeric();
        match self.set {
            b'x' => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
            b'l' => byte.is_ascii_digit() || byte.is_ascii_lowercase(),
            b'u' => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            b'w' => word || matches!(byte, b'_' | b'-'),
            b't' => word || matches!(byte, b'_' | b'-' | b'.' | b'~'),
            b'b' => word || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-'),
            b'g' => byte.is_ascii_hexdigit() || byte == b'-',
            _ => word,
        }
    }

    /// Returns whether the body looks random, and not like a name, a word or a pattern.
    fn is_random_body(&self, body: &str) -> bool {
        let digits = body.bytes().filter(u8::is_ascii_digit).count();
        let letters = body.bytes().filter(u8::is_ascii_alphabetic).count();
        match self.set {
            b'g' => randomness::is_uuid(body),
            b'x' => digits > 1 && letters > 1,
            _ if body.len() >= MIN_HEX_BODY
                && digits > 3
                && letters > 1
                && body
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'_' | b'-')) =>
            {
                true
            }
            _ => randomness::looks_random(body),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FORMS, TABLE, find_secret};

    #[test]
    fn every_line_of_the_table_is_a_form() {
        assert_eq!(FORMS.len(), TABLE.lines().count());
        for form in FORMS.iter() {
            assert!(b"xlunwtbg".contains(&form.set), "{form:?}");
            assert!(form.length >= 12 && form.prefix.len() >= 2, "{form:?}");
            let tag = format!("[redacted:{}]", form.tag);
            assert!(
                !tag.contains(form.prefix) || form.length > form.tag.len(),
                "{form:?}"
            );
        }
    }

    /// Generates a body of the minimum length for the form.
    fn body(form: &super::TokenForm) -> String {
        let signs = match form.set {
            b'x' => "3f81c9ae27b60d45",
            b'l' => "k3vd9qmz1xlw7rbt5yhc2nfj8gps4uae6iwo0",
            b'u' => "K3VD9QMZ1XLW7RBT5YHC2NFJ8GPS4UAE6IWO0",
            b'g' => return "a6dff19d-53ae-4ffd-a21a-fbde2f3e42cf".to_owned(),
            _ => "k3Vd9QmZ1xLw7RbT5yHc2NfJ8gPs4UaE6iWo0KtXvBqz",
        };
        signs.chars().cycle().take(form.length).collect()
    }

    #[test]
    fn every_form_is_found_where_it_stands_free() {
        for form in FORMS.iter() {
            let token = format!("{}{}", form.prefix, body(form));
            let text = format!("see `{token}` there");
            let prefix = 5..5 + form.prefix.len();
            let hit = find_secret(&text, form, &prefix);
            assert_eq!(
                hit.map(|hit| hit.span),
                Some(5..5 + token.len()),
                "{form:?}"
            );
            let inner = format!("a{token}");
            let prefix = 1..1 + form.prefix.len();
            assert_eq!(find_secret(&inner, form, &prefix), None, "{form:?}");
        }
    }

    #[test]
    fn names_and_masks_behind_a_prefix_stay() {
        for text in [
            "re_export_all_of_the_members_here",
            "live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "gsk_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "pre_k3Vd9QmZ1xLw7RbT5yHc2NfJ",
            "api-00000000-0000-0000-0000-000000000000",
        ] {
            for form in FORMS.iter() {
                for (at, found) in text.match_indices(form.prefix) {
                    let hit = find_secret(text, form, &(at..at + found.len()));
                    assert!(hit.is_none(), "{hit:?} in {text}");
                }
            }
        }
    }
}
