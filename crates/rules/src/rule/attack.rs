//! Family `attack`: the target of a move exists, belongs to the right side, and fits the move.

use std::collections::HashSet;

use agon_record::finding::{Finding, Severity};
use agon_record::id::NodeId;
use agon_record::point::{Node, Point};

use crate::rule::scene::list_ids;
use crate::rule::{Rule, Scene};

mod formal;

const FAMILY: &str = "attack";

pub(super) const TARGET: Rule = Rule {
    code: "attack-target",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a target exists, is the opponent's, and was made before this turn",
    explain: include_str!("explain/attack-target.md"),
    check: check_targets,
};

pub(super) const KIND: Rule = Rule {
    code: "attack-kind",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a response answers an objection, and an assessment rules on an answer from the previous turn",
    explain: include_str!("explain/attack-kind.md"),
    check: check_target_kinds,
};

pub(super) const REPEAT: Rule = Rule {
    code: "attack-repeat",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a turn targets the same point in the same way only once",
    explain: include_str!("explain/attack-repeat.md"),
    check: check_no_repeats,
};

pub(super) const COUNT: Rule = Rule {
    code: "attack-count",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "an argument makes at most three attacks and two defenses",
    explain: include_str!("explain/attack-count.md"),
    check: formal::check_attack_and_defense_counts,
};

pub(super) const DEFENSE: Rule = Rule {
    code: "attack-defense",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a defense names an argument of its own side, made in an earlier exchange",
    explain: include_str!("explain/attack-defense.md"),
    check: formal::check_defense_targets,
};

/// The target of a move.
struct Aim {
    /// The place in the moves.
    at: String,
    /// The targeted point.
    id: NodeId,
    /// The kind of move.
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Respond,
    Assess,
    Object,
    Agree,
}

fn collect_aims(scene: &Scene<'_>) -> Vec<Aim> {
    let mut aims = Vec::new();
    for (at, response) in scene.responses().iter().enumerate() {
        let at = format!("responses[{at}].objection");
        let id = response.objection;
        aims.push(Aim {
            at,
            id,
            way: Way::Respond,
        });
    }
    for (at, assessment) in scene.assessments().iter().enumerate() {
        let at = format!("assessments[{at}].response");
        let id = assessment.response;
        aims.push(Aim {
            at,
            id,
            way: Way::Assess,
        });
    }
    for (at, objection) in scene.objections().iter().enumerate() {
        let at = format!("objections[{at}].target");
        let id = objection.target;
        aims.push(Aim {
            at,
            id,
            way: Way::Object,
        });
    }
    for (at, agreement) in scene.agreements().iter().enumerate() {
        let at = format!("agreements[{at}].target");
        let id = agreement.target;
        aims.push(Aim {
            at,
            id,
            way: Way::Agree,
        });
    }
    aims
}

/// Returns whether this kind of move may target `node`, by its kind and turn.
fn can_aim_at(scene: &Scene<'_>, way: Way, node: &Node<'_>) -> bool {
    match way {
        Way::Object | Way::Agree => true,
        Way::Respond => matches!(node.point, Point::Objection(_)),
        Way::Assess => {
            let last = scene.last_opponent_turn().map(|(turn, _)| turn);
            matches!(node.point, Point::Response(_)) && Some(node.turn) == last
        }
    }
}

fn open_targets_hint(scene: &Scene<'_>, way: Way) -> String {
    let open = scene
        .opponent_nodes()
        .filter(|node| can_aim_at(scene, way, node));
    format!(
        "possible targets in this turn: {}",
        list_ids(open.map(|node| node.id))
    )
}

fn check_targets(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for aim in collect_aims(scene) {
        let id = aim.id;
        let message = match scene.node(id) {
            Some(node) if Some(node.seat()) == scene.turn.seat.opponent() => continue,
            Some(node) => format!("{id} is the {}'s own point", node.seat()),
            None if id.seat == scene.turn.seat => {
                format!("{id} is not a point that the other side made before this turn")
            }
            None => format!("there is no point {id}"),
        };
        found.push(scene.breach(aim.at, message, open_targets_hint(scene, aim.way)));
    }
    formal::check_attack_targets(scene, found);
}

fn check_target_kinds(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for aim in collect_aims(scene) {
        let Some(node) = scene.node(aim.id) else {
            continue;
        };
        let theirs = Some(node.seat()) == scene.turn.seat.opponent();
        if !theirs || can_aim_at(scene, aim.way, node) {
            continue;
        }
        let is = match node.point {
            Point::Argument(_) => "an argument",
            Point::Objection(_) => "an objection",
            Point::Response(_) => "an answer from an earlier turn",
            Point::Assessment(_) => "a ruling",
            Point::Agreement(_) => "an agreement",
            Point::Alternative(_) => "an alternative",
            Point::Contention(_) => "an argument",
        };
        let wanted = match aim.way {
            Way::Respond => "an objection",
            Way::Assess => "an answer from the previous turn",
            Way::Object | Way::Agree => continue,
        };
        found.push(scene.breach(
            aim.at,
            format!("{} is {is}, not {wanted}", aim.id),
            open_targets_hint(scene, aim.way),
        ));
    }
}

fn check_no_repeats(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let mut objected = HashSet::new();
    for (at, objection) in scene.objections().iter().enumerate() {
        if !objected.insert((objection.target, objection.kind)) {
            found.push(scene.breach(
                format!("objections[{at}].target"),
                format!("{} is attacked twice in the same way", objection.target),
                "merge both into one objection, or aim one at a different part of the point",
            ));
        }
    }
    let mut spoken_of = [HashSet::new(), HashSet::new(), HashSet::new()];
    for aim in collect_aims(scene) {
        let seen = match aim.way {
            Way::Respond => &mut spoken_of[0],
            Way::Assess => &mut spoken_of[1],
            Way::Agree => &mut spoken_of[2],
            Way::Object => continue,
        };
        if !seen.insert(aim.id) {
            found.push(scene.breach(
                aim.at,
                format!("{} is targeted twice", aim.id),
                "target it once",
            ));
        }
    }
    formal::check_no_repeats(scene, found);
}
