//! Splits a text into the pieces that tokens do not cross.
//!
//! Does what o200k's regular expression does, alternative by alternative, without compiling it:
//!
//! 1. optional sign, upper-case letters, at least one lower-case letter, contraction
//! 2. optional sign, at least one upper-case letter, lower-case letters, contraction
//! 3. one to three digits
//! 4. optional space, signs, line breaks and slashes
//! 5. white space up to its last line break
//! 6. white space, without its last character if a word follows
//!
//! Modifier letters, other letters and marks count as upper and as lower case.

use unicode_general_category::{GeneralCategory as Category, get_general_category};

/// The pieces of a text, in order.
pub(crate) struct Pieces<'a>(pub(crate) &'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let first = self.0.chars().next()?;
        let (piece, rest) = self.0.split_at(piece_end(self.0, first));
        self.0 = rest;
        Some(piece)
    }
}

/// Returns where the first piece of `text` ends. `first` is the text's first character.
fn piece_end(text: &str, first: char) -> usize {
    let kind = kind(first);
    let prefix = first.len_utf8();
    let may_be_prefix = !kind.is_letter() && kind != Kind::Digit && !is_line_break(first);
    if may_be_prefix && let Some(length) = word_end(&text[prefix..]) {
        return prefix + length;
    }
    if let Some(length) = word_end(text) {
        return length;
    }
    if kind == Kind::Digit {
        let digits = text.char_indices().take(3);
        return end_of(digits.take_while(|&(_, it)| self::kind(it) == Kind::Digit));
    }
    let signs = if first == ' ' { &text[1..] } else { text };
    let length = run(signs, |it| {
        matches!(self::kind(it), Kind::Mark | Kind::Sign)
    });
    if length > 0 {
        let tail = run(&signs[length..], |it| is_line_break(it) || it == '/');
        return text.len() - signs.len() + length + tail;
    }
    blank_end(text)
}

/// Returns the length of the word that `text` begins with: letters, and a contraction.
fn word_end(text: &str) -> Option<usize> {
    let upper = run(text, |it| kind(it).is_upper());
    let lower = run(&text[upper..], |it| kind(it).is_lower());
    let mut end = upper + lower;
    if end == 0 {
        return None;
    }
    if lower == 0 {
        // The word ends with the last letter that can be lower case, if there is one.
        let last = text[..upper]
            .char_indices()
            .rfind(|&(_, it)| kind(it).is_lower());
        end = last.map_or(upper, |(at, it)| at + it.len_utf8());
    }
    Some(end + contraction(&text[end..]))
}

/// Returns the length of the English contraction that `text` begins with, 0 if there is none.
fn contraction(text: &str) -> usize {
    let mut rest = text.chars();
    if rest.next() != Some('\'') {
        return 0;
    }
    let (first, second) = (rest.next(), rest.next());
    let lower = |it: Option<char>| it.map(|it| it.to_ascii_lowercase());
    match (lower(first), lower(second)) {
        (Some('s' | 't' | 'm' | 'd'), _) => 2,
        // The long s is an s if case is ignored.
        (Some('\u{17f}'), _) => 3,
        (Some('r' | 'v'), Some('e')) | (Some('l'), Some('l')) => 3,
        _ => 0,
    }
}

/// Returns the length of the piece of white space that `text` begins with.
fn blank_end(text: &str) -> usize {
    let run = run(text, char::is_whitespace);
    if let Some(last) = text[..run].rfind(['\r', '\n']) {
        return last + 1;
    }
    match text[..run].char_indices().next_back() {
        Some((last, _)) if run < text.len() && last > 0 => last,
        _ => run,
    }
}

/// Returns the length in bytes of the longest prefix of characters for which `is_in` holds.
fn run(text: &str, is_in: impl Fn(char) -> bool) -> usize {
    text.find(|it| !is_in(it)).unwrap_or(text.len())
}

fn end_of(characters: impl Iterator<Item = (usize, char)>) -> usize {
    characters.last().map_or(0, |(at, it)| at + it.len_utf8())
}

fn is_line_break(character: char) -> bool {
    matches!(character, '\r' | '\n')
}

/// The classes of characters that the alternatives distinguish.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    /// A letter without case.
    Letter,
    Mark,
    Digit,
    Blank,
    Sign,
}

impl Kind {
    fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::Lower | Self::Letter)
    }

    fn is_upper(self) -> bool {
        matches!(self, Self::Upper | Self::Letter | Self::Mark)
    }

    fn is_lower(self) -> bool {
        matches!(self, Self::Lower | Self::Letter | Self::Mark)
    }
}

fn kind(character: char) -> Kind {
    match character {
        'a'..='z' => Kind::Lower,
        'A'..='Z' => Kind::Upper,
        '0'..='9' => Kind::Digit,
        it if it.is_whitespace() => Kind::Blank,
        it if it.is_ascii() => Kind::Sign,
        it => match get_general_category(it) {
            Category::UppercaseLetter | Category::TitlecaseLetter => Kind::Upper,
            Category::LowercaseLetter => Kind::Lower,
            Category::ModifierLetter | Category::OtherLetter => Kind::Letter,
            Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark => {
                Kind::Mark
            }
            Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => Kind::Digit,
            _ => Kind::Sign,
        },
    }
}
