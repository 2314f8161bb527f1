//! The line by which a form says that it is still being filled in.

use super::SCISSORS;

/// The line that marks a form as unfinished, until the person who fills it in takes it out; no program submits it before.
pub const UNFINISHED: &str = "<!-- unfinished: delete this line when you are done -->";

/// The line of `text`, from 1, that says it is unfinished; none where none does.
pub(super) fn unfinished_mark_line(text: &str) -> Option<u32> {
    let above = text.lines().take_while(|line| line.trim() != SCISSORS);
    let found = (1..).zip(above).find(|(_, line)| is_unfinished_mark(line));
    found.map(|(number, _)| number)
}

/// `text` as it is submitted by a person who says that it is done: the line that says otherwise is empty,
/// so that every other keeps its number.
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

/// `text` with a line that says it is unfinished.
pub fn mark_unfinished(text: &str) -> String {
    match unfinished_mark_line(text) {
        Some(_) => text.to_owned(),
        None => format!("{UNFINISHED}\n{text}"),
    }
}

/// Whether a line is a comment that begins with the word.
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
