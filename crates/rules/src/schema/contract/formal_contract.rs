//! The schema of one turn of a formal debate.

use agon_record::id::NodeId;
use agon_record::moves::MovesKind;
use serde_json::{Value, json};

use super::{require_answers, require_key, restrict_to_ids};
use crate::floor::HeardArguments;

/// Narrows the schema of `kind` to the targets on `floor`.
pub(super) fn narrow_contract(contract: &mut Value, kind: MovesKind, floor: &HeardArguments<'_>) {
    if kind == MovesKind::Case {
        let argument = &mut contract["$defs"]["Contention"];
        limit_items(argument, "attacks", 0);
        limit_items(argument, "defends", 0);
    } else if kind == MovesKind::Rebuttal {
        forbid_without_targets(contract, "attacks", &floor.opponent_arguments());
        forbid_without_targets(contract, "defends", &floor.own_arguments());
        restrict_targets(contract, "Attack", &floor.opponent_arguments());
        restrict_targets(contract, "Defend", &floor.own_arguments());
    } else if kind == MovesKind::Scores {
        narrow_scores(contract, floor);
    }
}

/// Forbids items in `list` if there are no targets.
fn forbid_without_targets(contract: &mut Value, list: &str, targets: &[NodeId]) {
    if targets.is_empty() {
        limit_items(contract, list, 0);
    }
}

fn limit_items(schema: &mut Value, list: &str, most: usize) {
    schema["properties"][list]["maxItems"] = json!(most);
}

fn restrict_targets(contract: &mut Value, part: &str, targets: &[NodeId]) {
    restrict_to_ids(
        &mut contract["$defs"][part]["properties"]["target_id"],
        targets,
    );
}

fn narrow_scores(contract: &mut Value, floor: &HeardArguments<'_>) {
    let pending = floor.unscored_arguments();
    require_answers(contract, "scores", "argument_id", &pending);
    limit_items(contract, "scores", pending.len());
    let scored: Vec<_> = floor.scored_arguments().map(|(id, _)| id).collect();
    limit_items(contract, "rescores", scored.len());
    require_key(contract, "scores");
    let parts = [
        ("Scoring", &pending, &["score"][..]),
        ("Rescoring", &scored, &["old_score", "new_score"]),
    ];
    for (part, ids, numbers) in parts {
        let part = &mut contract["$defs"][part]["properties"];
        restrict_to_ids(&mut part["argument_id"], ids);
        for number in numbers {
            part[*number]["minimum"] = json!(-1);
            part[*number]["maximum"] = json!(1);
        }
    }
}
