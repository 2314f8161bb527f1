//! Filters answers: each must be one sentence, on the topic, and new.

use agon_record::moves::Side;
use agon_record::options::Contrast;
use agon_record::similarity::{similarity_percent, subject_words};
use agon_record::words;

use crate::computing::is_about_computing;
use crate::field::AnswerField;
use crate::question::{Interview, Question};
use crate::statement::{contradicts_itself, part_before_contradiction};

mod forms;
mod reason;
mod tone;

use forms::{contains_form_of, distinguishing_words, plain_words};
use reason::{begins_with_pronoun, is_compared};
use tone::{Spoken, tone};

// Shorter answers, such as "It is good.", say nothing. Longer ones are not the requested short
// sentence and are mostly incoherent. 30 words fill about three lines of 66 columns.
/// The minimum and maximum number of words in an answer.
const WORDS: std::ops::RangeInclusive<usize> = 5..=30;

// Two answers of the small model that say the same in different words share at least 50 percent of
// their pieces, other pairs at most 40. Tested by `an_answer_that_says_the_same_again_is_left_out`.
/// The similarity, in percent, from which two sentences say the same.
const SAME: usize = 50;

/// Words that refer to the question, the speaker or the form of an answer, and not to the debate. A
/// word that occurs in the topic is allowed.
const NOT_OF_A_TOPIC: &[&str] = &[
    "ai",
    "answer",
    "answers",
    "assistant",
    "challenger",
    "chatbot",
    "concise",
    "debate",
    "debater",
    "debaters",
    "example",
    "instruction",
    "instructions",
    "interview",
    "json",
    "judge",
    "llm",
    "paragraph",
    "prompt",
    "proposer",
    "question",
    "questions",
    "rephrase",
    "rephrased",
    "schema",
    "sentence",
    "sentences",
    "smollm",
    "sorry",
    "summarize",
];

/// Words with which a sentence refers to the speaker.
const OF_THE_SPEAKER: [&str; 5] = ["i", "im", "id", "ive", "my"];

/// Beginnings of a sentence that contradicts the question or addresses both sides.
const TURNING: [&str; 8] = [
    "while ",
    "although ",
    "though ",
    "however ",
    "both ",
    "yes ",
    "no ",
    "sure ",
];

/// Abbreviations whose final dot does not end a sentence.
const ABBREVIATIONS: [&str; 8] = [
    "e.g.", "i.e.", "vs.", "etc.", "approx.", "no.", "dr.", "st.",
];

/// The criteria for answers in one interview.
pub(crate) struct AnswerFilter {
    /// The words of the subject.
    subject: Vec<String>,
    /// Words that occur only in the option of one side, the proposer's first.
    own: [Vec<String>; 2],
    /// Whether the topic itself praises or criticizes something.
    topic_tone: Spoken,
    is_about_computing: bool,
    contrast: Contrast,
    /// Words of the examples that do not occur in the subject.
    examples: Vec<String>,
    example_answers: Vec<&'static str>,
    said: Vec<String>,
}

impl AnswerFilter {
    pub(crate) fn new(interview: &Interview) -> Self {
        let options = &interview.options;
        let mut subject = subject_words(&interview.topic);
        for option in [&options.proposer, &options.challenger] {
            subject.extend(subject_words(&option.phrase));
        }
        let words =
            [&options.proposer, &options.challenger].map(|it| distinguishing_words(&it.phrase));
        let only = |own: &[String], other: &[String]| -> Vec<String> {
            let new = own.iter().filter(|word| !contains_form_of(other, word));
            new.cloned().collect()
        };
        let own = [only(&words[0], &words[1]), only(&words[1], &words[0])];
        let examples = interview
            .examples
            .iter()
            .flatten()
            .flat_map(|text| subject_words(text));
        let examples = examples.filter(|word| EXAMPLE_SUBJECTS.contains(&word.as_str()));
        Self {
            topic_tone: tone(&plain_words(&interview.topic)),
            is_about_computing: is_about_computing(&interview.topic, options),
            contrast: options.contrast,
            examples: examples
                .filter(|word| !contains_form_of(&subject, word))
                .collect(),
            example_answers: interview
                .examples
                .iter()
                .map(|[_, answer]| *answer)
                .collect(),
            said: interview.said_before.clone(),
            subject,
            own,
        }
    }

    /// Adds an answer that is part of the debate.
    pub(crate) fn add(&mut self, answer: &str) {
        self.said.push(answer.to_owned());
    }

    /// Returns the side whose option an answer names first, or chooses; `None` if it names neither.
    pub(crate) fn side_named_first(&self, question: &Question, answer: &str) -> Option<Side> {
        let sides = [Side::Proposer, Side::Challenger];
        if let Some(choices) = &question.choices {
            let mut pairs = sides.into_iter().zip(choices);
            return pairs
                .find(|(_, word)| *word == answer)
                .map(|(side, _)| side);
        }
        let words = plain_words(part_before_contradiction(answer));
        let (at, side) = words.iter().enumerate().find_map(|(at, word)| {
            let mut of = sides.into_iter().zip(&self.own);
            let named = of.find(|(_, own)| contains_form_of(own, word));
            named.map(|(side, _)| (at, side))
        })?;
        // After `than` comes the other option: `It is faster than plain files` is about SQLite.
        let is_compared = is_compared(&words, at);
        let other = || sides.into_iter().find(|it| *it != side);
        if is_compared { other() } else { Some(side) }
    }

    /// Returns why an answer is left out of the debate; `None` if it is used.
    pub(crate) fn rejection_reason(
        &self,
        question: &Question,
        asked: &str,
        answer: &str,
        names: Option<Side>,
    ) -> Option<&'static str> {
        if question.choices.is_some() {
            return names.is_none().then_some("it chooses none of the options");
        }
        let said = part_before_contradiction(answer);
        let plain = plain_words(said);
        let count = words::count_words(said).unwrap_or_default();
        if !is_complete_answer(answer) {
            return Some("the sentence is incomplete");
        }
        if !WORDS.contains(&count) {
            return Some("it is too short or too long");
        }
        if !begins_sentence(said)
            || said.contains(is_markup_char)
            || said.contains(" - ")
            || said.ends_with('?')
        {
            return Some("it is not a plain sentence");
        }
        let about_itself = plain.iter().any(|word| {
            let foreign = NOT_OF_A_TOPIC.contains(&word.as_str()) && !self.subject.contains(word);
            foreign || OF_THE_SPEAKER.contains(&word.as_str())
        });
        if about_itself {
            return Some("it is about the question or the speaker");
        }
        let copies = plain.iter().any(|word| self.examples.contains(word))
            || self
                .example_answers
                .iter()
                .any(|it| self.says_same(it, said));
        if copies {
            return Some("it repeats an example");
        }
        let is_of_pronoun = begins_with_pronoun(question, &plain);
        if !is_of_pronoun
            && !plain
                .iter()
                .any(|word| contains_form_of(&self.subject, word))
        {
            return Some("it is not about the topic");
        }
        let turned = words::normalize_words(said);
        let begins = turned.trim_start();
        if TURNING.iter().any(|word| begins.starts_with(word)) || turned.contains(" but ") {
            return Some("it is about both sides");
        }
        let about = question.about;
        if about.is_some() && names.is_some() && names != about {
            return Some("it is about the other side");
        }
        if let Some(wanted) = question.tone
            && let Some(why) =
                self.reason_fault(said, &plain, wanted, about.filter(|_| !is_of_pronoun))
        {
            return Some(why);
        }
        if self.says_same(asked, said) {
            return Some("it repeats the question");
        }
        // Only the reason for a verdict may repeat an earlier answer: it names what decided.
        let is_new = question.field == AnswerField::Reason
            || !self.said.iter().any(|before| self.says_same(before, said));
        (!is_new).then_some("it repeats an earlier answer")
    }

    /// Returns whether two sentences say the same, ignoring words of the topic.
    fn says_same(&self, one: &str, other: &str) -> bool {
        let rest = |text: &str| {
            let words = plain_words(text).into_iter();
            let words = words.filter(|word| !contains_form_of(&self.subject, word));
            words.collect::<Vec<_>>().join(" ")
        };
        similarity_percent(&rest(one), &rest(other)) >= SAME
    }
}

/// Words of the examples' subjects; an answer with one of them copies an example.
const EXAMPLE_SUBJECTS: [&str; 20] = [
    "vim", "emacs", "email", "chat", "linters", "meetings", "logging", "wool", "coats", "jackets",
    "houses", "wooden", "planting", "trees", "painting", "walls", "streets", "summer", "stone",
    "dust",
];

/// Returns whether `text` is a complete sentence, or begins to contradict itself, so that nothing
/// more is needed.
///
/// ```
/// # use agon_interview::is_complete_answer;
/// assert!(is_complete_answer("SQLite keeps all jobs in one file."));
/// assert!(is_complete_answer("SQLite keeps all jobs in one file, but it"));
/// assert!(!is_complete_answer("It is small, e.g."));
/// assert!(!is_complete_answer("Version 3."));
/// ```
pub fn is_complete_answer(text: &str) -> bool {
    contradicts_itself(text) || ends_sentence(text)
}

/// Returns whether `text` ends at the end of a sentence.
fn ends_sentence(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(['"', '\u{201d}']);
    let last = text.rsplit(' ').next().unwrap_or_default();
    let number = || {
        last.trim_end_matches('.')
            .chars()
            .all(|c| c.is_ascii_digit())
    };
    let short = || ABBREVIATIONS.contains(&last.trim_start_matches('(').to_lowercase().as_str());
    match text.chars().next_back() {
        Some('!' | '?') => true,
        Some('.') => !number() && !short() && !last.ends_with(".."),
        _ => false,
    }
}

fn begins_sentence(answer: &str) -> bool {
    answer.chars().next().is_some_and(char::is_alphabetic)
}

/// Returns whether the character indicates code, markup, a list or a heading.
fn is_markup_char(c: char) -> bool {
    "{}[]()<>|\\`*#_=:;\"“”–—".contains(c) || c.is_control()
}
