//! Parses line numbers before and after a path.

use std::sync::LazyLock;

use regex::Regex;

use super::ranges::{
    parse_line_range, parse_ranges, parse_rest_of_list, slice_at_char_boundary, valid_line_range,
};
use crate::normalize::is_spaced_script_word_char;

// Long enough for `lines 1000 to 1020 inside the module ` (38 bytes).
/// Number of bytes before a path in which its lines in words are searched for. After a path, twice as
/// many are searched, because other words may come between.
const NEAR: usize = 48;
// Long enough for three ranges and `of the automatically generated module `.
/// Maximum number of bytes before a path in which its lines are searched for.
const NEAR_BEFORE: usize = 160;
/// Maximum number of bytes after a path in which attached lines are searched for, such as in the
/// query of a URL.
const ATTACHED_NEAR: usize = 260;
/// Marks that may close a name before its line numbers.
const MARKS: [char; 8] = ['`', '*', '\'', '"', '”', '’', '»', '>'];
// `around line 40` is an estimate, so it covers lines 35 to 45. Tested by
// `lines_are_read_in_every_form`.
/// Lines added before and after an approximate line.
const APPROXIMATION_MARGIN: u32 = 5;

/// Matches `:10`, `:10-20`, `:10:5`, `:L10`, `#L10-L20`, `#L10C3-L20C5`, `#L30:32`, `#lines-10:20`,
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

/// Matches `(10,5)`, ` (10, 4)`, `(10-20)`, `(10-20, 30-40)`, `(10,4,12,5)`, `(L10)`, `(10:5)`.
static PARENTHESES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`*'\x22”’»>]{0,3}\s?\([Ll]?(\d{1,7})(?:(?:-|–|—)[Ll]?(\d{1,7})(?P<list>(?:,\s?[Ll]?\d{1,7}(?:-|–|—)[Ll]?\d{1,7}){1,6})?|[,:]\s?\d+(?:[,:]\s?(\d{1,7})[,:]\s?\d+|-\d{1,7})?)?\)",
    )
});

/// Matches `, line 10`, ` around line 40`, ` (lines 10-20)`, ` on lines 10 to 20`, ` L10-L20`, ` @
/// 10`.
static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`'\x22*)\]”’»“›>_]{0,4}[,:;]?\s{0,2}(?:[-–—]\s)?[(\[]?(?:(?:do|does|did|has|sets|says|drops|repeats|is|it|so|this|that|the|same|again|also|both)\s){0,4}(?:(?:at|on|in|from|see|between|and|the|um|ab|auf|in|an|à|en)\s){0,2}(~|(?:around|about|near|approximately|roughly|circa|ca\.|etwa)\s)?(?:the\s)?(?:(?:[Ll]ines?|[Ll]n\.?|LL?|ll?\.|[Zz]eilen?|[Zz]\.|[Ll]ignes?|líneas?|строк[аеиу]?|строках)(?:\s?[:=#]\s?|\s)?|@\s?(?:[Ll]ines?\s)?)(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|thru|until|bis|à|\.\.=?)\s?(?:[Ll]ine\s)?[Ll]?(\d{1,7}))?",
    )
});

/// Matches ` 第 97 行`, ` の 60 行目`, ` 第 5 至 8 行`, ` 10번째 줄`.
static IN_OTHER_SCRIPTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`'\x22*)\]”’»“›>_」』）]{0,4}[,，、:：]?\s?[(（]?(?:的|の|中的|中|内の|에서|의)?\s?第?\s?(\d{1,7})\s?(?:行目?|줄)?\s?(?:(?:-|–|—|~|〜|至|到|から)\s?第?\s?(\d{1,7}))?\s?(?:行|번째\s줄|줄)",
    )
});

/// Matches `lines 10 to 20 of `, `line 40 in the file `, `L10-L20 of `, `lines 3 to 5 and 9 to 12
/// of the generated `.
static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?i)((?:around|about|near|approximately|roughly|circa|etwa|~)\s?)?\b(?:lines?|ln\.?|zeilen?|lignes?|строк[аеиу]?|строках|l)\s?#?(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|thru|until|bis|\.\.=?)\s?L?(\d{1,7}))?((?:(?:,\s?(?:and\s|und\s|et\s)?|\s(?:and|und|&|et)\s)(?:(?:lines?|zeilen?|lignes?)\s)?L?\d{1,7}(?:\s?(?:-|–|—|to|through|thru|until|bis|\.\.=?)\s?L?\d{1,7})?){1,6})?[,)]?\s(?:(?:of|in|from|inside|within|at|von|aus|de|dans|в)\s(?P<article>(?:the|our|your|their|its|this|that|der|dem|den|la|le)\s)?|(?P<genitive>(?:der|des)\s))(?P<words>(?:[\p{L}'’-]{1,24}\s){0,3})[`'\x22\[(*“„«<_]{0,4}$",
    )
});

/// The line numbers that a text gives for a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedLines {
    /// The first and last line.
    pub(super) lines: [u32; 2],
    /// The other ranges of a list, as in `:8-9,55-60`.
    pub(super) more: Vec<[u32; 2]>,
    /// Whether the last number may be a column, as in `:10,20`, or further numbers may count
    /// something else.
    pub(super) is_ambiguous: bool,
    /// Whether the lines are approximate.
    pub(super) is_approximate: bool,
    /// Where the line numbers end, or where they begin if they precede the path.
    pub(super) at: usize,
}

/// Parses the line numbers directly after a path.
pub(super) fn parse_attached_lines(text: &str, from: usize) -> Option<NamedLines> {
    let found = parse_first_lines(text, from)?;
    Some(parse_more_lines(text, from, &found).unwrap_or(found))
}

/// Parses the line numbers directly after a path, without the rest of a list.
pub(super) fn parse_first_lines(text: &str, from: usize) -> Option<NamedLines> {
    let rest = slice_at_char_boundary(text, from, from + ATTACHED_NEAR);
    let found = parse_in_parentheses(text, rest, from);
    found.or_else(|| parse_lines_directly_after(text, rest, from))
}

/// Parses the other ranges of the list that begins with `found`.
pub(super) fn parse_more_lines(text: &str, from: usize, found: &NamedLines) -> Option<NamedLines> {
    // In `:6, 26`, the 26 may be a column and was read with the 6, so start the list before it.
    let first_end = match found.is_ambiguous {
        true => from + text.get(from..found.at)?.rfind([',', ':'])?,
        false => found.at,
    };
    let rest = parse_rest_of_list(text, first_end, false)?;
    let first = found.lines;
    Some(NamedLines {
        lines: if found.is_ambiguous {
            [first[0]; 2]
        } else {
            first
        },
        more: rest.ranges,
        is_ambiguous: !rest.is_explicit,
        is_approximate: false,
        at: rest.end,
    })
}

fn parse_lines_directly_after(text: &str, rest: &str, from: usize) -> Option<NamedLines> {
    let found = ATTACHED.as_ref()?.captures(rest)?;
    let mut end = from + found.get(0)?.end();
    let mut last = found.get(5).or_else(|| found.get(6));
    // In `:10:5-20:8`, only the number directly after the dash is a line.
    if found.name("column").is_some() {
        let after = from + found.name("more")?.end();
        let digits = text.get(after..)?.find(|c: char| !c.is_ascii_digit());
        let to = digits.map_or(text.len(), |length| after + length);
        let last = text.get(after..to)?.parse().ok();
        let first = found.get(1)?.as_str().parse().ok()?;
        return Some(NamedLines {
            lines: valid_line_range(first, last)?,
            more: Vec::new(),
            is_ambiguous: true,
            is_approximate: false,
            at: to,
        });
    }
    // If more characters follow, as in `12:30pm` and `1.2`, the number is not a line.
    let goes_on = |end: usize| {
        let mut after = text.get(end..).unwrap_or("").chars();
        let c = after.next();
        let next = after.next();
        match c {
            Some('.') => next.is_some_and(|c| c.is_ascii_digit()),
            // `_` may only be the end of an emphasis.
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
        // In `a.rs:10, 3rd`, only the number before the comma is a line.
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
        more: Vec::new(),
        is_ambiguous: found.name("loose").is_some(),
        is_approximate: false,
        at: end,
    })
}

fn parse_in_parentheses(text: &str, rest: &str, from: usize) -> Option<NamedLines> {
    let found = PARENTHESES.as_ref()?.captures(rest)?;
    let end = from + found.get(0)?.end();
    // ` (2024)` may be a year or any other number, so it does not count.
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
        more: parse_ranges(found.name("list").map_or("", |it| it.as_str())),
        is_ambiguous: false,
        is_approximate: false,
        at: end,
    })
}

/// Parses line numbers in words after a path.
pub(super) fn parse_lines_after(text: &str, from: usize) -> Option<NamedLines> {
    parse_lines_in_words(text, from).or_else(|| parse_lines_in_other_scripts(text, from))
}

fn parse_lines_in_words(text: &str, from: usize) -> Option<NamedLines> {
    let found = AFTER
        .as_ref()?
        .captures(slice_at_char_boundary(text, from, from + NEAR * 2))?;
    let about = found.get(1).is_some() || found.get(2).is_some();
    let [first, last] = parse_line_range(found.get(3), found.get(4))?;
    let about = about && first == last;
    let end = from + found.get(0)?.end();
    let whole = found.get(0)?.as_str().to_lowercase();
    let is_several = PLURALS.iter().any(|it| whole.contains(it));
    let between = whole.contains("between") || whole.contains("zwischen");
    let mut named = NamedLines {
        lines: widen_if_approximate([first, last], about),
        more: Vec::new(),
        is_ambiguous: false,
        is_approximate: about,
        at: end,
    };
    let rest = parse_rest_of_list(text, end, is_several && first == last);
    let rest = rest.filter(|it| is_several || it.is_explicit);
    // In `, lines 10 and 20 of b.rs`, the lines belong to the next path.
    let is_of_next = |end: usize| text.get(end..).is_some_and(|it| it.starts_with(" of "));
    if let Some(rest) = rest {
        let list = text.get(end..rest.end)?;
        let is_marked = list.contains(['L', ':', '#']) || list.to_lowercase().contains("line");
        let is_of_file = is_marked && leads_to_file(text.get(rest.end..)?);
        if !is_of_next(rest.end) && !is_of_file {
            named.at = rest.end;
            match rest.ranges.as_slice() {
                [[last, _]] if between && named.lines[0] < *last && first == named.lines[1] => {
                    named.lines[1] = *last;
                }
                _ => named.more = rest.ranges,
            }
        } else if !is_marked {
            return None;
        }
    }
    let rest = text.get(named.at..)?;
    if rest.starts_with(is_spaced_script_word_char) || is_of_next(named.at) {
        return None;
    }
    Some(named)
}

/// Returns whether the words after line numbers name the file that contains the lines.
fn leads_to_file(rest: &str) -> bool {
    let links = [" of ", " in ", " from ", " von ", " aus "];
    let next = links.iter().find_map(|it| rest.strip_prefix(it));
    let word = next.and_then(|it| it.split_whitespace().next());
    let name = word.map(|it| it.trim_matches(['`', '.', ',', ';', ')', '"', '*']));
    name.is_some_and(|it| it.contains(['.', '/']))
}

/// Plural words for lines in several languages.
const PLURALS: [&str; 5] = ["lines", "zeilen", "lignes", "líneas", "строки"];

/// Parses the lines in the head of a fence such as `3:6:PATH`, whose path begins at `start`.
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
        more: Vec::new(),
        is_ambiguous: false,
        is_approximate: false,
        at: start,
    })
}

/// Parses line numbers in scripts without spaces between words.
fn parse_lines_in_other_scripts(text: &str, from: usize) -> Option<NamedLines> {
    let found =
        IN_OTHER_SCRIPTS
            .as_ref()?
            .captures(slice_at_char_boundary(text, from, from + NEAR * 2))?;
    Some(NamedLines {
        lines: parse_line_range(found.get(1), found.get(2))?,
        more: Vec::new(),
        is_ambiguous: false,
        is_approximate: false,
        at: from + found.get(0)?.end(),
    })
}

/// Parses line numbers in words before a path, after `lowest`.
pub(super) fn parse_lines_before(text: &str, lowest: usize, to: usize) -> Option<NamedLines> {
    let from = to.saturating_sub(NEAR_BEFORE).max(lowest);
    let from = (from..=to).find(|at| text.is_char_boundary(*at))?;
    let window = text.get(from..to)?;
    if !window.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let found = BEFORE.as_ref()?.captures(window)?;
    let has_article = found.name("article").is_some() || found.name("genitive").is_some();
    let words = found.name("words").map_or("", |it| it.as_str());
    let name = text.get(to..)?.split(['`', '"', ' ', '\n']).next()?;
    if !describes_file_only(words, has_article, name.contains(['/', '\\'])) {
        return None;
    }
    let mut lines = parse_line_range(found.get(3), found.get(4))?;
    let mut more = parse_ranges(found.get(5).map_or("", |it| it.as_str()));
    let lead = text.get(lowest..from + found.get(0)?.start())?.trim_end();
    // `between lines 10 and 20 of` is a range, not two lines.
    if let ([[last, _]], true) = (more.as_slice(), lines[0] == lines[1])
        && ["between", "zwischen", "entre"]
            .iter()
            .any(|it| ends_with_word(lead, it))
    {
        lines[1] = lines[1].max(*last);
        more.clear();
    }
    let is_approximate = |word: &str| match word.trim().eq_ignore_ascii_case("about") {
        // In `What about line 10 of x?` and `the dispute is about line 10 of x`, `about` does not
        // mean "around", so the line is exact.
        true => {
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
            Some(places.iter().any(|it| ends_with_word(lead, it)))
        }
        false => Some(true),
    };
    let about = found.get(1).and_then(|it| is_approximate(it.as_str())) == Some(true);
    let about = (about || found.get(2).is_some()) && lines[0] == lines[1];
    Some(NamedLines {
        lines: widen_if_approximate(lines, about),
        more,
        is_ambiguous: false,
        is_approximate: about,
        at: from + found.get(0)?.start(),
    })
}

/// Words for a file that may directly precede its name.
const FILES: &str = "file files module script config configuration manifest component page document source test \
    class header template datei modul fichier";

/// Words that describe a file even without an article.
const DESCRIPTIONS: &str = "top-level toplevel root main same";

/// Words that describe a file without saying which folder it is in. Any other word names a folder:
/// `the client package.json` is not the one at the root.
const PLAIN_DESCRIPTIONS: &str = "top-level toplevel root main same own very generated automatically newly new old \
    existing current shared common global original compiled bundled minified unchanged actual real \
    relevant corresponding respective whole entire said mentioned aforementioned above project \
    workspace repo repository project's workspace's repo's repository's tree's obersten gleichen \
    selben eigentlichen neuen alten generierten erzeugten";

/// Words that cannot be part of a file's description.
const NO_DESCRIPTIONS: &str = "and or but nor than then not that which who whose where when while because so as if \
    are were be been have had do did can may must will would should could in on at of to from with \
    without by for into onto via per after before against between import call use need read load \
    throw return run set get include log output diff trace report patch commit und oder aber nicht in an auf mit ohne von aus et ou";

/// Returns whether the words between line numbers and a file name only describe the file, as in
/// `the top-level` and `our own generated module`. None may be a verb or refer to something else.
fn describes_file_only(words: &str, has_article: bool, has_folder: bool) -> bool {
    let words = words.to_lowercase().replace('’', "'");
    let words: Vec<&str> = words.split_whitespace().collect();
    let is_of_file = words.last().is_some_and(|it| word_list_has(FILES, it));
    let count = words.len();
    words.iter().enumerate().all(|(at, word)| {
        if word_list_has(FILES, word) && at + 1 == count || word_list_has(DESCRIPTIONS, word) {
            return true;
        }
        // Verbs: `the test imports`, `the call loaded`. Not a verb: `the shared`.
        let is_verb = word.ends_with('s') && !word.ends_with("'s") && !is_of_file
            || word.ends_with("ed") && at > 0;
        let is_open = has_folder && !word_list_has(NO_DESCRIPTIONS, word) && !is_verb;
        has_article && (is_open || word_list_has(PLAIN_DESCRIPTIONS, word))
    })
}

fn word_list_has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it == word)
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

fn widen_if_approximate([first, last]: [u32; 2], about: bool) -> [u32; 2] {
    if about {
        [
            first.saturating_sub(APPROXIMATION_MARGIN).max(1),
            last.saturating_add(APPROXIMATION_MARGIN),
        ]
    } else {
        [first, last]
    }
}
