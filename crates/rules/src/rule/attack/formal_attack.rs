//! Attacks and defenses of a formal debate.

use std::collections::HashSet;

use agon_record::finding::Finding;
use agon_record::id::{NodeId, Seat};

use crate::rule::Scene;
use crate::rule::scene::{join_path, list_ids};

// Other tools' formal debates have the same limit, and no argument in two real debates exceeds it.
/// Maximum number of attacks of one argument.
const ATTACKS: usize = 3;
// Other tools' formal debates have the same limit, and no argument in two real debates exceeds it.
/// Maximum number of defenses of one argument.
const DEFENSES: usize = 2;

pub(super) fn check_attack_targets(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some(them) = scene.turn.seat.opponent() else {
        return;
    };
    for (at, contention) in scene.contentions_with_paths() {
        for (nth, attack) in contention.attacks.iter().enumerate() {
            let own = || format!("{} attacks its own argument", scene.turn.seat);
            if let Some(message) = explain_wrong_target(scene, attack.target_id, them, own) {
                let at = join_path(&at, &format!("attacks[{nth}].target_id"));
                found.push(scene.breach(at, message, open_targets_hint(scene, them)));
            }
        }
    }
}

pub(super) fn check_defense_targets(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let us = scene.turn.seat;
    for (at, contention) in scene.contentions_with_paths() {
        for (nth, defend) in contention.defends.iter().enumerate() {
            let theirs = || format!("{us} defends an argument of the other side");
            if let Some(message) = explain_wrong_target(scene, defend.target_id, us, theirs) {
                let at = join_path(&at, &format!("defends[{nth}].target_id"));
                found.push(scene.breach(at, message, open_targets_hint(scene, us)));
            }
        }
    }
}

pub(super) fn check_attack_and_defense_counts(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for (at, contention) in scene.contentions_with_paths() {
        let lists = [
            ("attacks", contention.attacks.len(), ATTACKS),
            ("defends", contention.defends.len(), DEFENSES),
        ];
        for (name, count, most) in lists {
            if count > most {
                found.push(scene.breach(
                    join_path(&at, name),
                    format!("{count} items in `{name}`, but at most {most} are allowed"),
                    format!("keep the {most} most important ones"),
                ));
            }
        }
    }
}

pub(super) fn check_no_repeats(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for (at, contention) in scene.contentions_with_paths() {
        let mut seen = HashSet::new();
        for (nth, attack) in contention.attacks.iter().enumerate() {
            if !seen.insert((attack.target_id, attack.attack_type)) {
                let (id, part) = (attack.target_id, attack.attack_type.part_label());
                found.push(scene.breach(
                    join_path(&at, &format!("attacks[{nth}].target_id")),
                    format!("the {part} of {id} is attacked twice"),
                    "merge both into one attack, or aim one at a different part of the argument",
                ));
            }
        }
        let mut seen = HashSet::new();
        for (nth, defend) in contention.defends.iter().enumerate() {
            if !seen.insert((defend.target_id, defend.defense_type)) {
                let (id, kind) = (defend.target_id, defend.defense_type.name());
                found.push(scene.breach(
                    join_path(&at, &format!("defends[{nth}].target_id")),
                    format!("{id} is defended twice as {kind}"),
                    "merge both into one defense",
                ));
            }
        }
    }
}

/// Returns why `id` is not an earlier argument of `side`; `None` if it is one.
///
/// The message for an id of the other side depends only on the id, so that it stays the same when
/// the debate continues.
fn explain_wrong_target(
    scene: &Scene<'_>,
    id: NodeId,
    side: Seat,
    wrong_side: impl Fn() -> String,
) -> Option<String> {
    let now = scene.exchange()?;
    if id.seat == side {
        if id.round == now {
            return Some(format!("{id} is from this same exchange"));
        }
        if id.round > now {
            return Some(format!("{id} is from a later exchange"));
        }
        let unknown = scene.node(id).is_none();
        return unknown.then(|| format!("there is no argument {id}"));
    }
    if Some(id.seat) == side.opponent() {
        return Some(format!("{}: {id}", wrong_side()));
    }
    Some(format!("there is no argument {id}"))
}

/// Returns the hint that lists the possible targets.
fn open_targets_hint(scene: &Scene<'_>, side: Seat) -> String {
    let open = scene.earlier_nodes().filter(|node| node.seat() == side);
    format!(
        "possible targets in exchange {}: {}",
        scene.exchange().unwrap_or_default(),
        list_ids(open.map(|node| node.id))
    )
}
