//! Unicode spellings of a glob. A policy treats all encodings of a letter as the same, such as `é` and `e`
//! with a combining accent; a host compares code points.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use super::{GlobFault, TOO_MANY};

const FAULT: GlobFault = GlobFault("a letter of the glob has too many Unicode encodings");

/// Returns all texts that a policy treats as `text`; fails if there are more than `most`. ASCII is kept:
/// the other encodings of `K`, `;` and the backtick do not occur in real names.
pub(super) fn spellings_of(text: &str, most: usize) -> Result<Vec<String>, GlobFault> {
    if most == 0 {
        return Err(TOO_MANY);
    }
    if text.is_ascii() {
        return Ok(vec![text.to_owned()]);
    }
    let mut all = vec![String::new()];
    for letter in text.nfc() {
        let ends = letter_encodings(letter)?;
        if all.len() * ends.len() > most {
            return Err(TOO_MANY);
        }
        all = join(&all, &ends);
    }
    Ok(all)
}

/// Returns the encodings of a letter of a composed text.
fn letter_encodings(letter: char) -> Result<Vec<String>, GlobFault> {
    if letter.is_ascii() {
        return Ok(vec![letter.into()]);
    }
    // Normalization reorders combining marks or merges them with the letter before, so the
    // encodings of a single mark are not enough.
    let is_mark = canonical_combining_class(letter) != 0
        || is_nfc_quick(std::iter::once(letter)) != IsNormalized::Yes;
    if is_mark {
        return Err(FAULT);
    }
    let mut all = with_equivalents(letter);
    let parts: Vec<char> = std::iter::once(letter).nfd().collect();
    match parts.as_slice() {
        [_] => {}
        [base, mark] => all.extend(join(&with_equivalents(*base), &with_equivalents(*mark))),
        // With three or more parts, some may be composed and others not, which is too many
        // encodings.
        _ => return Err(FAULT),
    }
    Ok(all)
}

/// Returns a character and all code points that are equivalent to it.
fn with_equivalents(letter: char) -> Vec<String> {
    static DOUBLES: OnceLock<BTreeMap<char, Vec<char>>> = OnceLock::new();
    let doubles = DOUBLES.get_or_init(|| {
        let mut doubles = BTreeMap::<char, Vec<char>>::new();
        // Stops at plane 3, because higher planes have only private-use characters and variation
        // selectors.
        for double in '\u{80}'..='\u{3ffff}' {
            let mut composed = std::iter::once(double).nfc();
            if let (Some(letter), None) = (composed.next(), composed.next())
                && letter != double
            {
                doubles.entry(letter).or_default().push(double);
            }
        }
        doubles
    });
    let others = doubles.get(&letter).into_iter().flatten();
    let all = std::iter::once(&letter).chain(others);
    all.map(|letter| letter.to_string()).collect()
}

fn join(starts: &[String], ends: &[String]) -> Vec<String> {
    let pairs = starts
        .iter()
        .flat_map(|start| ends.iter().map(move |end| format!("{start}{end}")));
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_spelling_of_a_letter_is_written() {
        let all = |text| spellings_of(text, 256).unwrap();
        assert_eq!(all("src/K;*.rs"), ["src/K;*.rs"]);
        for text in ["caf\u{e9}", "cafe\u{301}"] {
            assert_eq!(all(text), ["caf\u{e9}", "cafe\u{301}", "cafe\u{341}"]);
        }
        let ring = ["\u{c5}", "\u{212b}", "A\u{30a}"];
        assert_eq!(all("\u{212b}"), ring);
        // Each letter for itself: a text may be composed in part.
        assert_eq!(all("\u{e4}\u{f6}").len(), 4);
        assert_eq!(all("\u{65e5}\u{672c}"), ["\u{65e5}\u{672c}"]);
        // Each is spelled otherwise, and the same text when it is composed.
        for text in [
            "\u{e9}\u{fc}/\u{304c}",
            "\u{38f}",
            "\u{ac00}",
            "\u{1f600}\u{f1}",
        ] {
            let all = all(text);
            let composed: BTreeSet<String> = all.iter().map(|it| it.nfc().collect()).collect();
            assert_eq!(composed.len(), 1, "{all:?}");
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        }
    }

    #[test]
    fn a_letter_whose_spellings_are_not_all_known_is_refused() {
        // Two marks, a mark that stays apart, one at the start, and a syllable of three parts.
        for text in ["\u{1ebf}", "x\u{30c}", "*\u{301}", "\u{d55c}", "*\u{1161}"] {
            assert_eq!(spellings_of(text, 256), Err(FAULT), "{text}");
        }
        assert_eq!(spellings_of(&"\u{e9}".repeat(6), 256), Err(TOO_MANY));
    }
}
