//! What points of a debate say of each other, in words.

use agon_record::moves::{AttackKind, Choose, ObjectionKind, RulingKind};
use agon_verdict::graph::{DebateGraph, EdgeKind, NodeKind};

use crate::graph::Polarity;

/// The verb of an argument for its own side's position.
pub(super) const ARGUES: &str = "argues for";

/// One node of the graph speaking of another, by their places in it.
pub(super) struct Relation {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) polarity: Polarity,
    /// How it speaks of it, before the name of the other, such as `attacks the warrant of`.
    pub(super) verb: &'static str,
    /// The same with nothing after it.
    pub(super) alone: &'static str,
    /// Its words, where they are not the point's own text.
    pub(super) text: Option<String>,
}

/// Everything that the nodes of `graph` say of each other.
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
            ObjectionKind::Claim => (Attack, "says that the claim is wrong of", part.label()),
            ObjectionKind::Grounds => {
                (Attack, "says that the grounds do not hold of", part.label())
            }
            ObjectionKind::Warrant => (
                Attack,
                "says that the grounds do not carry the claim of",
                part.label(),
            ),
            ObjectionKind::Backing => (
                Attack,
                "says that the warrant has no backing of",
                part.label(),
            ),
            ObjectionKind::Unsupported => (Attack, "says that nothing supports", part.label()),
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
