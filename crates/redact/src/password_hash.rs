//! Finds password hashes in the account files of systems and servers.

use std::ops::Range;

use crate::hit::Hit;
use crate::value::is_placeholder;

/// The beginnings of hashes in `/etc/shadow` (crypt(5)), `.htpasswd` and similar files.
pub(crate) const MARKS: [&str; 18] = [
    // `$` is doubled in Compose files, where a single `$` starts a variable.
    ":$$apr1$$",
    ":$$2y$$",
    ":$$6$$",
    ":$1$",
    ":$2a$",
    ":$2b$",
    ":$2y$",
    ":$5$",
    ":$6$",
    ":$7$",
    ":$y$",
    ":$gy$",
    ":$apr1$",
    ":$argon2",
    ":{SHA",
    ":{SSHA",
    ":{PBKDF2",
    ":{CRYPT",
];

// Twice the 32 characters that Linux allows in a user name.
/// Maximum length of a user name, in bytes.
const MAX_NAME: usize = 64;
// Twice the 250 or so characters of an Argon2 hash with the longest salt.
/// Maximum length of a hash, in bytes.
const MAX_HASH: usize = 512;

/// Returns the hash whose mark is at `place`, if it fills a field after a user name.
///
/// In source code or a database table a quote precedes it, and it stays: debates quote such hashes.
pub(crate) fn find_hash(text: &str, place: &Range<usize>) -> Option<Hit> {
    let bytes = text.as_bytes();
    let name = bytes[..place.start].iter().rev().take(MAX_NAME + 1);
    let name = name
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.@+".contains(byte))
        .count();
    let before = place.start.checked_sub(name + 1).map(|at| bytes[at]);
    let opens = before.is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'`>|=,".contains(&byte));
    if name == 0 || name > MAX_NAME || !opens {
        return None;
    }
    let start = place.start + 1;
    let part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"$./+=,{}_-".contains(byte);
    let length = bytes[start..]
        .iter()
        .take(MAX_HASH)
        .take_while(part)
        .count();
    let hash = &text[start..start + length];
    let drawn = hash.rsplit(['$', '}']).next().unwrap_or(hash);
    let closes = bytes
        .get(start + length)
        .is_none_or(|byte| byte.is_ascii_whitespace() || b":\"'`<|".contains(byte));
    (closes && drawn.len() >= 20 && !is_placeholder(hash)).then(|| Hit {
        rule: "password-hash",
        span: start..start + length,
    })
}
