//! The schema of one turn of a formal debate.

use agon_record::id::NodeId;
use agon_record::moves::MovesKind;
use serde_json::{Value, json};

use super::{answers, count, one_of, require};
use crate::floor::Floor;

/// Narrows the schema of `kind` to what may be said on `floor`.
pub(super) fn narrow(contract: &mut Value, kind: MovesKind, floor: &Floor<'_>) {
    match kind {
        MovesKind::Case => {
            count(contract, "arguments", 3, 3);
            let argument = &mut contract["$defs"]["Contention"];
            count(argument, "grounds", 1, 3);
            count(argument, "attacks", 0, 0);
            count(argument, "defends", 0, 0);
        }
        MovesKind::Rebuttal => {
            count(contract, "grounds", 1, 3);
            aims(contract, "attacks", 3, &floor.theirs());
            aims(contract, "defends", 2, &floor.own());
            aimed_at(contract, "Attack", &floor.theirs());
            aimed_at(contract, "Defend", &floor.own());
        }
        MovesKind::Scores => scores(contract, floor),
        MovesKind::Theses
        | MovesKind::Blind
        | MovesKind::Opening
        | MovesKind::Challenge
        | MovesKind::Defense
        | MovesKind::FollowUp
        | MovesKind::Verdict => {}
    }
}

/// Allows `list` as many items as there may be, none where there is nothing to aim at.
fn aims(contract: &mut Value, list: &str, most: u64, targets: &[NodeId]) {
    let most = if targets.is_empty() { 0 } else { most };
    count(contract, list, 0, most);
}

fn aimed_at(contract: &mut Value, part: &str, targets: &[NodeId]) {
    one_of(
        &mut contract["$defs"][part]["properties"]["target_id"],
        targets,
    );
}

fn scores(contract: &mut Value, floor: &Floor<'_>) {
    let pending = floor.pending();
    answers(contract, "scores", "argument_id", &pending);
    contract["properties"]["scores"]["maxItems"] = json!(pending.len());
    let scored: Vec<_> = floor.scored().map(|(id, _)| id).collect();
    contract["properties"]["rescores"]["maxItems"] = json!(scored.len());
    require(contract, "scores");
    let parts = [
        ("Scoring", &pending, &["score"][..]),
        ("Rescoring", &scored, &["old_score", "new_score"]),
    ];
    for (part, ids, numbers) in parts {
        let part = &mut contract["$defs"][part]["properties"];
        one_of(&mut part["argument_id"], ids);
        for number in numbers {
            part[*number]["minimum"] = json!(-1);
            part[*number]["maximum"] = json!(1);
        }
    }
}
