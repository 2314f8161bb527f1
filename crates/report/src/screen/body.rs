//! A complete point: its text, its grounds and its warrant.

use agon_record::grammar::Filled;
use agon_record::ground::{Citations, GroundStamp};
use agon_record::id::NodeId;
use agon_record::moves::{Choose, DefenseKind, Ground, ObjectionSeverity};
use agon_record::point::Point;
use agon_record::stamp::Stamp;

use super::evidence::stamp_style;
use super::line::{Line, Style, seat_style};
use crate::text::{citation_place, plain_line};

/// The indentation of a point's body, in columns.
const INDENT: usize = 6;

/// Returns the lines of one complete point.
pub(super) fn point_lines_whole(
    id: NodeId,
    point: &Point<'_>,
    stamps: &[&GroundStamp],
    width: usize,
) -> Vec<Line> {
    let fault = Citations::from_ground_stamps(stamps.iter().copied()).fault();
    let head = point_head(id, point, fault);
    let main = plain_line(point.main_text());
    let below = Line::default().with_ids(Style::Plain, &format!("{:INDENT$}{main}", ""));
    let whole = match point {
        Point::Argument(_) | Point::Alternative(_) | Point::Contention(_) => {
            let title = plain_line(point.title().unwrap_or_default());
            vec![head.with(Style::Strong, title), below]
        }
        Point::Objection(objection) => {
            let title = objection.title.as_deref().map(plain_line);
            let title = title.map_or_else(String::new, |title| format!("  {title}"));
            vec![head.with(Style::Strong, title), below]
        }
        Point::Agreement(_) => {
            vec![head.with_ids(Style::Plain, &format!("remaining risk: {main}"))]
        }
        Point::Response(_) | Point::Assessment(_) => vec![head.with_ids(Style::Plain, &main)],
    };
    let whole = whole.into_iter();
    let mut lines: Vec<_> = whole
        .flat_map(|line| line.wrap_to_width(INDENT, width))
        .collect();
    lines.extend(body_lines(point, stamps, width));
    lines
}

/// Returns the start of a point's line: its id, the fault of its citations, and its relation to
/// the point it targets.
fn point_head(id: NodeId, point: &Point<'_>, fault: Option<&str>) -> Line {
    let line = Line::default().with(seat_style(id.seat), format!("  {id}"));
    let line = match fault {
        Some(fault) => line.with(Style::Bad, format!(" ({fault})")),
        None => line,
    };
    let line = match point.target() {
        Some(target) => line
            .with(Style::Dim, " on ")
            .with(seat_style(target.seat), target.to_string()),
        None => line,
    };
    let line = line.with(Style::Plain, "  ");
    let relation = match point {
        Point::Argument(_) | Point::Contention(_) => return line,
        Point::Alternative(_) => "alternative",
        Point::Objection(objection) => {
            let about = [objection.category.label(), objection.kind.label()].join(" · ");
            let severity = objection.severity.label();
            let line = line.with(severity_style(objection.severity), severity);
            return line.with(Style::Dim, format!(" · {about}"));
        }
        Point::Response(response) => response.reply.label(),
        Point::Assessment(assessment) => assessment.ruling.label(),
        Point::Agreement(_) => "accepts",
    };
    line.with(Style::Name, format!("{relation}  "))
}

/// Returns the style of an objection's severity.
pub(super) fn severity_style(severity: ObjectionSeverity) -> Style {
    match severity {
        ObjectionSeverity::Blocker => Style::Bad,
        ObjectionSeverity::Major => Style::Warn,
        ObjectionSeverity::Minor => Style::Name,
    }
}

/// Returns the lines below a point's main text: its grounds, its labelled texts, its attacks and
/// its defenses. `stamps` are the stamps of the point.
fn body_lines(point: &Point<'_>, stamps: &[&GroundStamp], width: usize) -> Vec<Line> {
    let grounds = point.grounds().iter().enumerate();
    let grounds = grounds.map(|(nth, ground)| {
        let mut stamps = stamps.iter().filter(|stamp| stamp.ground == nth);
        ground_line(ground, stamps.next().copied())
    });
    let mut lines: Vec<_> = grounds.collect();
    let texts = Filled::from(*point).captioned_texts(|captions| captions.page);
    let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
    lines.extend(texts.map(|(label, text)| {
        Line::default()
            .with(Style::Dim, format!("{}: ", label.to_lowercase()))
            .with_ids(Style::Plain, &plain_line(text))
    }));
    if let Point::Contention(made) = point {
        lines.extend(made.attacks.iter().map(|one| {
            let part = one.attack_type.part_label();
            relation_line(&format!("attacks {} ({part})", one.target_id), &one.content)
        }));
        lines.extend(made.defends.iter().map(|one| {
            let how = match one.defense_type {
                DefenseKind::Reinforce => "reinforces",
                DefenseKind::Clarify => "clarifies",
                DefenseKind::ConcedeAndPivot => "concedes and moves on",
            };
            relation_line(&format!("defends {} ({how})", one.target_id), &one.content)
        }));
    }
    let lines = lines.into_iter().flat_map(|line| {
        let mut whole = Line::default().with(Style::Plain, " ".repeat(INDENT));
        whole.spans.extend(line.spans);
        whole.wrap_to_width(INDENT + 2, width)
    });
    lines.collect()
}

fn relation_line(label: &str, text: &str) -> Line {
    Line::default()
        .with_ids(Style::Name, label)
        .with(Style::Dim, ": ")
        .with_ids(Style::Plain, &plain_line(text))
}

/// Returns the line of a ground: its place, the result of the check, its content and its relevance.
fn ground_line(ground: &Ground, stamp: Option<&GroundStamp>) -> Line {
    let place = ground.citation.as_ref().and_then(citation_place);
    let source = plain_line(&ground.source);
    let line = Line::default().with(Style::Dim, "· ");
    let line = match place {
        Some(place) => {
            // Leave out a source that the place repeats, such as its file.
            let from = Some(source).filter(|source| !place.starts_with(source.as_str()));
            let from = from.map(|source| format!(" ({source})"));
            with_stamp(line.with(Style::Plain, place), stamp)
                .with(Style::Dim, from.unwrap_or_default())
        }
        None if source.is_empty() => line.with(Style::Dim, "reasoning"),
        None => line.with(Style::Dim, source),
    };
    let words = |text: &str| match plain_line(text) {
        text if text.is_empty() => text,
        text => format!(" {text}"),
    };
    line.with(Style::Dim, " –")
        .with_ids(Style::Plain, &words(&ground.content))
        .with_ids(Style::Dim, &words(&ground.relevance))
}

/// Appends the result of the citation check to `line`, if the citation was checked.
fn with_stamp(line: Line, stamp: Option<&GroundStamp>) -> Line {
    let Some(stamp) = stamp else { return line };
    let stamp = &stamp.stamped.stamp;
    let said = match stamp {
        Stamp::Found { .. } => "found".to_owned(),
        Stamp::Unchecked { .. } => return line,
        Stamp::Moved { .. }
        | Stamp::Place { .. }
        | Stamp::Wrong { .. }
        | Stamp::Missing { .. }
        | Stamp::Unreachable { .. } => plain_line(&stamp.to_string()),
    };
    let style = stamp_style(stamp.kind());
    line.with(Style::Plain, " ").with(style, said)
}
