//! Counts words, and compares them in normalized form.

use std::ops::RangeInclusive;

/// Returns the number of words in `text`; `None` for a script without spaces.
///
/// A word is a run between white space that contains a letter or a digit. A text counts as one
/// without spaces if at least a fifth of its letters belong to such a script.
///
/// ```
/// # use agon_record::words::count_words;
/// assert_eq!(count_words("Claim and lease — two steps"), Some(5));
/// assert_eq!(count_words("作业存储应使用数据库"), None);
/// ```
pub fn count_words(text: &str) -> Option<usize> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let spaceless = text.chars().filter(|&c| is_spaceless_letter(c)).count();
    if spaceless > 0 && spaceless * 5 >= letters {
        return None;
    }
    let words = text.split_whitespace();
    Some(words.filter(|word| has_alphanumeric(word)).count())
}

/// Returns whether `text` contains a letter or a digit.
pub fn has_alphanumeric(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Returns `text` in lower case, with single spaces around and between its words and nothing else;
/// apostrophes are removed.
///
/// ```
/// # use agon_record::words::normalize_words;
/// assert_eq!(normalize_words("That's  SQLite (WAL)!"), " thats sqlite wal ");
/// ```
pub fn normalize_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !matches!(c, '\'' | '’') && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

/// Returns the first of `phrases` that `text` contains as whole words.
///
/// Phrases must be in lower case, without punctuation.
pub fn find_phrase<'a>(text: &str, phrases: &[&'a str]) -> Option<&'a str> {
    let text = normalize_words(text);
    let stands = |phrase: &&&str| text.contains(&format!(" {phrase} "));
    phrases.iter().find(stands).copied()
}

/// As [`find_phrase`], but a phrase in a script without spaces matches anywhere in `text`.
///
/// ```
/// # use agon_record::words::find_phrase_in_any_script;
/// assert_eq!(find_phrase_in_any_script("那，取决于 负载", &["取决于负载"]), Some("取决于负载"));
/// ```
pub fn find_phrase_in_any_script<'a>(text: &str, phrases: &[&'a str]) -> Option<&'a str> {
    let text = normalize_words(text);
    let joined = text.replace(' ', "");
    let stands = |phrase: &&&str| match phrase.contains(is_spaceless_letter) {
        true => joined.contains(&phrase.replace(' ', "")),
        false => text.contains(&format!(" {phrase} ")),
    };
    phrases.iter().find(stands).copied()
}

/// Returns the first of `phrases` that begins `text`, as whole words; a phrase in a script without
/// spaces need not end at a word boundary.
pub fn find_leading_phrase_in_any_script<'a>(text: &str, phrases: &[&'a str]) -> Option<&'a str> {
    let text = normalize_words(text);
    let joined = text.replace(' ', "");
    let begins = |phrase: &&&str| match phrase.contains(is_spaceless_letter) {
        true => joined.starts_with(&phrase.replace(' ', "")),
        false => text.starts_with(&format!(" {phrase} ")),
    };
    phrases.iter().find(begins).copied()
}

/// Letters of the Latin script, including those with diacritics and its later blocks.
const LATIN: [RangeInclusive<char>; 4] = [
    'A'..='z',
    '\u{c0}'..='\u{24f}',
    '\u{1e00}'..='\u{1eff}',
    '\u{ff21}'..='\u{ff5a}',
];

/// Kana and Chinese characters.
const CHINESE_AND_KANA: [RangeInclusive<char>; 7] = [
    '\u{3040}'..='\u{30ff}',
    '\u{31f0}'..='\u{31ff}',
    '\u{3400}'..='\u{4dbf}',
    '\u{4e00}'..='\u{9fff}',
    '\u{f900}'..='\u{faff}',
    '\u{ff66}'..='\u{ff9f}',
    '\u{20000}'..='\u{3ffff}',
];

/// Returns whether `c` is a letter of the Latin script.
pub fn is_latin_letter(c: char) -> bool {
    c.is_alphabetic() && LATIN.iter().any(|range| range.contains(&c))
}

/// Returns whether `c` is a Chinese character or kana.
pub fn is_chinese_or_kana(c: char) -> bool {
    CHINESE_AND_KANA.iter().any(|range| range.contains(&c))
}

/// Letters of scripts without spaces between words: Thai to Tibetan, Burmese, Khmer, kana, Chinese
/// characters.
const SPACELESS: [RangeInclusive<char>; 10] = [
    '\u{e00}'..='\u{fff}',
    '\u{1000}'..='\u{109f}',
    '\u{1780}'..='\u{17ff}',
    '\u{3040}'..='\u{30ff}',
    '\u{31f0}'..='\u{31ff}',
    '\u{3400}'..='\u{4dbf}',
    '\u{4e00}'..='\u{a4cf}',
    '\u{f900}'..='\u{faff}',
    '\u{ff66}'..='\u{ff9f}',
    '\u{20000}'..='\u{3ffff}',
];

fn is_spaceless_letter(c: char) -> bool {
    SPACELESS.iter().any(|range| range.contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_alone_is_no_word() {
        assert_eq!(count_words("a — b ... 3 & c/d"), Some(4));
        assert_eq!(count_words(" \n"), Some(0));
    }

    #[test]
    fn a_foreign_name_does_not_lift_the_limit() {
        assert_eq!(
            count_words("the data centre in 東京 is the only one that matters"),
            Some(11)
        );
        assert_eq!(count_words("ใช้ฐานข้อมูล SQLite"), None);
    }

    #[test]
    fn phrases_match_whole_words_only() {
        assert_eq!(
            find_phrase("Well, it depends.", &["it depends"]),
            Some("it depends")
        );
        assert_eq!(find_phrase("It depended", &["it depend"]), None);
        let leading = find_leading_phrase_in_any_script;
        assert_eq!(leading("Consider it", &["consider"]), Some("consider"));
        assert_eq!(leading("Do consider it", &["consider"]), None);
    }
}
