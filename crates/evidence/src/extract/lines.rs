//! Reads line numbers before and after a path.

use std::sync::LazyLock;

use regex::Regex;

use super::ranges::{
    parse_line_range, parse_ranges, parse_rest_of_list, slice_at_char_boundary, valid_line_range,
};
use crate::normalize::is_spaced_script_word_char;

// Fits `lines 1000 to 1020 inside the module ` (38 bytes). Words after a path get twice as much,
// because other words may be between.
/// Half the number of bytes after a path that are searched for its lines.
const NEAR: usize = 48;
// Fits a list of three ranges and `of the automatically generated module `.
/// Bytes before a path that are searched for its lines.
const NEAR_BEFORE: usize = 160;
/// Bytes after a path that are searched for lines attached to it, as in the query of a URL.
const ATTACHED_NEAR: usize = 260;
/// Marks that may close a name before its lines.
const MARKS: [char; 8] = ['`', '*', '\'', '"', '”', '’', '»', '>'];
// An author who writes `around` estimated the line. Tested by `lines_are_read_in_every_form`, where
// `around line 40` is 35 to 45.
/// Lines added before and after an approximate one.
const APPROXIMATION_MARGIN: u32 = 5;

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

/// `(10,5)`, ` (10, 4)`, `(10-20)`, `(10-20, 30-40)`, `(10,4,12,5)`, `(L10)`,
/// `(10:5)`.
static PARENTHESES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`*'\x22”’»>]{0,3}\s?\([Ll]?(\d{1,7})(?:(?:-|–|—)[Ll]?(\d{1,7})(?P<list>(?:,\s?[Ll]?\d{1,7}(?:-|–|—)[Ll]?\d{1,7}){1,6})?|[,:]\s?\d+(?:[,:]\s?(\d{1,7})[,:]\s?\d+|-\d{1,7})?)?\)",
    )
});

/// `, line 10`, ` around line 40`, ` (lines 10-20)`, ` on lines 10 to 20`, ` L10-L20`, ` @ 10`.
static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`'\x22*)\]”’»“›>_]{0,4}[,:;]?\s{0,2}(?:[-–—]\s)?[(\[]?(?:(?:do|does|did|has|sets|says|drops|repeats|is|it|so|this|that|the|same|again|also|both)\s){0,4}(?:(?:at|on|in|from|see|between|and|the|um|ab|auf|in|an|à|en)\s){0,2}(~|(?:around|about|near|approximately|roughly|circa|ca\.|etwa)\s)?(?:the\s)?(?:(?:[Ll]ines?|[Ll]n\.?|LL?|ll?\.|[Zz]eilen?|[Zz]\.|[Ll]ignes?|líneas?|строк[аеиу]?|строках)(?:\s?[:=#]\s?|\s)?|@\s?(?:[Ll]ines?\s)?)(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|thru|until|bis|à|\.\.=?)\s?(?:[Ll]ine\s)?[Ll]?(\d{1,7}))?",
    )
});

/// ` 第 97 行`, ` の 60 行目`, ` 第 5 至 8 行`, ` 10번째 줄`.
static IN_OTHER_SCRIPTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"^[`'\x22*)\]”’»“›>_」』）]{0,4}[,，、:：]?\s?[(（]?(?:的|の|中的|中|内の|에서|의)?\s?第?\s?(\d{1,7})\s?(?:行目?|줄)?\s?(?:(?:-|–|—|~|〜|至|到|から)\s?第?\s?(\d{1,7}))?\s?(?:行|번째\s줄|줄)",
    )
});

/// `lines 10 to 20 of `, `line 40 in the file `, `L10-L20 of `, `lines 3 to 5 and 9 to 12 of the
/// generated `.
static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    super::compile_regex(
        r"(?i)((?:around|about|near|approximately|roughly|circa|etwa|~)\s?)?\b(?:lines?|ln\.?|zeilen?|lignes?|строк[аеиу]?|строках|l)\s?#?(~)?(\d{1,7})(?:\s?(?:-|–|—|to|through|thru|until|bis|\.\.=?)\s?L?(\d{1,7}))?((?:(?:,\s?(?:and\s|und\s|et\s)?|\s(?:and|und|&|et)\s)(?:(?:lines?|zeilen?|lignes?)\s)?L?\d{1,7}(?:\s?(?:-|–|—|to|through|thru|until|bis|\.\.=?)\s?L?\d{1,7})?){1,6})?[,)]?\s(?:(?:of|in|from|inside|within|at|von|aus|de|dans|в)\s(?P<article>(?:the|our|your|their|its|this|that|der|dem|den|la|le)\s)?|(?P<genitive>(?:der|des)\s))(?P<words>(?:[\p{L}'’-]{1,24}\s){0,3})[`'\x22\[(*“„«<_]{0,4}$",
    )
});

/// The lines that a place names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedLines {
    /// The first and last line.
    pub(super) lines: [u32; 2],
    /// The other ranges of a list, as in `:8-9,55-60`.
    pub(super) more: Vec<[u32; 2]>,
    /// Whether the last number may be a column, as in `:10,20`, or the other numbers of a list may
    /// count something else.
    pub(super) is_ambiguous: bool,
    /// Whether the lines are approximate.
    pub(super) is_approximate: bool,
    /// The end of the line numbers, or their beginning if they precede the path.
    pub(super) at: usize,
}

/// Reads the lines directly after a path, and where they end.
pub(super) fn parse_attached_lines(text: &str, from: usize) -> Option<NamedLines> {
    let found = parse_first_lines(text, from)?;
    Some(parse_more_lines(text, from, &found).unwrap_or(found))
}

/// Reads the lines directly after a path, without the rest of a list.
pub(super) fn parse_first_lines(text: &str, from: usize) -> Option<NamedLines> {
    let rest = slice_at_char_boundary(text, from, from + ATTACHED_NEAR);
    let found = parse_in_parentheses(text, rest, from);
    found.or_else(|| parse_directly_behind(text, rest, from))
}

/// Reads the lines with the other ranges of the list they begin.
pub(super) fn parse_more_lines(text: &str, from: usize, found: &NamedLines) -> Option<NamedLines> {
    // `:6, 26` alone may be a line and a column, and is read together with the first.
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

fn parse_directly_behind(text: &str, rest: &str, from: usize) -> Option<NamedLines> {
    let found = ATTACHED.as_ref()?.captures(rest)?;
    let mut end = from + found.get(0)?.end();
    let mut last = found.get(5).or_else(|| found.get(6));
    // `:10:5-20:8`: only the number after the dash is a line.
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
    // In `12:30pm` and `1.2`, more characters follow.
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
        more: Vec::new(),
        is_ambiguous: found.name("loose").is_some(),
        is_approximate: false,
        at: end,
    })
}

fn parse_in_parentheses(text: &str, rest: &str, from: usize) -> Option<NamedLines> {
    let found = PARENTHESES.as_ref()?.captures(rest)?;
    let end = from + found.get(0)?.end();
    // ` (2024)` may be a year or any other number.
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

/// Reads lines in words after a path, and where they end.
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
    // `, lines 10 and 20 of b.rs` belongs to the next path.
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

/// Whether the words that follow lines name the file that contains them.
fn leads_to_file(rest: &str) -> bool {
    let links = [" of ", " in ", " from ", " von ", " aus "];
    let next = links.iter().find_map(|it| rest.strip_prefix(it));
    let word = next.and_then(|it| it.split_whitespace().next());
    let name = word.map(|it| it.trim_matches(['`', '.', ',', ';', ')', '"', '*']));
    name.is_some_and(|it| it.contains(['.', '/']))
}

/// Plural words for lines.
const PLURALS: [&str; 5] = ["lines", "zeilen", "lignes", "líneas", "строки"];

/// Reads the lines in the head of a fence, as in `3:6:PATH`, whose path begins at `start`.
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

/// Reads lines in scripts without spaces between words.
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

/// Reads lines in words before a path, after `lowest`, and where they begin.
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
    if !only_describe_file(words, has_article, name.contains(['/', '\\'])) {
        return None;
    }
    let mut lines = parse_line_range(found.get(3), found.get(4))?;
    let mut more = parse_ranges(found.get(5).map_or("", |it| it.as_str()));
    let lead = text.get(lowest..from + found.get(0)?.start())?.trim_end();
    // `between lines 10 and 20 of`
    if let ([[last, _]], true) = (more.as_slice(), lines[0] == lines[1])
        && ["between", "zwischen", "entre"]
            .iter()
            .any(|it| ends_with_word(lead, it))
    {
        lines[1] = lines[1].max(*last);
        more.clear();
    }
    let is_approximate = |word: &str| match word.trim().eq_ignore_ascii_case("about") {
        // `What about line 10 of x?` and `the dispute is about line 10 of x` are exact.
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

/// Words that describe a file without an article.
const DESCRIPTIONS: &str = "top-level toplevel root main same";

/// Words that describe a file without saying in which folder it is. Other words name a folder: `the
/// client package.json` is not the one at the root.
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

/// Whether the words between lines and a file name only describe the file, as in `the top-level`
/// and `our own generated module`: at most three, none of them a verb or a reference to something
/// else.
fn only_describe_file(words: &str, has_article: bool, has_folder: bool) -> bool {
    let words = words.to_lowercase().replace('’', "'");
    let words: Vec<&str> = words.split_whitespace().collect();
    let is_of_file = words.last().is_some_and(|it| list_has(FILES, it));
    let count = words.len();
    words.iter().enumerate().all(|(at, word)| {
        if list_has(FILES, word) && at + 1 == count || list_has(DESCRIPTIONS, word) {
            return true;
        }
        // `the test imports`, `the call loaded`; but `the shared`.
        let is_verb = word.ends_with('s') && !word.ends_with("'s") && !is_of_file
            || word.ends_with("ed") && at > 0;
        let is_open = has_folder && !list_has(NO_DESCRIPTIONS, word) && !is_verb;
        has_article && (is_open || list_has(PLAIN_DESCRIPTIONS, word))
    })
}

fn list_has(list: &str, word: &str) -> bool {
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
