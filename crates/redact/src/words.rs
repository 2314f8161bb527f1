//! Finds many words in one pass over a text.
//!
//! Nearly every place of a text is passed by with one look into a small table: whether any word
//! begins with the three bytes there. Only where one may are words compared. Unlike an automaton
//! for the same words, this is made in no time, which counts since most texts are short.

use std::collections::VecDeque;
use std::ops::Range;

/// Classes of bytes; words with more different bytes have some of them share the last.
const CLASSES: u8 = 64;
/// The bits of a class.
const BITS: u32 = 6;
/// How many pairs of classes there are.
const PAIRS: usize = 1 << (2 * BITS);
/// How many bytes of a word decide whether it is compared.
const HEAD: usize = 3;

/// Words to find, in upper or lower case of ASCII.
pub(crate) struct Words {
    /// The class of each byte; 0 for those that begin no word and go on with none.
    classes: [u8; 256],
    /// For each two classes, the third ones with which a word goes on.
    heads: Box<[u64; PAIRS]>,
    /// The words in the order of their heads.
    words: Vec<Word>,
    /// For each two classes, where the words that begin with them stand in `words`.
    places: Vec<u16>,
    /// The words that are shorter than a head.
    short: Vec<Word>,
}

struct Word {
    head: u32,
    number: usize,
    text: &'static str,
}

impl Word {
    fn pair(&self) -> usize {
        (self.head >> BITS) as usize
    }
}

/// Where a word is in a text; in the order in which words are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    end: usize,
    start: usize,
    /// Which of the words it is.
    pub(crate) number: usize,
}

impl Found {
    /// The place of the word.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl Words {
    /// A search for `words`, of which each is known by its number.
    pub(crate) fn of(words: &[&'static str]) -> Self {
        let mut made = Self {
            classes: [0; 256],
            heads: Box::new([0; PAIRS]),
            words: Vec::new(),
            places: Vec::new(),
            short: Vec::new(),
        };
        let mut last = 0;
        for byte in words.iter().flat_map(|word| word.bytes().take(HEAD)) {
            let upper = usize::from(byte.to_ascii_uppercase());
            if made.classes[upper] == 0 {
                last = (last + 1).min(CLASSES - 1);
                made.classes[upper] = last;
                made.classes[usize::from(byte.to_ascii_lowercase())] = last;
            }
        }
        for (number, text) in words.iter().copied().enumerate() {
            made.add(number, text);
        }
        made.words.sort_by_key(|word| word.head);
        let mut place = 0;
        for pair in 0..=PAIRS {
            let begun = |word: &&Word| word.pair() < pair;
            place += made.words[place..].iter().take_while(begun).count();
            made.places.push(u16::try_from(place).unwrap_or(u16::MAX));
        }
        made
    }

    fn add(&mut self, number: usize, text: &'static str) {
        let head = self.head(text.as_bytes(), 0);
        let word = Word { head, number, text };
        let pair = word.pair();
        match text.len() {
            0 => {}
            // Whatever follows it, also the end of the text.
            1 => {
                let next = 1 << BITS;
                let first = pair & !(next - 1);
                self.heads[first..first + next].fill(u64::MAX);
                self.short.push(word);
            }
            2 => {
                self.heads[pair] = u64::MAX;
                self.short.push(word);
            }
            _ => {
                self.heads[pair] |= 1 << (head & ((1 << BITS) - 1));
                self.words.push(word);
            }
        }
    }

    fn head(&self, bytes: &[u8], at: usize) -> u32 {
        (at..at + HEAD).fold(0, |head, at| head << BITS | self.class(bytes.get(at)))
    }

    fn class(&self, byte: Option<&u8>) -> u32 {
        byte.map_or(0, |byte| u32::from(self.classes[usize::from(*byte)]))
    }

    /// Every word in `text`, also those that overlap, in the order of their ends; of those that end
    /// together the longest first.
    pub(crate) fn find<'w>(&'w self, text: &'w str) -> impl Iterator<Item = Found> + 'w {
        Finds {
            words: self,
            bytes: text.as_bytes(),
            at: 0,
            found: VecDeque::new(),
        }
    }

    /// The first place of `bytes` from `at` on where a word may begin, with the head there.
    fn next(&self, bytes: &[u8], at: usize) -> Option<(usize, u32)> {
        let mut pair = self.head(bytes, at) >> BITS;
        let begins =
            |pair: u32, third: u8| self.heads[pair as usize % PAIRS] >> (third % CLASSES) & 1 == 1;
        let rest = bytes.get(at + HEAD - 1..).unwrap_or_default();
        for (place, byte) in rest.iter().enumerate() {
            let third = self.classes[usize::from(*byte)];
            if begins(pair, third) {
                return Some((
                    at + place,
                    pair % PAIRS as u32 * u32::from(CLASSES) + u32::from(third),
                ));
            }
            pair = pair << BITS | u32::from(third);
        }
        // Beyond the end there is nothing, of class 0.
        let mut last = at + rest.len()..bytes.len();
        last.find_map(|place| {
            let head = self.head(bytes, place);
            begins(head >> BITS, 0).then_some((place, head))
        })
    }
}

/// What is still to be found in a text.
struct Finds<'w> {
    words: &'w Words,
    bytes: &'w [u8],
    /// No word that begins before is missing.
    at: usize,
    /// What was found and not given yet, in order.
    found: VecDeque<Found>,
}

impl Finds<'_> {
    fn add(&mut self, start: usize, head: u32) {
        let Words {
            words,
            short,
            places,
            ..
        } = self.words;
        let pair = (head >> BITS) as usize;
        let alike = &words[usize::from(places[pair])..usize::from(places[pair + 1])];
        let alike = alike.iter().filter(|word| word.head == head);
        for word in alike.chain(short) {
            let end = start + word.text.len();
            let text = self.bytes.get(start..end);
            if text.is_some_and(|text| text.eq_ignore_ascii_case(word.text.as_bytes())) {
                let number = word.number;
                let found = Found { end, start, number };
                let place = self.found.partition_point(|other| *other < found);
                self.found.insert(place, found);
            }
        }
    }
}

impl Iterator for Finds<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            // A word that is found later ends later.
            if self.found.front().is_some_and(|found| found.end <= self.at) {
                return self.found.pop_front();
            }
            let Some((start, head)) = self.words.next(self.bytes, self.at) else {
                self.at = self.bytes.len();
                return self.found.pop_front();
            };
            self.at = start + 1;
            self.add(start, head);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Words;

    const WORDS: &[&str] = &[
        "a", "ab", "-", "key", "api_key", "KEY", "éa", "é", "abcd", "bcd", "cd-", "x é",
    ];

    fn found(text: &str) -> Vec<(usize, &str)> {
        let words = Words::of(WORDS);
        let found = words.find(text);
        found.map(|it| (it.number, &text[it.range()])).collect()
    }

    #[test]
    fn words_are_found_in_either_case_where_they_overlap_and_at_the_end() {
        assert_eq!(
            found("My API_Key-aB"),
            [
                (0, "A"),
                (4, "API_Key"),
                (3, "Key"),
                (5, "Key"),
                (2, "-"),
                (0, "a"),
                (1, "aB"),
            ]
        );
        assert_eq!(found("É xé"), [(7, "é")]);
    }

    #[test]
    fn words_with_very_many_different_bytes_are_found_all_the_same() {
        let all: &'static str = "0 1 2 3 4 5 6 7 8 9 ! # $ % & ( ) * + , - . / : ; < = > ? @ [ ] ^ \
             _ { | } ~ a b c d e f g h i j k l m n o p q r s t u v w x y z é ü ñ ß";
        let words: Vec<&'static str> = all.split(' ').collect();
        let search = Words::of(&words);
        let found: Vec<usize> = search.find(all).map(|it| it.number).collect();
        assert_eq!(found, Vec::from_iter(0..words.len()));
    }

    proptest! {
        #[test]
        fn exactly_the_words_that_stand_there_are_found(text in "[abcdké x_piyAKEY-]{0,40}") {
            let mut expected = Vec::new();
            for end in 0..=text.len() {
                for start in 0..end {
                    for (number, word) in WORDS.iter().enumerate() {
                        let part = text.as_bytes().get(start..end).unwrap();
                        if part.eq_ignore_ascii_case(word.as_bytes()) {
                            expected.push((number, &text[start..end]));
                        }
                    }
                }
            }
            prop_assert_eq!(found(&text), expected);
        }
    }
}
