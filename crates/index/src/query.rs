//! Converts the words of a search into an FTS5 query.

use agon_record::words::has_alphanumeric;

use crate::entry::{is_unspaced_script, space_out_chars};

// Chosen, not measured: a topic of one sentence has fewer distinctive words. Each word adds one
// term for SQLite to match.
/// Maximum number of words in a query.
const MOST: usize = 32;
// The Porter stemmer of the index (`tokenize` in `file.rs`) removes endings such as `-ing`, `-ness`
// and `-ment`. Common endings have at most four letters.
/// Maximum length of an ending that the stemmer removes, in characters.
const MAX_ENDING: usize = 4;
// A shorter prefix would find words with another meaning. Tested by
// `words_are_quoted_whatever_they_are`: `migrati*` also searches for `migrat` and `migra`, but
// nothing shorter.
const MIN_STEM: usize = 5;
// Chosen, not measured: longer than any word or path that people search for, so that a pasted file
// does not become one word.
/// Maximum length of a word, in characters.
const MAX_WORD: usize = 200;

/// A search term: one word, or several adjacent words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    words: String,
    /// Whether the last word is a prefix.
    begins: bool,
}

impl Term {
    /// Returns the term as an FTS5 expression, with its words quoted.
    fn to_match_expression(&self) -> String {
        let mut quoted = quote(&self.words);
        if self.begins {
            quoted = self.prefix_expression(&quoted);
        }
        if self.words.chars().any(is_unspaced_script) {
            let signs: String = self
                .words
                .chars()
                .filter(|c| is_unspaced_script(*c))
                .collect();
            let signs = space_out_chars(&signs);
            return format!("({quoted} OR signs : \"{}\")", signs.trim_end());
        }
        quoted
    }

    /// Returns an expression for words that begin with this prefix. The index stores stems, so
    /// `migrati*` must also find `migrat`.
    fn prefix_expression(&self, quoted_word: &str) -> String {
        let letters: Vec<char> = self.words.chars().collect();
        let shorter = (1..=MAX_ENDING).filter_map(|ending| {
            let length = letters.len().checked_sub(ending)?;
            let stem = letters.get(..length).filter(|_| length >= MIN_STEM)?;
            Some(format!(" OR {}", quote(&stem.iter().collect::<String>())))
        });
        let shorter: String = shorter.collect();
        format!("({quoted_word} *{shorter})")
    }
}

fn quote(words: &str) -> String {
    format!("\"{}\"", words.replace('"', "\"\""))
}

/// Returns the query for debates that contain all words of `asked`; `None` if `asked` contains no
/// word.
///
/// Words in quotation marks must be adjacent, and `migrat*` is a prefix. Everything else is
/// searched literally.
pub(super) fn match_all_expression(asked: &str) -> Option<String> {
    let terms = parse_terms(asked);
    let parts: Vec<_> = terms.iter().map(Term::to_match_expression).collect();
    (!parts.is_empty()).then(|| parts.join(" AND "))
}

/// Returns the query for debates that contain any of `words`; `None` if there are none.
pub(super) fn match_any_expression(words: &[String]) -> Option<String> {
    let parts: Vec<_> = words
        .iter()
        .take(MOST)
        .map(|word| match_word_expression(word))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" OR "))
}

/// Returns the query for debates that contain `word`.
pub(super) fn match_word_expression(word: &str) -> String {
    let words = clean_word(word);
    Term {
        words,
        begins: false,
    }
    .to_match_expression()
}

fn parse_terms(asked: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    // Parts with an odd number were in quotation marks. An unclosed quotation extends to the end.
    for (at, part) in asked.split(['"', '“', '”']).enumerate() {
        if at % 2 == 1 {
            terms.push(Term {
                words: clean_word(part),
                begins: false,
            });
            continue;
        }
        terms.extend(part.split_whitespace().map(|word| Term {
            words: clean_word(word.trim_end_matches('*')),
            begins: word.ends_with('*'),
        }));
    }
    terms.retain(|term| has_alphanumeric(&term.words));
    terms.truncate(MOST);
    terms
}

/// Removes control characters, since SQLite would end the query at a NUL, and cuts the word to
/// `MAX_WORD` characters.
fn clean_word(word: &str) -> String {
    let shown = word.chars().filter(|c| !c.is_control());
    shown.take(MAX_WORD).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_whatever_they_are() {
        let of = |asked| match_all_expression(asked).unwrap();
        assert_eq!(of("job store"), r#""job" AND "store""#);
        assert_eq!(
            of(r#""job store" lease*"#),
            r#""job store" AND ("lease" *)"#
        );
        assert_eq!(of("migrati*"), r#"("migrati" * OR "migrat" OR "migra")"#);
        assert_eq!(
            of("NEAR(a b) topic: -x"),
            r#""NEAR(a" AND "b)" AND "topic:" AND "-x""#
        );
        assert_eq!(of("an \"open phrase"), r#""an" AND "open phrase""#);
        assert_eq!(of("a\0b"), r#""ab""#);
        assert_eq!(of("数据库"), r#"("数据库" OR signs : "数 据 库")"#);
    }

    #[test]
    fn nothing_but_signs_is_nothing_to_look_for() {
        for asked in ["", "  ", "*", "\"\"", "--- ***", "\" \""] {
            assert_eq!(match_all_expression(asked), None, "{asked}");
        }
    }
}
