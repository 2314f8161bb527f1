//! Quotes words of a session, redacted and shortened.

use std::collections::HashMap;

use agon_record::text::{sanitise_line, strip_control_characters, strip_invisible_characters};
use agon_redact::Redactor;

use crate::RawText;

/// Quotes from texts. Each text is redacted once as a whole, because a secret can extend beyond a
/// quote.
#[derive(Default)]
pub(crate) struct Quotes {
    redactor: Redactor,
    redacted: HashMap<(usize, usize), String>,
}

/// The replacement for words that contain only a part of a secret.
const WITHHELD: &str = "[redacted]";

impl Quotes {
    /// Returns `words`, a part of `text`, without secrets and invisible characters.
    ///
    /// Invisible characters are removed first, since a secret may be split by them.
    pub(crate) fn quote(&mut self, text: &RawText, words: &str) -> String {
        let key = (text.as_str().as_ptr() as usize, text.len());
        let whole = self.redacted.entry(key).or_insert_with(|| {
            let visible = strip_invisible_characters(text.as_str());
            self.redactor.redact(&visible).text.into_owned()
        });
        let words = strip_invisible_characters(words);
        if whole.contains(&words) {
            return words;
        }
        let redacted = self.redactor.redact(&words);
        if redacted.hits.is_empty() {
            // The words look harmless without the surrounding text, so withhold all of them.
            WITHHELD.to_owned()
        } else {
            redacted.text.into_owned()
        }
    }

    /// Returns [`Quotes::quote`] on one line of at most `max` characters.
    pub(crate) fn excerpt(&mut self, text: &RawText, words: &str, max: usize) -> String {
        sanitise_line(&self.quote(text, words), max)
    }

    /// Returns other words with their lines, redacted, cut to `max` characters.
    pub(crate) fn quote_argument_lines(&self, words: &str, max: usize) -> String {
        let visible = strip_invisible_characters(words);
        let clean = strip_control_characters(&self.redactor.redact(&visible).text);
        match clean.char_indices().nth(max) {
            Some((at, _)) => format!("{}…", &clean[..at]),
            None => clean,
        }
    }

    /// Returns other words, such as an argument, redacted and on one line.
    pub(crate) fn quote_argument(&self, words: &str, max: usize) -> String {
        let visible = strip_invisible_characters(words);
        sanitise_line(&self.redactor.redact(&visible).text, max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> String {
        format!("ghp_{}", "A1b2C3d4E5".repeat(4).get(..36).unwrap())
    }

    #[test]
    fn a_quote_has_no_secret() {
        let words = format!("never print {} here", secret());
        let text = RawText::from(format!("A rule. {words} at all."));
        let quote = Quotes::default().quote(&text, &words);
        assert!(quote.starts_with("never print [redacted"), "{quote}");
    }

    #[test]
    fn a_secret_behind_what_is_not_seen_is_found() {
        let secret = secret();
        let (first, rest) = secret.split_at(8);
        for between in ["\u{1b}[0m", "\u{200b}"] {
            let words = format!("use {first}{between}{rest} always");
            let text = RawText::from(words.clone());
            let mut quotes = Quotes::default();
            for shown in [
                quotes.quote(&text, &words),
                quotes.quote_argument(&words, 200),
            ] {
                assert!(
                    !shown.contains(rest) && shown.contains("[redacted"),
                    "{shown}"
                );
            }
        }
    }

    #[test]
    fn a_part_of_a_secret_is_not_quoted() {
        let secret = secret();
        let text = RawText::from(format!("token {secret} here"));
        let quote = Quotes::default().quote(&text, &secret[8..20]);
        assert_eq!(quote, WITHHELD);
    }

    #[test]
    fn an_excerpt_is_one_short_line_without_control_characters() {
        let text = RawText::from("one\n\u{1b}[31mtwo   three four");
        let excerpt = Quotes::default().excerpt(&text, text.as_str(), 14);
        assert_eq!(excerpt, "one two three…");
    }
}
