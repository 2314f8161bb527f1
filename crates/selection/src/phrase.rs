//! Finds phrases in requests.

use crate::negation::{is_forbidden, is_negated, negates};
use crate::words::{Word, words};

/// A phrase that speaks for or against a skill.
#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    /// The text in the skill.
    pub(crate) text: String,
    words: Vec<Word>,
    /// The stems of its content words, in order.
    content: Vec<String>,
    /// Whether it contains a negation itself: "cannot reproduce", "no way back".
    is_negative: bool,
}

/// How a request contains a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PhraseMatch {
    /// Its words occur in another order, or with at most two other words between them.
    Loose,
    /// It occurs; only function words differ.
    Whole,
    /// The request begins with it: "argue about SQLite or plain files".
    Leading,
    /// The request consists of nothing else.
    Entire,
    /// The request consists of exactly these words.
    Exact,
}

// "split the accessibility work into tasks" has two words between those of "split into tasks". With
// more words in between, the words of the phrase belong to different thoughts.
/// Maximum number of other content words between the words of a phrase.
const MAX_BETWEEN: usize = 2;

/// Words of a question about a thing: "what is the plan" does not call for a plan.
const QUESTION_WORDS: &[&str] = &[
    "are", "been", "did", "does", "had", "has", "have", "how", "is", "was", "were", "what", "when",
    "where", "which", "who", "why",
];

impl Phrase {
    pub(crate) fn new(text: &str) -> Self {
        let words = words(text);
        Self {
            text: text.to_owned(),
            content: content(&words).map(|(_, stem)| stem.to_owned()).collect(),
            is_negative: words.iter().any(negates),
            words,
        }
    }

    /// Returns whether it is one word.
    pub(crate) fn is_single_word(&self) -> bool {
        self.words.len() == 1
    }

    /// Returns the stem that a request must contain to contain the phrase: the stem of its first
    /// content word, or of its first word.
    pub(crate) fn key(&self) -> Option<&str> {
        let first = || self.words.first().map(|word| word.stem.as_str());
        self.content.first().map(String::as_str).or_else(first)
    }

    /// Returns how `request` contains it; `None` if not, or only negated: "do not debate this".
    pub(crate) fn find(&self, request: &[Word]) -> Option<PhraseMatch> {
        let found = self.find_within(request)?;
        Some(match found {
            PhraseMatch::Loose => found,
            _ if self.is_whole_request(request) => match self.find_written(request).as_slice() {
                [] => PhraseMatch::Entire,
                _ => PhraseMatch::Exact,
            },
            _ if self.leads(request) => PhraseMatch::Leading,
            _ => found,
        })
    }

    /// Returns whether `request` consists of nothing else: it has no further content word and is not a
    /// question about a single word.
    pub(crate) fn is_whole_request(&self, request: &[Word]) -> bool {
        let has = |stem: &str| self.words.iter().any(|own| own.stem == stem);
        let asks = || request.iter().any(is_question_word);
        content(request).all(|(_, stem)| has(stem)) && !(self.is_single_word() && asks())
    }

    /// Returns whether `request` begins with its words; always false for a single word.
    fn leads(&self, request: &[Word]) -> bool {
        let beginning = request.get(..self.words.len());
        !self.is_single_word() && beginning.is_some_and(|it| self.is_same(it, |word| &word.stem))
    }

    /// Returns the indices in `request` at which its words follow, ignoring case, hyphens and blanks, and
    /// without negated occurrences.
    pub(crate) fn find_written(&self, request: &[Word]) -> Vec<usize> {
        self.find_by(request, |word| &word.written).collect()
    }

    /// Returns whether `request` forbids it: "do not debate this".
    pub(crate) fn is_forbidden(&self, request: &[Word]) -> bool {
        let windows = request.windows(self.words.len().max(1)).enumerate();
        let mut found = windows.filter(|(_, window)| self.is_same(window, |word| &word.written));
        found.any(|(at, _)| is_forbidden(request, at))
    }

    /// Returns the indices in `request` at which all its words follow, compared by `form`, without negated
    /// occurrences.
    fn find_by<'a>(
        &'a self,
        request: &'a [Word],
        form: impl Fn(&Word) -> &str + Copy + 'a,
    ) -> impl Iterator<Item = usize> + 'a {
        let windows = request.windows(self.words.len().max(1)).enumerate();
        windows
            .filter(move |(at, window)| self.is_same(window, form) && self.counts(request, *at))
            .map(|(at, _)| at)
    }

    /// Returns whether `words` are its words, compared by `form`.
    fn is_same(&self, words: &[Word], form: impl Fn(&Word) -> &str) -> bool {
        let forms = words.iter().map(&form);
        !self.words.is_empty() && forms.eq(self.words.iter().map(&form))
    }

    /// Returns whether an occurrence at the word `at` of `request` counts.
    fn counts(&self, request: &[Word], at: usize) -> bool {
        self.is_negative || !is_negated(request, at)
    }

    fn find_within(&self, request: &[Word]) -> Option<PhraseMatch> {
        let whole = Some(PhraseMatch::Whole);
        // `promptly` has the stem `prompt`: a single word must match exactly.
        if self.is_single_word() {
            return whole.filter(|_| !self.find_written(request).is_empty());
        }
        // A phrase with one content word must match with its function words. Otherwise "is it done"
        // would match any sentence with "done".
        if self.content.len() < 2 {
            return whole.filter(|_| self.find_by(request, |word| &word.stem).next().is_some());
        }
        let stems: Vec<(usize, &str)> = content(request).collect();
        let is_whole = |window: &[(usize, &str)]| {
            let stems = window.iter().map(|(_, stem)| *stem);
            stems.eq(self.content.iter().map(String::as_str))
        };
        if self.has_window(request, stems.windows(self.content.len()), is_whole) {
            return whole;
        }
        let has = |window: &[(usize, &str)], own: &String| window.iter().any(|(_, it)| it == own);
        let is_near = |window: &[(usize, &str)]| self.content.iter().all(|own| has(window, own));
        let reach = (self.content.len() + MAX_BETWEEN).min(stems.len());
        let is_loose = self.has_window(request, stems.windows(reach.max(1)), is_near);
        is_loose.then_some(PhraseMatch::Loose)
    }

    /// Returns whether one of `windows` matches and its first word of the phrase is not negated.
    fn has_window<'a>(
        &self,
        request: &[Word],
        mut windows: impl Iterator<Item = &'a [(usize, &'a str)]>,
        is_found: impl Fn(&[(usize, &str)]) -> bool,
    ) -> bool {
        windows.any(|window| {
            let mut window_words = window.iter();
            let first = window_words.find(|(_, stem)| self.content.iter().any(|own| own == stem));
            is_found(window) && first.is_some_and(|(at, _)| self.counts(request, *at))
        })
    }
}

fn is_question_word(word: &Word) -> bool {
    QUESTION_WORDS.binary_search(&word.written.as_str()).is_ok()
}

/// Returns the stems of the content words, each with its index among all words.
fn content(words: &[Word]) -> impl Iterator<Item = (usize, &str)> {
    let content = words.iter().enumerate().filter(|(_, word)| word.is_content);
    content.map(|(at, word)| (at, word.stem.as_str()))
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
        let exact = Some(PhraseMatch::Exact);
        assert_eq!(found("drift", "Drift?"), exact);
        assert_eq!(found("execute the plan", "please execute the plan"), exact);
        assert_eq!(found("execute the plan", "execution plan"), entire);
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
    fn a_negated_phrase_is_not_found() {
        assert_eq!(found("debate", "no debate"), None);
        assert_eq!(found("debate this", "do not debate this"), None);
        assert_eq!(found("root cause", "no root cause analysis, please"), None);
        assert_eq!(
            found("split into tasks", "don't split the work into tasks"),
            None
        );
        let request = "no debate now, but debate this tomorrow";
        assert_eq!(found("debate this", request), Some(PhraseMatch::Whole));
        // A phrase that says "not" itself is not negated by it.
        let exact = Some(PhraseMatch::Exact);
        assert_eq!(found("no way back", "no way back"), exact);
    }

    #[test]
    fn a_question_about_a_single_word_is_more_than_the_word() {
        let whole = Some(PhraseMatch::Whole);
        assert!(QUESTION_WORDS.is_sorted());
        assert_eq!(found("plan", "what is the plan"), whole);
        let exact = Some(PhraseMatch::Exact);
        assert_eq!(found("plan", "the plan, please"), exact);
        assert_eq!(found("root cause", "what is the root cause"), exact);
    }

    #[test]
    fn what_has_no_words_is_not_found() {
        assert_eq!(found("", "done"), None);
        assert_eq!(found("?", ""), None);
        assert_eq!(found("root cause", ""), None);
    }
}
