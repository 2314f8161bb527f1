//! Numbers of lines, before and after a path.

use std::sync::LazyLock;

use regex::Regex;

// Room for `lines 1000 to 1020 inside the module `, which has 38 bytes; words after a path get
// twice as much, as other words may stand between.
/// Bytes before and after a path in which its lines are looked for.
const NEAR: usize = 48;
// Who says `around` counted by eye. Held by `lines_are_read_in_every_form`, where `around line 40`
// is 35 to 45.
/// Lines before and after one that is only about right.
const ABOUT: u32 = 5;

/// `:10`, `:10-20`, `:10:5`, `:L10`, `#L10-L20`, `#L10C3-L20C5`, `(10,5)`, `@10`.
static ATTACHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`*]{0,3}(?:(?::|#)[Ll]?(\d{1,7})(?:C\d+)?(?:(?:-|–|—|\.\.=?|:L|-L|–L)[Ll]?(\d{1,7})(?:C\d+)?)?|\((\d{1,7})(?:,\s?\d+)?\))",
    )
});

/// `, line 10`, ` around line 40`, ` (lines 10-20)`, ` on lines 10 to 20`, ` L10-L20`.
static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`'\x22*)\]]{0,3}[,:;]?\s{0,2}[(\[]?(?:(?:at|on|in|from|see|between|and|the)\s){0,2}(~|(?:around|about|near|approximately|roughly|circa)\s)?(?:the\s)?(?:[Ll]ines?|[Ll]n\.?|LL?)\s?#?(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|and|until|\.\.=?)\s?[Ll]?(\d{1,7}))?",
    )
});

/// `lines 10 to 20 of `, `line 40 in the file `.
static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?i)((?:around|about|near|approximately|roughly|circa|~)\s?)?\b(?:lines?|ln\.?)\s?#?(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|and|until|\.\.=?)\s?L?(\d{1,7}))?,?\s(?:of|in|from|inside|within|at)\s(?:the\s)?(?:file\s|module\s)?[`'\x22\[(*]{0,3}$",
    )
});

/// Lines directly behind a path, with where they end.
pub(super) fn parse_attached_lines(text: &str, from: usize) -> Option<([u32; 2], usize)> {
    let rest = slice_at_char_boundary(text, from, from + NEAR);
    let found = ATTACHED.as_ref()?.captures(rest)?;
    let end = from + found.get(0)?.end();
    // `12:30pm` and `1.2` go on.
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    if text.get(end..)?.chars().next().is_some_and(goes_on) {
        return None;
    }
    let first = found.get(1).or_else(|| found.get(3))?;
    let first: u32 = first.as_str().parse().ok()?;
    let last = found.get(2).and_then(|it| it.as_str().parse().ok());
    Some((valid_line_range(first, last)?, end))
}

/// Lines that are named in words after a path, with where they end.
pub(super) fn parse_lines_after(text: &str, from: usize) -> Option<([u32; 2], usize)> {
    let found = AFTER
        .as_ref()?
        .captures(slice_at_char_boundary(text, from, from + NEAR * 2))?;
    let about = found.get(1).is_some() || found.get(2).is_some();
    let lines = parse_line_range(found.get(3), found.get(4))?;
    Some((
        widen_if_approximate(lines, about),
        from + found.get(0)?.end(),
    ))
}

/// Lines that are named in words before a path, with where they begin.
pub(super) fn parse_lines_before(text: &str, to: usize) -> Option<([u32; 2], usize)> {
    let from = to.saturating_sub(NEAR);
    let from = (from..=to).find(|at| text.is_char_boundary(*at))?;
    let found = BEFORE.as_ref()?.captures(text.get(from..to)?)?;
    let about = found.get(1).is_some() || found.get(2).is_some();
    let lines = parse_line_range(found.get(3), found.get(4))?;
    Some((
        widen_if_approximate(lines, about),
        from + found.get(0)?.start(),
    ))
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
