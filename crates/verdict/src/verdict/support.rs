//! The evidence behind each side's points, and points that stayed unsupported.

use std::collections::BTreeMap;

use agon_record::id::{NodeId, Seat};
use agon_record::moves::{Citation, Ground, ObjectionKind, ReplyKind, RulingKind};
use agon_record::point::{Node, Point};
use agon_record::state::State;
use agon_record::support::{self as record, PointSupport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::name_with_fault;

/// The points of a side that lack evidence.
///
/// It counts points that need evidence: claims, objections to a claim or its grounds, rebuttals,
/// trade-offs and agreements. Each counts once, by its best ground.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Support {
    /// The number of points that need evidence.
    pub points: u32,
    /// The points that do not cite a place and rest on reasoning alone.
    pub by_reasoning: u32,
    /// Their ids; left out if there are none, and in a result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<NodeId>,
    /// The points with only wrong or missing citations; left out if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_there: u32,
    /// Their ids; left out if there are none, and in a result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_there_ids: Vec<NodeId>,
    /// The points that cite a place but quote nothing; left out if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unquoted: u32,
    /// Their ids; left out if there are none, and in a result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unquoted_ids: Vec<NodeId>,
}

/// Returns whether the count is zero, so that documents leave it out.
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

    /// Returns the counts only.
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

/// A point that was called unsupported and stayed so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unsupported {
    /// The point.
    pub id: NodeId,
    /// The point that calls it unsupported.
    pub by: NodeId,
    /// Whether the side that made the point conceded that it is unsupported.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub conceded: bool,
}

/// Counts the points of each side that lack evidence.
///
/// Empty for a debate without citations that other programs may write to: their format has no field
/// for citations.
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

/// Returns whether a ground names a place that can be checked.
pub(super) fn has_place(ground: &Ground) -> bool {
    let named = |citation: &Citation| {
        [&citation.file, &citation.commit, &citation.url]
            .into_iter()
            .chain([&citation.document, &citation.command])
            .any(Option::is_some)
    };
    ground.citation.as_ref().is_some_and(named)
}

/// Returns the points that were called unsupported and stayed so, in the order of the debate.
///
/// An objection counts until its owner rules that the answer resolves it; a conceded one always
/// counts. An answer that calls an objection unsupported counts unless the objection is sustained.
/// A ruling that an answer is unsupported always counts.
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

/// Returns the points that lack evidence and the points that stayed unsupported, as fragments
/// without a full stop.
pub fn support_sentences(state: &State) -> Vec<String> {
    sentences_of(state, &support_counts(state), &unsupported_points(state))
}

/// As [`support_sentences`], for points that were already counted.
pub(super) fn sentences_of(
    state: &State,
    counts: &BTreeMap<Seat, Support>,
    unsupported: &[Unsupported],
) -> Vec<String> {
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
                "quotes nothing from its cited places",
                "quote nothing from their cited places",
            ],
            |support| &support.unquoted_ids,
        ),
    ];
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
    if !unsupported.is_empty() {
        let ids = unsupported.iter().map(|one| {
            let id = name_with_fault(state, one.id);
            match one.conceded {
                true => format!("{id} (by {}, conceded)", one.by),
                false => format!("{id} (by {})", one.by),
            }
        });
        let ids: Vec<_> = ids.collect();
        said.push(format!("unsupported to the end: {}", ids.join(", ")));
    }
    said
}
