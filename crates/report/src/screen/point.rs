//! One complete point of a debate.

use agon_record::evidence::{citation_fault, stamps_of_point};
use agon_record::grammar::Filled;
use agon_record::ground::GroundStamp;
use agon_record::id::NodeId;
use agon_record::moves::{Choose, Ground};
use agon_record::point::{Node, Point};
use agon_record::state::State;
use agon_record::tally;

use super::clamp_width;
use super::evidence::stamp_style;
use super::line::{Line, Style, seat_style};
use crate::labels::tool_or_seat_name;
use crate::text::{citation_place, plain_line, wrap_whole};

/// The width of a label, in columns.
const INDENT: usize = 10;

/// Returns the complete lines of point `id`: its text, grounds, targets and replies. `None` if
/// there is no such point.
pub fn whole_point_lines(state: &State, id: NodeId, width: usize) -> Option<Vec<Line>> {
    let width = clamp_width(width);
    let node = state.node(id)?;
    let mut lines = head_line(state, &node).wrap_to_width(INDENT, width);
    if let Some(title) = node.point.title() {
        lines.extend(labelled_lines("", title, Style::Strong, width));
    }
    lines.extend(labelled_lines(
        "",
        node.point.main_text(),
        Style::Plain,
        width,
    ));
    let stamps = stamps_of_point(state, id);
    for (nth, ground) in node.point.grounds().iter().enumerate() {
        lines.push(Line::default());
        lines.extend(ground_lines(nth, ground, &stamps, width));
    }
    let texts = Filled::from(node.point).captioned_texts(|captions| captions.page);
    if !texts.is_empty() {
        lines.push(Line::default());
    }
    for (label, text) in texts {
        lines.extend(labelled_lines(&label, text, Style::Plain, width));
    }
    if let Point::Contention(made) = node.point {
        let attacks = made.attacks.iter();
        let attacks = attacks.map(|one| (format!("attacks {}", one.target_id), &one.content));
        let defends = made.defends.iter();
        let defends = defends.map(|one| (format!("defends {}", one.target_id), &one.content));
        for (label, text) in attacks.chain(defends) {
            lines.extend(labelled_lines(&label, text, Style::Plain, width));
        }
    }
    let answers = state.nodes_referring_to(id);
    if !answers.is_empty() {
        lines.push(Line::default());
    }
    for answer in answers {
        let label = format!("{} {}", answer.id, relation_name(&answer));
        lines.extend(labelled_lines(
            &label,
            answer.point.main_text(),
            Style::Plain,
            width,
        ));
    }
    Some(lines)
}

/// Returns the head line: the id, kind, target, author, round and score of the point.
fn head_line(state: &State, node: &Node<'_>) -> Line {
    let mut parts = vec![relation_name(node)];
    if let Some(target) = node.point.target() {
        parts[0].push_str(&format!(" on {target}"));
    }
    if let Point::Objection(objection) = node.point {
        parts.push(objection.category.label().to_owned());
    }
    parts.push(tool_or_seat_name(state, node.seat()));
    let round = state.format_rules().rounds.one;
    parts.push(format!("{round} {}", node.id.round));
    parts.extend(tally::current_score(state, node.id).map(|score| format!("scored {score}")));
    let fault = citation_fault(state, node.id);
    let fault = fault.map(|fault| format!("({fault})  "));
    Line::default()
        .with(seat_style(node.id.seat), format!("{}  ", node.id))
        .with(Style::Bad, fault.unwrap_or_default())
        .with_ids(Style::Dim, &parts.join(" · "))
}

/// Returns a point's relation to its target, or its kind.
fn relation_name(node: &Node<'_>) -> String {
    match node.point {
        Point::Objection(objection) => format!("{} objection", objection.severity.label()),
        Point::Response(response) => response.reply.label().to_owned(),
        Point::Assessment(assessment) => assessment.ruling.label().to_owned(),
        Point::Agreement(_) => "accepts".to_owned(),
        Point::Alternative(_) => "alternative".to_owned(),
        Point::Argument(_) | Point::Contention(_) => "argument".to_owned(),
    }
}

fn ground_lines(nth: usize, ground: &Ground, stamps: &[&GroundStamp], width: usize) -> Vec<Line> {
    let label = format!("ground {}", nth + 1);
    let mut lines = labelled_lines(&label, &ground.content, Style::Plain, width);
    lines.extend(labelled_lines("", &ground.relevance, Style::Dim, width));
    let place = ground.citation.as_ref().and_then(citation_place);
    let source = plain_line(&ground.source);
    let from = match place.filter(|place| *place != source) {
        Some(place) if source.is_empty() => place,
        Some(place) => format!("{source} · {place}"),
        None => source,
    };
    lines.extend(labelled_lines("", &from, Style::Plain, width));
    let anchor = ground
        .citation
        .as_ref()
        .and_then(|cited| cited.anchor.as_deref());
    if let Some(anchor) = anchor {
        let quoted = format!("“{}”", plain_line(anchor));
        lines.extend(labelled_lines("", &quoted, Style::Plain, width));
    }
    let of_it = stamps.iter().filter(|stamp| stamp.ground == nth);
    for stamp in of_it.filter(|stamp| stamp.stamped.stamp.names_a_place()) {
        let stamp = &stamp.stamped.stamp;
        let style = stamp_style(stamp.kind());
        lines.extend(labelled_lines("", &stamp.to_string(), style, width));
    }
    lines
}

/// Returns the complete `text` beside its label; empty for an empty text.
fn labelled_lines(label: &str, text: &str, style: Style, width: usize) -> Vec<Line> {
    let text = plain_line(text);
    if text.is_empty() {
        return Vec::new();
    }
    let label = plain_line(label);
    let (mut lines, beside) = match label.chars().count() < INDENT {
        true => (Vec::new(), label),
        // A long label gets its own line.
        false => (
            vec![Line::default().with(Style::Name, label)],
            String::new(),
        ),
    };
    let texts = wrap_whole(&text, width.saturating_sub(INDENT)).into_iter();
    lines.extend(texts.enumerate().map(|(at, text)| {
        let beside = if at == 0 { beside.as_str() } else { "" };
        Line::default()
            .with(Style::Name, format!("{beside:<INDENT$}"))
            .with(style, text)
    }));
    lines
}
