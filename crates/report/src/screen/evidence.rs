//! The places that a debate cites, with what was found there.

use agon_record::evidence::Checked;
use agon_record::stamp::{Shown, Stamp, StampKind};

use super::line::{Line, Style};
use super::usable;
use crate::text::{place, plain};

/// Lines of real text that are shown of one place.
const MOST_LINES: usize = 8;

/// A place with its point, what was found, the words that were cited and the real text.
///
/// A ground that names no place has one line.
pub fn evidence_lines(checked: &Checked<'_>, width: usize) -> Vec<Line> {
    let width = usable(width);
    let stamp = &checked.stamped.stamp;
    let head = Line::default()
        .with(Style::Name, format!("{:<10}", checked.id.to_string()))
        .with(Style::Dim, format!("ground {}  ", checked.ground))
        .with(style(stamp.kind()), plain(&stamp.to_string()));
    let mut lines = vec![head];
    let citation = &checked.stamped.citation;
    if let Some(cited) = place(citation) {
        let words = citation.anchor.as_deref().map(plain);
        let words = words
            .map(|words| format!("   “{words}”"))
            .unwrap_or_default();
        let taken = match checked.stamped.extracted {
            true => "   (taken from its words)",
            false => "",
        };
        lines.push(margin(" cited | ", &format!("{cited}{words}{taken}")));
    }
    let nearest = match stamp {
        Stamp::Wrong { nearest, .. } => nearest.as_ref(),
        Stamp::Found { .. }
        | Stamp::Moved { .. }
        | Stamp::Place { .. }
        | Stamp::Missing { .. }
        | Stamp::Unreachable { .. }
        | Stamp::Unchecked { .. } => None,
    };
    lines.extend(
        stamp
            .there()
            .into_iter()
            .flat_map(|there| shown(" there | ", there)),
    );
    lines.extend(
        nearest
            .into_iter()
            .flat_map(|near| shown("  near | ", near)),
    );
    lines.into_iter().map(|line| line.fitted(width)).collect()
}

fn style(kind: StampKind) -> Style {
    match kind {
        StampKind::Found | StampKind::Moved => Style::Good,
        StampKind::Place => Style::Plain,
        StampKind::Wrong | StampKind::Missing => Style::Warn,
        StampKind::Unreachable | StampKind::Unchecked => Style::Dim,
    }
}

fn shown(label: &str, shown: &Shown) -> Vec<Line> {
    let mut lines = vec![margin(label, &plain(&shown.place.to_string()))];
    let numbered = (shown.from..).zip(&shown.text).take(MOST_LINES);
    lines.extend(numbered.map(|(number, text)| margin(&format!("{number:>6} | "), &code(text))));
    if shown.cut || shown.text.len() > MOST_LINES {
        lines.push(margin("       | ", "…"));
    }
    lines
}

/// A line of a source with its indentation.
fn code(text: &str) -> String {
    let inner = text.trim_start();
    let indent = text.len() - inner.len();
    format!("{:indent$}{}", "", plain(inner))
}

fn margin(label: &str, text: &str) -> Line {
    Line::default()
        .with(Style::Dim, label)
        .with(Style::Plain, text)
}
