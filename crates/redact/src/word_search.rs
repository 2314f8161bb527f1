//! Finds many words in a single pass over a text.
//!
//! Each word is represented by its rarest three neighbouring bytes. The pass only looks up such
//! triples in a table of 32 KiB; words are compared where their triple occurs. That is several times
//! faster than an automaton over all words, and takes almost no time to prepare.

use std::cmp::Reverse;
use std::ops::Range;

/// Number of bits of the class of a byte.
const BITS: u32 = 6;
/// Number of classes of bytes.
const CLASSES: u32 = 1 << BITS;
/// Number of triples of classes.
const TRIPLES: u32 = 1 << (3 * BITS);
/// Number of sets of 64 bits with a bit for each triple.
const SETS: usize = (TRIPLES / u64::BITS) as usize;
/// Number of bytes in a triple.
const TRIPLE: usize = 3;

// Large enough that sorting the words found in a chunk costs nothing, and small enough that a text
// in which every byte is a word needs little memory.
/// Number of triples looked up before the words at them are returned.
const CHUNK: usize = 8 * 1024;
/// Number of triples looked up together.
const BATCH: usize = 64;

/// Words to find, in any case of ASCII letters.
pub(crate) struct WordSearch {
    /// A bit for each triple, set if a word has it.
    is_used: Box<[u64; SETS]>,
    /// The number of triples in use in the sets before each.
    used_before: Box<[u32; SETS]>,
    /// Where the words of each triple in use begin in `numbers`, and where the last ones end.
    starts: Vec<u32>,
    /// The indices of the words, by their triples. A word shorter than a triple has several.
    numbers: Vec<u32>,
    words: Vec<Word>,
}

struct Word {
    text: Box<[u8]>,
    /// The position of the word's triple.
    at: usize,
    /// The first bytes of the word in lower case, and the bits of them that are compared.
    head: u64,
    mask: u64,
}

/// A word found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordHit {
    /// Its byte range.
    pub(crate) range: Range<usize>,
    /// The index of the word.
    pub(crate) number: usize,
}

impl WordSearch {
    /// Prepares a search for `words`, each identified by its index. Empty words are never found.
    pub(crate) fn of(words: &[&str]) -> Self {
        let words = words.iter();
        let words: Vec<_> = words.map(|word| Word::new(word.as_bytes())).collect();
        let mut triples = Vec::new();
        for (number, word) in (0_u32..).zip(&words) {
            let known = word.text.iter().skip(word.at).take(TRIPLE);
            let known: Vec<u32> = known.map(|byte| class(*byte)).collect();
            let triple = known.iter().fold(0, |triple, class| triple << BITS | class);
            // A shorter word is compared wherever its bytes occur, whatever follows.
            let open = match known.len() {
                0 => continue,
                length => BITS * (TRIPLE - length) as u32,
            };
            let all = triple << open..(triple + 1) << open;
            triples.extend(all.map(|triple| (triple, number)));
        }
        triples.sort_unstable();
        let mut is_used = Box::new([0; SETS]);
        let mut starts = Vec::new();
        let mut last = None;
        for (start, (triple, _)) in (0_u32..).zip(&triples) {
            if last != Some(triple) {
                is_used[(triple / u64::BITS) as usize] |= 1 << (triple % u64::BITS);
                starts.push(start);
            }
            last = Some(triple);
        }
        starts.push(triples.len() as u32);
        let mut used_before = Box::new([0; SETS]);
        let mut count = 0;
        for (before, set) in used_before.iter_mut().zip(is_used.iter()) {
            *before = count;
            count += u64::count_ones(*set);
        }
        Self {
            is_used,
            used_before,
            starts,
            numbers: triples.into_iter().map(|(_, number)| number).collect(),
            words,
        }
    }

    /// Returns every word in `text`, including overlapping ones, ordered by end; among those with
    /// the same end, the longest first.
    pub(crate) fn find<'w>(&'w self, text: &'w str) -> impl Iterator<Item = WordHit> + 'w {
        WordHits {
            search: self,
            text: text.as_bytes(),
            at: 0,
            found: Vec::new(),
            next: 0,
            ready: 0,
        }
    }

    /// Returns a bit for each of the positions whose triple a word has. `state` has the triple
    /// before the first, and `bytes` the last byte of each triple.
    #[inline(always)]
    fn used_triples(&self, state: &mut u32, bytes: &[u8; BATCH]) -> u64 {
        let mut used = 0;
        // A constant number of bytes at once, so that the compiler unrolls the inner loop.
        for bytes in bytes.as_chunks::<8>().0 {
            let mut bits = 0;
            for (at, byte) in bytes.iter().enumerate() {
                *state = *state << BITS | CLASS[usize::from(*byte)];
                let triple = *state % TRIPLES;
                let set = self.is_used[(triple / u64::BITS) as usize];
                bits |= (set >> (triple % u64::BITS) & 1) << at;
            }
            used = used >> 8 | bits << 56;
        }
        used
    }

    /// Adds the words whose triple is the one at `at`, which must be one in use.
    // Not part of the loop over all bytes, which must stay small.
    #[inline(never)]
    fn add_words_at(&self, text: &[u8], at: usize, found: &mut Vec<WordHit>) {
        // The triples at the end of the text continue with zeros.
        let byte_at = |at: usize| class(text.get(at).copied().unwrap_or(0));
        let triple = byte_at(at) << (2 * BITS) | byte_at(at + 1) << BITS | byte_at(at + 2);
        let set = (triple / u64::BITS) as usize;
        let bit = 1_u64 << (triple % u64::BITS);
        let before = (self.is_used[set] & (bit - 1)).count_ones();
        let index = (self.used_before[set] + before) as usize;
        let numbers = self.starts[index] as usize..self.starts[index + 1] as usize;
        for number in &self.numbers[numbers] {
            let number = *number as usize;
            let word = &self.words[number];
            let Some(start) = at.checked_sub(word.at) else {
                continue;
            };
            if (lower_head(&text[start..]) ^ word.head) & word.mask != 0 {
                continue;
            }
            let range = start..start + word.text.len();
            let is_here = text.get(range.clone());
            if is_here.is_some_and(|here| here.eq_ignore_ascii_case(&word.text)) {
                found.push(WordHit { range, number });
            }
        }
    }
}

/// The words found in a text.
struct WordHits<'w> {
    search: &'w WordSearch,
    text: &'w [u8],
    /// The first triple that was not looked up yet.
    at: usize,
    /// Words that were found.
    found: Vec<WordHit>,
    /// The next of them to return, and the first that may be preceded by one not yet found.
    next: usize,
    ready: usize,
}

impl WordHits<'_> {
    /// Looks up a chunk of triples.
    fn search_chunk(&mut self) {
        self.found.drain(..self.next);
        self.next = 0;
        let (search, text) = (self.search, self.text);
        let end = (self.at + CHUNK).min(text.len());
        let first = text.get(self.at).copied().map_or(0, class);
        let second = text.get(self.at + 1).copied().map_or(0, class);
        let mut state = first << BITS | second;
        let last_bytes = text.get(self.at + TRIPLE - 1..).unwrap_or_default();
        let mut at = self.at;
        while at < end {
            let rest = &last_bytes[(at - self.at).min(last_bytes.len())..];
            let mut used = match rest.first_chunk::<BATCH>() {
                Some(batch) => search.used_triples(&mut state, batch),
                // The triples at the end of the text continue with zeros.
                None => {
                    let mut batch = [0; BATCH];
                    batch[..rest.len()].copy_from_slice(rest);
                    search.used_triples(&mut state, &batch)
                }
            };
            if end - at < BATCH {
                used &= (1 << (end - at)) - 1;
            }
            while used != 0 {
                let place = at + used.trailing_zeros() as usize;
                search.add_words_at(text, place, &mut self.found);
                used &= used - 1;
            }
            at += BATCH;
        }
        self.at = end;
        let order = |hit: &WordHit| (hit.range.end, Reverse(hit.range.len()), hit.number);
        self.found.sort_unstable_by_key(order);
        // A word at a later triple ends after the beginning of that triple.
        self.ready = match end == text.len() {
            true => self.found.len(),
            false => self.found.partition_point(|hit| hit.range.end <= end),
        };
    }
}

impl Iterator for WordHits<'_> {
    type Item = WordHit;

    fn next(&mut self) -> Option<WordHit> {
        while self.next == self.ready {
            if self.at == self.text.len() {
                return None;
            }
            self.search_chunk();
        }
        let hit = self.found.get(self.next).cloned();
        self.next += 1;
        hit
    }
}

impl Word {
    fn new(word: &[u8]) -> Self {
        let triples = word.windows(TRIPLE).enumerate();
        let rarest = triples.min_by_key(|(_, triple)| {
            let frequencies = triple.iter().map(|byte| frequency(*byte));
            frequencies.product::<u64>()
        });
        let mut mask = [0; 8];
        let shared = word.len().min(mask.len());
        mask[..shared].fill(0xff);
        let mask = u64::from_le_bytes(mask);
        Self {
            at: rarest.map_or(0, |(at, _)| at),
            head: lower_head(word) & mask,
            mask,
            text: word.into(),
        }
    }
}

/// Returns the first bytes of `text`, in which letters of both cases are the same. So are some
/// other bytes, which the comparison of the whole word tells apart.
fn lower_head(text: &[u8]) -> u64 {
    let head = match text.first_chunk() {
        Some(head) => *head,
        None => {
            let mut head = [0; 8];
            let shared = text.len().min(head.len());
            head[..shared].copy_from_slice(&text[..shared]);
            head
        }
    };
    u64::from_le_bytes(head) | 0x2020_2020_2020_2020
}

/// Returns the class of a byte; letters of both cases have the same.
fn class(byte: u8) -> u32 {
    CLASS[usize::from(byte)] % CLASSES
}

/// The class of each byte value.
const CLASS: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        // The letters have the classes 33 to 58, and each digit and sign another one.
        table[byte] = match (byte as u8).to_ascii_lowercase() {
            byte @ b'a'..=b'z' => (byte - b'a') as u32 + 33,
            byte @ b'!'..=b'@' => (byte - b' ') as u32,
            b'[' | b']' | b'\\' => 59,
            b'_' => 60,
            b'`' | b'{' | b'|' | b'}' | b'~' | b'^' => 61,
            0x80.. => 62,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Letters by how often they occur in English, the most frequent first.
const LETTERS: &[u8] = b"etaoinsrhldcumfpgwybvkxjqz";

/// Returns how often a byte occurs in prose and code, in no unit.
fn frequency(byte: u8) -> u64 {
    let byte = byte.to_ascii_lowercase();
    match LETTERS.iter().position(|letter| *letter == byte) {
        // The tenth letter is half as frequent as the first, the twentieth a quarter.
        Some(rank) => 1_000 >> (rank / 4),
        None if byte == b' ' => 1_500,
        None if matches!(byte, b'.' | b'-' | b'_' | b'/' | b'=' | b'0' | b'"' | b':') => 150,
        None if byte >= 0x80 => 100,
        None => 60,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CHUNK, Reverse, WordHit, WordSearch};

    #[test]
    fn words_are_found_in_either_case_where_they_overlap_and_at_the_end() {
        let words = WordSearch::of(&["a", "ab", "-", "key", "api_key", "KEY", ""]);
        let text = "My API_Key-aB";
        let found = words.find(text).map(|it| (it.number, &text[it.range]));
        let expected = [
            (0, "A"),
            (4, "API_Key"),
            (3, "Key"),
            (5, "Key"),
            (2, "-"),
            (0, "a"),
            (1, "aB"),
        ];
        assert_eq!(Vec::from_iter(found), expected);
    }

    /// Finds the words one by one.
    fn found_one_by_one(words: &[&str], text: &str) -> Vec<WordHit> {
        let mut hits = Vec::new();
        for (number, word) in words
            .iter()
            .enumerate()
            .filter(|(_, word)| !word.is_empty())
        {
            for start in 0..text.len() {
                let range = start..start + word.len();
                let here = text.as_bytes().get(range.clone());
                if here.is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes())) {
                    hits.push(WordHit { range, number });
                }
            }
        }
        hits.sort_by_key(|hit| (hit.range.end, Reverse(hit.range.len()), hit.number));
        hits
    }

    const WORDS: [&str; 14] = [
        "a",
        "ab",
        "-",
        "key",
        "api_key",
        "KEY",
        "clé",
        "://",
        "|",
        "é",
        "@",
        "`",
        "\" \"md5",
        "quiz: a word that is much longer than eight bytes",
    ];

    #[test]
    fn words_across_the_chunks_of_a_long_text_are_found_in_order() {
        let words = WordSearch::of(&WORDS);
        for shift in 0..50 {
            let text = format!(
                "{}Quiz: A Word that is much longer than eight bytes|api_key: Clé@{}",
                "x".repeat(CHUNK - shift),
                "-ab".repeat(CHUNK)
            );
            let found: Vec<_> = words.find(&text).collect();
            assert_eq!(found.len(), 12 + 3 * CHUNK, "{shift}");
            let is_sorted = |two: &[WordHit]| {
                let order = |hit: &WordHit| (hit.range.end, Reverse(hit.range.len()));
                order(&two[0]) <= order(&two[1])
            };
            assert!(found.windows(2).all(is_sorted), "{shift}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_text_has_the_words_that_a_search_one_by_one_finds(
            parts in prop::collection::vec(
                prop_oneof![
                    prop::sample::select(WORDS.to_vec()).prop_map(str::to_owned),
                    "[a-cA-CkeyKEY_|@`é \u{0}-]{0,6}",
                ],
                0..40,
            )
        ) {
            let text = parts.concat();
            let words = WordSearch::of(&WORDS);
            let found: Vec<_> = words.find(&text).collect();
            prop_assert_eq!(found, found_one_by_one(&WORDS, &text));
        }
    }
}
