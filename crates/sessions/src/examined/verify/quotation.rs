//! Quotations: whether one is in a text, and how it leaves.

use agon_record::text::{sanitise_line, strip_invisible_characters};
use agon_redact::Redactor;

use super::super::words::collapse;

/// Characters of a quotation without which it could be anywhere.
const MIN_CHARS: usize = 3;
/// Characters of a text of a finding that leaves.
const MAX_CHARS: usize = 240;

/// Whether `quote` is in `text` word for word, whatever white space is between the words, and without
/// the secrets that the examiner was not shown.
pub(super) fn is_in(quote: &str, text: &str) -> bool {
    let quote = collapse(&strip_invisible_characters(quote));
    if quote.chars().count() < MIN_CHARS || text.is_empty() {
        return false;
    }
    let redact = |text: &str| collapse(&Redactor::new().redact(text).text);
    let visible = strip_invisible_characters(text);
    if quote.contains("[redacted") {
        return redact(&visible).contains(&quote);
    }
    // A part of a secret is not a quotation of what was shown.
    collapse(&visible).contains(&quote) && redact(&visible).contains(&redact(&quote))
}

/// Words as they leave: without secrets, in one line.
pub(super) fn leave(words: &str) -> String {
    let visible = strip_invisible_characters(words);
    sanitise_line(&Redactor::new().redact(&visible).text, MAX_CHARS)
}
