use serde_json::Value;

use super::*;
use crate::rule::tests::fixture::{TURNS, base, before, id};

fn fits(turn: &str, change: impl FnOnce(&mut Value)) -> bool {
    let contract = contract_schema(&before(turn), id(turn));
    let mut value = base(turn);
    change(&mut value);
    jsonschema::draft202012::is_valid(&contract, &value)
}

#[test]
fn every_turn_of_a_valid_debate_fits_its_contract() {
    for turn in TURNS {
        let contract = contract_schema(&before(turn), id(turn));
        let validator = jsonschema::draft202012::new(&contract).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(&base(turn))
            .map(|e| e.to_string())
            .collect();
        assert_eq!(errors, [""; 0], "{turn}");
    }
}

/// A turn, and a change that its contract refuses.
type Case = (&'static str, fn(&mut Value));

#[test]
fn a_contract_states_counts_ids_and_required_answers() {
    let cases: &[Case] = &[
        ("r1.pro", |m| m["arguments"] = json!([])),
        ("r1.pro", |m| {
            m["arguments"] = json!(vec![m["arguments"][0].clone(); 6])
        }),
        ("r1.pro", |m| m["arguments"][0]["grounds"] = json!([])),
        ("r1.cha", |m| {
            m["objections"][0]["target"] = json!("cha_001a")
        }),
        ("r1.cha", |m| {
            m["objections"] = json!(vec![m["objections"][0].clone(); 4])
        }),
        ("r1.cha", |m| {
            m["objections"][0]["grounds"] = json!(vec![m["objections"][0]["grounds"][0].clone(); 4])
        }),
        ("r1.cha", |m| {
            m["agreements"][0]["target"] = json!("pro_002a")
        }),
        ("r1.cha", |m| m["none_found"] = json!([])),
        ("r1.cha", |m| m["none_found"][0]["looked_at"] = json!([])),
        ("r1.cha", |m| m["alternatives"] = json!([])),
        ("r2.pro", |m| {
            m["responses"][0]["objection"] = json!("cha_001c")
        }),
        ("r2.pro", |m| {
            m["responses"][0]["objection"] = json!("cha_001e")
        }),
        ("r2.pro", |m| {
            drop(
                m["responses"][2]
                    .as_object_mut()
                    .unwrap()
                    .remove("still_favours_because"),
            )
        }),
        ("r2.cha", |m| {
            drop(m["assessments"].as_array_mut().unwrap().remove(1))
        }),
        ("r3.cha", |m| {
            m["assessments"][0]["response"] = json!("pro_002a")
        }),
        ("r1.cha", |m| {
            m["objections"] = json!([]);
            m["none_found"] = ["correctness", "security", "developer_experience"]
                .map(|category| json!({ "category": category, "looked_at": ["a"] }))
                .to_vec()
                .into();
        }),
        ("r2.pro", |m| {
            drop(m["responses"].as_array_mut().unwrap().remove(2))
        }),
        ("r3.cha", |m| m["assessments"][0]["grounds"] = json!([])),
        ("verdict.judge", |m| m["decisive"] = json!([])),
        ("verdict.judge", |m| m["decisive"] = json!(["pro_009a"])),
        ("verdict.judge", |m| {
            m["agreements"][0]["evidence"] = json!(["pro_009a"])
        }),
    ];
    for (nth, (turn, change)) in cases.iter().enumerate() {
        assert!(!fits(turn, change), "case {nth} in {turn}");
    }
}

#[test]
fn a_ruling_that_an_objection_stands_is_enough_for_a_follow_up() {
    assert!(fits("r3.cha", |m| {
        m["assessments"][0]["ruling"] = json!("sustained");
        m["assessments"][0]["grounds"] = json!([]);
    }));
}

#[test]
fn whoever_finds_no_flaw_says_what_was_tried_and_why_it_held() {
    assert!(fits("r1.cha", |m| {
        m["objections"] = json!([]);
        m["none_found"] = ["correctness", "security", "developer_experience"]
            .map(|category| json!({ "category": category, "looked_at": ["a"], "why": "It held." }))
            .to_vec()
            .into();
    }));
}

#[test]
fn first_answers_are_compared_only_where_there_are_two() {
    let asks = |state: &State| {
        let contract = contract_schema(state, id("r1.cha"));
        contract["properties"][FIRST_ANSWERS.key].is_object()
    };
    assert!(asks(&before("r1.cha")));
    let mut alone = State::open(crate::rule::tests::fixture::spec());
    crate::rule::tests::fixture::admit(&mut alone, "r1.pro", base("r1.pro"));
    assert!(!asks(&alone));
}

#[test]
fn nothing_found_replaces_an_objection() {
    assert!(fits("r3.cha", |m| {
        m["assessments"][0]["ruling"] = json!("sustained");
        m["none_found"] = json!([{ "category": "cost", "looked_at": ["the bill"] }]);
    }));
}

mod formal;
