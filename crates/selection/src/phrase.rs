//! Phrases, and whether a request has one.

use crate::words::{Word, words};

/// A phrase that calls for a skill, or against it.
#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    /// As the skill writes it.
    pub(crate) text: String,
    words: Vec<Word>,
    content: Vec<String>,
}

/// How a request has a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PhraseMatch {
    /// Its words are there, with a few others between them or in another order.
    Loose,
    /// It is there; only function words may differ.
    Whole,
    /// The request begins with it: "argue about SQLite or plain files".
    Leading,
    /// It is all that the request says.
    Entire,
}

// "split the accessibility work into tasks" has two words between those of "split into tasks"; with
// more of them the words belong to different thoughts.
/// The most content words that may stand between those of a phrase.
const MAX_BETWEEN: usize = 2;

impl Phrase {
    pub(crate) fn new(text: &str) -> Self {
        let words = words(text);
        Self {
            text: text.to_owned(),
            content: content(&words).map(str::to_owned).collect(),
            words,
        }
    }

    /// Whether it is one word.
    pub(crate) fn is_single_word(&self) -> bool {
        self.words.len() == 1
    }

    /// The word that a request must have for the phrase to be looked for.
    pub(crate) fn key(&self) -> Option<&str> {
        let first = || self.words.first().map(|word| word.stem.as_str());
        self.content.first().map(String::as_str).or_else(first)
    }

    /// How `request` has it.
    pub(crate) fn find(&self, request: &[Word]) -> Option<PhraseMatch> {
        let found = self.find_within(request)?;
        if found == PhraseMatch::Loose {
            return Some(found);
        }
        let mut content = content(request);
        let is_all = content.all(|word| self.words.iter().any(|own| own.stem == word));
        Some(match is_all {
            true => PhraseMatch::Entire,
            false if self.leads(request) => PhraseMatch::Leading,
            false => found,
        })
    }

    /// Whether `request` begins with its words; a single one says too little for that.
    fn leads(&self, request: &[Word]) -> bool {
        let beginning = request.get(..self.words.len());
        !self.is_single_word() && beginning.is_some_and(|it| self.is_verbatim(it))
    }

    /// Whether its words, all of them, follow one another in `request`.
    pub(crate) fn is_verbatim(&self, request: &[Word]) -> bool {
        let mut windows = request.windows(self.words.len().max(1));
        let is_same = |(one, other): (&Word, &Word)| one.stem == other.stem;
        windows.any(|window| window.iter().zip(&self.words).all(is_same)) && !self.words.is_empty()
    }

    fn find_within(&self, request: &[Word]) -> Option<PhraseMatch> {
        // By its stem `promptly` is `prompt`: one word says too little to be found in other forms.
        if let [word] = self.words.as_slice() {
            let is_there = request.iter().any(|other| other.written == word.written);
            return is_there.then_some(PhraseMatch::Whole);
        }
        // "is it done" without its function words is any sentence with "done" in it.
        if self.content.len() < 2 {
            return self.is_verbatim(request).then_some(PhraseMatch::Whole);
        }
        let request: Vec<&str> = content(request).collect();
        let mut windows = request.windows(self.content.len());
        if windows.any(|window| window.iter().zip(&self.content).all(|(a, b)| a == b)) {
            return Some(PhraseMatch::Whole);
        }
        let reach = (self.content.len() + MAX_BETWEEN).min(request.len());
        let has_all = |window: &[&str]| self.content.iter().all(|it| window.contains(&it.as_str()));
        let is_near = request.windows(reach.max(1)).any(has_all);
        is_near.then_some(PhraseMatch::Loose)
    }
}

/// The words that say something, as stems.
fn content(words: &[Word]) -> impl Iterator<Item = &str> {
    let content = words.iter().filter(|word| word.is_content);
    content.map(|word| word.stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(phrase: &str, request: &str) -> Option<PhraseMatch> {
        Phrase::new(phrase).find(&words(request))
    }

    #[test]
    fn a_phrase_is_found_whatever_its_function_words_and_endings_are() {
        let whole = Some(PhraseMatch::Whole);
        assert_eq!(
            found(
                "review this pr",
                "Could you review my PR before lunch, please?"
            ),
            whole
        );
        let request = "Splitting it into a task or more today";
        assert_eq!(found("split into tasks", request), whole);
    }

    #[test]
    fn a_phrase_that_is_all_of_the_request_is_the_best_match() {
        let entire = Some(PhraseMatch::Entire);
        assert_eq!(
            found("review this pr", "Could you review my PR, please?"),
            entire
        );
        assert_eq!(found("drift", "Drift?"), entire);
        let leading = found("review this pr", "Review this PR and that diff");
        assert_eq!(leading, Some(PhraseMatch::Leading));
        let within = found("review this pr", "So please review this PR and that diff");
        assert_eq!(within, Some(PhraseMatch::Whole));
        assert!(entire > leading && leading > within);
        assert_eq!(
            found("drift", "Drift in the docs"),
            Some(PhraseMatch::Whole)
        );
    }

    #[test]
    fn words_of_a_phrase_with_others_between_them_are_a_lesser_match() {
        let loose = Some(PhraseMatch::Loose);
        let request = "split the accessibility work into tasks";
        assert_eq!(found("split into tasks", request), loose);
        assert_eq!(found("root cause", "the cause is at the root"), loose);
        assert_eq!(
            found("split into tasks", "split one two three tasks"),
            loose
        );
        assert_eq!(
            found("split into tasks", "split two three four tasks"),
            None
        );
    }

    #[test]
    fn a_phrase_with_one_content_word_needs_its_function_words() {
        let whole = Some(PhraseMatch::Whole);
        assert_eq!(found("is it done", "so is it done by Friday"), whole);
        assert_eq!(found("is it done", "done"), None);
    }

    #[test]
    fn a_single_word_is_found_as_it_is_written_alone() {
        assert_eq!(
            found("drift", "Is there Drift in the docs?"),
            Some(PhraseMatch::Whole)
        );
        assert_eq!(found("promptly", "Improve the prompt"), None);
    }

    #[test]
    fn what_has_no_words_is_not_found() {
        assert_eq!(found("", "done"), None);
        assert_eq!(found("?", ""), None);
        assert_eq!(found("root cause", ""), None);
    }
}
