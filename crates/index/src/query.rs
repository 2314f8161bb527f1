//! From the words of a search to a query of the index.

use agon_record::words::has_alphanumeric;

use crate::entry::{is_unspaced_script, space_out_chars};

// Chosen, not measured: a topic of one sentence has fewer telling words. Each word is one more term
// for SQLite to join.
/// The most words of a query that count.
const MOST: usize = 32;
// The Porter stemmer of the index (`tokenize` in `file.rs`) takes away endings such as `-ing`,
// `-ness` and `-ment`: the common ones have four letters at most.
/// The longest part of a word that its ending takes away, and the least that it leaves.
const MAX_ENDING: usize = 4;
// A shorter beginning finds words of another meaning. Held by `words_are_quoted_whatever_they_are`:
// `migrati*` asks for `migrat` and `migra`, and no less.
const MIN_STEM: usize = 5;
// Chosen, not measured: longer than any word or path that is looked for. It keeps a pasted file
// from becoming one word.
/// The longest word, in characters.
const MAX_WORD: usize = 200;

/// Something to look for: words that stand beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    words: String,
    /// Whether the last word only begins so.
    begins: bool,
}

impl Term {
    /// In the syntax of the index, in which nothing of the words is a sign of that syntax.
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

    /// Words that begin so. The index has words without their endings, so that `migrati*` must
    /// find `migrat` too.
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

/// The debates in which all of `asked` stands; none when nothing is asked.
///
/// Words in quotation marks stand beside each other, and `migrat*` is a word that begins so.
/// Everything else is looked for as it is.
pub(super) fn all_terms_expression(asked: &str) -> Option<String> {
    let terms = parse_terms(asked);
    let parts: Vec<_> = terms.iter().map(Term::to_match_expression).collect();
    (!parts.is_empty()).then(|| parts.join(" AND "))
}

/// The debates in which any of `words` stands; none when there are none.
pub(super) fn any_word_expression(words: &[String]) -> Option<String> {
    let parts: Vec<_> = words
        .iter()
        .take(MOST)
        .map(|word| word_expression(word))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" OR "))
}

/// The debates in which `word` stands.
pub(super) fn word_expression(word: &str) -> String {
    let words = clean_word(word);
    Term {
        words,
        begins: false,
    }
    .to_match_expression()
}

fn parse_terms(asked: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    // Every second part stood in quotation marks; a mark that is not closed ends at the end.
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

/// The word without control characters and cut to `MAX_WORD` characters; SQLite would end the query
/// at a NUL.
fn clean_word(word: &str) -> String {
    let shown = word.chars().filter(|c| !c.is_control());
    shown.take(MAX_WORD).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_whatever_they_are() {
        let of = |asked| all_terms_expression(asked).unwrap();
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
            assert_eq!(all_terms_expression(asked), None, "{asked}");
        }
    }
}
