//! The lines of a turn, as it ends.

use agon_record::evidence::stamps_of_turn;
use agon_record::ground::GroundStamp;
use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::moves::{AnswerComparison, Choose, Moves, NoneFound, ObjectionSeverity};
use agon_record::point::{Point, points};
use agon_record::stamp::StampKind;
use agon_record::state::{Admitted, State, Turn, TurnEnd};
use agon_verdict::verdict::blind_answers;

use super::finding::finding_line;
use super::line::{Line, Style};
use super::{clamp_width, formal, ruling};
use crate::labels::{self, tool_or_seat_name};
use crate::text::{
    display_width, first_cited_place, format_duration, place_with_lookup_result, plain_line,
    truncate_to_width,
};

/// The line of the blind round: both answers, and whether they are the same.
///
/// None until both sides have answered or are lost.
pub fn blind_line(state: &State, width: usize) -> Option<Line> {
    let width = clamp_width(width);
    let sides = [Seat::Proposer, Seat::Challenger];
    let turns = sides.map(|seat| state.turns.get(&TurnId::round(0, seat)));
    let [Some(one), Some(other)] = turns else {
        return None;
    };
    let ends = [one.end.as_ref()?, other.end.as_ref()?];
    let took = [one, other].into_iter().filter_map(last_reply_ms).max();
    let mut line = turn_line_start("blind", "", took);
    let room = width.saturating_sub(line.display_width() + 15) / 2;
    for (seat, end) in sides.into_iter().zip(ends) {
        let (style, said) = match end {
            TurnEnd::Admitted(admitted) => (Style::Plain, blind_answer(&admitted.moves)),
            TurnEnd::Lost { cause, .. } => (Style::Warn, format!("lost, {}", cause.code.name())),
        };
        let text = truncate_to_width(&format!("{}: {said}", tool_or_seat_name(state, seat)), room);
        let gap = " ".repeat(room.min(30).saturating_sub(display_width(&text)) + 2);
        line = line.with(style, text).with(Style::Plain, gap);
    }
    let found =
        blind_answers(state).filter(|blind| blind.proposer.is_some() && blind.challenger.is_some());
    let verdict = match found {
        Some(blind) => match blind.agree {
            Some(true) => "they agree",
            Some(false) => "they differ",
            // The challenger's first reply says it.
            None => "",
        },
        None => "",
    };
    Some(line.with(Style::Dim, verdict).fit_to_width(width))
}

/// The lines of a turn that has ended: who, how long, and each point made.
///
/// None for a turn that has not ended, and for one of the blind round, which
/// has [`blind_line`]. The first judge's line tells what it says with the sides
/// swapped too, and comes when that is known. Of a formal debate only the theses and a lost turn have
/// lines: the others are told with their exchange.
pub fn turn_lines(state: &State, id: TurnId, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    if state.is_scored() {
        let lines = formal::turn_lines(state, id, width).into_iter();
        return lines.map(|line| line.fit_to_width(width)).collect();
    }
    let Some((turn, end)) = state
        .turns
        .get(&id)
        .and_then(|turn| Some((turn, turn.end.as_ref()?)))
    else {
        return Vec::new();
    };
    let label = match id.stage {
        Stage::Theses | Stage::Round(0) => return Vec::new(),
        Stage::Round(round) => format!("round {round}"),
        Stage::Verdict | Stage::Swap => id.seat.to_string(),
    };
    let judge = TurnId::verdict(Seat::JUDGE);
    if id == TurnId::SWAP || (id == judge && ruling::is_awaiting_swap(state)) {
        return Vec::new();
    }
    let tool = state
        .seats
        .get(&id.seat)
        .map(|seating| seating.tool.to_string());
    let swap = state.turns.get(&TurnId::SWAP).filter(|_| id == judge);
    let took = [Some(turn), swap]
        .into_iter()
        .flatten()
        .filter_map(last_reply_ms);
    let head = turn_line_start(&label, &tool.unwrap_or_default(), took.max());
    let mut lines = Vec::new();
    match end {
        TurnEnd::Admitted(admitted) => {
            let back = sent_back_note(state, id);
            let line = match ruling::first_judge_headline(state).filter(|_| id == judge) {
                // What it says comes before what became of its first replies.
                Some((style, said)) => {
                    let again = swap.map(|_| sent_back_note(state, TurnId::SWAP));
                    let back = [back, again.unwrap_or_default()].join(" ");
                    append_note(head.with(style, said), back.trim().to_owned())
                }
                None => {
                    let room =
                        width.saturating_sub(head.display_width() + display_width(&back) + 3);
                    let headline =
                        truncate_to_width(&turn_headline(state, &admitted.moves), room.max(10));
                    append_note(head.with(Style::Strong, headline), back)
                }
            };
            lines.push(line);
            lines.extend(point_lines(admitted, stamps_of_turn(state, id), width));
            let cleared = admitted.moves.cleared_categories().iter();
            lines.extend(cleared.map(cleared_category_line));
            lines.extend(admitted.findings.iter().map(finding_line));
        }
        TurnEnd::Lost { cause, findings } => {
            let detail = match plain_line(&cause.detail).as_str() {
                "" => String::new(),
                detail => format!(" ({detail})"),
            };
            let lost = format!("lost: {}{detail}", cause.code.name());
            lines.push(append_note(
                head.with(Style::Warn, lost),
                sent_back_note(state, id),
            ));
            lines.extend(findings.iter().map(finding_line));
        }
    }
    lines
        .into_iter()
        .map(|line| line.fit_to_width(width))
        .collect()
}

fn turn_line_start(label: &str, tool: &str, took: Option<u64>) -> Line {
    let took = took.map(format_duration).unwrap_or_default();
    let tool = if tool.is_empty() {
        String::new()
    } else {
        format!("{tool:<7} ")
    };
    Line::default()
        .with(Style::Name, format!("{label:<9} "))
        .with(Style::Plain, tool)
        .with(Style::Dim, format!("{took:>4}  "))
}

fn append_note(line: Line, note: String) -> Line {
    let gap = match note.as_str() {
        "" => 0,
        _ if line.to_string().ends_with(' ') => 0,
        _ => 3,
    };
    line.with(Style::Plain, " ".repeat(gap))
        .with(Style::Dim, note)
}

/// How long the last reply of a turn took.
fn last_reply_ms(turn: &Turn) -> Option<u64> {
    let given = turn.asks.iter().rev().find_map(|ask| ask.given.as_ref());
    given.map(|given| given.took_ms)
}

fn blind_answer(moves: &Moves) -> String {
    moves
        .blind()
        .map(|blind| plain_line(&blind.answer))
        .unwrap_or_default()
}

/// The stance of a turn, the winner of a ruling, or what a challenge says of the first answers; empty
/// for other moves.
fn turn_headline(state: &State, moves: &Moves) -> String {
    match (moves.stance(), moves.ruling()) {
        (Some(stance), _) => format!("\"{}\"", plain_line(stance)),
        (None, Some(ruling)) => format!("for {}", tool_or_seat_name(state, ruling.winner.seat())),
        (None, None) => {
            let said = moves.challenge().and_then(|it| it.first_answers);
            let said = said.map(|said| match said {
                AnswerComparison::Same => "the first answers agree",
                AnswerComparison::Different => "the first answers differ",
            });
            said.unwrap_or_default().to_owned()
        }
    }
}

fn sent_back_note(state: &State, id: TurnId) -> String {
    let Some(back) = labels::sent_back_replies(state, id) else {
        return String::new();
    };
    let replies = match back.replies {
        1 => "1 reply".to_owned(),
        replies => format!("{replies} replies"),
    };
    let codes: Vec<_> = back.codes.iter().map(|code| plain_line(code)).collect();
    format!(
        "({replies} sent back: {}, {})",
        codes.join(", "),
        format_duration(back.took_ms)
    )
}

/// A line for each point, in columns: id and relation, text, place cited.
fn point_lines(admitted: &Admitted, stamps: &[GroundStamp], width: usize) -> Vec<Line> {
    let nodes: Vec<_> = admitted.ids.iter().zip(points(&admitted.moves)).collect();
    let lefts: Vec<_> = nodes
        .iter()
        .map(|(id, point)| point_id_and_relation(**id, point))
        .collect();
    let left = lefts
        .iter()
        .map(|left| display_width(left))
        .max()
        .unwrap_or(0);
    let places = nodes
        .iter()
        .enumerate()
        .map(|(nth, (_, point))| point_place(nth, point, stamps));
    let places: Vec<_> = places.collect();
    let place = places
        .iter()
        .map(|place| display_width(place))
        .max()
        .unwrap_or(0);
    let place = if width < 80 { 0 } else { place.min(width / 3) };
    let room = width.saturating_sub(2 + left + 2 + place + 2).max(10);
    let line = |((((_, point), relation), cited), nth): PointCells<'_>| {
        let text = truncate_to_width(&point_text(&point), room);
        let gap = " ".repeat(room - display_width(&text) + 2);
        let line = Line::default()
            .with(relation_style(&point), format!("  {relation:<left$}  "))
            .with(Style::Plain, text);
        if place == 0 || cited.is_empty() {
            return line;
        }
        line.with(Style::Plain, gap)
            .with(place_style(nth, stamps), truncate_to_width(cited, place))
    };
    nodes
        .into_iter()
        .zip(&lefts)
        .zip(&places)
        .zip(0..)
        .map(line)
        .collect()
}

/// A point with its id, its relation, the place it cites and which of its turn it is, from 0.
type PointCells<'a> = ((((&'a NodeId, Point<'a>), &'a String), &'a String), usize);

/// The more an objection would change, the louder.
fn relation_style(point: &Point<'_>) -> Style {
    match point.objection().map(|objection| objection.severity) {
        Some(ObjectionSeverity::Blocker) => Style::Bad,
        Some(ObjectionSeverity::Major) => Style::Warn,
        Some(ObjectionSeverity::Minor) | None => Style::Name,
    }
}

/// Red where a place of the point is not as it was cited, amber where it is near.
fn place_style(nth: usize, stamps: &[GroundStamp]) -> Style {
    let of_it = || stamps.iter().filter(|stamp| stamp.point == nth);
    let has = |kind| of_it().any(|stamp| stamp.stamped.stamp.kind() == kind);
    if has(StampKind::Wrong) || has(StampKind::Missing) {
        Style::Bad
    } else if has(StampKind::Moved) {
        Style::Warn
    } else {
        Style::Dim
    }
}

/// The most telling place that a point cites, with what was found there: first one that is wrong or
/// missing, since that is what a reader must know, else one that was found, else the first.
fn point_place(nth: usize, point: &Point<'_>, stamps: &[GroundStamp]) -> String {
    let of_it = || {
        let stamps = stamps.iter().filter(|stamp| stamp.point == nth);
        stamps.filter(|stamp| stamp.stamped.stamp.names_a_place())
    };
    let not_there = |stamp: &&GroundStamp| {
        matches!(
            stamp.stamped.stamp.kind(),
            StampKind::Wrong | StampKind::Missing
        )
    };
    let first = of_it()
        .find(not_there)
        .or_else(|| of_it().find(|stamp| stamp.is_found_or_moved()))
        .or_else(|| of_it().next());
    let said = first.and_then(place_with_lookup_result);
    said.or_else(|| first_cited_place(point.grounds()))
        .unwrap_or_default()
}

fn point_id_and_relation(id: NodeId, point: &Point<'_>) -> String {
    match point {
        Point::Argument(_) | Point::Contention(_) => id.to_string(),
        Point::Alternative(_) => format!("{id} alternative"),
        Point::Objection(objection) => {
            let severity = objection.severity.label();
            format!("{id} on {}  {severity}", objection.target)
        }
        Point::Response(response) => {
            format!("{id} on {} {}", response.objection, response.reply.label())
        }
        Point::Assessment(assessment) => {
            format!(
                "{id} on {} {}",
                assessment.response,
                assessment.ruling.label()
            )
        }
        Point::Agreement(agreement) => format!("{id} on {} accepts", agreement.target),
    }
}

fn point_text(point: &Point<'_>) -> String {
    match point {
        Point::Argument(argument) | Point::Alternative(argument) => plain_line(&argument.title),
        Point::Contention(contention) => plain_line(&contention.argument.title),
        Point::Objection(_) | Point::Response(_) | Point::Assessment(_) => {
            plain_line(point.main_text())
        }
        Point::Agreement(agreement) => {
            format!("risk left: {}", plain_line(&agreement.remaining_risk))
        }
    }
}

fn cleared_category_line(none: &NoneFound) -> Line {
    let looked: Vec<_> = none
        .looked_at
        .iter()
        .map(|place| plain_line(place))
        .collect();
    let category = none.category.label();
    let why = none.why.as_deref().map(plain_line);
    let why = why.map_or(String::new(), |why| format!("; why: {why}"));
    Line::default()
        .with(Style::Name, format!("  {category:<20}  "))
        .with(
            Style::Plain,
            format!("nothing found; looked at {}{why}", looked.join(", ")),
        )
}
