//! Finds the quoted words of a citation in a text.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use agon_record::stamp::Note;
use memchr::memmem::Finder;

use crate::negation::{has_left_out_negation, is_negated_beside};
use crate::normalize::{Normal, is_spaced_script_word_char, normalize_words};

// `return`, with six letters, occurs everywhere; `MAX_RETRIES`, with ten, does not. See the test
// `words_weigh_by_their_letters`.
/// Letters and digits that words must have to identify a place.
const MIN_STRONG_CHARS: usize = 8;
// Brackets and `i++` occur in every file. See the test `words_weigh_by_their_letters`.
/// Letters and digits below which words do not help to find a place.
const MIN_WEAK_CHARS: usize = 3;
// Some fifty lines of code, the length of a function, because text farther away is another place.
// The test `an_ellipsis_is_first_taken_as_it_stands_and_then_for_words_left_out` has one at 4,400
// bytes.
/// Maximum number of bytes that an ellipsis may replace.
const MAX_ELLIPSIS_BYTES: usize = 2_000;
// Together with `MAX_ELLIPSIS_BYTES`, this limits the search to a million bytes for each part. The
// test `a_hostile_text_takes_little_time` has a text that needs this limit.
/// Maximum number of starting positions that are tried for words with an ellipsis.
const MAX_BEGINNINGS: usize = 500;
// Higher than `MAX_BEGINNINGS`, because words without an ellipsis need no further search. Words
// that occur more often than this do not identify a place.
/// Maximum number of places found in one text.
const MAX_PLACES: usize = 10_000;

/// A text prepared for searching: its normalized form and, on demand, that form in lower case.
#[derive(Debug)]
pub(crate) struct SearchableText {
    pub(crate) normal: Normal,
    folded: OnceLock<String>,
}

impl SearchableText {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            normal: Normal::of(text),
            folded: OnceLock::new(),
        }
    }

    /// Returns the text in lower case (ASCII only); every byte keeps its position.
    fn lowercase_text(&self) -> &str {
        self.folded
            .get_or_init(|| self.normal.text().to_ascii_lowercase())
    }
}

/// How well words identify a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Not at all, like a bracket or a single letter.
    None,
    /// Poorly, because they may occur anywhere.
    Weak,
    /// Well enough to identify a place.
    Strong,
}

/// The quoted words of a citation, in every form that is searched for.
#[derive(Debug)]
pub(crate) struct Anchor {
    forms: Vec<Form>,
    weight: Weight,
}

/// One form of the quoted words to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Form {
    /// The texts between the ellipses, which must appear in this order.
    parts: Vec<String>,
}

/// The places in a text where the words of an anchor were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Occurrences {
    /// First and last line of each place, in order.
    pub(crate) lines: Vec<[u32; 2]>,
    /// How the words in the text differ from the quoted ones.
    pub(crate) note: Option<Note>,
}

impl Anchor {
    /// Prepares quoted words for a search; `None` if nothing remains after normalization.
    pub(crate) fn new(words: &str) -> Option<Self> {
        // Quotation marks around the words may be in the file or may only mark the quotation, so
        // search for both forms.
        let inner = strip_quotes(words);
        let bare = normalize_words(inner);
        if bare.is_empty() {
            return None;
        }
        let letters = bare.chars().filter(|c| c.is_alphanumeric()).count();
        let weight = match letters {
            MIN_STRONG_CHARS.. => Weight::Strong,
            MIN_WEAK_CHARS.. => Weight::Weak,
            _ => Weight::None,
        };
        let mut forms = vec![
            Form::from_single_part(&normalize_words(words)),
            Form::from_single_part(&bare),
        ];
        let ended = words.trim().trim_end_matches(['.', ',', ';', ':']);
        forms.push(Form::from_single_part(&normalize_words(strip_quotes(
            ended,
        ))));
        forms.push(Form::from_single_part(&normalize_words(
            &strip_inner_comment_marks(inner),
        )));
        // Split at the ellipsis before normalizing, so that dots of the words cannot join it.
        let parts = inner.split('…').flat_map(|it| it.split("..."));
        let parts: Vec<String> = parts
            .map(normalize_words)
            .filter(|it| !it.is_empty())
            .collect();
        forms.push(Form { parts });
        forms.retain(|form| {
            form.alphanumeric_count() >= letters.min(MIN_WEAK_CHARS) && !form.parts.is_empty()
        });
        forms.dedup();
        Some(Self { forms, weight })
    }

    pub(crate) fn weight(&self) -> Weight {
        self.weight
    }

    /// Finds the words within `lines`, in the strictest form that matches.
    pub(crate) fn find_in_lines(
        &self,
        text: &SearchableText,
        lines: [u32; 2],
    ) -> Option<Occurrences> {
        self.find_matching(text, |it| it[0] <= lines[1] && it[1] >= lines[0])
    }

    /// Finds the words anywhere in the text, in the strictest form that matches.
    pub(crate) fn find_anywhere(&self, text: &SearchableText) -> Option<Occurrences> {
        self.find_matching(text, |_| true)
    }

    /// Finds the words anywhere in the text, ignoring case.
    pub(crate) fn find_ignoring_case(&self, text: &SearchableText) -> Option<Occurrences> {
        let folded = self
            .forms
            .iter()
            .map(|form| form.map_parts(str::to_ascii_lowercase));
        let mut found =
            folded.map(|form| lines_of(&form.find_places(text.lowercase_text()), &text.normal));
        let lines = found.find(|lines| !lines.is_empty())?;
        Some(Occurrences { lines, note: None })
    }

    fn find_matching(
        &self,
        text: &SearchableText,
        wanted: impl Fn([u32; 2]) -> bool,
    ) -> Option<Occurrences> {
        let as_written = self.forms.iter().map(|form| (Cow::Borrowed(form), None));
        let turned = self.forms.iter().filter_map(Form::toggle_initial_case);
        let turned = turned.map(|form| (Cow::Owned(form), Some(Note::CaseDiffers)));
        for (form, case) in as_written.chain(turned) {
            let mut places = form.find_places(text.normal.text());
            places.retain(|it| wanted(it.lines(&text.normal)));
            if !places.is_empty() {
                let left_out = (form.parts.len() > 1).then_some(Note::WordsLeftOut);
                let is_negated = |it: &WordMatch| it.is_negated(text.normal.text());
                let note = match places.iter().all(is_negated) {
                    true => Some(Note::NegationCutOff),
                    false => case.or(left_out),
                };
                return Some(Occurrences {
                    lines: lines_of(&places, &text.normal),
                    note,
                });
            }
        }
        None
    }

    /// Returns words that a text must contain, in lower case, for the anchor to occur in it. The
    /// index uses them to preselect files.
    pub(crate) fn required_words(&self) -> Vec<String> {
        let Some(form) = self.forms.last() else {
            return Vec::new();
        };
        let words = form.parts.iter().flat_map(|part| lowercase_words(part));
        let mut words: Vec<String> = words.filter(|word| word.is_ascii()).collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// Splits a text into its words, which are runs of letters and digits, in lower case.
pub(crate) fn lowercase_words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

impl Form {
    fn from_single_part(whole: &str) -> Self {
        let parts = (!whole.is_empty()).then(|| whole.to_owned());
        Self {
            parts: parts.into_iter().collect(),
        }
    }

    fn alphanumeric_count(&self) -> usize {
        let letters = |part: &String| part.chars().filter(|c| c.is_alphanumeric()).count();
        self.parts.iter().map(letters).sum()
    }

    fn map_parts(&self, change: impl Fn(&str) -> String) -> Self {
        Self {
            parts: self.parts.iter().map(|it| change(it)).collect(),
        }
    }

    /// Changes the case of the first letter, as at the beginning of a sentence.
    ///
    /// Returns `None` if the words are a name and not part of a sentence: a name in another case is
    /// another name.
    fn toggle_initial_case(&self) -> Option<Self> {
        let first = self.parts.first()?;
        let (word, rest) = first.split_once(' ')?;
        let is_word = |it: &str| !it.is_empty() && it.chars().all(char::is_alphabetic);
        if !is_word(word) || !rest.starts_with(char::is_alphabetic) {
            return None;
        }
        let letter = word.chars().next()?;
        let turned: String = match letter.is_lowercase() {
            true => letter.to_uppercase().collect(),
            false => letter.to_lowercase().collect(),
        };
        let mut form = self.clone();
        *form.parts.first_mut()? = format!("{turned}{}", &first[letter.len_utf8()..]);
        Some(form)
    }

    /// Returns every place where the parts occur in order.
    fn find_places(&self, text: &str) -> Vec<WordMatch> {
        let Some((first, rest)) = self.parts.split_first() else {
            return Vec::new();
        };
        let most = if rest.is_empty() {
            MAX_PLACES
        } else {
            MAX_BEGINNINGS
        };
        let rest: Vec<Finder<'_>> = rest.iter().map(Finder::new).collect();
        let finder = Finder::new(first);
        let starts = finder.find_iter(text.as_bytes());
        let starts = starts.filter(|at| is_at_word_boundaries(text, *at, at + first.len()));
        let mut found = Vec::new();
        for start in starts.take(most) {
            let mut end = start + first.len();
            let mut left_out = Vec::new();
            let is_whole = rest.iter().all(|finder| {
                let next = find_next_part(text, end, finder);
                if let Some(at) = next {
                    left_out.push(end..at);
                    end = at + finder.needle().len();
                }
                next.is_some()
            });
            if is_whole {
                found.push(WordMatch {
                    start,
                    end,
                    left_out,
                });
            }
        }
        found
    }
}

/// One place where the words occur in a normalized text.
#[derive(Debug)]
struct WordMatch {
    start: usize,
    end: usize,
    /// The ranges of text that the ellipses replace.
    left_out: Vec<Range<usize>>,
}

impl WordMatch {
    fn lines(&self, normal: &Normal) -> [u32; 2] {
        normal.line_range_of_bytes(self.start, self.end)
    }

    /// Returns whether a negation is next to the words, or in the text that an ellipsis replaces.
    fn is_negated(&self, text: &str) -> bool {
        let mut left_out = self.left_out.iter();
        is_negated_beside(text, self.start, self.end)
            || left_out.any(|it| text.get(it.clone()).is_some_and(has_left_out_negation))
    }
}

/// Returns the lines of the places, in order and without duplicates.
fn lines_of(places: &[WordMatch], normal: &Normal) -> Vec<[u32; 2]> {
    let mut lines: Vec<[u32; 2]> = places.iter().map(|it| it.lines(normal)).collect();
    lines.dedup();
    lines
}

/// Finds the next occurrence of a part, at most `MAX_ELLIPSIS_BYTES` bytes away.
fn find_next_part(text: &str, from: usize, finder: &Finder<'_>) -> Option<usize> {
    let length = finder.needle().len();
    let end = text.len().min(from + MAX_ELLIPSIS_BYTES + length);
    let window = text.as_bytes().get(from..end)?;
    let mut places = finder.find_iter(window).map(|at| from + at);
    places.find(|at| is_at_word_boundaries(text, *at, at + length))
}

/// Returns whether the range begins and ends at word boundaries.
fn is_at_word_boundaries(text: &str, start: usize, end: usize) -> bool {
    let (Some(before), Some(part), Some(after)) =
        (text.get(..start), text.get(start..end), text.get(end..))
    else {
        return false;
    };
    let joined = |left: Option<char>, right: Option<char>| {
        left.is_some_and(is_spaced_script_word_char)
            && right.is_some_and(is_spaced_script_word_char)
    };
    !joined(before.chars().next_back(), part.chars().next())
        && !joined(part.chars().next_back(), after.chars().next())
}

/// Removes quotation marks, backticks or a code fence from around words.
fn strip_quotes(words: &str) -> &str {
    let pairs = [
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('“', '”'),
        ('„', '“'),
        ('‘', '’'),
        ('«', '»'),
        ('‹', '›'),
    ];
    let mut words = words.trim();
    loop {
        let inner = strip_code_fence(words).or_else(|| {
            pairs.iter().find_map(|(open, close)| {
                let inner = words.strip_prefix(*open)?.strip_suffix(*close)?;
                (!inner.contains([*open, *close])).then_some(inner)
            })
        });
        match inner {
            Some(inner) => words = inner.trim(),
            None => return words,
        }
    }
}

/// Returns the content of a fenced code block, without its language name.
fn strip_code_fence(words: &str) -> Option<&str> {
    let inner = words.strip_prefix("```")?.strip_suffix("```")?;
    let (head, code) = inner.split_once('\n').unwrap_or(("", inner));
    let is_name = head
        .trim()
        .chars()
        .all(|c| c.is_alphanumeric() || "+-#._".contains(c));
    Some(if is_name { code } else { inner })
}

/// Removes the comment marks inside words that were a multi-line comment.
fn strip_inner_comment_marks(words: &str) -> String {
    let marks = ["//", "///", "//!", "#", "*", "--", ";", "'", "REM"];
    let kept = words.split_whitespace().filter(|it| !marks.contains(it));
    kept.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
