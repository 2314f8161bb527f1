//! Finds recovery codes for a second factor, listed after or below words for them.

use std::ops::Range;

use crate::hit::Hit;
use crate::value::{is_stand_in, letter_digit_changes};

/// Words for such codes, in any case.
pub(crate) const MARKS: [&str; 24] = [
    "recovery code",
    "recovery_code",
    "recovery-code",
    "recoverycode",
    "backup code",
    "backup_code",
    "backup-code",
    "backupcode",
    "rescue code",
    "scratch code",
    "scratch_code",
    "emergency code",
    "backup verification code",
    "two-factor code",
    "wiederherstellungscode",
    "notfallcode",
    "codes de récupération",
    "codes de secours",
    "códigos de recuperación",
    "códigos de respaldo",
    "códigos de recuperação",
    "codici di recupero",
    "recovery key",
    "recovery_key",
];

// Pages with recovery codes have up to four lines of advice above them.
/// Maximum number of lines before the first code.
const MAX_ADVICE: usize = 4;
// Vendors issue 8 to 16 codes, one or two on a line.
/// Maximum number of lines with codes.
const MAX_LINES: usize = 24;
/// Maximum length of a line, in bytes.
const MAX_LINE: usize = 160;

/// Returns the codes after the words that end at `at`, and where the search ended.
pub(crate) fn find_codes(text: &str, at: usize) -> (Vec<Hit>, usize) {
    let rest = &text[at..];
    let line = first_line(rest);
    let sign = line.find([':', '=', '[']).filter(|sign| *sign < 24);
    let spoken = line
        .find(" is ")
        .map(|sign| sign + 3)
        .filter(|sign| *sign < 24);
    if let Some(sign) = sign.or(spoken) {
        // The sentence may continue after a code, so other words on the line are allowed.
        let words = codes_in_line(&line[sign + 1..], at + sign + 1, false);
        let is_list = is_list(text, &words);
        if is_list
            || words
                .first()
                .is_some_and(|word| is_single_code(&text[word.clone()]))
        {
            let count = if is_list { words.len() } else { 1 };
            return (hits(&words[..count]), at + line.len());
        }
    }
    let mut place = at + line.len();
    let (mut advice, mut all) = (0, Vec::new());
    for _ in 0..MAX_LINES + MAX_ADVICE {
        let Some(next) = text[place..].strip_prefix('\n') else {
            break;
        };
        let line = first_line(next);
        let words = codes_in_line(line, place + 1, true);
        place += 1 + line.len();
        if line.trim().is_empty() {
            continue;
        }
        if words.is_empty() {
            advice += 1;
            if !all.is_empty() || advice > MAX_ADVICE {
                break;
            }
            continue;
        }
        all.extend(words);
    }
    match is_list(text, &all) {
        true => (hits(&all), place),
        false => (Vec::new(), at),
    }
}

fn hits(words: &[Range<usize>]) -> Vec<Hit> {
    let hit = |span: &Range<usize>| Hit {
        rule: "recovery-code",
        span: span.clone(),
    };
    words.iter().map(hit).collect()
}

fn first_line(text: &str) -> &str {
    let near = &text[..text.floor_char_boundary(MAX_LINE)];
    near.split('\n').next().unwrap_or_default()
}

/// Returns the codes at the beginning of `line`, after its label; none if the line contains more
/// and must be whole. `start` is the position of the line.
fn codes_in_line(line: &str, start: usize, is_whole: bool) -> Vec<Range<usize>> {
    let apart = |char: char| char.is_whitespace() || ",;|\"'`[]{}()*•".contains(char);
    let mut codes = Vec::new();
    for word in line.split(apart) {
        let word = word.trim_end_matches('.');
        if word.is_empty() {
            continue;
        }
        let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
        if is_code(word) {
            codes.push(at..at + word.len());
        } else if !codes.is_empty() && !is_whole {
            break;
        } else if !codes.is_empty() || !is_label(word) {
            return Vec::new();
        }
    }
    codes
}

/// Returns whether `word` is an item number, a list or diff mark, or a time.
fn is_label(word: &str) -> bool {
    word.bytes()
        .all(|byte| byte.is_ascii_digit() || b".:-+>#)x".contains(&byte))
        || word.starts_with("20") && word.contains(':')
}

/// Returns whether `word` is letters and digits in one piece or in groups of equal length.
fn is_code(word: &str) -> bool {
    let mut groups = word.split('-');
    let length = groups.next().map_or(0, str::len);
    let part = |group: &str| group.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (4..=32).contains(&length)
        && part(word.split('-').next().unwrap_or_default())
        && groups.all(|group| group.len() == length && part(group))
        && (word.contains('-') || word.bytes().any(|byte| byte.is_ascii_digit()))
        && !is_stand_in(word)
}

/// Returns whether these are several different codes of one form, most of them with digits.
fn is_list(text: &str, words: &[Range<usize>]) -> bool {
    let Some(first) = words.first() else {
        return false;
    };
    let digits =
        |span: &&Range<usize>| text[(*span).clone()].contains(|it: char| it.is_ascii_digit());
    words.len() > 1
        && words.iter().all(|span| span.len() == first.len())
        && words.iter().filter(digits).count() * 2 >= words.len()
        && words
            .windows(2)
            .all(|pair| text[pair[0].clone()] != text[pair[1].clone()])
}

/// Returns whether `word` is a code even if no other one follows.
fn is_single_code(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_drawn = digits == word.len() || letter_digit_changes(word) > 2;
    word.len() >= 8 && digits > 0 && (word.contains('-') || is_drawn)
}
