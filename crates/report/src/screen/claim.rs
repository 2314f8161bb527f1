//! A point in short or complete: its claim and the results of its citation checks.

use agon_record::ground::GroundStamp;
use agon_record::id::NodeId;
use agon_record::moves::Choose;
use agon_record::point::Point;
use agon_record::stamp::StampKind;

use super::body::{point_lines_whole, severity_style};
use super::detail::Detail;
use super::evidence::stamp_style;
use super::line::{Line, Style, seat_style};
use crate::text::{first_sentence, plain_line};

/// The indentation of a point's further lines, in columns.
const INDENT: usize = 6;

/// Returns the lines of one point in the given detail.
pub(super) fn point_lines_in_detail(
    id: NodeId,
    point: &Point<'_>,
    stamps: &[&GroundStamp],
    detail: Detail,
    width: usize,
) -> Vec<Line> {
    match detail {
        Detail::Claims => claim_lines(id, point, stamps, width),
        Detail::Whole => point_lines_whole(id, point, stamps, width),
    }
}

/// Returns the lines of one point in short: its id, its relation to its target, its title or first
/// sentence, and its stamps.
fn claim_lines(id: NodeId, point: &Point<'_>, stamps: &[&GroundStamp], width: usize) -> Vec<Line> {
    let line = Line::default().with(seat_style(id.seat), format!("  {id}"));
    let line = match point.target() {
        Some(target) => line
            .with(Style::Dim, " on ")
            .with(seat_style(target.seat), target.to_string()),
        None => line,
    };
    let line = with_relation(line.with(Style::Plain, "  "), point);
    let claim = match point {
        Point::Agreement(agreement) if !plain_line(&agreement.remaining_risk).is_empty() => {
            let risk = first_sentence(&plain_line(&agreement.remaining_risk));
            format!("remaining risk: {risk}")
        }
        _ => match point
            .title()
            .map(plain_line)
            .filter(|title| !title.is_empty())
        {
            Some(title) => title,
            None => first_sentence(&plain_line(point.main_text())),
        },
    };
    with_stamps(line.with_ids(Style::Plain, &claim), stamps).wrap_to_width(INDENT, width)
}

/// Appends the point's relation to its target; nothing for an argument.
fn with_relation(line: Line, point: &Point<'_>) -> Line {
    let label = match point {
        Point::Argument(_) | Point::Contention(_) => return line,
        Point::Objection(objection) => {
            let style = severity_style(objection.severity);
            return line.with(style, format!("{}  ", objection.severity.label()));
        }
        Point::Alternative(_) => "alternative",
        Point::Response(response) => response.reply.label(),
        Point::Assessment(assessment) => assessment.ruling.label(),
        Point::Agreement(_) => "accepts",
    };
    line.with(Style::Name, format!("{label}  "))
}

/// Appends the check results by kind, such as `[quotes: 2 found, 1 wrong]`.
fn with_stamps(line: Line, stamps: &[&GroundStamp]) -> Line {
    let count = |kind: StampKind| {
        let stamps = stamps.iter().map(|one| &one.stamped.stamp);
        let of_kind = stamps.filter(|stamp| stamp.kind() == kind && stamp.names_a_place());
        of_kind.count()
    };
    let kinds = StampKind::ALL.map(|kind| (kind, count(kind)));
    let some: Vec<_> = kinds.into_iter().filter(|(_, count)| *count > 0).collect();
    if some.is_empty() {
        return line;
    }
    let noun = match kinds.iter().map(|(_, count)| count).sum::<usize>() {
        1 => "  [quote: ",
        _ => "  [quotes: ",
    };
    let mut line = line.with(Style::Dim, noun);
    for (at, &(kind, count)) in some.iter().enumerate() {
        let label = kind.count_label();
        let said = match (count, some.len()) {
            (1, 1) => label.to_owned(),
            _ => format!("{count} {label}"),
        };
        let gap = if at == 0 { "" } else { ", " };
        line = line.with(Style::Dim, gap).with(stamp_style(kind), said);
    }
    line.with(Style::Dim, "]")
}
