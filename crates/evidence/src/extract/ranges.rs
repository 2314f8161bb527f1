//! Parses lists of lines such as `:8-9,55-60` and `lines 3, 7 and 9`.

use std::sync::LazyLock;

use regex::Regex;

// Long enough for seven ranges, such as `, lines 1000 to 1020 and lines 1100 to 1120`.
/// Number of bytes in which a list must end.
const NEAR: usize = 200;

/// Matches `, 26 and 41`, `` and `:19`; also `:27` ``, `, #L11 and #L31`, or ` and lines 9 to 12`
/// after the first lines.
static REST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?x)^(?:
            [`*'\x22”’»>]{0,3}
            (?:\s?[,;/+&]\s?(?:and|und|et|also|auch|then)?\s? | \s(?:and|und|et|y|&|also)\s(?:also\s)?)
            (?:also\s|auch\s)? (?:(?:at|on|in)\s)? [`'\x22*]{0,2}
            (?:(?:[Ll]ines?|[Zz]eilen?|[Ll]ignes?)\s|:L?|\#L?|L)?
            \d{1,7} (?:(?:-|–|—|\.\.=?|\s(?:-|–|—|to|through|thru|bis|à)\s)(?:\#?L)?\d{1,7})? \b
        ){1,7}",
    )
});

/// Matches a range of a list, or one line.
static RANGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(\d{1,7})(?:\s?(?:-|–|—|\.\.=?|to\b|through\b|thru\b|bis\b|à)\s?(?:#?L)?(\d{1,7}))?",
    )
});

/// Matches a table cell that contains only lines: `12`, `L10-L20`, `3, 7-9`.
static CELL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?ix)^(?:(?:lines?|zeilen?|lignes?|ll?\.|ln\.?)\s?|[:\#])?
            L?\d{1,7} (?:\s?(?:-|–|—|to|bis|\.\.=?)\s?\#?L?\d{1,7})?
            (?:(?:\s?[,;/+&]\s?|\s(?:and|und|et)\s)[:\#]?L?\d{1,7} (?:\s?(?:-|–|—|to|bis|\.\.=?)\s?\#?L?\d{1,7})?){0,7}$",
    )
});

/// Words that may follow a list of lines: they continue the sentence and are not a unit of its last
/// number.
const CONTINUATIONS: &str =
    "of in do does are is all both which that for where when show have as already both";

/// Units of a range of numbers that is not a range of lines.
const UNITS: &str = "ms s sec secs second seconds min minutes hours h days times percent bytes kb mb gb tests \
    requests users cases rows items entries errors calls retries threads workers";

/// The ranges of a list after the first one.
#[derive(Debug)]
pub(super) struct RestOfList {
    pub(super) ranges: Vec<[u32; 2]>,
    /// Whether marks or words show that the numbers are lines.
    pub(super) is_explicit: bool,
    /// The position at which the list ends.
    pub(super) end: usize,
}

/// Parses the rest of a list after its first lines, which end at `from`. `is_plural` means that the
/// first line was introduced with a plural, as in `lines 3 and 9`.
pub(super) fn parse_rest_of_list(text: &str, from: usize, is_plural: bool) -> Option<RestOfList> {
    let window = slice_at_char_boundary(text, from, from + NEAR);
    let list = REST.as_ref()?.find(window)?;
    let end = from + list.end();
    let list = list.as_str();
    let ranges = parse_ranges(list);
    let has_word = |words: &[&str]| words.iter().any(|it| list.contains(it));
    let is_marked = has_word(&[":", "#", "L", "line", "eile", "igne"]);
    let has_and = has_word(&["and", "und", "&", "et"]);
    let next = word_after(text, end);
    let has_range = ranges.iter().any(|[first, last]| first < last);
    let is_range = has_range && !has(UNITS, next) && !text[end..].starts_with('%');
    let is_explicit = is_marked || is_range || is_plural;
    // In `:10 and 20 tests`, the 20 counts something else.
    let counts = !next.is_empty() && !has(CONTINUATIONS, next);
    let is_long = list.contains(',') && has_and && ranges.len() > 1;
    let is_list = has_and || ranges.len() > 1;
    (is_explicit || is_long || is_list && !counts).then_some(RestOfList {
        ranges,
        is_explicit,
        end,
    })
}

/// Returns the line ranges in a text without other digits.
pub(super) fn parse_ranges(text: &str) -> Vec<[u32; 2]> {
    let found = RANGE.iter().flat_map(|it| it.captures_iter(text));
    let ranges = found.filter_map(|it| parse_line_range(it.get(1), it.get(2)));
    ranges.collect()
}

/// Returns the lines in a table cell; `None` if it contains anything else.
pub(super) fn parse_line_cell(cell: &str) -> Option<Vec<[u32; 2]>> {
    let bare = cell.trim_matches([' ', '\t', '`', '*', '_', '(', ')']);
    CELL.as_ref()?.is_match(bare).then(|| parse_ranges(bare))
}

/// Returns the range that a pattern matched.
pub(super) fn parse_line_range(
    first: Option<regex::Match<'_>>,
    last: Option<regex::Match<'_>>,
) -> Option<[u32; 2]> {
    let first = first?.as_str().parse().ok()?;
    let last = last.and_then(|it| it.as_str().parse().ok());
    valid_line_range(first, last)
}

/// Returns the first and last line; for `120-5`, line 120 alone.
pub(super) fn valid_line_range(first: u32, last: Option<u32>) -> Option<[u32; 2]> {
    let last = last.filter(|last| *last >= first).unwrap_or(first);
    (first > 0).then_some([first, last])
}

/// Returns a slice of a text that ends before `to` if that is inside a character.
pub(super) fn slice_at_char_boundary(text: &str, from: usize, to: usize) -> &str {
    let to = to.min(text.len());
    let end = (from..=to).rev().find(|at| text.is_char_boundary(*at));
    text.get(from..end.unwrap_or(from)).unwrap_or("")
}

/// Returns the word directly after a position; empty if there is none.
fn word_after(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let rest = rest.trim_start_matches(['`', '*', ')']).strip_prefix(' ');
    let word = rest.and_then(|it| it.split(|c: char| !c.is_alphanumeric()).next());
    word.unwrap_or("")
}

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it == word)
}
