//! Finds passwords in database URLs without a scheme, as used by Go drivers:
//! `user:password@tcp(host)`.

use std::ops::Range;

use crate::header::is_address_password;
use crate::hit::Hit;

/// The text between the password and the host.
pub(crate) const MARKS: [&str; 6] = [
    "@tcp(",
    "@tcp6(",
    "@unix(",
    "@cloudsql(",
    "@cloudsql-mysql(",
    "@cloudsqlconn(",
];

/// Maximum length of the user name and the password, in bytes.
const MAX_LEAD: usize = 256;

/// Returns the password before the mark at `place`.
pub(crate) fn find_dsn_password(text: &str, place: &Range<usize>) -> Option<Hit> {
    let from = text.ceil_char_boundary(place.start.saturating_sub(MAX_LEAD));
    let lead = &text[from..place.start];
    let word = lead
        .rsplit(|char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '`' | '<' | '>'))
        .next()?;
    let word = word.split_once("://").map_or(word, |(_, rest)| rest);
    let (user, password) = word.split_once(':')?;
    // In `NAME=user:password`, drop the setting's name before the user name.
    let user = user.rsplit('=').next()?;
    let fits = !user.contains(['{', '}', '$', '(', '/']) && is_address_password(password, false);
    fits.then(|| Hit {
        rule: "password-in-address",
        span: place.start - password.len()..place.start,
    })
}
