//! Exchanges and turns of a formal debate.

mod standing;
mod verdict;

use agon_record::event::ScoreEntry;
use agon_record::evidence::stamps_of_turn;
use agon_record::id::{NodeId, Stage, TurnId};
use agon_record::moves::{Contention, DefenseKind};
use agon_record::point::{Point, points};
use agon_record::score::Score;
use agon_record::state::{Admitted, State, Turn, TurnEnd};
use agon_rules::format::first_unjudged_exchange;

use super::claim::point_lines_in_detail;
use super::clamp_width;
use super::detail::Detail;
use super::finding::finding_line;
use super::line::{Line, Style, seat_style};
use crate::labels::{self, describe_cause};
use crate::text::{count_with_noun, display_width, format_duration, plain_line};

pub use standing::{formal_overview_lines, theses_lines, totals_lines};
pub use verdict::{formal_verdict_lines, full_formal_verdict_lines};

// The width of `exchange 999` and a space.
/// The width of a label with the space after it, in columns.
const LABEL: usize = 13;

/// Returns the lines of an exchange: every argument with its score, the attacks and defenses, and
/// the earlier scores that the exchange changed.
///
/// The short form has only the arguments, the changed scores and the broken rules that no citation
/// stamp shows.
///
/// Empty until the arguments of a side are part of the debate.
pub fn exchange_lines(state: &State, exchange: u16, detail: Detail, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let made = exchange_arguments(state, exchange);
    if made.is_empty() {
        return Vec::new();
    }
    let (mut lines, hang) = argument_lines(state, &made, width);
    let mut hangs = vec![hang; lines.len()];
    let rescored = ("rescored", rescore_entries(state, exchange));
    let relations = match detail {
        Detail::Claims => vec![rescored],
        Detail::Whole => vec![
            ("attacks", attack_entries(&made)),
            ("defends", defense_entries(&made)),
            rescored,
            ("turns", turn_entries(state, exchange)),
        ],
    };
    for (label, entries) in relations {
        lines.extend(labelled_entry_line(label, &entries));
    }
    let findings = ended_turns(state, exchange).flat_map(|(_, turn)| match &turn.end {
        Some(TurnEnd::Admitted(admitted)) => admitted.findings.as_slice(),
        Some(TurnEnd::Lost { .. }) | None => &[],
    });
    let findings = findings.filter(|finding| detail.shows_finding(finding));
    lines.extend(findings.take(MAX_FINDINGS).map(finding_line));
    hangs.resize(lines.len(), LABEL + INNER);
    let label = state.format_rules().round_label(exchange);
    // Indent further lines to the text behind the label.
    let lines = label_first_line(&label, lines).into_iter().zip(hangs);
    let lines = lines.flat_map(|(line, hang)| line.wrap_to_width(hang, width));
    lines.collect()
}

/// Maximum number of findings shown; `agon check` lists them all.
const MAX_FINDINGS: usize = 6;

/// Returns the lines of a turn: the theses, a side's arguments, or why the turn was lost. The
/// judge's scores are shown with the exchange.
pub(super) fn turn_lines(state: &State, id: TurnId, detail: Detail, width: usize) -> Vec<Line> {
    match state.turns.get(&id).and_then(|turn| turn.end.as_ref()) {
        Some(TurnEnd::Lost { cause, findings }) => {
            let lost = format!("{} lost: {}", id.seat, describe_cause(cause));
            let lost = vec![Line::default().with(Style::Warn, lost)];
            let mut lines = label_first_line(&stage_label(state, id), lost);
            lines.extend(findings.iter().take(MAX_FINDINGS).map(finding_line));
            let lines = lines.into_iter();
            lines
                .flat_map(|line| line.wrap_to_width(LABEL, width))
                .collect()
        }
        Some(TurnEnd::Admitted(_)) if id.stage == Stage::Theses => theses_lines(state, width),
        Some(TurnEnd::Admitted(admitted)) => side_lines(state, id, admitted, detail, width),
        None => Vec::new(),
    }
}

/// Returns the lines of a side's arguments in an exchange; empty for a judge.
fn side_lines(
    state: &State,
    id: TurnId,
    admitted: &Admitted,
    detail: Detail,
    width: usize,
) -> Vec<Line> {
    let nodes: Vec<_> = admitted.ids.iter().zip(points(&admitted.moves)).collect();
    if nodes.is_empty() {
        return Vec::new();
    }
    let tool = state.seats.get(&id.seat).map(|seating| &seating.tool);
    let tool = tool.map_or_else(String::new, |tool| format!(" {}", tool.as_str()));
    let head = Line::default()
        .with(Style::Name, format!("{}  ", stage_label(state, id)))
        .with(seat_style(id.seat), format!("{}{tool}", id.seat));
    let stamps = stamps_of_turn(state, id);
    let points = nodes.into_iter().enumerate();
    let points = points.flat_map(|(nth, (&node, point))| {
        let stamps: Vec<_> = stamps.iter().filter(|stamp| stamp.point == nth).collect();
        point_lines_in_detail(node, &point, &stamps, detail, width)
    });
    head.wrap_to_width(4, width)
        .into_iter()
        .chain(points)
        .collect()
}

/// Returns the judges' reason for each score of an exchange.
fn reason_lines(state: &State, exchange: u16, width: usize) -> Vec<Line> {
    let judges = state.seats.keys().copied().filter(|seat| seat.is_judge());
    let turns = judges.map(|seat| TurnId::round(exchange, seat));
    let scores = turns.filter_map(|turn| Some((turn.seat, state.admitted(turn)?.moves.scores()?)));
    let mut lines = Vec::new();
    let mut before = None;
    for (judge, scores) in scores {
        let said = scores.scores.iter();
        let said = said.map(|one| (one.argument_id, one.score, &one.reasoning));
        let again = scores.rescores.iter();
        let again = again.map(|one| (one.argument_id, one.new_score, &one.reasoning));
        for (id, score, why) in said.chain(again) {
            let name = match before.replace(judge) {
                Some(before) if before == judge => String::new(),
                Some(_) | None => judge.to_string(),
            };
            let line = Line::default()
                .with(Style::Name, format!("{name:<LABEL$}"))
                .with(seat_style(id.seat), format!("{id} "))
                .with(Style::Strong, format!("{score} "))
                .with_ids(Style::Plain, &plain_line(why));
            lines.extend(line.wrap_to_width(LABEL, width));
        }
    }
    lines
}

/// Returns the complete transcript: the theses, then each exchange.
pub(super) fn transcript_parts(state: &State, width: usize) -> Vec<Vec<Line>> {
    let exchanges = (0..=first_unjudged_exchange(state)).map(|exchange| {
        let sides = state.spec.format().sides().into_iter();
        let turns = sides.map(|seat| TurnId::round(exchange, seat));
        let mut lines: Vec<_> = turns
            .flat_map(|turn| turn_lines(state, turn, Detail::Whole, width))
            .collect();
        lines.extend(exchange_lines(state, exchange, Detail::Whole, width));
        lines.extend(reason_lines(state, exchange, width));
        lines
    });
    std::iter::once(theses_lines(state, width))
        .chain(exchanges)
        .collect()
}

/// Returns the name of a turn's stage, such as `exchange 2`.
fn stage_label(state: &State, id: TurnId) -> String {
    match id.stage {
        Stage::Theses => "theses".to_owned(),
        Stage::Round(round) => state.format_rules().round_label(round),
        Stage::Verdict | Stage::Swap => "verdict".to_owned(),
    }
}

/// An argument made in an exchange, with its id.
struct MadeArgument<'a> {
    id: NodeId,
    contention: &'a Contention,
}

fn exchange_arguments(state: &State, exchange: u16) -> Vec<MadeArgument<'_>> {
    let sides = state.spec.format().sides();
    let of = |seat| {
        let turn = TurnId::round(exchange, seat);
        let admitted = state.admitted(turn)?;
        Some(admitted.ids.iter().zip(admitted.moves.contentions()))
    };
    let made = sides.into_iter().filter_map(of).flatten();
    made.map(|(&id, contention)| MadeArgument { id, contention })
        .collect()
}

/// Returns a line for each argument (side, score, id, title) and the columns before the titles.
fn argument_lines(state: &State, made: &[MadeArgument<'_>], width: usize) -> (Vec<Line>, usize) {
    let ids = made.iter().map(|made| display_width(&made.id.to_string()));
    let ids = ids.max().unwrap_or(0);
    let sides = if width < 80 { 0 } else { 13 };
    let mut before = None;
    let line = |made: &MadeArgument<'_>| {
        let side = match before.replace(made.id.seat) {
            Some(before) if before == made.id.seat => String::new(),
            Some(_) | None => made.id.seat.to_string(),
        };
        let first = state
            .score_histories()
            .get(&made.id)
            .and_then(|all| all.first());
        let score = first.map_or("waits".to_owned(), |entry| entry.score.to_string());
        let spread = first.and_then(score_spread).unwrap_or_default();
        let title = plain_line(&made.contention.argument.title);
        let side = if sides == 0 { String::new() } else { side };
        let style = seat_style(made.id.seat);
        Line::default()
            .with(style, format!("{side:<sides$}"))
            .with(Style::Strong, format!("{score:<8}"))
            .with(style, format!("{:<ids$}  ", made.id.to_string()))
            .with(Style::Plain, title)
            .with(Style::Dim, spread)
    };
    let lines = made.iter().map(line).collect();
    (lines, LABEL + sides + 8 + ids + 2)
}

/// Returns the lowest and highest score of a panel, if its judges differ.
fn score_spread(entry: &ScoreEntry) -> Option<String> {
    let [low, high] = entry.spread?;
    (low != high).then(|| format!("  ({low} to {high})"))
}

fn attack_entries(made: &[MadeArgument<'_>]) -> Vec<String> {
    let attacks = made.iter().flat_map(|made| {
        let attacks = made.contention.attacks.iter();
        attacks.map(|attack| {
            let part = attack.attack_type.part_label();
            format!("{} → {} ({part})", made.id, attack.target_id)
        })
    });
    attacks.collect()
}

fn defense_entries(made: &[MadeArgument<'_>]) -> Vec<String> {
    let defenses = made.iter().flat_map(|made| {
        let defends = made.contention.defends.iter();
        defends.map(|defend| {
            let how = match defend.defense_type {
                DefenseKind::Reinforce => "reinforces",
                DefenseKind::Clarify => "clarifies",
                DefenseKind::ConcedeAndPivot => "concedes and moves on",
            };
            format!("{} → {} ({how})", made.id, defend.target_id)
        })
    });
    defenses.collect()
}

/// Returns the earlier scores that the judgment of `exchange` changed.
fn rescore_entries(state: &State, exchange: u16) -> Vec<String> {
    let mut found = Vec::new();
    for (id, history) in state.score_histories() {
        for pair in history.windows(2) {
            let [before, after] = pair else { continue };
            if let Some(by) = after.triggered_by.filter(|by| by.round == exchange) {
                found.push(format!("{id} {} → {} ({by})", before.score, after.score));
            }
        }
    }
    found
}

/// Returns each turn's seat, tool and time, and the replies that were sent back.
fn turn_entries(state: &State, exchange: u16) -> Vec<String> {
    let entries = ended_turns(state, exchange).filter_map(|(id, turn)| {
        let given = turn.asks.iter().rev().find_map(|ask| ask.given.as_ref())?;
        let tool = turn
            .asks
            .iter()
            .rev()
            .find_map(|ask| Some(ask.asked.as_ref()?.tool.to_string()))?;
        let back = labels::sent_back_replies(state, id).map(|back| {
            let codes: Vec<_> = back.codes.iter().map(|code| plain_line(code)).collect();
            let replies = match back.replies {
                1 => "1 reply".to_owned(),
                replies => format!("{replies} replies"),
            };
            format!(" ({replies} sent back first: {})", codes.join(", "))
        });
        let back = back.unwrap_or_default();
        Some(format!(
            "{} {tool} {}{back}",
            id.seat,
            format_duration(given.took_ms)
        ))
    });
    entries.collect()
}

/// Returns the completed turns of an exchange.
fn ended_turns(state: &State, exchange: u16) -> impl Iterator<Item = (TurnId, &Turn)> {
    state
        .turns
        .iter()
        .filter(move |(id, turn)| id.stage == Stage::Round(exchange) && turn.end.is_some())
        .map(|(&id, turn)| (id, turn))
}

// The width of the longest label, `rescored`, and two spaces.
/// The width of a label within an exchange, in columns.
const INNER: usize = 10;

/// Returns the line with `entries` behind their label, or `None` if there are none.
fn labelled_entry_line(label: &str, entries: &[String]) -> Option<Line> {
    let label = Line::default().with(Style::Dim, format!("{label:<INNER$}"));
    (!entries.is_empty()).then(|| label.with_ids(Style::Plain, &entries.join(", ")))
}

/// Puts a label before the first line and indents the others by the width of a label.
fn label_first_line(label: &str, lines: Vec<Line>) -> Vec<Line> {
    // The last space is separate, so that it also follows a longer label.
    const SPACE: usize = LABEL - 1;
    let begin = |(at, line): (usize, Line)| {
        let label = if at == 0 { label } else { "" };
        let mut whole = Line::default().with(Style::Name, format!("{label:<SPACE$} "));
        whole.spans.extend(line.spans);
        whole
    };
    lines.into_iter().enumerate().map(begin).collect()
}

/// Returns a side's total and number of arguments, such as `proposition +1.650 (6)`.
fn format_total(seat: agon_record::id::Seat, total: Score, count: u32) -> String {
    let total = match total {
        Score::ZERO => " 0.000".to_owned(),
        other => other.to_string(),
    };
    format!("{seat} {total} ({count})")
}

/// Returns the number of attacks, defenses and concessions, in this order.
fn attack_defense_concession_counts(state: &State) -> [usize; 3] {
    let mut counts = [0; 3];
    for node in state.nodes() {
        let Point::Contention(contention) = node.point else {
            continue;
        };
        let pivots = |kind| kind == DefenseKind::ConcedeAndPivot;
        counts[0] += contention.attacks.len();
        counts[1] += contention.defends.len();
        counts[2] += contention
            .defends
            .iter()
            .filter(|defend| pivots(defend.defense_type))
            .count();
    }
    counts
}

/// Returns a count with its noun, such as `3 attacks`.
fn usize_with_noun(count: usize, one: &str) -> String {
    count_with_noun(count as u64, one)
}
