//! What each side's points rest on, and what was said to be unsupported and stayed so.

use std::collections::BTreeMap;

use agon_record::id::{NodeId, Seat};
use agon_record::moves::{Citation, Ground, ObjectionKind, ReplyKind, RulingKind};
use agon_record::point::{Node, Point};
use agon_record::state::State;
use agon_record::support::{self as record, PointSupport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::name_with_fault;

/// What a side's points rest on, where that is not evidence.
///
/// Counted are those that have to be shown by evidence: claims, objections to a claim or its grounds,
/// rebuttals, trade-offs and agreements. Each counts once, by the best of its grounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Support {
    /// Its points that have to be shown by evidence.
    pub points: u32,
    /// Those that rest on reasoning alone: they cite no place.
    pub by_reasoning: u32,
    /// Which ones; left out where there is none, and in a result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<NodeId>,
    /// Those that cite only wrong or missing places; left out where there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_there: u32,
    /// Which ones; left out where there is none, and in a result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_there_ids: Vec<NodeId>,
    /// Those that cite a place and quote nothing of it; left out where there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unquoted: u32,
    /// Which ones; left out where there is none, and in a result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unquoted_ids: Vec<NodeId>,
}

/// A count that a document leaves out.
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Support {
    fn add(&mut self, one: PointSupport) {
        self.points += 1;
        let (count, ids) = match one.support {
            record::Support::Reasoning => (&mut self.by_reasoning, &mut self.ids),
            record::Support::NotThere => (&mut self.not_there, &mut self.not_there_ids),
            record::Support::Unquoted => (&mut self.unquoted, &mut self.unquoted_ids),
            record::Support::Unchecked | record::Support::Found => return,
        };
        *count += 1;
        ids.push(one.id);
    }

    /// The counts alone.
    #[must_use]
    pub fn without_ids(self) -> Self {
        Self {
            ids: Vec::new(),
            not_there_ids: Vec::new(),
            unquoted_ids: Vec::new(),
            ..self
        }
    }
}

/// A point that was said to be unsupported, and nobody took that back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unsupported {
    /// The point.
    pub id: NodeId,
    /// The point that says so.
    pub by: NodeId,
    /// Whether the side that made it conceded that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub conceded: bool,
}

/// What the points of each side rest on, where that is not evidence.
///
/// None in a debate that other programs may write parts of and that cites no place at all: what they
/// write has no field for one.
pub fn support_counts(state: &State) -> BTreeMap<Seat, Support> {
    let mut grounds = state
        .nodes()
        .into_iter()
        .flat_map(|node| node.point.grounds());
    if state.format_rules().takes_outside_parts && !grounds.any(has_place) {
        return BTreeMap::new();
    }
    let sides = state.spec.format().sides();
    let mut counts = BTreeMap::from(sides.map(|seat| (seat, Support::default())));
    for one in record::point_supports(state) {
        counts.entry(one.id.seat).or_default().add(one);
    }
    counts
}

/// Whether a ground names a place that could be looked up.
pub(super) fn has_place(ground: &Ground) -> bool {
    let named = |citation: &Citation| {
        [&citation.file, &citation.commit, &citation.url]
            .into_iter()
            .chain([&citation.document, &citation.command])
            .any(Option::is_some)
    };
    ground.citation.as_ref().is_some_and(named)
}

/// The points that were said to be unsupported and stood so at the end, in the order of the debate.
///
/// An objection stands until its owner rules that the answer to it resolves it; one that was
/// conceded stands for good. An answer that calls an objection unsupported stands unless its owner
/// sustains it. A ruling that an answer is unsupported stands.
pub fn unsupported_points(state: &State) -> Vec<Unsupported> {
    let nodes = state.nodes();
    let found = nodes.iter().filter_map(|node| match node.point {
        Point::Objection(objection) if objection.kind == ObjectionKind::Unsupported => {
            let conceded = is_conceded(&nodes, node.id);
            let stands = conceded || !is_withdrawn(&nodes, node.id);
            stands.then_some(Unsupported {
                id: objection.target,
                by: node.id,
                conceded,
            })
        }
        Point::Response(response) if response.reply == ReplyKind::Unsupported => {
            let stands = !has_ruling(&nodes, node.id, RulingKind::Sustained);
            stands.then_some(Unsupported {
                id: response.objection,
                by: node.id,
                conceded: has_ruling(&nodes, node.id, RulingKind::Resolved),
            })
        }
        Point::Assessment(assessment) if assessment.ruling == RulingKind::Unsupported => {
            Some(Unsupported {
                id: assessment.response,
                by: node.id,
                conceded: false,
            })
        }
        _ => None,
    });
    found.collect()
}

fn answers_to(nodes: &[Node<'_>], objection: NodeId) -> impl Iterator<Item = (NodeId, ReplyKind)> {
    nodes.iter().filter_map(move |node| {
        let response = node.point.response()?;
        (response.objection == objection).then_some((node.id, response.reply))
    })
}

fn is_conceded(nodes: &[Node<'_>], objection: NodeId) -> bool {
    answers_to(nodes, objection).any(|(_, reply)| reply == ReplyKind::Concede)
}

fn is_withdrawn(nodes: &[Node<'_>], objection: NodeId) -> bool {
    answers_to(nodes, objection).any(|(answer, _)| has_ruling(nodes, answer, RulingKind::Resolved))
}

fn has_ruling(nodes: &[Node<'_>], answer: NodeId, kind: RulingKind) -> bool {
    let rulings = nodes.iter().filter_map(|node| node.point.assessment());
    let mut of_it = rulings.filter(|ruling| ruling.response == answer);
    of_it.any(|ruling| ruling.ruling == kind)
}

/// What rests on no evidence and what stood unsupported, as fragments without a full stop; empty
/// where every point cites a place that holds and none was challenged.
pub fn support_sentences(state: &State) -> Vec<String> {
    type Ids = fn(&Support) -> &[NodeId];
    let kinds: [([&str; 2], Ids); 3] = [
        (["cites nothing", "cite nothing"], |support| &support.ids),
        (
            [
                "has only wrong or missing citations",
                "have only wrong or missing citations",
            ],
            |support| &support.not_there_ids,
        ),
        (
            [
                "quotes nothing that it cites",
                "quote nothing that they cite",
            ],
            |support| &support.unquoted_ids,
        ),
    ];
    let counts = support_counts(state);
    let sides = state.spec.format().sides();
    let mut said = Vec::new();
    for ([of_one, of_several], part) in kinds {
        let sides = sides.into_iter();
        let of_side = |seat| Some((seat, counts.get(&seat)?));
        let weak: Vec<_> = sides
            .filter_map(of_side)
            .filter(|(_, support)| !part(support).is_empty())
            .map(|(seat, support)| {
                let (some, all) = (part(support).len(), support.points);
                let ids: Vec<_> = part(support).iter().map(ToString::to_string).collect();
                let verb = if some == 1 { of_one } else { of_several };
                let ids = ids.join(", ");
                format!("{some} of the {seat}'s {all} points {verb} ({ids})")
            })
            .collect();
        said.extend(weak);
    }
    let unsupported = unsupported_points(state);
    if !unsupported.is_empty() {
        let ids = unsupported.iter().map(|one| {
            let id = name_with_fault(state, one.id);
            match one.conceded {
                true => format!("{id} (by {}, conceded)", one.by),
                false => format!("{id} (by {})", one.by),
            }
        });
        let ids: Vec<_> = ids.collect();
        said.push(format!("left unsupported: {}", ids.join(", ")));
    }
    said
}
