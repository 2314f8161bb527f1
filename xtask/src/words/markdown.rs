//! The texts of a Markdown or plain text file: paragraphs, list items, headings and table cells.

use super::text::{Kind, Text};

/// The prose of a file; code blocks, front matter and HTML are left out.
pub(super) fn texts(source: &str) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut is_open = false;
    let front_matter = front_matter_lines(source);
    for (at, line) in source.lines().enumerate().skip(front_matter) {
        let trimmed = line.trim();
        if let Some(mark) = ["```", "~~~"]
            .into_iter()
            .find(|it| trimmed.starts_with(it))
        {
            match fence {
                None => fence = Some(mark),
                Some(open) if open == mark => fence = None,
                Some(_) => {}
            }
            is_open = false;
        } else if fence.is_some() || line.starts_with("    ") && !is_open {
            // Code is not prose, so its lines are ignored.
        } else if trimmed.is_empty() || trimmed.starts_with('<') {
            is_open = false;
        } else if trimmed.starts_with('|') {
            is_open = false;
            texts.extend(table_cells(at + 1, trimmed));
        } else {
            let words = trimmed.trim_start_matches(['#', '>', ' ']);
            match texts.last_mut() {
                Some(text) if is_open && !starts_item(trimmed) => {
                    text.words.push('\n');
                    text.words.push_str(words);
                }
                _ => texts.push(Text::new(at + 1, Kind::Prose, words)),
            }
            is_open = !trimmed.starts_with('#');
        }
    }
    texts
}

/// The cells of a table's row; a row that only draws the table's line has none.
fn table_cells(line: usize, row: &str) -> Vec<Text> {
    let mut cells = vec![String::new()];
    let mut is_code = false;
    let mut is_escaped = false;
    for c in row.trim_matches('|').chars() {
        if c == '`' {
            is_code = !is_code;
        }
        if c == '|' && !is_code && !is_escaped {
            cells.push(String::new());
        } else if let Some(cell) = cells.last_mut() {
            cell.push(c);
        }
        is_escaped = c == '\\';
    }
    cells
        .into_iter()
        .filter(|cell| cell.chars().any(char::is_alphabetic))
        .map(|cell| Text::new(line, Kind::Cell, cell.trim()))
        .collect()
}

fn starts_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ")
        || line.starts_with("* ")
        || number.len() < line.len() && number.starts_with(". ")
        || line.starts_with('#')
}

/// The number of lines of the front matter at the start, if there is one.
fn front_matter_lines(source: &str) -> usize {
    let mut lines = source.lines();
    if lines.next() != Some("---") {
        return 0;
    }
    lines.position(|line| line == "---").map_or(0, |at| at + 2)
}

/// The sentences of a text, without the code in it.
pub(super) fn sentences(text: &Text) -> Vec<String> {
    let words: Vec<&str> = text.words.split_whitespace().collect();
    let mut sentences: Vec<Vec<&str>> = vec![Vec::new()];
    for word in words {
        if let Some(sentence) = sentences.last_mut() {
            sentence.push(word);
        }
        let end = word.trim_end_matches(['"', '\'', ')', '*', '_', '`']);
        let is_shortened = ["e.g.", "i.e.", "etc.", "vs."].contains(&end);
        if end.ends_with(['.', '?', '!', ':']) && !is_shortened {
            sentences.push(Vec::new());
        }
    }
    sentences.retain(|it| !it.is_empty());
    sentences.iter().map(|it| it.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<(usize, Kind, String)> {
        let texts = texts(source).into_iter();
        texts.map(|it| (it.line, it.kind, it.words)).collect()
    }

    #[test]
    fn paragraphs_items_headings_and_cells_are_texts_with_their_lines() {
        let source =
            "# One\n\nTwo\nlines.\n\n- three\n  more\n- four\n\n| a | `b|c` d |\n|---|---|\n";
        let prose = |line, words: &str| (line, Kind::Prose, words.to_owned());
        let cell = |line, words: &str| (line, Kind::Cell, words.to_owned());
        assert_eq!(
            found(source),
            [
                prose(1, "One"),
                prose(3, "Two\nlines."),
                prose(6, "- three\nmore"),
                prose(8, "- four"),
                cell(10, "a"),
                cell(10, "`b|c` d"),
            ]
        );
    }

    #[test]
    fn code_and_front_matter_are_not_prose() {
        let source = "---\nname: anew\n---\nA.\n```text\nanew\n```\n\n    anew\n<p>anew</p>\n";
        assert_eq!(found(source), [(4, Kind::Prose, "A.".to_owned())]);
    }

    #[test]
    fn a_sentence_ends_at_its_mark_and_not_in_a_shortened_word() {
        let text = Text::new(
            1,
            Kind::Prose,
            "Reads a file, e.g. a plan (see `a.md`). Then: it ends",
        );
        assert_eq!(
            sentences(&text),
            [
                "Reads a file, e.g. a plan (see `a.md`).",
                "Then:",
                "it ends"
            ]
        );
    }
}
