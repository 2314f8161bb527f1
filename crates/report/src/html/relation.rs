//! The relations between points of a debate, in words.

use agon_record::moves::{AttackKind, Choose, ObjectionKind, RulingKind};
use agon_verdict::graph::{DebateGraph, EdgeKind, NodeKind};

use crate::graph::Polarity;

/// The verb of an argument for its own side's position.
pub(super) const ARGUES: &str = "argues for";

/// A relation between two nodes of the graph, by their indexes.
pub(super) struct Relation {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) polarity: Polarity,
    /// The verb before the name of the target, such as `attacks the warrant of`.
    pub(super) verb: &'static str,
    /// The verb without a name, such as `attacks its warrant`.
    pub(super) alone: &'static str,
    /// The text of the relation, if it is not the point's own text.
    pub(super) text: Option<String>,
}

/// Returns all relations between the nodes of `graph`.
pub(super) fn relations(graph: &DebateGraph) -> Vec<Relation> {
    let edges = graph.edges().iter().map(|edge| {
        let from = graph.nodes().get(edge.from.index()).map(|node| node.kind);
        let (polarity, verb, alone) = match (edge.kind, from) {
            (EdgeKind::GivesUp, Some(NodeKind::Assessment)) => {
                (Polarity::Concession, "withdraws", "withdraws it")
            }
            (kind, _) => polarity_and_verbs(kind),
        };
        Relation {
            from: edge.from.index(),
            to: edge.to.index(),
            polarity,
            verb,
            alone,
            text: (!edge.words.is_empty()).then(|| edge.words.clone()),
        }
    });
    edges.collect()
}

fn polarity_and_verbs(kind: EdgeKind) -> (Polarity, &'static str, &'static str) {
    use Polarity::{Attack, Concession, Support};
    match kind {
        EdgeKind::Argues => (Support, ARGUES, "argues for it"),
        EdgeKind::Objects(part) => match part {
            ObjectionKind::Claim => (Attack, "disputes the claim of", part.label()),
            ObjectionKind::Grounds => (Attack, "disputes the grounds of", part.label()),
            ObjectionKind::Warrant => (Attack, "disputes the warrant of", part.label()),
            ObjectionKind::Backing => (Attack, "disputes the backing of", part.label()),
            ObjectionKind::Unsupported => (Attack, "finds no support for", part.label()),
        },
        EdgeKind::Weighs(_) => (Attack, "weighs against", "weighs against it"),
        EdgeKind::Rebuts => (Attack, "rebuts", "rebuts it"),
        EdgeKind::TradesOff => (Attack, "trades off against", "trades it off"),
        EdgeKind::Concedes => (Concession, "concedes", "concedes it"),
        EdgeKind::GivesUp => (Concession, "concedes", "concedes it"),
        EdgeKind::Rules(ruling) => match ruling {
            RulingKind::Resolved => (Support, "rules “resolved” on", "rules: resolved"),
            RulingKind::Sustained => (Attack, "rules “sustained” on", "rules: sustained"),
            RulingKind::Dodged => (Attack, "rules “dodged” on", "rules: dodged"),
            RulingKind::Unsupported => (Attack, "rules “unsupported” on", "rules: unsupported"),
            RulingKind::Reframed => (Attack, "rules “reframed” on", "rules: reframed"),
        },
        EdgeKind::Upholds => (Support, "upholds", "upholds it"),
        EdgeKind::Agrees => (Support, "accepts", "accepts it"),
        EdgeKind::Attacks(part) => match part {
            AttackKind::Grounds => (Attack, "attacks the grounds of", "attacks its grounds"),
            AttackKind::Warrant => (Attack, "attacks the warrant of", "attacks its warrant"),
            AttackKind::Backing => (Attack, "attacks the backing of", "attacks its backing"),
            AttackKind::Claim => (Attack, "attacks the claim of", "attacks its claim"),
        },
        EdgeKind::Reinforces => (Support, "reinforces", "reinforces it"),
        EdgeKind::Clarifies => (Support, "clarifies", "clarifies it"),
    }
}
