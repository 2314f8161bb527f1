//! The places that a debate cites, with what was found there.

use agon_record::evidence::{GroundCheck, all};
use agon_record::ground::Citations;
use agon_record::stamp::{SourceText, Stamp, StampKind};
use agon_record::state::State;

use super::line::{Line, Style};
use super::usable;
use crate::text::{counted, place, plain};

// Of the 12 that are kept of a place (`evidence/src/text.rs`): two places with what is said of them
// fill a screen of 24 lines.
/// Lines of real text that are shown of one place.
const MAX_LINES: usize = 8;

/// A place with its point, what was found, the words that were cited and the real text.
///
/// A ground that names no place has one line.
pub fn evidence_lines(checked: &GroundCheck<'_>, width: usize) -> Vec<Line> {
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
        _ => None,
    };
    lines.extend(
        stamp
            .there()
            .into_iter()
            .flat_map(|there| text_there(" there | ", there)),
    );
    lines.extend(
        nearest
            .into_iter()
            .flat_map(|near| text_there("  near | ", near)),
    );
    lines.into_iter().map(|line| line.fitted(width)).collect()
}

/// All of it in a line: how many places, what was found, against what.
pub fn evidence_summary(state: &State) -> String {
    let all = all(state);
    let stamps = || all.iter().map(|one| &one.stamped.stamp);
    let places = Citations::of_stamps(stamps()).total();
    let kinds = StampKind::ALL.into_iter().filter_map(|kind| {
        let of_it = stamps().filter(|stamp| stamp.kind() == kind && stamp.names_a_place());
        let count = of_it.count();
        (count > 0).then(|| format!("{count} {}", kind.in_counts()))
    });
    let kinds: Vec<_> = kinds.collect();
    let kinds = match kinds.is_empty() {
        true => String::new(),
        false => format!(": {}", kinds.join(", ")),
    };
    let places = counted(u64::from(places), "place");
    let slug = &state.spec.slug;
    match &state.spec.source {
        None => {
            format!("{places} cited, none checked: no source is pinned (agon debate --context …)")
        }
        Some(source) => format!(
            "{places} cited{kinds} · against {} · again, from what is kept: agon check {slug} --evidence",
            plain(&source.about)
        ),
    }
}

fn style(kind: StampKind) -> Style {
    match kind {
        StampKind::Found | StampKind::Moved => Style::Good,
        StampKind::Place => Style::Plain,
        StampKind::Wrong | StampKind::Missing => Style::Warn,
        StampKind::Unreachable | StampKind::Unchecked => Style::Dim,
    }
}

fn text_there(label: &str, shown: &SourceText) -> Vec<Line> {
    let mut lines = vec![margin(label, &plain(&shown.place.to_string()))];
    let numbered = (shown.from..).zip(&shown.text).take(MAX_LINES);
    lines.extend(numbered.map(|(number, text)| margin(&format!("{number:>6} | "), &code(text))));
    if shown.cut || shown.text.len() > MAX_LINES {
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
