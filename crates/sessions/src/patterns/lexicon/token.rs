//! Splits sentences into words, code and punctuation.

use std::collections::HashSet;

/// A word, a piece of code or a punctuation mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::patterns) struct Token {
    /// Its text in lowercase.
    pub(in crate::patterns) text: String,
    /// Its text, unchanged.
    pub(in crate::patterns) raw: String,
    /// Whether it is between backticks.
    pub(in crate::patterns) is_code: bool,
    /// Whether it is punctuation that ends a clause or a part of one.
    pub(in crate::patterns) is_mark: bool,
}

impl Token {
    fn new(raw: &str, is_code: bool) -> Self {
        Self {
            text: raw.to_lowercase().replace('’', "'"),
            raw: raw.to_owned(),
            is_code,
            is_mark: false,
        }
    }

    pub(in crate::patterns) fn number(&self) -> Option<u64> {
        self.text.parse().ok()
    }

    /// Returns whether it is a path, file name, flag or other identifier.
    pub(in crate::patterns) fn is_name(&self) -> bool {
        let text = self.text.as_str();
        let file = text.rsplit_once('.').is_some_and(|(stem, end)| {
            !end.is_empty()
                && end.len() <= 6
                && end.chars().all(|c| c.is_ascii_alphanumeric())
                && end.starts_with(|c: char| c.is_ascii_alphabetic())
                && !stem.ends_with('.')
        });
        let has_letter = text.chars().any(char::is_alphabetic);
        self.is_code || has_letter && (file || text.contains(['/', '_', '\\']) && text.len() > 1)
    }
}

/// Returns whether a character belongs to a script without spaces.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

const MARKS: &[char] = &[
    ',', ';', ':', '(', ')', '—', '–', '!', '?', '。', '，', '；', '：', '（', '）', '！', '？',
    '|',
];
const SIGNS: &[char] = &['✅', '✓', '✔', '、'];
/// Maximum number of characters of a word in such a script.
const MAX_UNSPACED: usize = 8;
/// French elided words, split from the following word.
const ELIDED: &[&str] = &["l'", "d'", "n'", "j'", "m'", "s'", "c'", "qu'", "t'"];

/// Returns the words of a text. Without known words, a run of such a script is one word.
pub(super) fn tokens(text: &str, unspaced: Option<&HashSet<String>>) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = if c == '`' {
            let inner = &rest[1..];
            let end = inner.find('`').unwrap_or(inner.len());
            let code = inner[..end].trim();
            if !code.is_empty() {
                found.push(Token::new(code, true));
            }
            (end + 2).min(rest.len())
        } else if is_unspaced(c) {
            let taken = unspaced_word_length(rest, unspaced);
            found.push(Token::new(&rest[..taken], false));
            taken
        } else if is_part_of_word(c) {
            let end = rest
                .find(|c: char| !is_part_of_word(c) || is_unspaced(c))
                .unwrap_or(rest.len());
            push_word(&rest[..end], &mut found);
            end
        } else {
            if MARKS.contains(&c) {
                push_mark(c, &mut found);
            } else if SIGNS.contains(&c) {
                found.push(Token::new(&rest[..c.len_utf8()], false));
            }
            c.len_utf8()
        };
        rest = &rest[taken..];
    }
    found
}

fn unspaced_word_length(rest: &str, known: Option<&HashSet<String>>) -> usize {
    let chars = rest.chars().take_while(|it| is_unspaced(*it));
    let Some(known) = known else {
        return chars.map(char::len_utf8).sum();
    };
    let ends: Vec<usize> = chars
        .take(MAX_UNSPACED)
        .scan(0, |end, c| {
            *end += c.len_utf8();
            Some(*end)
        })
        .collect();
    let longest = ends.iter().rev().find(|end| known.contains(&rest[..**end]));
    longest.or(ends.first()).copied().unwrap_or(rest.len())
}

fn is_part_of_word(c: char) -> bool {
    !is_unspaced(c)
        && (c.is_alphanumeric()
            || matches!(
                c,
                '_' | '-'
                    | '.'
                    | '/'
                    | '@'
                    | '#'
                    | '$'
                    | '~'
                    | '\''
                    | '’'
                    | '\\'
                    | ':'
                    | '%'
                    | '='
                    | '+'
                    | '*'
                    | '&'
            ))
}

fn push_mark(c: char, found: &mut Vec<Token>) {
    let mut mark = Token::new(c.encode_utf8(&mut [0; 4]), false);
    mark.is_mark = true;
    found.push(mark);
}

fn push_word(run: &str, found: &mut Vec<Token>) {
    if ELIDED.contains(&run.to_lowercase().replace('’', "'").as_str()) {
        found.push(Token::new(run, false));
        return;
    }
    let bold = run.trim_matches('*');
    let run = if bold.contains('/') || bold.starts_with('.') {
        run.trim_start_matches("**")
    } else {
        bold
    };
    let word = run
        .trim_start_matches(['\'', '’', ':', '&', '='])
        .trim_end_matches(['.', ':', '\'', '’', '-', '&', '=']);
    if word.is_empty()
        || word
            .chars()
            .all(|c| matches!(c, '-' | '.' | '*' | '+' | '#' | '~'))
    {
        if run.contains('-') && run.trim_matches('-').is_empty() {
            push_mark('-', found);
        }
        return;
    }
    let small = word.to_lowercase().replace('’', "'");
    let elided = ELIDED.iter().find(|it| {
        small.starts_with(**it) && small.len() > it.len() && word.is_char_boundary(it.len())
    });
    match elided {
        Some(it) if !word.contains('’') => {
            found.push(Token::new(&word[..it.len()], false));
            found.push(Token::new(&word[it.len()..], false));
        }
        Some(it) => {
            found.push(Token::new(it, false));
            found.push(Token::new(&small[it.len()..], false));
        }
        None => found.push(Token::new(word, false)),
    }
    if run.ends_with(':') {
        push_mark(':', found);
    }
}
