//! Good moves for whatever debate there is.

use serde_json::{Value, json};

use crate::foreign::world::World;

/// The newest argument of a side.
fn newest(world: &World, side: &str) -> String {
    let ids = world.arguments().into_keys();
    ids.filter(|id| id.starts_with(side)).max().unwrap()
}

/// What `side` says next: it attacks the newest argument of the other.
pub(crate) fn rebuttal(world: &World, side: &str) -> Value {
    let other = if side == "prop" { "opp" } else { "prop" };
    json!({
        "title": "The newest point does not hold",
        "claim": "What was said last — “in good faith” — rests on a case that nobody has shown.",
        "grounds": [{
            "source": "A survey of the field",
            "content": "Of forty cases that were looked at, none bore it out.",
            "relevance": "It is the case that the newest point rests on.",
        }],
        "warrant": "A point whose only case is missing proves nothing.",
        "backing": "Both sides have asked for cases.",
        "qualifier": "As far as was surveyed",
        "attacks": [{
            "target_id": newest(world, other),
            "attack_type": "grounds_attack",
            "content": "The case that it rests on was looked for and not found.",
        }],
        "defends": [{
            "target_id": newest(world, side),
            "defense_type": "reinforce",
            "content": "The survey bears out what was said before.",
        }],
    })
}

/// The scores of `exchange`, with a new score for one old argument.
pub(crate) fn scores(world: &World, exchange: u64, rescored: &str) -> Value {
    let one = |side: &str, score: f64| {
        json!({
            "argument_id": format!("{side}_{exchange:03}"),
            "score": score,
            "reasoning": "It meets the point, and shows – with a survey – what it says.",
        })
    };
    json!({
        "scores": [one("prop", 0.15), one("opp", -0.15)],
        "rescores": [{
            "argument_id": rescored,
            "old_score": world.scores()[rescored]["current_score"],
            "new_score": anew(world, rescored),
            "reasoning": "The survey takes a part of it away.",
        }],
    })
}

/// A score a tenth away from the one that an argument has.
pub(crate) fn anew(world: &World, id: &str) -> f64 {
    let old = world.scores()[id]["current_score"].as_f64().unwrap();
    let step = if old > 0.0 { -100.0 } else { 100.0 };
    ((old * 1000.0).round() + step) / 1000.0
}
