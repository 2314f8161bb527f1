//! The next step of a debate, written the way of the other tool.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::foreign::world::World;

/// Adds both arguments of the exchange that is due.
pub(crate) fn argue(world: &World, moves: &[(&str, Value)]) {
    let mut debate = world.front();
    for (side, said) in moves {
        let exchange = debate["current_exchange"].as_u64().unwrap();
        let id = format!("{side}_{exchange:03}");
        let marks = |list: &str, kind: &str| {
            let all = said[list].as_array().unwrap().iter();
            all.map(|one| json!({ "target_id": one["target_id"], "type": one[kind] }))
                .collect::<Value>()
        };
        let front = json!({
            "id": id,
            "side": side,
            "exchange": exchange,
            "title": said["title"],
            "claim": said["claim"],
            "attacks": marks("attacks", "attack_type"),
            "defends": marks("defends", "defense_type"),
        });
        let file = format!("{}\n\n{}", ascii(&front), body(said));
        world.write(&format!("arguments/{id}.md"), file.as_bytes());
    }
    debate["current_phase"] = json!("awaiting_judgment");
    put(world, &debate);
}

fn body(said: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut out = vec![
        format!("## Claim\n\n{}", text(&said["claim"])),
        "## Grounds".to_owned(),
    ];
    for (number, ground) in (1..).zip(said["grounds"].as_array().unwrap()) {
        out.push(format!("### {number}. {}", text(&ground["source"])));
        out.push(format!("> {}", text(&ground["content"])));
        out.push(format!("**Relevance:** {}", text(&ground["relevance"])));
    }
    for (name, key) in [
        ("Warrant", "warrant"),
        ("Backing", "backing"),
        ("Qualifier", "qualifier"),
    ] {
        out.push(format!("## {name}\n\n{}", text(&said[key])));
    }
    for (name, doing, list, kind) in [
        ("Attacks", "Attacking", "attacks", "attack_type"),
        ("Defends", "Defending", "defends", "defense_type"),
    ] {
        out.push(format!("## {name}"));
        for one in said[list].as_array().unwrap() {
            out.push(format!("### {doing} {}", text(&one["target_id"])));
            out.push(format!("**Type:** {}", text(&one[kind])));
            out.push(text(&one["content"]));
        }
    }
    out.join("\n\n")
}

/// Adds the scores of what waits for them, and those that are given anew.
pub(crate) fn judge(world: &World, judged: &Value) {
    let mut book = world.scores();
    let at = "2026-01-02T03:04:05.678901+00:00";
    let scores = judged["scores"].as_array().unwrap();
    for one in scores {
        let item = json!({
            "score": one["score"], "reasoning": one["reasoning"], "scored_at": at,
        });
        let id = one["argument_id"].as_str().unwrap();
        book[id] = json!({ "current_score": one["score"], "history": [item] });
    }
    for one in judged["rescores"].as_array().unwrap() {
        let entry = &mut book[one["argument_id"].as_str().unwrap()];
        let number = |key: &str| one[key].as_f64().unwrap();
        let item = json!({
            "score": one["new_score"], "reasoning": one["reasoning"], "scored_at": at,
            "triggered_by": scores[0]["argument_id"], "previous_score": one["old_score"],
            "diff": thousandths(number("new_score") - number("old_score")),
        });
        entry["current_score"] = one["new_score"].clone();
        entry["history"].as_array_mut().unwrap().push(item);
    }
    world.write("scores.json", ascii(&book).as_bytes());
    let mut debate = world.front();
    debate["cumulative_scores"] = totals(&book);
    debate["current_phase"] = json!("awaiting_arguments");
    debate["current_exchange"] = json!(debate["current_exchange"].as_u64().unwrap() + 1);
    put(world, &debate);
    let nodes = world.arguments().into_keys();
    let nodes: String = nodes.map(|id| format!("    {id}[\"{id}\"]\n")).collect();
    let graph = format!("---\nconfig:\n  layout: elk\n---\ngraph TD\n\n{nodes}");
    world.write("argument-graph.mmd", graph.as_bytes());
}

/// The sums of the current scores, with their counts.
pub(crate) fn totals(book: &Value) -> Value {
    let mut totals = BTreeMap::from([("prop", (0.0, 0)), ("opp", (0.0, 0))]);
    for (id, entry) in book.as_object().unwrap() {
        let side = totals.get_mut(id.split('_').next().unwrap()).unwrap();
        side.0 += entry["current_score"].as_f64().unwrap();
        side.1 += 1;
    }
    let total = |side| {
        let (total, count): (f64, u32) = totals[side];
        json!({ "total": thousandths(total), "count": count })
    };
    json!({ "proposition": total("prop"), "opposition": total("opp") })
}

fn thousandths(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Writes `debate.md` with another head.
fn put(world: &World, front: &Value) {
    let text = world.read("debate.md");
    let body = text.split_once("\n}").unwrap().1.trim_start_matches('\n');
    world.write(
        "debate.md",
        format!("{}\n\n{body}", ascii(front)).as_bytes(),
    );
}

/// JSON on two blanks a level, all of it in ASCII.
fn ascii(json: &Value) -> String {
    let mut out = String::new();
    for c in serde_json::to_string_pretty(json).unwrap().chars() {
        if c.is_ascii() && c != '\u{7f}' {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}
