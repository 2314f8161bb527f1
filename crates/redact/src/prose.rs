//! Finds passwords stated in sentences.

use std::ops::Range;

use crate::name::Name;
use crate::randomness;
use crate::span::{length_without_punctuation, quoted_span, unquoted_span};
use crate::value::{
    grouped_password_length, is_generated, is_grouped_password, is_human_made_password,
    is_identifier, is_nonword_mixed_case, is_stand_in, is_words_and_number, starts_with_call,
};
use crate::view::View;

// Chosen, not measured: words farther from the name belong to something else, and each word costs a
// check.
/// Maximum number of words checked after the name.
const MAX_WORDS: usize = 14;
// Enough for `MAX_WORDS` words of 13 characters and the spaces between them.
/// Maximum number of characters checked after the name.
const MAX_LETTERS: usize = 200;
// Chosen, not measured: `is now set to` has four words. A lower limit misses such sentences; a
// higher one takes a word of the next clause for the value.
/// Maximum number of words between the announcing word and the value.
const MAX_FILLERS: usize = 4;

/// Words that announce a value.
const SAYS: &[&str] = &[
    "->",
    ":",
    "=",
    "a",
    "actual",
    "aktuell",
    "alterada",
    "are",
    "as",
    "auf",
    "avec",
    "be",
    "becomes",
    "being",
    "benutze",
    "bleibt",
    "c'est",
    "cambiado",
    "com",
    "con",
    "continua",
    "currently",
    "de",
    "diventa",
    "e'",
    "en",
    "equals",
    "era",
    "es",
    "est",
    "fica",
    "ficou",
    "foi",
    "habe",
    "haben",
    "have",
    "heisse",
    "heisst",
    "heißt",
    "ich",
    "impostata",
    "in",
    "is",
    "ist",
    "jetzt",
    "kommt",
    "lautet",
    "like",
    "mit",
    "nennt",
    "nimm",
    "nouveau",
    "now",
    "nämlich",
    "par",
    "para",
    "por",
    "queda",
    "quedó",
    "reads",
    "remains",
    "reste",
    "rimane",
    "sarà",
    "say",
    "says",
    "sei",
    "sera",
    "seria",
    "será",
    "set",
    "setze",
    "sigue",
    "sono",
    "stays",
    "still",
    "su",
    "sur",
    "to",
    "usa",
    "use",
    "used",
    "using",
    "utilise",
    "vaut",
    "verwende",
    "war",
    "was",
    "will",
    "wir",
    "wird",
    "with",
    "wurde",
    "wäre",
    "zu",
    "à",
    "är",
    "è",
    "é",
    "était",
    "–",
    "—",
    "→",
    "は",
    "为",
    "是",
    "爲",
    "는",
    "은",
];

/// How many of `SAYS` begin with a smaller byte than this one.
const SAYS_BY_BYTE: [u16; 257] = {
    let mut table = [0; 257];
    let mut byte = 0;
    let mut count = 0;
    while byte < 256 {
        while count < SAYS.len() && (SAYS[count].as_bytes()[0] as usize) < byte {
            count += 1;
        }
        table[byte] = count as u16;
        byte += 1;
    }
    table[256] = SAYS.len() as u16;
    table
};

/// Words with which the next sentence refers to the value: "It was stale. The new value is …".
const VALUE_NOUNS: &[&str] = &[
    "value",
    "key",
    "token",
    "secret",
    "password",
    "wert",
    "schlüssel",
    "passwort",
    "valeur",
    "clé",
    "jeton",
    "valor",
    "clave",
    "chave",
    "senha",
    "valore",
    "chiave",
];

/// Words that occur in a sentence but not in a passphrase.
const FUNCTION: &[&str] = &[
    "the", "your", "is", "must", "to", "of", "and", "not", "please", "be", "for", "in", "that",
    "this", "with", "you", "or", "are", "was", "at", "by", "from", "it", "should", "enter",
    "invalid", "wrong", "too", "required", "password", "token", "das", "der", "die", "und", "le",
    "la", "el", "de", "at", "least", "will", "has", "can", "no", "field", "reset", "change",
];

/// Returns the range of a value stated after `at`, where the name ends.
pub(crate) fn value_after(view: &View<'_>, at: usize, kind: Name) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let end = at + sentence_length(&text[at..]);
    let mut place = at;
    let mut announced: Option<usize> = None;
    // `is_next`: a sentence has ended. `is_named`: the current sentence is about the value.
    let (mut is_next, mut is_named) = (false, true);
    for number in 0..MAX_WORDS {
        place += text[place..end].len()
            - text[place..end]
                .trim_start_matches(|c: char| {
                    c.is_whitespace()
                        || matches!(c, '*' | '(' | ',' | '_' | '\'' | '’')
                            && !is_quote_start(&text[place..end])
                })
                .len();
        if place >= end {
            return None;
        }
        let first = text[place..].chars().next()?;
        let near = announced.is_some_and(|since| number <= since + MAX_FILLERS) || number == 0;
        let opens = !text[..place].ends_with(char::is_alphanumeric);
        if let Some(close) = closing_quote(first).filter(|_| opens) {
            let start = place + first.len_utf8();
            let span = if first == close && first.is_ascii() {
                quoted_span(view, place)
            } else {
                text[start..end]
                    .find([close, '”'])
                    .map(|length| start..start + length)
            };
            let Some(span) = span.filter(|span| span.end <= end) else {
                place = start;
                continue;
            };
            let value = text.get(span.clone())?;
            let bare = value.trim();
            let fits = |value: &str| {
                (is_clearly_secret_value(value, kind)
                    || kind == Name::Password
                        && (is_passphrase(value)
                            // Names of hosts and projects have fewer words, so four hyphens mean a
                            // passphrase.
                            || value.matches('-').count() > 3 && is_words_and_number(value, '-')
                            || is_grouped_password(value)))
                    && !is_stand_in(value)
            };
            if near && fits(bare) {
                return Some(span);
            }
            place = span.end + close.len_utf8();
            place = text.ceil_char_boundary(place);
            if place >= end {
                return None;
            }
            continue;
        }
        if closing_quote(first).is_some() || matches!(first, '<' | '>') {
            place += first.len_utf8();
            continue;
        }
        let groups = match near && kind == Name::Password {
            true => grouped_password_length(&text[place..end]),
            false => 0,
        };
        if groups > 0 {
            return Some(place..place + groups);
        }
        let word = unquoted_span(text, place, b"");
        let word = word.start..word.end.min(end).max(word.start + first.len_utf8());
        let raw = &text[word.clone()];
        let length = length_without_punctuation(raw).max(usize::from(raw.len() == 1));
        let value = &raw[..length];
        let asks = raw.ends_with('?') && text[word.end..].starts_with('\n');
        let is_end = raw.len() > length
            && raw.ends_with(['.', ';', '!', '?'])
            && announced.is_none()
            && !asks;
        if near
            && is_named
            && is_clearly_secret_value(value, kind)
            && (number > 0
                || announced.is_some()
                || is_random_or_has_symbols(value)
                || is_long_mixed(value))
            && !is_stand_in(value)
        {
            return Some(word.start..word.start + length);
        }
        if raw.ends_with(':') || asks || is_announcing_word(value) {
            announced = Some(number);
        }
        is_named = is_named || VALUE_NOUNS.contains(&value.to_lowercase().as_str());
        if is_end || raw.ends_with('.') {
            if is_next || raw.ends_with(';') {
                return None;
            }
            (is_next, is_named, announced) = (true, false, None);
        }
        place = word.end;
    }
    None
}

/// Returns the range of a UUID stated directly after the name that ends at `at`.
pub(crate) fn uuid_after(text: &str, at: usize) -> Option<Range<usize>> {
    const LENGTH: usize = 36;
    let end = at + sentence_length(&text[at..]);
    let near = &text[at..end];
    let (mut place, mut announced) = (at, false);
    for word in near
        .split_inclusive([' ', '\t', '\n'])
        .take(MAX_FILLERS + 2)
    {
        let begin = word.len()
            - word
                .trim_start_matches(['"', '\'', '`', '*', '(', ':'])
                .len();
        let start = place + begin;
        let value = text.get(start..start + LENGTH);
        if announced && value.is_some_and(randomness::is_uuid) {
            return Some(start..start + LENGTH);
        }
        place += word.len();
        let bare = word.trim_end();
        announced = bare.ends_with(':') || is_announcing_word(bare) || announced && bare.is_empty();
    }
    None
}

/// Returns how far to search after a name: to the end of the line, at most `MAX_LETTERS`, and into
/// the next line if it contains the answer.
fn sentence_length(text: &str) -> usize {
    let near = &text.as_bytes()[..text.len().min(MAX_LETTERS)];
    if let Some(end) = memchr::memchr(b'\n', near) {
        // The next line may contain the answer to a question, or an announced value.
        return end + answer_length(&text[..end], &text[end..]);
    }
    if near.is_ascii() {
        return near.len();
    }
    let mut letters = text.char_indices();
    let line = letters.by_ref().take(MAX_LETTERS).find(|(_, c)| *c == '\n');
    line.or_else(|| letters.next())
        .map_or(text.len(), |(end, _)| end)
}

/// Returns the length of the answer to `line` in `rest`, the text after it: an announced value may
/// be alone on the next line.
fn answer_length(line: &str, rest: &str) -> usize {
    let line = line.trim_end();
    let rest = &rest[..rest.floor_char_boundary(MAX_LETTERS)];
    let next = rest.split('\n').nth(1).unwrap_or_default();
    let mut words = next
        .split_whitespace()
        .filter(|word| !matches!(*word, ">" | "|" | "-" | "+"));
    let alone = words
        .next()
        .is_some_and(|word| !word.ends_with([':', '{', '(']))
        && words.next().is_none();
    // A line with only a name and a colon begins a block of settings, so no value follows it.
    let says = [":", " is", " ist", " est", " lautet"];
    let says = says.iter().any(|word| line.ends_with(word));
    let announced = says && line.trim_start().contains(' ') && alone;
    if line.ends_with('?') || announced {
        1 + next.len()
    } else {
        0
    }
}

/// Returns the range of the new value if `at` follows the old one: "was X and is now Y".
pub(crate) fn new_value_after(view: &View<'_>, at: usize, kind: Name) -> Option<Range<usize>> {
    let rest = view.text.get(at..)?;
    let skipped = rest.len()
        - rest
            .trim_start_matches(['"', '\'', '`', '*', '”', '»', ')'])
            .len();
    let near = &rest[skipped..sentence_length(rest).max(skipped)];
    let now = |word: &str| {
        matches!(
            word,
            "now" | "jetzt" | "maintenant" | "ahora" | "agora" | "ora" | "adesso"
        )
    };
    let follows = near.split([' ', ',']).take(5).any(now);
    follows.then(|| value_after(view, at + skipped, kind))?
}

/// Returns the range of a value stated before `at`, where the name begins: "X as the password".
pub(crate) fn value_before(view: &View<'_>, at: usize, kind: Name) -> Option<Range<usize>> {
    let text = view.text.as_ref();
    let from = text.ceil_char_boundary(at.saturating_sub(160));
    let mut words = text[from..at]
        .split([' ', '\t'])
        .rev()
        .filter(|word| !word.is_empty());
    let mut announced = false;
    let mut stated = false;
    // `VALUE as the Acme API token`: up to five words separate the value from the name.
    for _ in 0..6 {
        let word = words.next()?;
        if word.contains('\n') {
            return None;
        }
        if announced {
            let value = word.trim_matches(['`', '"', '\'', '*', '“', '”', '„', '«', '»', ',', '(']);
            let start = word.as_ptr() as usize - text.as_ptr() as usize + word.find(value)?;
            let drawn = !stated || value.len() >= 16 && is_generated(value);
            let fits = !value.is_empty()
                && is_clearly_secret_value(value, kind)
                && !is_stand_in(value)
                && drawn;
            return fits.then_some(start..start + value.len());
        }
        announced = matches!(
            word.to_lowercase().as_str(),
            "as" | "als" | "comme" | "como" | "come" | "for"
        );
        stated |= matches!(word, "is" | "ist" | "est" | "es" | "è" | "é");
        announced |= stated;
    }
    None
}

fn is_announcing_word(word: &str) -> bool {
    let listed = |word: &str| {
        let first = word.bytes().next().map_or(0, usize::from);
        let same = usize::from(SAYS_BY_BYTE[first])..usize::from(SAYS_BY_BYTE[first + 1]);
        SAYS[same].contains(&word)
    };
    if word
        .bytes()
        .all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
    {
        return listed(word);
    }
    listed(&word.to_lowercase())
}

fn is_quote_start(text: &str) -> bool {
    // An apostrophe before `s` or a space belongs to the preceding word and does not open a
    // quotation.
    let mut chars = text.chars();
    matches!(chars.next(), Some('\'' | '’')) && !matches!(chars.next(), Some('s' | ' ' | ',' | '.'))
}

fn closing_quote(open: char) -> Option<char> {
    match open {
        '"' | '`' | '\'' => Some(open),
        '“' => Some('”'),
        '„' => Some('“'),
        '«' => Some('»'),
        '‘' => Some('’'),
        _ => None,
    }
}

/// Returns whether a word in a sentence is almost certainly a secret value of this kind.
fn is_clearly_secret_value(value: &str, kind: Name) -> bool {
    if value.len() < 6
        || value.contains(char::is_whitespace)
        || starts_with_call(value)
        || value.contains(['<', '>'])
        || value.starts_with(['#', '@', '/', '.', '-', '=', '+', ':', '\\', '}', ')', ']'])
        || value.contains(":$")
        || value.contains('&')
        || value
            .split_once('=')
            .is_some_and(|(name, _)| name.len() < 24 && is_identifier(name) && !is_generated(name))
    {
        return false;
    }
    let telling = |byte: u8| {
        byte.is_ascii_digit()
            || (byte.is_ascii_punctuation() && !matches!(byte, b',' | b'-' | b'_'))
    };
    let shuffled = || value.len() >= 16 && is_generated(value);
    let odd = || kind == Name::Password && is_nonword_mixed_case(value);
    if !value.bytes().any(telling) && !shuffled() && !odd() {
        return false;
    }
    match kind {
        Name::Password => {
            (is_human_made_password(value) || is_generated(value))
                && !is_snake_or_dotted_name(value)
                && !value.contains("://")
        }
        Name::Token | Name::Known | Name::Key | Name::Auth | Name::Signature => {
            (is_generated(value) && value.len() >= 12 || has_all_character_kinds(value))
                && !value.contains("://")
                && !is_snake_or_dotted_name(value)
        }
    }
}

/// Returns whether `value` has characters of all kinds, like a generated password.
fn has_all_character_kinds(value: &str) -> bool {
    let has = |test: fn(char) -> bool| value.contains(test);
    (10..=40).contains(&value.len())
        && has(|c| "!@#$%^*".contains(c))
        && has(|c| c.is_ascii_digit())
        && has(|c| c.is_ascii_uppercase())
        && has(|c| c.is_ascii_lowercase())
        && !value.contains(['(', '{', '['])
}

fn is_random_or_has_symbols(value: &str) -> bool {
    is_generated(value)
        || value.contains(['!', '#', '$', '%', '&', '?', '@', '^', '+', '='])
            && value.contains(|c: char| c.is_ascii_digit())
}

/// Returns whether `value` is long, with letters of both cases and a digit, unlike a word of a
/// sentence.
fn is_long_mixed(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    value.len() >= 10
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
}

fn is_snake_or_dotted_name(value: &str) -> bool {
    is_identifier(value)
        && value.contains(['_', '.'])
        && !is_generated(value)
        && !is_words_and_number(value, '.')
}

/// Returns whether `value` is a passphrase: lower-case words with the same separator, none of them
/// typical of a sentence.
pub(crate) fn is_passphrase(value: &str) -> bool {
    let sign = match value.chars().find(|c| !c.is_alphabetic()) {
        Some(sign @ (' ' | '-' | '_' | '.')) => sign,
        Some(_) | None => return false,
    };
    let words: Vec<&str> = value.split(sign).collect();
    let word = |word: &&str| {
        word.chars().count() > 2
            && word.chars().all(char::is_alphabetic)
            && !FUNCTION.contains(&word.to_lowercase().as_str())
    };
    (4..=8).contains(&words.len()) && words.iter().all(word)
}

#[cfg(test)]
mod tests {
    use super::SAYS;

    #[test]
    fn the_words_that_announce_are_in_order() {
        assert!(SAYS.is_sorted());
    }
}
