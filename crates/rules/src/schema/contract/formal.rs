//! The schema of one turn of a formal debate.

use agon_record::id::NodeId;
use agon_record::moves::MovesKind;
use serde_json::{Value, json};

use super::{answers, one_of, require};
use crate::floor::Floor;

/// Narrows the schema of `kind` to what may be said on `floor`.
pub(super) fn narrow(contract: &mut Value, kind: MovesKind, floor: &Floor<'_>) {
    if kind == MovesKind::Case {
        let argument = &mut contract["$defs"]["Contention"];
        limit(argument, "attacks", 0);
        limit(argument, "defends", 0);
    } else if kind == MovesKind::Rebuttal {
        aims(contract, "attacks", &floor.theirs());
        aims(contract, "defends", &floor.own());
        aimed_at(contract, "Attack", &floor.theirs());
        aimed_at(contract, "Defend", &floor.own());
    } else if kind == MovesKind::Scores {
        scores(contract, floor);
    }
}

/// Allows `list` no items where there is nothing to aim at.
fn aims(contract: &mut Value, list: &str, targets: &[NodeId]) {
    if targets.is_empty() {
        limit(contract, list, 0);
    }
}

fn limit(schema: &mut Value, list: &str, most: usize) {
    schema["properties"][list]["maxItems"] = json!(most);
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
    limit(contract, "scores", pending.len());
    let scored: Vec<_> = floor.scored().map(|(id, _)| id).collect();
    limit(contract, "rescores", scored.len());
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
