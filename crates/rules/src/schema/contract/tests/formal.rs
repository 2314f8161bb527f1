//! Contracts of a formal debate.

use agon_samples::formal::{TURNS, before, said, turn};
use serde_json::{Value, json};

use crate::schema::contract_schema;

fn base(name: &str) -> Value {
    let value = said()[&turn(name)].clone();
    match value.is_array() {
        true => json!({ "arguments": value }),
        false => value,
    }
}

fn errors(name: &str, value: &Value) -> Vec<String> {
    let contract = contract_schema(&before(name), turn(name));
    let validator = jsonschema::draft202012::new(&contract).unwrap();
    let errors = validator.iter_errors(value);
    errors.map(|error| error.to_string()).collect()
}

#[test]
fn every_turn_of_a_valid_debate_fits_its_contract() {
    for name in TURNS.iter().chain(&["r2.prop"]) {
        assert_eq!(errors(name, &base(name)), [""; 0], "{name}");
    }
}

#[test]
fn no_attack_no_defense_and_no_rescore_are_a_full_turn() {
    let mut rebuttal = base("r1.prop");
    rebuttal["attacks"] = json!([]);
    rebuttal.as_object_mut().unwrap().remove("defends").unwrap();
    assert_eq!(errors("r1.prop", &rebuttal), [""; 0]);
    let mut scores = base("r1.judge");
    scores["rescores"] = json!([]);
    assert_eq!(errors("r1.judge", &scores), [""; 0]);
}

/// A turn, and a change that its contract refuses.
type Bad = (&'static str, fn(&mut Value));

fn twice(list: &mut Value) {
    let first = list[0].clone();
    list.as_array_mut().unwrap().push(first);
}

fn drop_last(list: &mut Value) {
    list.as_array_mut().unwrap().pop().unwrap();
}

fn four(list: &mut Value) {
    *list = json!(vec![list[0].clone(); 4]);
}

#[test]
fn a_contract_states_counts_targets_and_what_must_be_scored() {
    let bad: &[Bad] = &[
        ("theses.judge", |m| m["proposition"] = json!(3)),
        ("theses.judge", |m| {
            drop(m.as_object_mut().unwrap().remove("opposition").unwrap())
        }),
        // Exactly three, which attack and defend nothing.
        ("r0.prop", |m| drop_last(&mut m["arguments"])),
        ("r0.prop", |m| twice(&mut m["arguments"])),
        ("r0.opp", |m| m["arguments"][1]["grounds"] = json!([])),
        ("r0.opp", |m| four(&mut m["arguments"][1]["grounds"])),
        (
            "r0.opp",
            |m| m["arguments"][0]["attacks"] = json!([{ "target_id": "prop_000a", "attack_type": "claim_attack", "content": "No." }]),
        ),
        (
            "r0.opp",
            |m| {
                m["arguments"][0]["defends"] = json!([{ "target_id": "opp_000b", "defense_type": "clarify", "content": "No." }])
            },
        ),
        // At most three attacks on the other side, two defenses of one's own.
        ("r1.prop", |m| four(&mut m["attacks"])),
        ("r1.prop", |m| {
            m["defends"] = json!(vec![m["defends"][0].clone(); 3])
        }),
        ("r1.prop", |m| m["grounds"] = json!([])),
        ("r1.prop", |m| four(&mut m["grounds"])),
        ("r1.prop", |m| {
            m["attacks"][0]["target_id"] = json!("prop_000a")
        }),
        ("r1.prop", |m| {
            m["defends"][0]["target_id"] = json!("opp_000a")
        }),
        ("r1.prop", |m| {
            m["attacks"][0]["target_id"] = json!("opp_001")
        }),
        ("r1.opp", |m| {
            m["attacks"][0]["target_id"] = json!("prop_001")
        }),
        ("r1.opp", |m| {
            m["defends"][0]["target_id"] = json!("opp_001")
        }),
        ("r1.opp", |m| {
            m["attacks"][0]["target_id"] = json!("prop_000d")
        }),
        ("r1.opp", |m| {
            m["attacks"][0]["attack_type"] = json!("reinforce")
        }),
        // Each argument of the exchange once, no other.
        ("r0.judge", |m| drop_last(&mut m["scores"])),
        ("r0.judge", |m| twice(&mut m["scores"])),
        ("r0.judge", |m| {
            m["scores"][1]["argument_id"] = json!("prop_000a")
        }),
        ("r0.judge", |m| {
            m["scores"][0]["argument_id"] = json!("prop_001")
        }),
        ("r0.judge", |m| m["scores"][0]["score"] = json!(1.2)),
        ("r0.judge", |m| m["scores"][0]["score"] = json!("0.4")),
        (
            "r0.judge",
            |m| {
                m["rescores"] =
                    json!([{ "argument_id": "prop_000a", "new_score": 0.1, "reasoning": "No." }])
            },
        ),
        ("r1.judge", |m| {
            m["scores"][0]["argument_id"] = json!("prop_000a")
        }),
        ("r1.judge", |m| {
            m["rescores"][0]["argument_id"] = json!("prop_001")
        }),
        ("r1.judge", |m| m["rescores"][0]["new_score"] = json!(-1.5)),
        ("r1.judge", |m| m["rescores"][0]["old_score"] = json!(1.5)),
    ];
    for (nth, (name, change)) in bad.iter().enumerate() {
        let mut value = base(name);
        change(&mut value);
        assert!(!errors(name, &value).is_empty(), "case {nth} in {name}");
    }
}
