//! Names and values that no model can know.

use std::collections::BTreeSet;

use crate::random::Random;

const ONSETS: [&str; 20] = [
    "b", "br", "d", "dr", "f", "g", "gr", "k", "l", "m", "n", "p", "qu", "r", "t", "tr", "v", "vr",
    "x", "z",
];
const VOWELS: [&str; 8] = ["a", "e", "i", "o", "u", "ae", "io", "ua"];
const CODAS: [&str; 8] = ["", "n", "l", "r", "x", "nd", "sk", "m"];

/// Makes words and numbers, each once.
#[derive(Debug, Default)]
pub(crate) struct Inventor {
    given: BTreeSet<String>,
}

impl Inventor {
    /// A word of three syllables, such as `Quaxdreli`.
    pub(crate) fn word(&mut self, random: &mut Random) -> String {
        loop {
            let mut word = String::new();
            for _ in 0..3 {
                for part in [&ONSETS[..], &VOWELS, &CODAS] {
                    word.push_str(random.pick(part).copied().unwrap_or_default());
                }
            }
            let first = word.get(..1).unwrap_or_default().to_uppercase();
            let word = first + word.get(1..).unwrap_or_default();
            if self.given.insert(word.to_lowercase()) {
                return word;
            }
        }
    }

    /// A number of five digits.
    pub(crate) fn number(&mut self, random: &mut Random) -> String {
        loop {
            let number = (10_000 + random.below(90_000)).to_string();
            if self.given.insert(number.clone()) {
                return number;
            }
        }
    }
}
