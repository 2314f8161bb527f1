//! A formal debate as a graph to be drawn.

use std::collections::BTreeMap;

use agon_debate::facts::contentions;
use agon_debate::id::NodeId;
use agon_debate::moves::{Contention, DefenseKind};
use agon_debate::state::State;
use agon_debate::tally;

use crate::graph::{Drawing, Edge, Node, Polarity, Side};

/// The arguments of a formal debate with their scores, and what they attack and defend.
pub fn drawing(state: &State) -> Drawing {
    let all = contentions(state);
    let places: BTreeMap<NodeId, usize> = (0..).zip(&all).map(|(at, (id, ..))| (*id, at)).collect();
    let nodes = all
        .iter()
        .map(|(id, _, contention)| node(state, *id, contention));
    let edges = all
        .iter()
        .flat_map(|(id, _, contention)| edges(&places, *id, contention));
    Drawing {
        title: state.spec.topic.clone(),
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

fn node(state: &State, id: NodeId, contention: &Contention) -> Node {
    let [first, _] = state.spec.format.sides();
    Node {
        id: id.to_string(),
        title: contention.argument.title.clone(),
        note: tally::score(state, id).map(|score| score.to_string()),
        side: if id.seat == first {
            Side::For
        } else {
            Side::Against
        },
        round: Some(id.round),
    }
}

fn edges(places: &BTreeMap<NodeId, usize>, id: NodeId, contention: &Contention) -> Vec<Edge> {
    let edge = |target: NodeId, polarity, label: &str| {
        let (from, to) = (*places.get(&id)?, *places.get(&target)?);
        let label = label.to_owned();
        Some(Edge {
            from,
            to,
            polarity,
            label,
        })
    };
    let attacks = contention.attacks.iter();
    let attacks =
        attacks.filter_map(|one| edge(one.target_id, Polarity::Attack, one.attack_type.part()));
    let defends = contention.defends.iter().filter_map(|one| {
        let (polarity, label) = match one.defense_type {
            DefenseKind::Reinforce => (Polarity::Support, "reinforce"),
            DefenseKind::Clarify => (Polarity::Support, "clarify"),
            DefenseKind::ConcedeAndPivot => (Polarity::Concession, "concede and pivot"),
        };
        edge(one.target_id, polarity, label)
    });
    attacks.chain(defends).collect()
}
