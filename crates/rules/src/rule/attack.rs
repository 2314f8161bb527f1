//! Family `attack`: the target of a move exists, belongs to the right side, and fits the move.

use std::collections::HashSet;

use agon_record::finding::{Finding, Severity};
use agon_record::id::NodeId;
use agon_record::point::{Node, Point};

use crate::rule::scene::list_ids;
use crate::rule::{Rule, Scene};

mod formal_attack;

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
    check: formal_attack::check_attack_and_defense_counts,
};

pub(super) const DEFENSE: Rule = Rule {
    code: "attack-defense",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a defense names an argument of its own side, made in an earlier exchange",
    explain: include_str!("explain/attack-defense.md"),
    check: formal_attack::check_defense_targets,
};

/// The target of a move.
struct Target {
    /// The place in the moves.
    at: String,
    /// The targeted point.
    id: NodeId,
    /// The kind of move.
    usage: TargetUse,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetUse {
    Respond,
    Assess,
    Object,
    Agree,
}

fn collect_targets(scene: &Scene<'_>) -> Vec<Target> {
    let mut targets = Vec::new();
    for (at, response) in scene.responses().iter().enumerate() {
        let at = format!("responses[{at}].objection");
        let id = response.objection;
        targets.push(Target {
            at,
            id,
            usage: TargetUse::Respond,
        });
    }
    for (at, assessment) in scene.assessments().iter().enumerate() {
        let at = format!("assessments[{at}].response");
        let id = assessment.response;
        targets.push(Target {
            at,
            id,
            usage: TargetUse::Assess,
        });
    }
    for (at, objection) in scene.objections().iter().enumerate() {
        let at = format!("objections[{at}].target");
        let id = objection.target;
        targets.push(Target {
            at,
            id,
            usage: TargetUse::Object,
        });
    }
    for (at, agreement) in scene.agreements().iter().enumerate() {
        let at = format!("agreements[{at}].target");
        let id = agreement.target;
        targets.push(Target {
            at,
            id,
            usage: TargetUse::Agree,
        });
    }
    targets
}

/// Returns whether this kind of move may target `node`, by its kind and turn.
fn can_target(scene: &Scene<'_>, usage: TargetUse, node: &Node<'_>) -> bool {
    match usage {
        TargetUse::Object | TargetUse::Agree => true,
        TargetUse::Respond => matches!(node.point, Point::Objection(_)),
        TargetUse::Assess => {
            let last = scene.last_opponent_turn().map(|(turn, _)| turn);
            matches!(node.point, Point::Response(_)) && Some(node.turn) == last
        }
    }
}

fn open_targets_hint(scene: &Scene<'_>, usage: TargetUse) -> String {
    let open = scene
        .opponent_nodes()
        .filter(|node| can_target(scene, usage, node));
    format!(
        "possible targets in this turn: {}",
        list_ids(open.map(|node| node.id))
    )
}

fn check_targets(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for target in collect_targets(scene) {
        let id = target.id;
        let message = match scene.node(id) {
            Some(node) if Some(node.seat()) == scene.turn.seat.opponent() => continue,
            Some(node) => format!("{id} is the {}'s own point", node.seat()),
            None if id.seat == scene.turn.seat => {
                format!("{id} is not a point that the other side made before this turn")
            }
            None => format!("there is no point {id}"),
        };
        found.push(scene.breach(target.at, message, open_targets_hint(scene, target.usage)));
    }
    formal_attack::check_attack_targets(scene, found);
}

fn check_target_kinds(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for target in collect_targets(scene) {
        let Some(node) = scene.node(target.id) else {
            continue;
        };
        let theirs = Some(node.seat()) == scene.turn.seat.opponent();
        if !theirs || can_target(scene, target.usage, node) {
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
        let wanted = match target.usage {
            TargetUse::Respond => "an objection",
            TargetUse::Assess => "an answer from the previous turn",
            TargetUse::Object | TargetUse::Agree => continue,
        };
        found.push(scene.breach(
            target.at,
            format!("{} is {is}, not {wanted}", target.id),
            open_targets_hint(scene, target.usage),
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
    for target in collect_targets(scene) {
        let seen = match target.usage {
            TargetUse::Respond => &mut spoken_of[0],
            TargetUse::Assess => &mut spoken_of[1],
            TargetUse::Agree => &mut spoken_of[2],
            TargetUse::Object => continue,
        };
        if !seen.insert(target.id) {
            found.push(scene.breach(
                target.at,
                format!("{} is targeted twice", target.id),
                "target it once",
            ));
        }
    }
    formal_attack::check_no_repeats(scene, found);
}
