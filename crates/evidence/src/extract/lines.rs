//! Numbers of lines, before and after a path.

use std::sync::LazyLock;

use regex::Regex;

use crate::normalize::is_spaced_script_word_char;

// Room for `lines 1000 to 1020 inside the module `, which has 38 bytes; words after a path get
// twice as much, as other words may stand between.
/// Bytes before and after a path in which its lines are looked for.
const NEAR: usize = 48;
/// Bytes after a path in which lines are looked for that are joined to it, as in a query of a URL.
const ATTACHED_NEAR: usize = 260;
/// Marks that may close a name before its lines.
const MARKS: [char; 8] = ['`', '*', '\'', '"', '”', '’', '»', '>'];
// Who says `around` counted by eye. Held by `lines_are_read_in_every_form`, where `around line 40`
// is 35 to 45.
/// Lines before and after one that is only about right.
const ABOUT: u32 = 5;

/// `:10`, `:10-20`, `:10:5`, `:L10`, `#L10-L20`, `#L10C3-L20C5`, `#L30:32`, `#lines-10:20`,
/// `:10,20`, `@10`, `†L10-L20`, `?L10-20`, `&line=10`, `[10-20]`.
static ATTACHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?x)^[`*'\x22”’»>]{0,3}(?:
            (?:(?:[:\#@†]|:\[)(?:lines?[-=:]|[Ll]n?)?|\?L|[?&;][^\s)>]{0,200}?line(?:Start|Number)?=)
            (\d{1,7})
            (?:C\d+|(?P<column>[:.]\d{1,5})(?P<more>(?:-|–|—)))?
            (?:(?:-|–|—|\.\.\.?=?|:L|-L|–L|(?P<loose>[:,]\s?))[Ll]?(\d{1,7})(?:C\d+)?)?
            (?:&lineEnd=(\d{1,7}))?
        )",
    )
});

/// `(10,5)`, ` (10, 4)`, `(10-20)`, `(10,4,12,5)`, `(L10)`, `(10:5)`.
static PARENTHESES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`*'\x22”’»>]{0,3}\s?\([Ll]?(\d{1,7})(?:(?:-|–|—)[Ll]?(\d{1,7})|[,:]\s?\d+(?:[,:]\s?(\d{1,7})[,:]\s?\d+|-\d{1,7})?)?\)",
    )
});

/// `, line 10`, ` around line 40`, ` (lines 10-20)`, ` on lines 10 to 20`, ` L10-L20`, ` @ 10`.
static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`'\x22*)\]”’»“›>_]{0,4}[,:;]?\s{0,2}(?:[-–—]\s)?[(\[]?(?:(?:do|does|did|has|sets|says|drops|repeats|is|it|so|this|that|the|same|again|also|both)\s){0,4}(?:(?:at|on|in|from|see|between|and|the|um|ab|auf|in|an|à|en)\s){0,2}(~|(?:around|about|near|approximately|roughly|circa|ca\.|etwa)\s)?(?:the\s)?(?:(?:[Ll]ines?|[Ll]n\.?|LL?|ll?\.|[Zz]eilen?|[Zz]\.|[Ll]ignes?|líneas?|строк[аеиу]?|строках)(?:\s?[:=#]\s?|\s)?|@\s?(?:[Ll]ines?\s)?)(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|thru|and|until|bis|à|\.\.=?)\s?(?:[Ll]ine\s)?[Ll]?(\d{1,7}))?((?:,\s(?:and\s)?\d{1,7}|\sand\s\d{1,7}){1,6}\b)?",
    )
});

/// `, 26 and 41`, `` and `:19`; also `:27` ``, `, #L11 and #L31` behind lines.
static MORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?x)^(?:
            [`*'\x22”’»>]{0,3} (?:\s?[,;/+&]\s?(?:and|und|also|auch|then)?\s? | \s(?:and|und|et|&|also)\s(?:also\s)?)
            (?:also\s)? [`'\x22*]{0,2} (?::L?|\#L?|L)? \d{1,7} (?:(?:-|–)L?\d{1,7})? \b
        ){1,7}",
    )
});

/// ` 第 97 行`, ` の 60 行目`, ` 第 5 至 8 行`, ` 10번째 줄`.
static IN_OTHER_SCRIPTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`'\x22*)\]”’»“›>_」』）]{0,4}[,，、:：]?\s?[(（]?(?:的|の|中的|中|内の|에서|의)?\s?第?\s?(\d{1,7})\s?(?:行目?|줄)?\s?(?:(?:-|–|—|~|〜|至|到|から)\s?第?\s?(\d{1,7}))?\s?(?:行|번째\s줄|줄)",
    )
});

/// `lines 10 to 20 of `, `line 40 in the file `, `L10-L20 of `.
static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?i)((?:around|about|near|approximately|roughly|circa|etwa|~)\s?)?\b(?:lines?|ln\.?|zeilen?|lignes?|строк[аеиу]?|строках|l)\s?#?(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|thru|and|until|bis|\.\.=?)\s?L?(\d{1,7}))?((?:,\s(?:and\s|und\s)?L?\d{1,7}|\s(?:and|und|&|et)\sL?\d{1,7}){1,6})?[,)]?\s(?:of|in|from|inside|within|at|von|aus|de|dans|в)\s(?:the\s|der\s)?(?:file\s|module\s|datei\s)?[`'\x22\[(*“„«<_]{0,4}$",
    )
});

/// Lines that a place names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamedLines {
    /// First and last.
    pub(super) lines: [u32; 2],
    /// Whether the last may be a column instead, as in `:10,20`.
    pub(super) is_loose: bool,
    /// Whether it is only about right.
    pub(super) is_rough: bool,
    /// Where their naming ends, or for those before a path, begins.
    pub(super) at: usize,
}

/// Lines directly behind a path, with where they end.
pub(super) fn parse_attached_lines(text: &str, from: usize) -> Option<NamedLines> {
    let found = parse_first_lines(text, from)?;
    Some(parse_more_lines(text, from, found).unwrap_or(found))
}

/// Lines directly behind a path, without a list that goes on behind them.
pub(super) fn parse_first_lines(text: &str, from: usize) -> Option<NamedLines> {
    let rest = slice_at_char_boundary(text, from, from + ATTACHED_NEAR);
    let found = parse_in_parentheses(text, rest, from);
    found.or_else(|| parse_directly_behind(text, rest, from))
}

/// Words that go on after a list of lines, and are not what its last number counts.
const AFTER_LIST: [&str; 16] = [
    "of", "in", "do", "does", "are", "is", "all", "both", "which", "that", "for", "where", "when",
    "show", "have", "as",
];

/// Lines with those of a list that goes on behind them, as the range that holds all of them.
pub(super) fn parse_more_lines(text: &str, from: usize, found: NamedLines) -> Option<NamedLines> {
    // `:6, 26` alone may be a line and a column, and is read with the first.
    let first_end = match found.is_loose {
        true => from + text.get(from..found.at)?.rfind([',', ':'])?,
        false => found.at,
    };
    let list = slice_at_char_boundary(text, first_end, first_end + NEAR * 2);
    let list = MORE.as_ref()?.find(list)?;
    let is_told = list.as_str().contains([':', '#', 'L']);
    let has_and = ["and", "und", "&", "et"]
        .iter()
        .any(|it| list.as_str().contains(it));
    // `:10 and 20 tests` counts something else.
    let rest = text.get(first_end + list.end()..)?;
    let goes_on = rest
        .trim_start_matches(['`', '*', ')'])
        .strip_prefix(' ')
        .is_some_and(|it| {
            let word = it
                .split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or("");
            !word.is_empty() && !AFTER_LIST.contains(&word)
        });
    let is_long = list.as_str().contains(',') && has_and;
    if !(is_told || is_long || has_and && !goes_on) {
        return None;
    }
    let numbers = list.as_str().split(|c: char| !c.is_ascii_digit());
    let numbers = numbers
        .filter_map(|it| it.parse::<u32>().ok())
        .filter(|it| *it > 0);
    let (mut first, mut last) = (found.lines[0], found.lines[0]);
    if !found.is_loose {
        last = found.lines[1];
    }
    for number in numbers {
        (first, last) = (first.min(number), last.max(number));
    }
    Some(NamedLines {
        lines: [first, last],
        is_loose: !is_told,
        is_rough: false,
        at: first_end + list.end(),
    })
}

fn parse_directly_behind(text: &str, rest: &str, from: usize) -> Option<NamedLines> {
    let found = ATTACHED.as_ref()?.captures(rest)?;
    let mut end = from + found.get(0)?.end();
    let mut last = found.get(5).or_else(|| found.get(6));
    // `:10:5-20:8`: only what follows the dash is a line.
    if found.name("column").is_some() {
        let after = from + found.name("more")?.end();
        let digits = text.get(after..)?.find(|c: char| !c.is_ascii_digit());
        let to = digits.map_or(text.len(), |length| after + length);
        let last = text.get(after..to)?.parse().ok();
        let first = found.get(1)?.as_str().parse().ok()?;
        return Some(NamedLines {
            lines: valid_line_range(first, last)?,
            is_loose: true,
            is_rough: false,
            at: to,
        });
    }
    // `12:30pm` and `1.2` go on.
    let goes_on = |end: usize| {
        let mut after = text.get(end..).unwrap_or("").chars();
        let c = after.next();
        let next = after.next();
        match c {
            Some('.') => next.is_some_and(|c| c.is_ascii_digit()),
            // The end of an emphasis.
            Some('_') => next.is_some_and(is_spaced_script_word_char),
            c => c.is_some_and(is_spaced_script_word_char),
        }
    };
    let is_column = found.name("loose").is_some_and(|it| it.as_str() == ":");
    let after_hash = rest.trim_start_matches(MARKS).starts_with('#');
    if is_column && !after_hash {
        last = None;
    }
    if goes_on(end) {
        // `a.rs:10, 3rd` has its lines before the comma.
        end = from + found.name("loose")?.start();
        last = None;
        if goes_on(end) {
            return None;
        }
    }
    let first: u32 = found.get(1)?.as_str().parse().ok()?;
    let last = last.and_then(|it| it.as_str().parse().ok());
    Some(NamedLines {
        lines: valid_line_range(first, last)?,
        is_loose: found.name("loose").is_some(),
        is_rough: false,
        at: end,
    })
}

fn parse_in_parentheses(text: &str, rest: &str, from: usize) -> Option<NamedLines> {
    let found = PARENTHESES.as_ref()?.captures(rest)?;
    let end = from + found.get(0)?.end();
    // ` (2024)` is a year, or a number of anything.
    let whole = found.get(0)?.as_str();
    let is_apart =
        whole.contains(char::is_whitespace) && !whole.contains([',', ':', '-', '–', 'L']);
    if is_apart || text.get(end..)?.starts_with(is_spaced_script_word_char) {
        return None;
    }
    let last = found.get(2).or_else(|| found.get(3));
    let first = found.get(1)?.as_str().parse().ok()?;
    Some(NamedLines {
        lines: valid_line_range(first, last.and_then(|it| it.as_str().parse().ok()))?,
        is_loose: false,
        is_rough: false,
        at: end,
    })
}

/// Lines that are named in words after a path, with where they end.
pub(super) fn parse_lines_after(text: &str, from: usize) -> Option<NamedLines> {
    parse_lines_in_words(text, from).or_else(|| parse_lines_in_other_scripts(text, from))
}

fn parse_lines_in_words(text: &str, from: usize) -> Option<NamedLines> {
    let found = AFTER
        .as_ref()?
        .captures(slice_at_char_boundary(text, from, from + NEAR * 2))?;
    let about = found.get(1).is_some() || found.get(2).is_some();
    let [first, mut last] = parse_line_range(found.get(3), found.get(4))?;
    let mut end = from + found.get(0)?.end();
    if let Some(list) = found.get(5) {
        let is_several = found.get(0)?.as_str().to_lowercase().contains("lines");
        let numbers = list.as_str().split(|c: char| !c.is_ascii_digit());
        let numbers = numbers.filter_map(|it| it.parse::<u32>().ok());
        match numbers.max().filter(|_| is_several) {
            Some(most) => last = last.max(most),
            None => end = from + list.start(),
        }
    }
    // `, line 10 of b.rs` is about the path that follows.
    let rest = text.get(end..)?;
    if rest.starts_with(is_spaced_script_word_char) || rest.starts_with(" of ") {
        return None;
    }
    Some(NamedLines {
        lines: widen_if_approximate([first, last], about && first == last),
        is_loose: false,
        is_rough: about && first == last,
        at: end,
    })
}

/// The lines in the head of a fence, as in `3:6:PATH`, of which the path begins at `start`.
pub(super) fn parse_fence_head(text: &str, start: usize) -> Option<NamedLines> {
    let from = (start.saturating_sub(NEAR)..=start).find(|at| text.is_char_boundary(*at))?;
    let line = text.get(from..start)?.rsplit('\n').next()?;
    let head = line.trim_start().strip_prefix("```")?;
    let (first, last) = head
        .trim_start_matches('`')
        .strip_suffix(':')?
        .split_once(':')?;
    Some(NamedLines {
        lines: valid_line_range(first.parse().ok()?, last.parse().ok())?,
        is_loose: false,
        is_rough: false,
        at: start,
    })
}

/// Lines in words of scripts without blanks between words.
fn parse_lines_in_other_scripts(text: &str, from: usize) -> Option<NamedLines> {
    let found =
        IN_OTHER_SCRIPTS
            .as_ref()?
            .captures(slice_at_char_boundary(text, from, from + NEAR * 2))?;
    Some(NamedLines {
        lines: parse_line_range(found.get(1), found.get(2))?,
        is_loose: false,
        is_rough: false,
        at: from + found.get(0)?.end(),
    })
}

/// Lines that are named in words before a path, after `lowest`, with where they begin.
pub(super) fn parse_lines_before(text: &str, lowest: usize, to: usize) -> Option<NamedLines> {
    let from = to.saturating_sub(NEAR).max(lowest);
    let from = (from..=to).find(|at| text.is_char_boundary(*at))?;
    let found = BEFORE.as_ref()?.captures(text.get(from..to)?)?;
    let mut lines = parse_line_range(found.get(3), found.get(4))?;
    let list = found.get(5).map_or("", |it| it.as_str());
    let more = list.split(|c: char| !c.is_ascii_digit());
    for number in more.filter_map(|it| it.parse::<u32>().ok()) {
        lines[1] = lines[1].max(number);
    }
    let is_rough = |word: &str| match word.trim().eq_ignore_ascii_case("about") {
        // `What about line 10 of x?` and `the dispute is about line 10 of x` name it.
        true => {
            let before = text.get(lowest..from + found.get(0)?.start())?.trim_end();
            let places = [
                "at",
                "on",
                "in",
                "from",
                "to",
                "near",
                "somewhere",
                ",",
                "(",
            ];
            Some(places.iter().any(|it| ends_with_word(before, it)))
        }
        false => Some(true),
    };
    let about = found.get(1).and_then(|it| is_rough(it.as_str())) == Some(true);
    let about = (about || found.get(2).is_some()) && lines[0] == lines[1];
    Some(NamedLines {
        lines: widen_if_approximate(lines, about),
        is_loose: false,
        is_rough: about,
        at: from + found.get(0)?.start(),
    })
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let Some(before) = text
        .len()
        .checked_sub(word.len())
        .and_then(|at| text.get(..at))
    else {
        return false;
    };
    let joins = word.starts_with(char::is_alphabetic) && before.ends_with(char::is_alphanumeric);
    text[before.len()..].eq_ignore_ascii_case(word) && !joins
}

fn parse_line_range(
    first: Option<regex::Match<'_>>,
    last: Option<regex::Match<'_>>,
) -> Option<[u32; 2]> {
    let first = first?.as_str().parse().ok()?;
    let last = last.and_then(|it| it.as_str().parse().ok());
    valid_line_range(first, last)
}

/// First and last line; `120-5` is read as line 120 alone.
fn valid_line_range(first: u32, last: Option<u32>) -> Option<[u32; 2]> {
    let last = last.filter(|last| *last >= first).unwrap_or(first);
    (first > 0).then_some([first, last])
}

fn widen_if_approximate([first, last]: [u32; 2], about: bool) -> [u32; 2] {
    if about {
        [
            first.saturating_sub(ABOUT).max(1),
            last.saturating_add(ABOUT),
        ]
    } else {
        [first, last]
    }
}

/// A part of a text, ending earlier than `to` rather than within a character.
fn slice_at_char_boundary(text: &str, from: usize, to: usize) -> &str {
    let to = to.min(text.len());
    let end = (from..=to).rev().find(|at| text.is_char_boundary(*at));
    text.get(from..end.unwrap_or(from)).unwrap_or("")
}
