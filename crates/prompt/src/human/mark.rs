//! The line that marks a form as unfinished.

use super::SCISSORS;

/// The line that marks a form as unfinished. Agon submits the form only after the person deletes
/// it.
pub const UNFINISHED: &str = "<!-- unfinished: delete this line when you are done -->";

/// Returns the line number of the mark in `text`, from 1; `None` without a mark.
pub(super) fn unfinished_mark_line(text: &str) -> Option<u32> {
    let above = text.lines().take_while(|line| line.trim() != SCISSORS);
    let found = (1..).zip(above).find(|(_, line)| is_unfinished_mark(line));
    found.map(|(number, _)| number)
}

/// Replaces the mark with an empty line, so that every other line keeps its number.
pub fn mark_finished(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut above = true;
    for line in text.split_inclusive('\n') {
        above &= line.trim() != SCISSORS;
        if above && is_unfinished_mark(line) {
            out.push('\n');
        } else {
            out.push_str(line);
        }
    }
    out
}

/// Adds the mark to `text`.
pub fn mark_unfinished(text: &str) -> String {
    match unfinished_mark_line(text) {
        Some(_) => text.to_owned(),
        None => format!("{UNFINISHED}\n{text}"),
    }
}

/// Returns whether a line is a comment that begins with the word.
fn is_unfinished_mark(line: &str) -> bool {
    let comment = line.trim().strip_prefix("<!--");
    let comment = comment.and_then(|rest| rest.strip_suffix("-->"));
    comment.is_some_and(|words| {
        let mut first = words.split(|c: char| !c.is_alphanumeric());
        first
            .find(|word| !word.is_empty())
            .is_some_and(|word| word.eq_ignore_ascii_case("unfinished"))
    })
}
