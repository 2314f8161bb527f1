//! Parses a Markdown page as far as the checks need.

/// A line of a page, with its number from 1.
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
    pub(super) kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// A heading, with its level.
    Heading(usize),
    /// A table row.
    Row,
    /// The first line of a list item.
    Entry,
    /// A line of prose, or a further line of a list item.
    Prose,
    /// A line in a fenced code block, or a fence.
    Code,
    /// An empty line, or a comment.
    Blank,
}

/// Returns the lines of a page with their kinds.
pub(super) fn lines(page: &str) -> Vec<Line<'_>> {
    let mut fence = None;
    let mut is_comment = false;
    let lines = page.lines().enumerate().map(|(at, text)| {
        let trimmed = text.trim_start();
        let kind = if let Some(open) = fence {
            if trimmed.starts_with(open) {
                fence = None;
            }
            LineKind::Code
        } else if trimmed.starts_with("```") {
            fence = Some("```");
            LineKind::Code
        } else if is_comment || trimmed.starts_with("<!--") {
            is_comment = !trimmed.contains("-->");
            LineKind::Blank
        } else if trimmed.is_empty() {
            LineKind::Blank
        } else if text.starts_with('#') {
            LineKind::Heading(text.bytes().take_while(|&byte| byte == b'#').count())
        } else if text.starts_with('|') {
            LineKind::Row
        } else if begins_list_item(trimmed) {
            LineKind::Entry
        } else {
            LineKind::Prose
        };
        Line {
            number: at + 1,
            text,
            kind,
        }
    });
    lines.collect()
}

fn begins_list_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || number.len() < line.len() && number.starts_with(". ")
}

/// Returns each paragraph and list item: the number of its first line, its line count, its text.
pub(super) fn paragraphs(page: &str) -> Vec<(usize, usize, String)> {
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    let mut is_open = false;
    for line in lines(page) {
        match line.kind {
            LineKind::Prose if is_open => {
                let last = found.last_mut().unwrap();
                last.1 += 1;
                last.2.push(' ');
                last.2.push_str(line.text.trim());
            }
            LineKind::Prose | LineKind::Entry => {
                found.push((line.number, 1, line.text.trim().to_owned()));
                is_open = true;
            }
            _ => is_open = false,
        }
    }
    found
}

/// Returns the anchor of each heading, as GitHub forms it.
pub(super) fn anchors(page: &str) -> Vec<String> {
    let headings = lines(page).into_iter().filter_map(|line| match line.kind {
        LineKind::Heading(level) => Some(line.text[level..].trim()),
        _ => None,
    });
    headings.map(anchor).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|&c| c.is_alphanumeric() || c == ' ' || c == '-' || c == '_');
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Returns the targets of a page's links, with their line numbers.
pub(super) fn links(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for line in lines(page) {
        if line.kind == LineKind::Code {
            continue;
        }
        for part in line.text.split("](").skip(1) {
            if let Some(end) = part.find(')') {
                found.push((line.number, part[..end].to_owned()));
            }
        }
    }
    found
}
