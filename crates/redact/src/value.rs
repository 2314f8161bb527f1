//! Classifies values: random, human-made password, or placeholder.

use std::sync::LazyLock;

use crate::published_examples::{PUBLISHED, is_published};
use crate::randomness;
use crate::word_search::WordSearch;

mod grouped;
mod reference;
mod stand_in;

pub(crate) use grouped::{grouped_password_length, is_grouped_password};
use reference::is_reference;

/// Parts that mark a value as a placeholder, at any position.
const NO_VALUE: &[&str] = &[
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "change-this",
    "change_this",
    "replaceme",
    "replace-me",
    "replace_me",
    "replace-with",
    "replace_with",
    "insert-your",
    "insert_your",
    "your-",
    "your_",
    "yourkey",
    "yourtoken",
    "yourpassword",
    "-here",
    "_here",
    "redacted",
    "not-a-real",
    "not_a_real",
    "notareal",
    "not-real",
    "to-be-set",
    "to_be_set",
    "goes-here",
    "dein-",
    "dein_",
    "ihr-",
    "votre-",
    "votre_",
    "tu-clave",
    "tu_clave",
    "sua-senha",
    "sua_senha",
    "required,",
    "omitempty",
];

/// Parts up to this length may occur in a long random value by chance, as `-Ihr-` does.
const SHORT_PART: usize = 6;
// Short parts count only in values up to this length. In a longer random value they occur by
// chance: a given part of four characters is in one of some 40,000 values of this length.
/// Maximum length of a value in which every part counts, in bytes.
const LONG_VALUE: usize = 60;

/// Counted-up characters, typical of invented values. A key may contain one by chance.
const SEQUENCES: &[&str] = &[
    "0123456789abcdef",
    "1234567890abcdef",
    "abcdef0123456789",
    "abcdef1234567890",
    "000102030405",
    "010203040506",
    "001122334455",
    "deadbeefdeadbeef",
    "12345678901234",
];

/// Beginnings of public keys, which vendors allow in pages and other programs.
const PUBLIC: &[&str] = &[
    "pk_live_",
    "pk_test_",
    "pk.eyJ",
    "phc_",
    "sb_publishable_",
    "ssh-rsa",
    "ssh-ed25519",
    "rzp_test_",
];

/// Words that describe a value and are not one.
const WORDS: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "key",
    "pass",
    "pwd",
    "todo",
    "fixme",
    "none",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "empty",
    "required",
    "optional",
    "string",
    "bytes",
    "hidden",
    "masked",
    "dummy",
    "fake",
    "test",
    "testing",
    "default",
    "unset",
    "value",
    "password1",
    "password123",
    "foo",
    "bar",
    "foobar",
    "contraseña",
    "contrasena",
    "senha",
    "bearer",
    "basic",
    "postgres",
    "admin",
    "root",
    "guest",
    "user",
    "username",
    "sample",
    "demo",
    "xxx",
];

/// Words of prose and code that contain a digit.
const TERMS: &[&str] = &[
    "sha", "md", "base", "utf", "aes", "oauth", "ipv", "http", "argon", "ed", "hs", "rs", "es",
    "ps", "eddsa", "log", "chacha", "blake", "secp", "curve", "bcrypt", "pbkdf", "scrypt", "x",
    "v", "p", "id", "u", "i", "f", "int", "uint", "float", "varchar", "string", "str", "char",
    "hmac", "rsa", "ecdsa", "crc", "iso", "rfc", "tls", "ssl", "web", "cve", "python", "java",
    "node", "php", "ripemd", "keccak", "des", "rc", "salsa", "xchacha", "poly", "nist", "bits",
    "bit", "pkcs", "fips", "mp", "h", "s", "ec", "k", "level", "step", "round", "line", "part",
    "file", "token", "key", "secret", "password", "user", "test", "arg", "param", "value", "field",
    "column", "var", "env", "sha3-", "sha2-", "aes-", "sha-", "utf-", "md-", "oauth-", "argon2",
    "argon2id", "argon2i", "argon2d", "tls-", "hs-", "rs-",
];

/// Returns whether `value` is a placeholder instead of a secret: an example from documentation, a
/// variable, a mask.
pub(crate) fn is_stand_in(value: &str) -> bool {
    is_placeholder(value)
        || is_email(value)
        || is_reference(value)
        || stand_in::is_template_name(value)
        || stand_in::is_variable_path(value)
        || stand_in::is_ethereum_address(value)
        || stand_in::is_question(value)
        || stand_in::is_variable_wildcard(value)
        || stand_in::is_time(value)
        || stand_in::is_package_version(value)
}

/// Returns whether `value` calls itself a placeholder, such as `your-key-here`.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_lowercase();
    let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
    bare.is_empty()
        || PUBLIC.iter().any(|start| value.starts_with(start))
        || WORDS.contains(&bare)
        || has_placeholder_part(value, &lower)
        || is_masked(&lower)
}

/// Returns whether `value`, which is `lower` in lower case, has a part that marks a placeholder, is
/// mostly counted-up characters, or contains a published example.
fn has_placeholder_part(value: &str, lower: &str) -> bool {
    // One search for all, because each value is searched.
    static PARTS: LazyLock<WordSearch> =
        LazyLock::new(|| WordSearch::of(&[NO_VALUE, SEQUENCES, PUBLISHED].concat()));
    let short_counts = value.len() <= LONG_VALUE;
    let mut found = PARTS.find(lower);
    found.any(|part| {
        if part.number < NO_VALUE.len() {
            return short_counts || part.range.len() > SHORT_PART;
        }
        match part.number < NO_VALUE.len() + SEQUENCES.len() {
            true => is_mostly_sequence(lower),
            // The search ignores the case, which matters here.
            false => is_published(value),
        }
    })
}

/// Returns whether half of `value`, in lower case, is a counted-up sequence or repetitions of one.
fn is_mostly_sequence(value: &str) -> bool {
    let share = |sequence: &str| value.matches(sequence).count() * sequence.len();
    SEQUENCES
        .iter()
        .any(|sequence| share(sequence) * 2 >= value.len())
}

/// Returns whether `value` is an email address.
fn is_email(value: &str) -> bool {
    let Some((user, host)) = value.split_once('@') else {
        return false;
    };
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+');
    let end = host.rsplit_once('.').map_or("", |(_, end)| end);
    !user.is_empty()
        && user.bytes().all(part)
        && host.bytes().all(part)
        && end.len() >= 2
        && end.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Returns whether `value` is a repeated character, an ellipsis, or text in angle brackets.
fn is_masked(value: &str) -> bool {
    let bytes = value.as_bytes();
    // Zero bytes make long runs in base64, so a long value needs a longer run to count as masked.
    let run = if bytes.len() > 80 {
        24
    } else if bytes.iter().any(|byte| matches!(byte, b'+' | b'/')) || bytes.len() > 60 {
        9
    } else {
        5
    };
    value.contains("...")
        || value.contains('…')
        || value.contains("***")
        || value.contains("•••")
        || value.starts_with('<')
        || has_repeated_byte(bytes, run) && !has_random_text_after_run(value)
        || (value.matches('x').count() * 2 > value.len() && value.contains("xxxx"))
}

/// Returns whether `bytes` has `count` times the same byte in a row, other than `=`.
fn has_repeated_byte(bytes: &[u8], count: usize) -> bool {
    let (mut last, mut run) = (b'=', 0);
    bytes.iter().any(|byte| {
        run = if *byte == last { run + 1 } else { 1 };
        last = *byte;
        run >= count && last != b'='
    })
}

/// Returns whether random text follows a repeated character that is typical of a vendor, as in
/// `0x4AAAAAAA…`.
fn has_random_text_after_run(value: &str) -> bool {
    let bytes = value.as_bytes();
    let last = bytes
        .windows(5)
        .rposition(|run| run.iter().all(|byte| *byte == run[0]));
    last.is_some_and(|at| {
        let rest = value.get(at + 5..).unwrap_or_default();
        at <= 10 && rest.len() >= 20 && randomness::looks_random(rest) && !is_hash(rest)
    })
}

/// Returns whether `value` is a file path, or names joined by dots as in code.
pub(crate) fn is_path(value: &str) -> bool {
    let parts = |sign: char| {
        value.split(sign).all(|part| {
            part.is_empty()
                || part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.'))
        })
    };
    let rooted = ["/", "./", "../", "~/"]
        .iter()
        .any(|start| value.starts_with(start));
    let name = value.rsplit('/').next().unwrap_or(value);
    let kind = name.rsplit_once('.').map(|(_, kind)| kind);
    let files = [
        "rs", "py", "js", "ts", "go", "rb", "php", "java", "json", "yaml", "yml", "toml", "txt",
        "md", "pem", "key", "crt", "conf", "cfg", "ini", "sh", "env", "html", "css", "c", "h",
        "cpp", "kt", "cs", "sql", "lock", "xml", "log", "tsx", "jsx", "vue", "swift",
    ];
    (rooted && value[1..].contains('/') && !has_long_random_part(value))
        || (value.contains('/') && parts('/') && !(value.len() >= 24 && is_long_random(value)))
        || (value.contains('.') && parts('.'))
        || (kind.is_some_and(|kind| files.contains(&kind))
            && !value.contains(['!', '$', '%', '&', '+', '=', '?']))
}

/// Returns whether a part of `value` is long and looks random.
fn has_long_random_part(value: &str) -> bool {
    value
        .split(['/', '.', '-', '_'])
        .any(|part| part.len() >= 20 && is_random(part))
}

/// Counts how many times a digit follows a letter, or a letter a digit.
pub(crate) fn letter_digit_changes(value: &str) -> usize {
    let pairs = value.as_bytes().windows(2);
    let turn = |pair: &&[u8]| match pair {
        [one, other] => {
            one.is_ascii_alphanumeric()
                && other.is_ascii_alphanumeric()
                && one.is_ascii_digit() != other.is_ascii_digit()
        }
        _ => false,
    };
    pairs.filter(turn).count()
}

/// Returns whether `value` is hexadecimal like a hash or an id, including the hyphens of a UUID.
pub(crate) fn is_hash(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Returns whether `value` has letters mixed with digits, in both cases or in one piece. Excludes
/// hashes, whose only letters are `a` to `f`, and UUIDs, which also have hyphens.
pub(crate) fn is_random(value: &str) -> bool {
    let count = |test: fn(&u8) -> bool| value.bytes().filter(test).count();
    let both = count(u8::is_ascii_uppercase) > 0 && count(u8::is_ascii_lowercase) > 0;
    let digits = count(u8::is_ascii_digit);
    let whole = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
    !is_hash(value) && ((both && digits > 0) || (whole && digits > 1 && digits < value.len()))
}

/// Returns whether letters of both cases alternate too often for words.
fn has_random_case(value: &str) -> bool {
    let changes = value.as_bytes().windows(2).filter(|pair| match pair {
        [one, other] => {
            one.is_ascii_alphabetic()
                && other.is_ascii_alphabetic()
                && one.is_ascii_uppercase() != other.is_ascii_uppercase()
        }
        _ => false,
    });
    value.len() >= 16 && changes.count() * 3 > value.len()
}

/// Returns whether `value` is long and looks generated by a program: random characters, or
/// hexadecimal of a key's length.
pub(crate) fn is_generated(value: &str) -> bool {
    let hex = value.len() >= 24
        && value.bytes().all(|byte| byte.is_ascii_hexdigit())
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic());
    hex || (value.len() >= 10
        && is_random(value)
        && letter_digit_changes(value) > 2
        && !is_path(value))
        || has_random_case(value)
        || is_prefixed_token(value)
        || is_several_hex_pieces(value)
        || value.len() >= 16 && !value.contains(char::is_whitespace) && is_long_random(value)
}

/// Returns whether `value` has letters and digits that form no word, with few symbols among them.
fn is_long_random(value: &str) -> bool {
    let signs = value
        .bytes()
        .filter(|byte| !byte.is_ascii_alphanumeric())
        .count();
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    signs * 6 <= value.len()
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-+/=.~:!%".contains(&byte))
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && randomness::is_random_letters(value)
}

/// Returns whether `value` is several pieces of hexadecimal, together longer than a single id or
/// hash.
fn is_several_hex_pieces(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_hexdigit).count();
    digits >= 40
        && value.contains([':', '.', '/'])
        && value
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.' | b'/' | b'-'))
        && value
            .split([':', '.', '/'])
            .any(|part| part.len() >= 24 && part.bytes().any(|byte| byte.is_ascii_alphabetic()))
}

/// Returns whether `value` is a long piece of lower-case letters and digits after a short prefix
/// that names its owner.
fn is_prefixed_token(value: &str) -> bool {
    let owned = value.rsplit_once(['-', '_']).is_some_and(|(owner, rest)| {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        (1..=24).contains(&owner.len())
            && owner.bytes().all(word)
            && rest.len() >= 20
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && (is_random(rest) && letter_digit_changes(rest) > 3
                || rest.len() >= 32 && is_hash(rest) && letter_digit_changes(rest) > 3)
    });
    // A UUID after a short prefix is a token too: `pat-eu1-…`.
    let uuid = value.len().checked_sub(36).is_some_and(|at| {
        (2..=24).contains(&at) && value.is_char_boundary(at) && randomness::is_uuid(&value[at..])
    });
    owned || uuid
}

/// Returns whether `value` is some words and a number, joined by `sign`: `copper.hazel.81`. Names
/// of hosts and projects usually use hyphens.
pub(crate) fn is_words_and_number(value: &str, sign: char) -> bool {
    let mut parts: Vec<&str> = value.split(sign).collect();
    let number = parts.pop().unwrap_or_default();
    let word = |part: &&str| {
        (4..=12).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_lowercase())
            && !TERMS.contains(part)
            && !WORDS.contains(part)
    };
    (2..=4).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && (2..=5).contains(&parts.len())
        && parts.iter().all(word)
}

/// Returns whether `value` is a typical human-made password: letters with digits or special
/// characters among them.
pub(crate) fn is_human_made_password(value: &str) -> bool {
    let count = |test: fn(&char) -> bool| value.chars().filter(test).count();
    let (digits, letters) = (count(|c| c.is_ascii_digit()), count(|c| c.is_alphabetic()));
    let signs = count(|c| "!@#$%^&*?+=~§€£/\\|:;,(){}[]<>'\"`-_.".contains(*c));
    let loud = count(|c| "!@#$%^&*?+=~§€£".contains(*c));
    let both = value.chars().any(char::is_uppercase) && value.chars().any(char::is_lowercase);
    if is_words_and_number(value, '.') {
        return true;
    }
    if value.chars().count() < 6 || letters == 0 || is_path(value) || is_technical_term(value) {
        return false;
    }
    if is_nonword_mixed_case(value) {
        return true;
    }
    let code = value.contains(['(', '[', '{']) && value.contains([')', ']', '}'])
        || value.contains("::")
        || value.contains("->")
        || value.contains("=>")
        || value.contains("==")
        || value.contains("!=")
        || value.contains("&&")
        || value.contains("||");
    if code {
        return digits > 0 && loud > 0 && letters + digits > 8 && !value.contains("()");
    }
    (loud > 0 && (digits > 0 || both || value.chars().count() >= 10))
        || (digits > 0 && signs == 0)
        || (digits > 0 && both)
        || (digits > 1
            && signs > 0
            && letter_digit_changes(value) + signs > 1
            && !value.ends_with('%'))
}

/// Returns whether letters of both cases form neither a word nor an identifier.
pub(crate) fn is_nonword_mixed_case(value: &str) -> bool {
    let bytes = value.as_bytes();
    let changes = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase())
        .count();
    (8..=40).contains(&value.len())
        && bytes.iter().all(u8::is_ascii_alphabetic)
        && changes * 3 >= value.len()
        && randomness::is_random_letters(value)
}

/// Returns whether `value` has many symbols of all kinds, like a generated salt: `!Kq*o[-(9a|&`.
pub(crate) fn has_many_symbols(value: &str) -> bool {
    let count = |test: fn(&u8) -> bool| value.bytes().filter(test).count();
    value.len() >= 32
        && count(u8::is_ascii_punctuation) * 6 > value.len()
        && count(u8::is_ascii_digit) > 1
        && count(u8::is_ascii_uppercase) > 3
        && count(u8::is_ascii_lowercase) > 3
        && !value.contains("  ")
        && value.bytes().filter(|byte| *byte == b' ').count() * 12 < value.len()
}

/// Returns whether `value` is a name or a measure with a number: `sha256`, `utf-8`, `64-bit`,
/// `v1.2.3`, `user_id2`.
fn is_technical_term(value: &str) -> bool {
    let lower = value.to_lowercase();
    let stem = lower.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_'));
    let measure = lower.trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | ':' | '/' | '_')
    });
    let split: Vec<&str> = lower.split(['-', '_', '.', '/']).collect();
    let plain = |part: &&str| {
        let letters = part.trim_matches(|c: char| c.is_ascii_digit());
        letters.bytes().all(|byte| byte.is_ascii_alphabetic())
            && (letters.len() == part.len()
                || letters.is_empty()
                || part.len() < 5
                || TERMS.contains(&letters))
    };
    TERMS.contains(&stem)
        || (measure.len() < lower.len()
            && measure.bytes().all(|byte| byte.is_ascii_alphabetic())
            && measure.len() <= 7
            && lower.starts_with(|c: char| c.is_ascii_digit())
            && letter_digit_changes(&lower) < 2)
        || (split.len() > 1 && split.iter().all(plain) && !value.chars().any(char::is_uppercase))
        || measure.is_empty()
}

/// Returns whether `value` begins with a function call, perhaps truncated: `models.CharField(`.
pub(crate) fn starts_with_call(value: &str) -> bool {
    value.split_once('(').is_some_and(|(name, _)| {
        let part = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.');
        // A Rust macro call has a `!` before the bracket.
        let name = name.strip_suffix('!').unwrap_or(name);
        name.len() > 3 && name.bytes().all(part) && !name.bytes().all(|it| it.is_ascii_uppercase())
    })
}

/// Returns whether `value` is an identifier of a program: words joined by underscores or in camel
/// case, with at most two digits.
pub(crate) fn is_identifier(value: &str) -> bool {
    let bytes = value.as_bytes();
    let signs = bytes
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':'));
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    signs
        && !(value.len() >= 12 && randomness::is_random_letters(value))
        && (digits == 0
            || (digits <= 2 && letter_digit_changes(value) <= 2 && value.contains(['_', '-', '.'])))
}
