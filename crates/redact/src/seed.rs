//! Finds the seed phrases of wallets (BIP 39).

use std::ops::Range;
use std::sync::LazyLock;

use crate::hit::Hit;
use crate::published_examples::is_published;

// BIP 39: a phrase has 12 to 24 words.
/// Minimum number of words in a phrase.
const MIN_WORDS: usize = 12;
// Twelve random words out of 2,048 almost never contain fewer than eight different ones.
/// Minimum number of different words; documents contain phrases that repeat one word.
const MIN_DIFFERENT: usize = 8;
// The shortest phrase is twelve words of three letters: 47 bytes with the spaces between them. A
// step of 44 always lands in it.
/// Every phrase of `MIN_WORDS` words is longer than this, so checking one word per step is enough.
const STRIDE: usize = 44;
// A numbered list has seven bytes between two words: a line end, two spaces, two digits, a full
// stop and a space.
/// Maximum number of bytes between two words.
const MAX_GAP: usize = 8;

/// Number of bits of the hash of a word; half of the places stay free.
const HASH_BITS: u32 = 12;

/// The BIP 39 word list: a hash table of the words, each packed by `pack_word`. A word is at the
/// place of its hash or, if others are there, after them; a free place is 0.
static WORDS: LazyLock<Box<[u64; 1 << HASH_BITS]>> = LazyLock::new(|| {
    let mut table = Box::new([0; 1 << HASH_BITS]);
    for word in include_str!("seed_words.txt").lines() {
        let packed = pack_word(word.as_bytes());
        let mut place = hash_word(packed);
        while table[place] != 0 {
            place = (place + 1) % table.len();
        }
        table[place] = packed;
    }
    table
});

/// Packs the letters of a word of at most eight, in lower case, into a number, which is faster to
/// compare.
fn pack_word(word: &[u8]) -> u64 {
    let mut letters = [0; 8];
    for (letter, byte) in letters.iter_mut().zip(word) {
        *letter = *byte | 0x20;
    }
    u64::from_be_bytes(letters)
}

fn hash_word(packed: u64) -> usize {
    // Multiplication by the golden ratio spreads the letters over the upper bits.
    (packed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - HASH_BITS)) as usize
}

/// Returns whether `word`, which consists of letters, is in the list in any case.
fn is_seed_word(word: &str) -> bool {
    if !(3..=8).contains(&word.len()) {
        return false;
    }
    let packed = pack_word(word.as_bytes());
    let mut place = hash_word(packed);
    while WORDS[place] != packed {
        if WORDS[place] == 0 {
            return false;
        }
        place = (place + 1) % WORDS.len();
    }
    true
}

/// Returns the seed phrases in `text`.
pub(crate) fn find_seed_phrases(text: &str) -> Vec<Hit> {
    let bytes = text.as_bytes();
    let mut hits = Vec::new();
    let (mut at, mut done) = (0, 0);
    while at < bytes.len() {
        let Some(word) = word_at(bytes, at) else {
            at += STRIDE;
            continue;
        };
        if !is_seed_word(&text[word.clone()]) {
            at = word.end.max(at) + STRIDE - 8;
            continue;
        }
        let (span, words) = seed_word_run(text, &word, done);
        if words.len() >= MIN_WORDS
            && !words.is_sorted()
            && count_different(&words) >= MIN_DIFFERENT
            && !is_published(&text[span.clone()])
        {
            let (rule, span) = ("seed-phrase", span.clone());
            hits.push(Hit { rule, span });
        }
        done = span.end;
        at = span.end.max(at) + STRIDE - 8;
    }
    hits
}

fn count_different(words: &[&str]) -> usize {
    let mut words = words.to_vec();
    words.sort_unstable();
    words.dedup();
    words.len()
}

/// Returns the word at or shortly after `at`.
fn word_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let letter = |byte: &u8| byte.is_ascii_alphabetic();
    let start = at + bytes[at..].iter().take(MAX_GAP).position(letter)?;
    let left = bytes[..start]
        .iter()
        .rev()
        .take(9)
        .take_while(|byte| letter(byte))
        .count();
    let right = bytes[start..]
        .iter()
        .take(9)
        .take_while(|byte| letter(byte))
        .count();
    Some(start - left..start + right)
}

/// Returns the consecutive seed words around `word`, starting no earlier than `floor`, with their
/// range.
fn seed_word_run<'t>(
    text: &'t str,
    word: &Range<usize>,
    floor: usize,
) -> (Range<usize>, Vec<&'t str>) {
    let bytes = text.as_bytes();
    let mut span = word.clone();
    let mut words = vec![&text[word.clone()]];
    let mut broken = false;
    while let Some(last) = word_before(bytes, span.start).filter(|last| {
        last.start >= floor
            && is_phrase_gap(&text[last.end..span.start])
            && is_seed_word(&text[last.clone()])
    }) {
        words.push(&text[last.clone()]);
        broken |= text[last.end..span.start].contains('\n');
        span.start = last.start;
    }
    words.reverse();
    // The most frequent case: without a neighbour in the list, a word needs no memory.
    let is_neighbour =
        |next: &Range<usize>| next.start > span.end && is_seed_word(&text[next.clone()]);
    if words.is_empty() && !word_at(bytes, span.end).as_ref().is_some_and(is_neighbour) {
        return (span, words);
    }
    words.push(&text[word.clone()]);
    while let Some(next) = word_at(bytes, span.end).filter(|next| {
        next.start > span.end
            && is_phrase_gap(&text[span.end..next.start])
            && is_seed_word(&text[next.clone()])
            // A word before `=` is the name of the next setting, not a part of the phrase.
            && bytes.get(next.end) != Some(&b'=')
    }) {
        let breaks = text[span.end..next.start].contains('\n');
        // Stop at a new sentence, or at the end of a line with a complete phrase (12, 15, … words).
        let sentence = words
            .last()
            .is_some_and(|last| is_sentence_start(last, &text[next.clone()]));
        if sentence
            || breaks && !broken && words.len() >= MIN_WORDS && words.len().is_multiple_of(3)
        {
            break;
        }
        broken |= breaks;
        words.push(&text[next.clone()]);
        span.end = next.end;
    }
    (span, words)
}

fn word_before(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let letter = |byte: &u8| byte.is_ascii_alphabetic();
    let gap = bytes[..at].iter().rev().take(MAX_GAP).position(letter)?;
    let end = at - gap;
    let length = bytes[..end]
        .iter()
        .rev()
        .take(9)
        .take_while(|byte| letter(byte))
        .count();
    (gap > 0).then_some(end - length..end)
}

/// Returns whether `between` is a gap in a phrase: spaces, commas, a list number, or the end of a
/// quotation before another begins.
fn is_phrase_gap(between: &str) -> bool {
    let numbered = between.bytes().any(|byte| byte.is_ascii_digit());
    let part = |byte: u8| {
        byte.is_ascii_whitespace()
            || byte.is_ascii_digit()
            || matches!(byte, b',' | b'-' | b'|' | b'*' | b'_' | b'"' | b'\'' | b'`')
            || (numbered && matches!(byte, b'.' | b')' | b':' | b'(' | b'#'))
    };
    let quote = |char: char| matches!(char, '"' | '\'' | '`');
    let inner = between.trim();
    let quoted = inner.contains(quote);
    let apart = inner.len() > 2 && inner.starts_with(quote) && inner.ends_with(quote);
    between.bytes().all(part) && (!quoted || apart)
}

/// Returns whether a sentence begins at `next`, after a lower-case word.
fn is_sentence_start(word: &str, next: &str) -> bool {
    let small = |word: &str| word.starts_with(|char: char| char.is_ascii_lowercase());
    small(word) && !small(next)
}

#[cfg(test)]
mod tests {
    use super::{WORDS, find_seed_phrases, is_seed_word};

    const LIST: &str = include_str!("seed_words.txt");

    #[test]
    fn the_list_is_whole() {
        assert_eq!(WORDS.iter().filter(|word| **word != 0).count(), 2048);
        assert!(LIST.lines().all(is_seed_word));
        assert!(!is_seed_word("absolut") && !is_seed_word("zoos"));
    }

    #[test]
    fn phrases_are_found_in_any_form() {
        let words =
            "gravity machine north sort system female filter attitude volume fold club stay";
        for text in [
            words.to_owned(),
            format!("It is: {words}. Keep it."),
            words.replace(' ', "\", \""),
            words.replace(' ', "\n"),
        ] {
            let hits = find_seed_phrases(&text);
            assert_eq!(hits.len(), 1, "{text}");
            let found = &text[hits[0].span.clone()];
            assert!(
                found.starts_with("gravity") && found.ends_with("stay"),
                "{found}"
            );
        }
        let documented = "abandon ".repeat(11) + "about";
        assert_eq!(find_seed_phrases(&documented), []);
        assert_eq!(
            find_seed_phrases(&LIST.lines().take(40).collect::<Vec<_>>().join("\n")),
            []
        );
        assert_eq!(
            find_seed_phrases(
                "The loop in src/scan.rs reads the page twice; the second read is only needed when the first one was cut off."
            ),
            []
        );
    }
}
