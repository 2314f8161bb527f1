//! Sections of a debate: what was said, what broke a rule, which points were made.

use agon_record::finding::Finding;
use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::moves::{Attack, Defend, Ground, Moves};
use agon_record::point::{Node, Point};
use agon_record::score::Score;
use agon_record::spec::FormatName;
use agon_record::state::{State, Turn, TurnEnd};
use agon_record::tally;
use agon_report::screen::{Line, Style, blind_line, exchange_lines, theses_lines, turn_lines};
use agon_report::text::{first_place, plain};
use agon_rules::format;
use agon_verdict::render::render;
use serde::Serialize;

use crate::args::Section;
use crate::command::cited;
use crate::error::Failure;
use crate::output::{Out, ansi};

#[derive(Serialize)]
struct Document<'a, T> {
    schema: &'static str,
    debate: &'a str,
    section: &'static str,
    total: usize,
    entries: Vec<T>,
}

#[derive(Serialize)]
struct Said<'a> {
    turn: TurnId,
    seat: Seat,
    tool: Option<&'a str>,
    took_ms: Option<u64>,
    lost: Option<&'static str>,
    ids: &'a [NodeId],
    moves: Option<&'a Moves>,
    findings: usize,
}

#[derive(Serialize)]
struct Made<'a> {
    id: NodeId,
    seat: Seat,
    turn: TurnId,
    kind: &'static str,
    target: Option<NodeId>,
    title: Option<&'a str>,
    text: &'a str,
    grounds: &'a [Ground],
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attacks: Option<&'a [Attack]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    defends: Option<&'a [Defend]>,
}

/// Prints a section as a document; with `limit`, the first entries of it.
pub(crate) fn json(
    state: &State,
    section: Section,
    limit: Option<usize>,
    out: &mut Out,
) -> Result<(), Failure> {
    match section {
        Section::Transcript => {
            let ended = state.turns.iter().filter_map(|(&id, turn)| said(id, turn));
            document(state, "transcript", ended.collect(), limit, out)
        }
        Section::Findings => document(state, "findings", findings(state), limit, out),
        Section::Arguments => {
            let nodes = state.nodes();
            document(
                state,
                "arguments",
                nodes.iter().map(|node| made(state, node)).collect(),
                limit,
                out,
            )
        }
    }
}

fn document<T: Serialize>(
    state: &State,
    section: &'static str,
    mut entries: Vec<T>,
    limit: Option<usize>,
    out: &mut Out,
) -> Result<(), Failure> {
    let total = entries.len();
    entries.truncate(limit.unwrap_or(total));
    let debate = state.spec.slug.as_str();
    out.json(&Document {
        schema: "agon.section/1",
        debate,
        section,
        total,
        entries,
    })
}

/// Prints a section for people.
pub(crate) fn text(
    state: &State,
    section: Section,
    limit: Option<usize>,
    width: usize,
    out: &mut Out,
) -> Result<(), Failure> {
    let limit = limit.unwrap_or(usize::MAX);
    match section {
        Section::Transcript if state.spec.format == FormatName::Formal => {
            let exchanges = (0..=format::exchange(state))
                .map(|exchange| exchange_lines(state, exchange, width));
            let told = std::iter::once(theses_lines(state, width)).chain(exchanges);
            let told = told.filter(|lines| !lines.is_empty());
            for line in told.take(limit).flatten() {
                out.line(&ansi(&line))?;
            }
        }
        Section::Transcript => {
            let blind = blind_line(state, width).map(|line| vec![line]);
            let rounds = state
                .turns
                .keys()
                .map(|&turn| turn_lines(state, turn, width));
            let turns = blind
                .into_iter()
                .chain(rounds)
                .filter(|lines| !lines.is_empty());
            for line in turns.take(limit).flatten() {
                out.line(&ansi(&line))?;
            }
        }
        Section::Findings => {
            let mut found = findings(state);
            found.truncate(limit);
            out.data(&render(
                &found,
                &|_| None,
                &|one| cited::lines(state, one),
                true,
            ))?;
            if found.is_empty() {
                out.note("no rule was broken");
            }
        }
        Section::Arguments => {
            for node in state.nodes().iter().take(limit) {
                out.line(&ansi(&point(state, node).fitted(width)))?;
            }
        }
    }
    Ok(())
}

/// Every finding that stayed in the debate, turn by turn.
pub(crate) fn findings(state: &State) -> Vec<Finding> {
    let of = |turn: &Turn| match &turn.end {
        Some(TurnEnd::Admitted(admitted)) => admitted.findings.clone(),
        Some(TurnEnd::Lost { findings, .. }) => findings.clone(),
        None => Vec::new(),
    };
    state.turns.values().flat_map(of).collect()
}

fn said(id: TurnId, turn: &Turn) -> Option<Said<'_>> {
    let last = turn.asks.iter().rev().find(|ask| ask.asked.is_some());
    let given = turn.asks.iter().rev().find_map(|ask| ask.given.as_ref());
    let said = Said {
        turn: id,
        seat: id.seat,
        tool: last.and_then(|ask| Some(ask.asked.as_ref()?.tool.as_str())),
        took_ms: given.map(|given| given.took_ms),
        lost: None,
        ids: &[],
        moves: None,
        findings: 0,
    };
    Some(match turn.end.as_ref()? {
        TurnEnd::Admitted(admitted) => Said {
            ids: &admitted.ids,
            moves: Some(&admitted.moves),
            findings: admitted.findings.len(),
            ..said
        },
        TurnEnd::Lost { cause, findings } => Said {
            lost: Some(cause.code.name()),
            findings: findings.len(),
            ..said
        },
    })
}

fn made<'a>(state: &State, node: &Node<'a>) -> Made<'a> {
    let formal = match node.point {
        Point::Contention(contention) => Some(contention),
        Point::Argument(_)
        | Point::Objection(_)
        | Point::Response(_)
        | Point::Assessment(_)
        | Point::Agreement(_)
        | Point::Alternative(_) => None,
    };
    Made {
        score: tally::score(state, node.id),
        attacks: formal.map(|made| made.attacks.as_slice()),
        defends: formal.map(|made| made.defends.as_slice()),
        id: node.id,
        seat: node.seat(),
        turn: node.turn,
        kind: kind(&node.point),
        target: node.point.target(),
        title: title(&node.point),
        text: node.point.text(),
        grounds: node.point.grounds(),
    }
}

fn kind(point: &Point<'_>) -> &'static str {
    match point {
        Point::Argument(_) => "argument",
        Point::Objection(_) => "objection",
        Point::Response(_) => "response",
        Point::Assessment(_) => "assessment",
        Point::Agreement(_) => "agreement",
        Point::Alternative(_) => "alternative",
        Point::Contention(_) => "argument",
    }
}

fn title<'a>(point: &Point<'a>) -> Option<&'a str> {
    match point {
        Point::Argument(argument) | Point::Alternative(argument) => Some(&argument.title),
        Point::Contention(contention) => Some(&contention.argument.title),
        Point::Objection(_) | Point::Response(_) | Point::Assessment(_) | Point::Agreement(_) => {
            None
        }
    }
}

fn point(state: &State, node: &Node<'_>) -> Line {
    let target = node.point.target().map(|target| format!(" on {target}"));
    // In a formal debate every point is an argument, and what tells them apart is the score.
    let relation = match (state.spec.format, tally::score(state, node.id)) {
        (FormatName::Formal, Some(score)) => format!("{:<10}", score.to_string()),
        (FormatName::Formal, None) => format!("{:<10}", "waits"),
        (FormatName::Duel, _) => {
            let relation = kind(&node.point).to_owned() + &target.unwrap_or_default();
            format!("{relation:<24}")
        }
    };
    let text = plain(title(&node.point).unwrap_or(node.point.text()));
    let place = first_place(node.point.grounds()).map(|place| format!("  {place}"));
    Line::default()
        .with(Style::Name, format!("{:<10}", node.id.to_string()))
        .with(Style::Dim, relation)
        .with(Style::Plain, text)
        .with(Style::Dim, place.unwrap_or_default())
}
