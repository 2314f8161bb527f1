//! Folds names and paths, so that different spellings of one name compare equal.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

/// Returns the folded name: composed (NFC), in lower case, and with plain instead of typographic
/// characters.
///
/// macOS file systems store decomposed names and, like those of Windows, ignore case. Models write
/// straight apostrophes and ordinary spaces for typographic ones.
pub(crate) fn fold(name: &str) -> Cow<'_, str> {
    if name
        .bytes()
        .all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
    {
        return Cow::Borrowed(name);
    }
    if name.is_ascii() {
        return Cow::Owned(name.to_ascii_lowercase());
    }
    let mut folded = String::with_capacity(name.len());
    push_folded(name, &mut folded);
    Cow::Owned(folded)
}

/// Appends the folded form of a piece of text.
pub(crate) fn push_folded(piece: &str, out: &mut String) {
    for c in piece.nfc() {
        match c {
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2bc}' => out.push('\''),
            '\u{201c}' | '\u{201d}' => out.push('"'),
            '\u{a0}' | '\u{202f}' | '\u{2009}' => out.push(' '),
            '\u{2010}' | '\u{2011}' => out.push('-'),
            // Drop variation selectors and zero-width characters: they only affect how text is
            // drawn.
            '\u{fe0e}' | '\u{fe0f}' | '\u{200b}' | '\u{feff}' => {}
            c => out.extend(c.to_lowercase()),
        }
    }
}

/// Returns whether a character combines with the one before it.
pub(crate) fn continues_character(c: char) -> bool {
    canonical_combining_class(c) != 0 || ('\u{1160}'..='\u{11ff}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_fold_to_the_same() {
        for (name, same) in [
            ("Tu\u{308}r.md", "tür.md"),
            ("README.md", "readme.md"),
            ("it’s.md", "it's.md"),
            ("Screenshot\u{202f}1.png", "screenshot 1.png"),
            ("\u{1112}\u{1161}\u{11ab}.md", "한.md"),
            ("✔\u{fe0f}.md", "✔.md"),
        ] {
            assert_eq!(fold(name), fold(same), "{name}");
        }
        assert_ne!(fold("a b"), fold("ab"));
    }
}
