//! Finds wallet keys that contain a checksum, so that no name beside them is needed.

use std::ops::Range;

use sha2::{Digest as _, Sha256};

use crate::hit::Hit;

// Every kind of key below has at least 51 characters, so a step of this size hits each of them.
/// Distance between the characters that are checked.
const STRIDE: usize = 51;
/// Maximum length: a key encrypted with a password (BIP 38).
const MAX_CHARS: usize = 58;

const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Returns the keys in `text`.
pub(crate) fn find_keys(text: &str) -> Vec<Hit> {
    let bytes = text.as_bytes();
    let places = (0..bytes.len()).step_by(STRIDE);
    let runs = places.filter_map(|at| key_run_at(bytes, at));
    let mut hits: Vec<Hit> = Vec::new();
    for span in runs.filter(|span| is_key(&bytes[span.clone()])) {
        if hits.last().is_none_or(|last| last.span != span) {
            hits.push(Hit {
                rule: "wallet-key",
                span,
            });
        }
    }
    hits
}

/// Returns the run of letters and digits around `at`, if it has the length of a key.
fn key_run_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let part = |byte: &&u8| byte.is_ascii_alphanumeric();
    // The run goes at least half of the shortest length to one side, which most texts do not.
    let has = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(|byte| part(&byte))
    };
    let is_long = |step: fn(usize, usize) -> Option<usize>| {
        has(step(at, STRIDE / 2)) && has(step(at, STRIDE / 4))
    };
    if !is_long(usize::checked_add) && !is_long(usize::checked_sub) {
        return None;
    }
    let right = bytes[at..]
        .iter()
        .take(MAX_CHARS + 1)
        .take_while(part)
        .count();
    if right == 0 {
        return None;
    }
    let left = bytes[..at]
        .iter()
        .rev()
        .take(MAX_CHARS + 1)
        .take_while(part)
        .count();
    (STRIDE..=MAX_CHARS)
        .contains(&(left + right))
        .then_some(at - left..at + right)
}

fn is_key(run: &[u8]) -> bool {
    match (run.len(), run) {
        // A Bitcoin private key in import format (WIF), for the main or a test network.
        (51, [b'5' | b'9', ..]) => has_base58_checksum::<37>(run),
        (52, [b'K' | b'L' | b'c', ..]) => has_base58_checksum::<38>(run),
        (58, [b'6', b'P', ..]) => has_base58_checksum::<43>(run),
        // A secret seed of Stellar.
        (56, [b'S', ..]) => has_stellar_checksum(run),
        _ => false,
    }
}

/// Returns whether `run` is base58 of `N` bytes, the last four of which are the checksum of the
/// others.
fn has_base58_checksum<const N: usize>(run: &[u8]) -> bool {
    let mut decoded = [0_u8; N];
    for char in run {
        let Some(digit) = BASE58.iter().position(|other| other == char) else {
            return false;
        };
        let mut carry = digit;
        for byte in decoded.iter_mut().rev() {
            carry += usize::from(*byte) * BASE58.len();
            *byte = (carry % 256) as u8;
            carry /= 256;
        }
        if carry > 0 {
            return false;
        }
    }
    let (body, sum) = decoded.split_at(N - 4);
    Sha256::digest(Sha256::digest(body)).starts_with(sum)
}

/// Returns whether `run` is base32 of 35 bytes, the last two of which are the CRC-16 (XMODEM) of
/// the others.
fn has_stellar_checksum(run: &[u8]) -> bool {
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(35), 0_u32, 0);
    for char in run {
        let Some(digit) = BASE32.iter().position(|other| other == char) else {
            return false;
        };
        bits = (bits << 5 | digit as u32) & 0xffff;
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    let [body @ .., low, high] = bytes.as_slice() else {
        return false;
    };
    let step = |sum: u16, byte: &u8| {
        (0..8).fold(sum ^ u16::from(*byte) << 8, |sum, _| {
            sum << 1 ^ if sum & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    };
    body.iter().fold(0, step) == u16::from_le_bytes([*low, *high])
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::{BASE32, BASE58, find_keys};

    /// A Bitcoin key with counted-up bytes.
    fn bitcoin_key() -> String {
        let mut bytes = vec![0x80];
        bytes.extend((0..32).map(|at| at * 7 + 3));
        bytes.push(1);
        let sum = Sha256::digest(Sha256::digest(&bytes));
        bytes.extend_from_slice(&sum[..4]);
        let mut digits = vec![0_usize; 52];
        for byte in bytes {
            let mut carry = usize::from(byte);
            for digit in digits.iter_mut().rev() {
                carry += *digit * 256;
                *digit = carry % 58;
                carry /= 58;
            }
        }
        digits
            .iter()
            .map(|digit| char::from(BASE58[*digit]))
            .collect()
    }

    #[test]
    fn a_key_is_found_at_any_place_and_only_with_its_checksum() {
        let key = bitcoin_key();
        for before in 0..60 {
            let text = format!("{} {key}.", "x".repeat(before));
            let found = find_keys(&text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(text[found[0].span.clone()], key, "{text}");
        }
        let mut wrong = key.clone();
        wrong.replace_range(20..21, if &key[20..21] == "x" { "y" } else { "x" });
        assert_eq!(find_keys(&wrong), []);
        assert_eq!(find_keys(&format!("a{key}")), []);
    }

    #[test]
    fn a_seed_of_stellar_is_found_by_its_checksum() {
        // 18 * 8 is the version of a seed; the last two bytes are for the checksum.
        let mut body = vec![0x90_u8];
        body.extend((0..32).map(|at| at * 5 + 1));
        let all = (0..=u16::MAX).map(|sum| {
            let bytes: Vec<u8> = [body.as_slice(), &sum.to_le_bytes()].concat();
            let bit = |at: usize| usize::from(bytes[at / 8] >> (7 - at % 8) & 1);
            let char = |at: usize| (0..5).fold(0, |value, more| value * 2 + bit(at * 5 + more));
            (0..56)
                .map(|at| char::from(BASE32[char(at)]))
                .collect::<String>()
        });
        let found = all.filter(|seed| !find_keys(seed).is_empty()).count();
        assert_eq!(found, 1);
    }
}
