//! What points of a debate say of each other.

use std::collections::BTreeMap;

use agon_debate::id::NodeId;
use agon_debate::moves::{Contention, DefenseKind, ReplyKind, RulingKind};
use agon_debate::record::{Node, Point};

use crate::graph::Polarity;
use crate::words;

/// One point speaking of another.
pub(super) struct Relation<'a> {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) polarity: Polarity,
    /// How it speaks of it, such as `attacks the warrant of`.
    pub(super) verb: String,
    /// A word or two for it.
    pub(super) label: &'static str,
    /// Its words, where they are not the point's own text.
    pub(super) text: Option<&'a str>,
}

/// Everything that `nodes` say of each other; what names no point is left out.
pub(super) fn relations<'a>(
    nodes: &[Node<'a>],
    places: &BTreeMap<NodeId, usize>,
) -> Vec<Relation<'a>> {
    let mut all = Vec::new();
    for (from, node) in nodes.iter().enumerate() {
        let mut add = |target: NodeId, polarity, (verb, label): (String, _), text| {
            if let Some(&to) = places.get(&target) {
                all.push(Relation {
                    from,
                    to,
                    polarity,
                    verb,
                    label,
                    text,
                });
            }
        };
        match node.point {
            Point::Argument(_) | Point::Alternative(_) => {}
            Point::Objection(objection) => {
                let aim = words::aim(objection.kind);
                let said = (format!("objects that {aim}:"), "objects");
                add(objection.target, Polarity::Attack, said, None);
            }
            Point::Response(response) => {
                let (polarity, verb) = match response.reply {
                    ReplyKind::Concede => (Polarity::Concession, "concedes"),
                    ReplyKind::Rebut => (Polarity::Attack, "rebuts"),
                    ReplyKind::Tradeoff => (Polarity::Attack, "trades off"),
                };
                add(response.objection, polarity, (verb.to_owned(), verb), None);
            }
            Point::Assessment(assessment) => {
                let polarity = match assessment.ruling {
                    RulingKind::Resolved => Polarity::Support,
                    RulingKind::Sustained
                    | RulingKind::Dodged
                    | RulingKind::Unsupported
                    | RulingKind::Reframed => Polarity::Attack,
                };
                let label = words::ruling(assessment.ruling);
                let said = (format!("rules “{label}” on"), label);
                add(assessment.response, polarity, said, None);
            }
            Point::Agreement(agreement) => {
                let said = ("accepts".to_owned(), "accepts");
                add(agreement.target, Polarity::Support, said, None);
            }
            Point::Contention(contention) => aimed(contention, &mut add),
        }
    }
    all
}

fn aimed<'a>(
    contention: &'a Contention,
    add: &mut impl FnMut(NodeId, Polarity, (String, &'static str), Option<&'a str>),
) {
    for attack in &contention.attacks {
        let part = attack.attack_type.part();
        let said = (format!("attacks the {part} of"), part);
        add(
            attack.target_id,
            Polarity::Attack,
            said,
            Some(&attack.content),
        );
    }
    for defend in &contention.defends {
        let (polarity, verb, label) = match defend.defense_type {
            DefenseKind::Reinforce => (Polarity::Support, "reinforces", "reinforce"),
            DefenseKind::Clarify => (Polarity::Support, "clarifies", "clarify"),
            DefenseKind::ConcedeAndPivot => (Polarity::Concession, "gives up", "concede"),
        };
        let said = (verb.to_owned(), label);
        add(defend.target_id, polarity, said, Some(&defend.content));
    }
}
