//! A formal debate with valid inputs for each of its steps.

use agon_record::spec::{Definition, FormalSpec, Kind, Spec};
use serde_json::{Value, json};

/// Returns an argument within all limits.
pub fn argument(title: &str) -> Value {
    json!({
        "title": title,
        "claim": title,
        "grounds": [{
            "source": "Incident review of March",
            "content": "Two workers took the same job after a rename raced with a lease.",
            "relevance": "It shows the loss at the place in question.",
        }],
        "warrant": "What can lose work once under load will lose it again.",
        "backing": "Every queue of this kind has met the same race.",
        "qualifier": "With more than one writer",
    })
}

/// Returns a side's opening arguments.
pub fn case() -> Value {
    json!([
        argument("One writer at a time suffices"),
        argument("Files are simple to inspect by hand"),
        argument("Backups are a copy of one folder"),
    ])
}

/// Claims that a side can make in turn without repeating itself.
const CLAIMS: [&str; 4] = [
    "A lease that expires gives a slow worker's job to another worker",
    "Two processes that write the same folder lose what neither has synced",
    "An index of open jobs keeps recovery short however old the history",
    "Copying one database file while it changes needs its own protocol",
];

/// Returns the argument of side `us` in `exchange`, with one attack and one defense.
pub fn rebuttal(us: &str, exchange: u16) -> Value {
    let (them, target) = match us {
        "prop" => ("opp", "opp_000a"),
        _ => ("prop", "prop_000a"),
    };
    let mut said = argument("The race remains in every variant");
    said["claim"] = json!(CLAIMS.get(usize::from(exchange) % CLAIMS.len()));
    said["attacks"] = json!([{
        "target_id": target,
        "attack_type": "warrant_attack",
        "content": format!("The warrant of the {them} assumes that one process writes."),
    }]);
    let own = if exchange == 1 {
        format!("{us}_000b")
    } else {
        format!("{us}_{:03}", exchange - 1)
    };
    said["defends"] = json!([{
        "target_id": own,
        "defense_type": "reinforce",
        "content": "The later incident shows the same pattern.",
    }]);
    said
}

/// Returns the scores of `exchange`; later ones rescore an opening argument.
pub fn scores(exchange: u16) -> Value {
    let one = |id: &str, score: f64| json!({ "argument_id": id, "score": score, "reasoning": "It meets the point and shows it." });
    if exchange == 0 {
        return json!({ "scores": [
            one("prop_000a", 0.3), one("prop_000b", 0.1), one("prop_000c", -0.2),
            one("opp_000a", -0.3), one("opp_000b", 0.2), one("opp_000c", -0.1),
        ] });
    }
    let (prop, opp) = (format!("prop_{exchange:03}"), format!("opp_{exchange:03}"));
    json!({
        "scores": [one(&prop, 0.25), one(&opp, -0.25)],
        "rescores": [{
            "argument_id": "prop_000c",
            "new_score": -0.2 + 0.01 * f64::from(exchange % 50),
            "reasoning": "The new argument carries part of it.",
        }],
    })
}

/// Returns the valid input of `side`, `prop` or `opp`, for `exchange`.
pub fn good(side: &str, exchange: u16) -> String {
    match exchange {
        0 => case().to_string(),
        later => rebuttal(side, later).to_string(),
    }
}

/// Returns the spec of the debate `d` for these inputs.
pub fn spec() -> Spec {
    Spec {
        ulid: "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap(),
        kind: Kind::formal(FormalSpec {
            definitions: vec![Definition {
                term: "Jobs".to_owned(),
                meaning: "Work that waits for a worker".to_owned(),
            }],
            scope: Some("One host.".to_owned()),
            theses: None,
        }),
        ..Spec::formal("d", "This house would keep its jobs in SQLite.")
    }
}
