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
/// `:10,20`, `@10`, `?L10-20`, `&line=10`, `[10-20]`.
static ATTACHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?x)^[`*'\x22”’»>]{0,3}(?:
            (?:(?:[:\#@]|:\[)(?:lines?[-=:]|[Ll]n?)?|\?L|[?&;][^\s)>]{0,200}?line(?:Start|Number)?=)
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
        r"^[`'\x22*)\]”’»“›>_]{0,4}[,:;]?\s{0,2}(?:[-–—]\s)?[(\[]?(?:(?:at|on|in|from|see|between|and|the|um|ab|auf|in|an|à|en)\s){0,2}(~|(?:around|about|near|approximately|roughly|circa|ca\.|etwa)\s)?(?:the\s)?(?:(?:[Ll]ines?|[Ll]n\.?|LL?|ll?\.|[Zz]eilen?|[Zz]\.|[Ll]ignes?|líneas?)(?:\s?[:=#]\s?|\s)?|@\s?(?:[Ll]ines?\s)?)(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|thru|and|until|bis|à|\.\.=?)\s?(?:[Ll]ine\s)?[Ll]?(\d{1,7}))?((?:,\s(?:and\s)?\d{1,7}|\sand\s\d{1,7}){1,6}\b)?",
    )
});

/// `lines 10 to 20 of `, `line 40 in the file `, `L10-L20 of `.
static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?i)((?:around|about|near|approximately|roughly|circa|etwa|~)\s?)?\b(?:lines?|ln\.?|zeilen?|lignes?|l)\s?#?(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|thru|and|until|bis|\.\.=?)\s?L?(\d{1,7}))?[,)]?\s(?:of|in|from|inside|within|at|von|aus|de|dans)\s(?:the\s|der\s)?(?:file\s|module\s|datei\s)?[`'\x22\[(*“„«<_]{0,4}$",
    )
});

/// Lines that a place names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamedLines {
    /// First and last.
    pub(super) lines: [u32; 2],
    /// Whether the last may be a column instead, as in `:10,20`.
    pub(super) is_loose: bool,
    /// Where their naming ends, or for those before a path, begins.
    pub(super) at: usize,
}

/// Lines directly behind a path, with where they end.
pub(super) fn parse_attached_lines(text: &str, from: usize) -> Option<NamedLines> {
    let rest = slice_at_char_boundary(text, from, from + ATTACHED_NEAR);
    parse_in_parentheses(text, rest, from).or_else(|| parse_directly_behind(text, rest, from))
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
            at: to,
        });
    }
    // `12:30pm` and `1.2` go on.
    let goes_on = |end: usize| {
        let mut after = text.get(end..).unwrap_or("").chars();
        let c = after.next();
        c.is_some_and(|c| is_spaced_script_word_char(c) || c == '.')
            && (c != Some('.') || after.next().is_some_and(|c| c.is_ascii_digit()))
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
        at: end,
    })
}

/// Lines that are named in words after a path, with where they end.
pub(super) fn parse_lines_after(text: &str, from: usize) -> Option<NamedLines> {
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
        lines: widen_if_approximate([first, last], about),
        is_loose: false,
        at: end,
    })
}

/// Lines that are named in words before a path, after `lowest`, with where they begin.
pub(super) fn parse_lines_before(text: &str, lowest: usize, to: usize) -> Option<NamedLines> {
    let from = to.saturating_sub(NEAR).max(lowest);
    let from = (from..=to).find(|at| text.is_char_boundary(*at))?;
    let found = BEFORE.as_ref()?.captures(text.get(from..to)?)?;
    let about = found.get(1).is_some() || found.get(2).is_some();
    let lines = parse_line_range(found.get(3), found.get(4))?;
    Some(NamedLines {
        lines: widen_if_approximate(lines, about),
        is_loose: false,
        at: from + found.get(0)?.start(),
    })
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
