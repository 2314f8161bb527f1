//! Prints findings the way a good compiler does.

use agon_record::finding::{Finding, Severity};
use agon_record::text::{mask_hidden_characters, sanitise_line};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

// As wide as any other screen: `WIDEST` in `report/src/screen.rs`.
/// The columns a finding may take.
const WIDTH: usize = 110;

// Five to six lines of that width, three times the longest message of the parser.
/// The most characters of a message or a hint.
const MAX_TEXT: usize = 600;

/// `findings` for people: code, message, place, the line with carets under it, and the hint.
///
/// `files` gives the text of a file that a finding names; without it, or
/// without a span, only the place is printed. A finding without a file names
/// its turn and the place in its moves. `more` gives what else is known of a
/// finding, as labels with a line each, such as `cited` and `there`. Findings are separated by an empty
/// line; the text ends with one line end, and is empty when there are none.
/// Nothing in it moves the cursor but, with `color`, our own colours.
pub fn render_findings(
    findings: &[Finding],
    files: &dyn Fn(&str) -> Option<String>,
    more: &dyn Fn(&Finding) -> Vec<(&'static str, String)>,
    color: bool,
) -> String {
    let renderer = match color {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let renderer = renderer.term_width(WIDTH);
    let mut out = String::new();
    for finding in findings {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(
            renderer
                .render(&[finding_group(finding, files, more(finding))])
                .trim_end(),
        );
        out.push('\n');
    }
    out
}

fn finding_group<'a>(
    finding: &Finding,
    files: &dyn Fn(&str) -> Option<String>,
    more: Vec<(&'static str, String)>,
) -> Group<'a> {
    let level = match finding.severity {
        Severity::Fatal => Level::ERROR.with_name("fatal"),
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(sanitise_line(&finding.message, MAX_TEXT))
        .id(sanitise_line(&finding.code, 60));
    let group = match source_snippet(finding, files) {
        Some(snippet) => title.element(snippet),
        None => title.element(finding_origin(finding)),
    };
    let group = more.into_iter().fold(group, |group, (label, text)| {
        let label = Level::NOTE.with_name(label);
        group.element(label.message(sanitise_line(&text, MAX_TEXT)))
    });
    match sanitise_line(&finding.hint, MAX_TEXT).as_str() {
        "" => group,
        hint => group.element(Level::HELP.message(hint.to_owned())),
    }
}

fn finding_origin<'a>(finding: &Finding) -> Origin<'a> {
    let place = match (&finding.path, finding.span) {
        (Some(path), Some([line, column, _])) if line > 0 => {
            format!("{}:{line}:{column}", sanitise_line(path, 200))
        }
        (Some(path), _) => sanitise_line(path, 200),
        (None, _) => finding.turn.to_string(),
    };
    Origin::path(match sanitise_line(&finding.at, 200).as_str() {
        "" => place,
        at => format!("{place} {at}"),
    })
}

/// The line that the finding is about, if there is one.
fn source_snippet<'a>(
    finding: &Finding,
    files: &dyn Fn(&str) -> Option<String>,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let path = finding.path.as_deref()?;
    let [line, column, length] = finding.span?;
    let text = files(path)?;
    let source = mask_hidden_characters(text.lines().nth(saturating_usize(line).checked_sub(1)?)?);
    let byte = |chars: usize| {
        let found = source.char_indices().nth(chars);
        found.map_or(source.len(), |(byte, _)| byte)
    };
    let first = saturating_usize(column).saturating_sub(1);
    let start = byte(first);
    let end = byte(first.saturating_add(saturating_usize(length)));
    let annotation = AnnotationKind::Primary.span(start..end);
    let annotation = annotation.label(sanitise_line(&finding.at, 200));
    Some(
        Snippet::source(source)
            .line_start(saturating_usize(line))
            .path(sanitise_line(path, 200))
            .annotation(annotation),
    )
}

fn saturating_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
