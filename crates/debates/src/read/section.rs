//! Sections of a debate: transcript, findings, points and results.

use agon_record::evidence::stamps_of_point;
use agon_record::finding::Finding;
use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::moves::{Attack, Defend, Ground, Moves};
use agon_record::point::{Node, Point};
use agon_record::score::Score;
use agon_record::stamp::Stamped;
use agon_record::state::{State, Turn, TurnEnd};
use agon_record::tally;
use agon_verdict::synthesis::{SynthesisEntry, synthesis_entries};
use agon_verdict::verdict::verdict_without_graph;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::read::findings::recorded_findings;

/// A section of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// The transcript.
    Transcript,
    /// The findings: rules that were broken.
    Findings,
    /// The points.
    Arguments,
    /// The results beyond the answer.
    Synthesis,
}

/// A section of a debate, for programs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SectionDoc<'a> {
    schema: &'static str,
    debate: &'a str,
    section: Section,
    total: usize,
    entries: Entries<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Entries<'a> {
    Transcript(Vec<TurnEntry<'a>>),
    Findings(Vec<Finding>),
    Arguments(Vec<PointEntry<'a>>),
    Synthesis(Vec<SynthesisEntry>),
}

/// A turn and its points.
#[derive(Debug, Serialize, JsonSchema)]
struct TurnEntry<'a> {
    #[schemars(with = "String")]
    turn: TurnId,
    #[schemars(with = "String")]
    seat: Seat,
    tool: Option<&'a str>,
    took_ms: Option<u64>,
    lost: Option<&'static str>,
    ids: &'a [NodeId],
    moves: Option<&'a Moves>,
    findings: usize,
}

/// One point of a debate, for programs: `agon.point/1`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PointDoc<'a> {
    schema: &'static str,
    debate: &'a str,
    point: PointEntry<'a>,
    /// Its citations and their check results.
    places: Vec<&'a Stamped>,
    /// The points that refer to it.
    answered_by: Vec<NodeId>,
}

impl<'a> PointDoc<'a> {
    /// Returns the point `id`; `None` if it does not exist.
    pub(crate) fn find(state: &'a State, id: NodeId) -> Option<Self> {
        let node = state.node(id)?;
        let stamps = stamps_of_point(state, id).into_iter();
        Some(Self {
            schema: "agon.point/1",
            debate: &state.spec.slug,
            point: point_entry(state, &node),
            places: stamps.map(|stamp| &stamp.stamped).collect(),
            answered_by: state
                .nodes_referring_to(id)
                .iter()
                .map(|node| node.id)
                .collect(),
        })
    }
}

/// A point.
#[derive(Debug, Serialize, JsonSchema)]
struct PointEntry<'a> {
    id: NodeId,
    #[schemars(with = "String")]
    seat: Seat,
    #[schemars(with = "String")]
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

impl<'a> SectionDoc<'a> {
    /// Returns the first `limit` entries of a section.
    pub(crate) fn new(state: &'a State, section: Section, limit: Option<usize>) -> Self {
        let (total, entries) = match section {
            Section::Transcript => {
                let turns = state.turns.iter();
                let (total, turns) =
                    count_and_limit(turns.filter_map(|(&id, turn)| turn_entry(id, turn)), limit);
                (total, Entries::Transcript(turns))
            }
            Section::Findings => {
                let (total, findings) =
                    count_and_limit(recorded_findings(state).into_iter(), limit);
                (total, Entries::Findings(findings))
            }
            Section::Arguments => {
                let nodes = state.nodes();
                let (total, made) =
                    count_and_limit(nodes.iter().map(|node| point_entry(state, node)), limit);
                (total, Entries::Arguments(made))
            }
            Section::Synthesis => {
                let verdict = verdict_without_graph(state);
                let entries = verdict.iter();
                let entries = entries.flat_map(|verdict| synthesis_entries(state, verdict));
                let (total, entries) = count_and_limit(entries, limit);
                (total, Entries::Synthesis(entries))
            }
        };
        Self {
            schema: "agon.section/1",
            debate: &state.spec.slug,
            section,
            total,
            entries,
        }
    }
}

/// Returns the number of entries, and the first `limit` of them.
fn count_and_limit<T>(entries: impl Iterator<Item = T>, limit: Option<usize>) -> (usize, Vec<T>) {
    let mut entries: Vec<_> = entries.collect();
    let total = entries.len();
    entries.truncate(limit.unwrap_or(total));
    (total, entries)
}

fn turn_entry(id: TurnId, turn: &Turn) -> Option<TurnEntry<'_>> {
    let last = turn.asks.iter().rev().find(|ask| ask.asked.is_some());
    let given = turn.asks.iter().rev().find_map(|ask| ask.given.as_ref());
    let entry = TurnEntry {
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
        TurnEnd::Admitted(admitted) => TurnEntry {
            ids: &admitted.ids,
            moves: Some(&admitted.moves),
            findings: admitted.findings.len(),
            ..entry
        },
        TurnEnd::Lost { cause, findings } => TurnEntry {
            lost: Some(cause.code.name()),
            findings: findings.len(),
            ..entry
        },
    })
}

fn point_entry<'a>(state: &State, node: &Node<'a>) -> PointEntry<'a> {
    let formal = match node.point {
        Point::Contention(contention) => Some(contention),
        _ => None,
    };
    PointEntry {
        score: tally::current_score(state, node.id),
        attacks: formal.map(|made| made.attacks.as_slice()),
        defends: formal.map(|made| made.defends.as_slice()),
        id: node.id,
        seat: node.seat(),
        turn: node.turn,
        kind: node.point.kind(),
        target: node.point.target(),
        title: node.point.title(),
        text: node.point.main_text(),
        grounds: node.point.grounds(),
    }
}
