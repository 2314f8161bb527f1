//! The citations of a debate, with the results of their checks.

use agon_record::evidence::{GroundCheck, ground_checks};
use agon_record::ground::Citations;
use agon_record::stamp::{SourceText, Stamp, StampKind};
use agon_record::state::State;

use super::clamp_width;
use super::line::{Line, Style, seat_style};
use crate::text::{citation_place, count_with_noun, plain_line};

// The record keeps 12 lines of a place (`evidence/src/text.rs`), but with 8, two citations fit on a
// screen of 24 lines.
/// Maximum number of lines of source text shown for one place.
const MAX_LINES: usize = 8;

// The width of ` cited | ` and of the line numbers below it.
/// The width of the margin, in columns.
const MARGIN: usize = 9;

/// Returns the lines of one citation: its point, the result, the quoted words and the real text.
///
/// A ground without a place has one line. `full` shows all of the recorded source text instead of
/// its first lines.
pub fn evidence_lines(checked: &GroundCheck<'_>, full: bool, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let most = if full { usize::MAX } else { MAX_LINES };
    let stamp = &checked.stamped.stamp;
    let head = Line::default()
        .with(
            seat_style(checked.id.seat),
            format!("{:<10}", checked.id.to_string()),
        )
        .with(Style::Dim, format!("ground {}  ", checked.ground))
        .with(stamp_style(stamp.kind()), plain_line(&stamp.to_string()));
    let mut lines = vec![head];
    let citation = &checked.stamped.citation;
    if let Some(cited) = citation_place(citation) {
        let words = citation.anchor.as_deref().map(plain_line);
        let words = words
            .map(|words| format!("   “{words}”"))
            .unwrap_or_default();
        let taken = match checked.stamped.extracted {
            true => "   (quoted in its text)",
            false => "",
        };
        lines.push(margin_line(" cited | ", &format!("{cited}{words}{taken}")));
    }
    let nearest = match stamp {
        Stamp::Wrong { nearest, .. } => nearest.as_ref(),
        _ => None,
    };
    lines.extend(
        stamp
            .source_text()
            .into_iter()
            .flat_map(|there| source_text_lines(" there | ", there, most)),
    );
    lines.extend(
        nearest
            .into_iter()
            .flat_map(|near| source_text_lines("  near | ", near, most)),
    );
    lines
        .into_iter()
        .flat_map(|line| line.wrap_to_width(MARGIN, width))
        .collect()
}

/// Returns a one-line summary: the number of citations, the results, and the source.
pub fn evidence_summary(state: &State) -> String {
    let all = ground_checks(state);
    let stamps = || all.iter().map(|one| &one.stamped.stamp);
    let total = u64::from(Citations::from_stamps(stamps()).total());
    let citations = count_with_noun(total, "citation");
    let kinds = StampKind::ALL.into_iter().filter_map(|kind| {
        let of_it = stamps().filter(|stamp| stamp.kind() == kind && stamp.names_a_place());
        let count = of_it.count();
        (count > 0).then(|| format!("{count} {}", kind.count_label()))
    });
    let kinds: Vec<_> = kinds.collect();
    let kinds = match kinds.is_empty() {
        true => String::new(),
        false => format!(": {}", kinds.join(", ")),
    };
    let name = state.command_name();
    match &state.spec.source {
        None => {
            format!("{citations}, none checked: no repository was given (run with --context repo)")
        }
        Some(source) => format!(
            "{citations}{kinds} · compared with {} · check again with agon check {name} --evidence",
            plain_line(&source.about)
        ),
    }
}

pub(super) fn stamp_style(kind: StampKind) -> Style {
    match kind {
        StampKind::Found => Style::Good,
        StampKind::Place => Style::Plain,
        StampKind::Moved => Style::Warn,
        StampKind::Wrong | StampKind::Missing => Style::Bad,
        StampKind::Unreachable | StampKind::Unchecked => Style::Dim,
    }
}

fn source_text_lines(label: &str, shown: &SourceText, most: usize) -> Vec<Line> {
    let mut lines = vec![margin_line(label, &plain_line(&shown.place.to_string()))];
    let numbered = (shown.from..).zip(&shown.text).take(most);
    lines.extend(numbered.map(|(number, text)| {
        margin_line(&format!("{number:>6} | "), &plain_line_keeping_indent(text))
    }));
    if shown.cut || shown.text.len() > most {
        lines.push(margin_line("       | ", "…"));
    }
    lines
}

/// Returns a source line as plain text that keeps its indentation.
fn plain_line_keeping_indent(text: &str) -> String {
    let inner = text.trim_start();
    let indent = text.len() - inner.len();
    format!("{:indent$}{}", "", plain_line(inner))
}

fn margin_line(label: &str, text: &str) -> Line {
    Line::default()
        .with(Style::Dim, label)
        .with(Style::Plain, text)
}
