//! Prints findings as a compiler does.

use agon_record::finding::{Finding, Severity, describe_place};
use agon_record::text::{mask_hidden_characters, sanitise_line};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

// A line number of four digits, the frame and a space.
/// The number of columns to the left of an excerpt.
const MARGIN: usize = 8;

// The same as for other screens: `NARROWEST` in `report/src/screen.rs`.
/// The narrowest supported width.
const NARROWEST: usize = 40;

// Output to a pipe has no width, so without this limit a whole line would be shown.
/// Maximum width of an excerpt, in columns.
const MAX_EXCERPT: usize = 400;

// Three times `MAX_MESSAGE` of the parser in `rules/src/parse.rs`.
/// Maximum length of a message or a hint, in characters.
const MAX_TEXT: usize = 600;

/// Renders findings for people: code, message, place, the source line with carets, and the hint.
///
/// `files` returns the text of a file that a finding names. Without it, or without a span, only the
/// place is printed. A finding without a file names its turn and the place in its moves. `more`
/// returns further notes on a finding, each a label (such as `cited` and `there`) with a line.
/// Findings are separated by an empty line. The text ends with one line end, and is empty without
/// findings. It has no control sequences except colours, if `color` is set. Text is wrapped at
/// `width` columns; a longer source line is cut around the finding's span.
pub fn render_findings(
    findings: &[Finding],
    files: &dyn Fn(&str) -> Option<String>,
    more: &dyn Fn(&Finding) -> Vec<(&'static str, String)>,
    color: bool,
    width: usize,
) -> String {
    let width = width.max(NARROWEST);
    let renderer = match color {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let renderer = renderer.term_width(width);
    let mut out = String::new();
    for finding in findings {
        if !out.is_empty() {
            out.push('\n');
        }
        let (group, places) = finding_group(finding, files, more(finding), width);
        let mut text = renderer.render(&[group]);
        if let Some([shown, real]) = places {
            text = text.replacen(&shown, &real, 1);
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

/// Returns the rendered group of a finding. If its source line is cut, also returns the displayed
/// place and the real place that must replace it.
fn finding_group<'a>(
    finding: &Finding,
    files: &dyn Fn(&str) -> Option<String>,
    more: Vec<(&'static str, String)>,
    width: usize,
) -> (Group<'a>, Option<[String; 2]>) {
    let level = match finding.severity {
        Severity::Fatal => Level::ERROR.with_name("fatal"),
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let code = sanitise_line(&finding.code, 60);
    let taken = finding.severity.to_string().len() + code.len() + 4;
    let title = level
        .primary_title(wrap_beside(&finding.message, taken, width))
        .id(code);
    let (group, places) = match source_snippet(finding, files, width) {
        Some((snippet, places)) => (title.element(snippet), places),
        None => (title.element(finding_origin(finding)), None),
    };
    let group = more.into_iter().fold(group, |group, (label, text)| {
        let label = Level::NOTE.with_name(label);
        group.element(label.message(wrap_beside(&text, MARGIN + 8, width)))
    });
    let group = match sanitise_line(&finding.hint, MAX_TEXT).as_str() {
        "" => group,
        hint => group.element(Level::HELP.message(wrap_beside(hint, MARGIN + 8, width))),
    };
    (group, places)
}

/// Wraps `text` to the width that remains beside `taken` columns.
fn wrap_beside(text: &str, taken: usize, width: usize) -> String {
    let text = sanitise_line(text, MAX_TEXT);
    let room = width.saturating_sub(taken).max(NARROWEST / 2);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + word.chars().count() > room {
            lines.push(String::new());
        }
        let Some(line) = lines.last_mut() else { break };
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.join("\n")
}

fn finding_origin<'a>(finding: &Finding) -> Origin<'a> {
    let place = match (&finding.path, finding.span) {
        (Some(path), Some([line, column, _])) if line > 0 => {
            format!("{}:{line}:{column}", sanitise_line(path, 200))
        }
        (Some(path), _) => sanitise_line(path, 200),
        (None, _) => finding.turn.describe(),
    };
    let is_in_file = finding.path.is_some();
    Origin::path(match place_in_words(finding).as_str() {
        "" => place,
        at if is_in_file => format!("{place} {at}"),
        at => format!("{place}, {at}"),
    })
}

/// Returns the place of a finding in its moves, in words.
fn place_in_words(finding: &Finding) -> String {
    sanitise_line(&describe_place(&finding.at), 200)
}

/// A displayed source line. If it is cut, also its displayed place and its real place.
type PlacedSnippet<'a> = (
    Snippet<'a, annotate_snippets::Annotation<'a>>,
    Option<[String; 2]>,
);

/// Returns the source line of a finding, if it has one, cut around the span to fit.
fn source_snippet<'a>(
    finding: &Finding,
    files: &dyn Fn(&str) -> Option<String>,
    width: usize,
) -> Option<PlacedSnippet<'a>> {
    let path = finding.path.as_deref()?;
    let [line, column, length] = finding.span?;
    let text = files(path)?;
    let source = mask_hidden_characters(text.lines().nth(saturating_usize(line).checked_sub(1)?)?);
    let label = place_in_words(finding);
    let room = width
        .saturating_sub(MARGIN)
        .clamp(NARROWEST / 2, MAX_EXCERPT);
    let first = saturating_usize(column).saturating_sub(1);
    let excerpt = Excerpt::cut(&source, first, saturating_usize(length), room);
    // Shorten the row of carets so that the label fits behind it.
    let taken = excerpt.first + label.chars().count() + 1;
    let carets = room.saturating_sub(taken).max(1);
    let byte = |chars: usize| {
        let found = excerpt.text.char_indices().nth(chars);
        found.map_or(excerpt.text.len(), |(byte, _)| byte)
    };
    let start = byte(excerpt.first);
    let end = byte(excerpt.first.saturating_add(excerpt.length.min(carets)));
    let annotation = AnnotationKind::Primary.span(start..end).label(label);
    let path = sanitise_line(path, 200);
    let place = |column: usize| format!("{path}:{line}:{}", column.saturating_add(1));
    let moved = (excerpt.first != first).then(|| [place(excerpt.first), place(first)]);
    let snippet = Snippet::source(excerpt.text)
        .line_start(saturating_usize(line))
        .path(path)
        .annotation(annotation);
    Some((snippet, moved))
}

/// A part of a line with its marked characters.
struct Excerpt {
    text: String,
    first: usize,
    length: usize,
}

impl Excerpt {
    /// Cuts `line` to at most `room` characters around those that start at `first`, with `…` at
    /// each cut.
    fn cut(line: &str, first: usize, length: usize, room: usize) -> Self {
        let count = line.chars().count();
        if count <= room {
            let text = line.to_owned();
            return Self {
                text,
                first,
                length,
            };
        }
        // Show a quarter of the excerpt before the marked text, so that the reader sees its
        // context.
        let from = first.saturating_sub(room / 4).min(count - room + 1);
        let before = if from > 0 { "…" } else { "" };
        let kept: String = line.chars().skip(from).take(room - 2).collect();
        let after = if from + room - 2 < count { "…" } else { "" };
        let first = first.saturating_sub(from) + before.chars().count();
        Self {
            length: length.min(room.saturating_sub(first + 1)).max(1),
            first,
            text: format!("{before}{kept}{after}"),
        }
    }
}

fn saturating_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
