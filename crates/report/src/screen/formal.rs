//! An exchange of a formal debate, as it ends.

mod standing;

use agon_record::event::ScoreEntry;
use agon_record::id::{NodeId, Stage, TurnId};
use agon_record::moves::{Contention, DefenseKind};
use agon_record::point::Point;
use agon_record::score::Score;
use agon_record::state::{State, Turn, TurnEnd};

use super::clamp_width;
use super::finding::finding_line;
use super::line::{Line, Style};
use crate::labels;
use crate::text::{
    count_with_noun, display_width, format_duration, plain_line, truncate_to_width, wrap_to_lines,
};

pub use standing::{ending_lines, formal_overview_lines, theses_lines, totals_lines};

// `exchange 999`, and a space.
/// Columns of a label, with the space after it.
const LABEL: usize = 13;

/// The lines of an exchange: every argument with its score, what it attacks
/// and defends, and which earlier scores the exchange changed.
///
/// Empty as long as neither side's arguments are part of the debate.
pub fn exchange_lines(state: &State, exchange: u16, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let made = exchange_arguments(state, exchange);
    if made.is_empty() {
        return Vec::new();
    }
    let mut lines = argument_lines(state, &made, width);
    let relations = [
        ("attacks", attack_entries(&made)),
        ("defends", defense_entries(&made)),
        ("rescored", rescore_entries(state, exchange)),
        ("turns", turn_entries(state, exchange)),
    ];
    for (label, entries) in relations {
        lines.extend(labelled_entry_lines(label, &entries, width));
    }
    let findings = ended_turns(state, exchange).flat_map(|(_, turn)| match &turn.end {
        Some(TurnEnd::Admitted(admitted)) => admitted.findings.as_slice(),
        Some(TurnEnd::Lost { .. }) | None => &[],
    });
    lines.extend(findings.take(MAX_FINDINGS).map(finding_line));
    let label = format!("exchange {exchange}");
    label_first_line(&label, lines)
        .into_iter()
        .map(|line| line.fit_to_width(width))
        .collect()
}

/// Findings that are told one by one; `agon check` has the others.
const MAX_FINDINGS: usize = 6;

/// The lines of a turn of a formal debate that says something by itself: the
/// theses, and a turn that was lost. What else was said is told with its
/// exchange.
pub(super) fn turn_lines(state: &State, id: TurnId, width: usize) -> Vec<Line> {
    match state.turns.get(&id).and_then(|turn| turn.end.as_ref()) {
        Some(TurnEnd::Lost { cause, findings }) => {
            let detail = match plain_line(&cause.detail).as_str() {
                "" => String::new(),
                detail => format!(" ({detail})"),
            };
            let lost = format!("{} lost: {}{detail}", id.seat, cause.code.name());
            let lost = vec![Line::default().with(Style::Warn, lost)];
            let mut lines = label_first_line(&stage_label(id), lost);
            lines.extend(findings.iter().take(MAX_FINDINGS).map(finding_line));
            lines
        }
        Some(TurnEnd::Admitted(_)) if id.stage == Stage::Theses => theses_lines(state, width),
        Some(TurnEnd::Admitted(_)) | None => Vec::new(),
    }
}

/// When in a formal debate a turn is spoken, as people say it.
fn stage_label(id: TurnId) -> String {
    match id.stage {
        Stage::Theses => "theses".to_owned(),
        Stage::Round(exchange) => format!("exchange {exchange}"),
        Stage::Verdict | Stage::Swap => "verdict".to_owned(),
    }
}

/// An argument made in an exchange, with its id.
struct Made<'a> {
    id: NodeId,
    contention: &'a Contention,
}

fn exchange_arguments(state: &State, exchange: u16) -> Vec<Made<'_>> {
    let sides = state.spec.format().sides();
    let of = |seat| {
        let turn = TurnId::round(exchange, seat);
        let admitted = state.admitted(turn)?;
        Some(admitted.ids.iter().zip(admitted.moves.contentions()))
    };
    let made = sides.into_iter().filter_map(of).flatten();
    made.map(|(&id, contention)| Made { id, contention })
        .collect()
}

/// A line for each argument: side, score, id, title.
fn argument_lines(state: &State, made: &[Made<'_>], width: usize) -> Vec<Line> {
    let ids = made.iter().map(|made| display_width(&made.id.to_string()));
    let ids = ids.max().unwrap_or(0);
    let sides = if width < 80 { 0 } else { 13 };
    let mut before = None;
    let line = |made: &Made<'_>| {
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
        let taken = LABEL + sides + 8 + ids + 2 + display_width(&spread);
        let title = truncate_to_width(
            &plain_line(&made.contention.argument.title),
            width.saturating_sub(taken).max(10),
        );
        let side = if sides == 0 { String::new() } else { side };
        Line::default()
            .with(Style::Dim, format!("{side:<sides$}"))
            .with(Style::Strong, format!("{score:<8}"))
            .with(Style::Name, format!("{:<ids$}  ", made.id.to_string()))
            .with(Style::Plain, title)
            .with(Style::Dim, spread)
    };
    made.iter().map(line).collect()
}

/// What a panel's judges gave, where they did not agree.
fn score_spread(entry: &ScoreEntry) -> Option<String> {
    let [low, high] = entry.spread?;
    (low != high).then(|| format!("  ({low} to {high})"))
}

fn attack_entries(made: &[Made<'_>]) -> Vec<String> {
    let attacks = made.iter().flat_map(|made| {
        let attacks = made.contention.attacks.iter();
        attacks.map(|attack| {
            let part = attack.attack_type.part_label();
            format!("{} → {} ({part})", made.id, attack.target_id)
        })
    });
    attacks.collect()
}

fn defense_entries(made: &[Made<'_>]) -> Vec<String> {
    let defenses = made.iter().flat_map(|made| {
        let defends = made.contention.defends.iter();
        defends.map(|defend| {
            let how = match defend.defense_type {
                DefenseKind::Reinforce => "reinforces",
                DefenseKind::Clarify => "clarifies",
                DefenseKind::ConcedeAndPivot => "concedes, pivots",
            };
            format!("{} → {} ({how})", made.id, defend.target_id)
        })
    });
    defenses.collect()
}

/// The earlier scores that the judgment of `exchange` changed.
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

/// Who spoke, for how long, and what was sent back.
fn turn_entries(state: &State, exchange: u16) -> Vec<String> {
    let told = ended_turns(state, exchange).filter_map(|(id, turn)| {
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
            format!(" ({replies} sent back: {})", codes.join(" "))
        });
        let back = back.unwrap_or_default();
        Some(format!(
            "{} {tool} {}{back}",
            id.seat,
            format_duration(given.took_ms)
        ))
    });
    told.collect()
}

/// The turns of an exchange that ended.
fn ended_turns(state: &State, exchange: u16) -> impl Iterator<Item = (TurnId, &Turn)> {
    state
        .turns
        .iter()
        .filter(move |(id, turn)| id.stage == Stage::Round(exchange) && turn.end.is_some())
        .map(|(&id, turn)| (id, turn))
}

/// `entries` behind their label, in at most three lines.
fn labelled_entry_lines(label: &str, entries: &[String], width: usize) -> Vec<Line> {
    // The longest, `rescored`, and two spaces.
    const INNER: usize = 10;
    if entries.is_empty() {
        return Vec::new();
    }
    let room = width.saturating_sub(LABEL + INNER);
    let (texts, _) = wrap_to_lines(&entries.join(", "), room, 3);
    let line = |(at, text): (usize, String)| {
        let label = if at == 0 { label } else { "" };
        Line::default()
            .with(Style::Dim, format!("{label:<INNER$}"))
            .with(Style::Plain, text)
    };
    texts.into_iter().enumerate().map(line).collect()
}

/// Puts a label before the first line and indents the others by the width of a label.
fn label_first_line(label: &str, lines: Vec<Line>) -> Vec<Line> {
    // The space is written apart, so that a longer label keeps one.
    const SPACE: usize = LABEL - 1;
    let begin = |(at, line): (usize, Line)| {
        let label = if at == 0 { label } else { "" };
        let mut whole = Line::default().with(Style::Name, format!("{label:<SPACE$} "));
        whole.spans.extend(line.spans);
        whole
    };
    lines.into_iter().enumerate().map(begin).collect()
}

/// `proposition +1.650 (6)`.
fn format_total(seat: agon_record::id::Seat, total: Score, count: u32) -> String {
    let total = match total {
        Score::ZERO => " 0.000".to_owned(),
        other => other.to_string(),
    };
    format!("{seat} {total} ({count})")
}

/// How many attacks, defenses and concessions there are in the debate, in this order.
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

/// Several of something, in words.
fn usize_with_noun(count: usize, one: &str) -> String {
    count_with_noun(count as u64, one)
}
