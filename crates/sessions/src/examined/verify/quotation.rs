//! Checks and redacts quotations.

use agon_record::text::{sanitise_line, strip_invisible_characters};
use agon_redact::Redactor;

use super::super::words::collapse;

/// Fewest characters of a quotation, since shorter ones match anywhere.
const MIN_CHARS: usize = 3;
/// Maximum number of characters of a text in a verified finding.
const MAX_CHARS: usize = 240;

/// Returns whether `quote` is in `text` word for word, ignoring white space.
///
/// Secrets are compared as redacted, as the examiner saw them.
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
    // The examiner never saw secrets, so a part of one is not a quotation.
    collapse(&visible).contains(&quote) && redact(&visible).contains(&redact(&quote))
}

/// Returns the words on one line without secrets.
pub(super) fn redact_line(words: &str) -> String {
    let visible = strip_invisible_characters(words);
    sanitise_line(&Redactor::new().redact(&visible).text, MAX_CHARS)
}
