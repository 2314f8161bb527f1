//! Checks that a sentence is a reason for one option or against the other.

use agon_record::moves::Side;
use agon_record::options::Contrast;
use agon_record::similarity::subject_words;
use agon_record::words;

use super::AnswerFilter;
use super::forms::{contains_form_of, is_same_word};
use super::tone::{Spoken, tone};
use crate::computing::{has_tangible_word, has_word_of_computing, is_name_in_computing};
use crate::field::AnswerField;
use crate::question::{Question, Tone};

/// Phrases of a sentence that compares the options without preferring one.
const TAKES_NO_SIDE: [&str; 9] = [
    "difference",
    "differences",
    "different from",
    "depends on",
    "similar to",
    "the same as",
    "matter of",
    "not always",
    "personal preference",
];

/// Words that precede the other option in a comparison.
const COMPARING: [&str; 6] = ["than", "over", "unlike", "compared", "versus", "vs"];

// Enough for `One of the main problems with MongoDB`, with six words before the option.
/// Maximum number of words before the option that a sentence is about.
const MAX_WORDS_BEFORE: usize = 8;

impl AnswerFilter {
    /// Returns why a sentence is not a reason that praises or criticizes an option, as `wanted`.
    pub(super) fn reason_fault(
        &self,
        said: &str,
        plain: &[String],
        wanted: Tone,
        about: Option<Side>,
    ) -> Option<&'static str> {
        if words::find_phrase(said, &TAKES_NO_SIDE).is_some() {
            return Some("it takes no side");
        }
        if let Some(side) = about {
            let [own, other] = match side {
                Side::Proposer => [&self.own[0], &self.own[1]],
                Side::Challenger => [&self.own[1], &self.own[0]],
            };
            let mut begins = plain.iter().take(MAX_WORDS_BEFORE);
            if !begins.any(|word| contains_form_of(own, word)) {
                return Some("it does not name the option");
            }
            if !follows_comparison(plain, other) {
                return Some("it names the other option without comparing the two");
            }
        }
        match tone(plain) {
            Spoken::As(tone) if tone == self.wanted_tone(wanted) => {}
            Spoken::As(_) => return Some("it supports the other side"),
            Spoken::Mixed => return Some("it supports both sides"),
            Spoken::Neither => return Some("it neither praises nor criticizes the option"),
        }
        if self.is_about_computing && (!has_word_of_computing(said) || has_tangible_word(said)) {
            return Some("it is not about computing");
        }
        let is_foreign =
            |word: &String| is_name_in_computing(word) && !contains_form_of(&self.subject, word);
        if plain.iter().any(is_foreign) {
            return Some("it is about something else");
        }
        if plain
            .iter()
            .any(|word| is_number(word) && !self.subject.contains(word))
        {
            return Some("it contains a number that the model cannot know");
        }
        self.repeats_itself(plain).then_some("it repeats itself")
    }

    /// Returns the tone that supports a side. For a question about something bad ("Is it too
    /// slow?"), a yes is supported by criticism.
    fn wanted_tone(&self, wanted: Tone) -> Tone {
        match self.contrast {
            Contrast::Answers if self.topic_tone == Spoken::As(Tone::Bad) => wanted.opposite(),
            Contrast::Answers | Contrast::Between | Contrast::Against => wanted,
        }
    }

    /// Returns whether a sentence has one of its own words three times, or three words in a row
    /// twice.
    fn repeats_itself(&self, plain: &[String]) -> bool {
        let telling = subject_words(&plain.join(" "));
        let mut own = telling
            .iter()
            .filter(|word| !contains_form_of(&self.subject, word));
        let often = own.any(|word| {
            let forms = plain.iter().filter(|other| is_same_word(word, other));
            forms.count() > 2
        });
        let mut rows: Vec<_> = plain.windows(3).collect();
        rows.sort_unstable();
        often || rows.windows(2).any(|pair| pair[0] == pair[1])
    }
}

/// Returns whether a sentence calls the option that it praises `it`, which works because it is
/// printed below the name of that option. A drawback is printed below the other option.
pub(super) fn begins_with_pronoun(question: &Question, plain: &[String]) -> bool {
    let is_own = !matches!(
        question.field,
        AnswerField::Objection(..) | AnswerField::Assessment(_)
    );
    let first = plain.first().map(String::as_str);
    is_own && question.about.is_some() && matches!(first, Some("it" | "its" | "they" | "their"))
}

/// Returns whether the first word of the option `other`, if it occurs in the sentence, follows a
/// comparing word.
fn follows_comparison(plain: &[String], other: &[String]) -> bool {
    let Some(at) = plain.iter().position(|word| contains_form_of(other, word)) else {
        return true;
    };
    is_compared(plain, at)
}

/// Returns whether the word at this index follows a comparing word: `than pure JavaScript`.
pub(super) fn is_compared(words: &[String], at: usize) -> bool {
    let before = words.get(at.saturating_sub(3)..at).unwrap_or_default();
    before.iter().any(|word| COMPARING.contains(&word.as_str()))
}

/// Returns whether a word is a number, such as `1980s`.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || matches!(word, "million" | "millions")
}
