//! Replies with one fault each that are wrong again when sent back: the turn is lost, and the
//! debate does not change.

use std::collections::BTreeMap;

use agon_caller::Code;
use agon_testkit::Script;
use serde_json::{Value, json};

use super::table::{Table, rebuttals};

/// Returns the moves of a turn in the script.
fn moves(turn: &str) -> Value {
    let script = Script::formal();
    let reply = script.turns[turn][0].clone();
    let (_, block) = reply.rsplit_once("```json").unwrap();
    serde_json::from_str(block.split("```").next().unwrap()).unwrap()
}

fn said(moves: &Value) -> String {
    format!("This is my turn.\n\n```json\n{moves}\n```\n")
}

/// Loses `turn` with each of `replies`; then the script's own reply is accepted.
async fn lost_to_each(turn: &str, replies: Vec<(&str, String)>) {
    let table = Table::after_opening().await;
    let first = table.files();
    let is_judge = turn.ends_with("judge");
    for (name, reply) in &replies {
        let script = Script::formal().turn(turn, [reply.clone(), reply.clone()]);
        table.tools().set_script(&script);
        let before = table.files();
        let lost = table.play(&rebuttals(1)).await.unwrap_err();
        assert_eq!(lost.code, Code::TurnLost, "{name}: {lost:?}");
        let after = table.files();
        assert!(first["scores.json"] == after["scores.json"], "{name}");
        if is_judge {
            continue;
        }
        assert!(first["debate.md"] == after["debate.md"], "{name}");
        let arguments = |files: &BTreeMap<String, Vec<u8>>| {
            let names = files.keys().filter(|name| name.starts_with("arguments/"));
            names.cloned().collect::<Vec<_>>()
        };
        assert_eq!(arguments(&before), arguments(&after), "{name}");
    }
    table.tools().set_script(&Script::formal());
    table.play(&rebuttals(1)).await.unwrap();
}

/// Returns the valid moves with one change.
fn spoiled(turn: &str, spoil: impl FnOnce(&mut Value)) -> String {
    let mut moves = moves(turn);
    spoil(&mut moves);
    said(&moves)
}

#[tokio::test(flavor = "current_thread")]
async fn a_malformed_rebuttal_loses_the_turn_and_changes_nothing() {
    let of = |spoil: fn(&mut Value)| spoiled("r1.opp", spoil);
    let attack = |target: &str| {
        let target = target.to_owned();
        spoiled("r1.opp", move |m| {
            m["attacks"][0]["target_id"] = json!(target)
        })
    };
    lost_to_each(
        "r1.opp",
        vec![
            ("empty prose", "I have nothing to say.".to_owned()),
            ("truncated", said(&moves("r1.opp"))[..200].to_owned()),
            (
                "a list of three",
                spoiled("r1.opp", |m| *m = json!([m, m, m])),
            ),
            ("its own side", attack("opp_000a")),
            ("the same exchange", attack("prop_001")),
            ("nothing", attack("prop_007")),
            ("a path", attack("../../etc/passwd")),
            (
                "an unknown type",
                of(|m| m["attacks"][0]["attack_type"] = json!("insult")),
            ),
            (
                "the same attack twice",
                of(|m| {
                    let one = m["attacks"][0].clone();
                    m["attacks"] = json!([one, one]);
                }),
            ),
            (
                "no warrant",
                of(|m| {
                    m.as_object_mut().unwrap().remove("warrant");
                }),
            ),
            ("a number for a title", of(|m| m["title"] = json!(4))),
        ],
    )
    .await;
}

#[tokio::test(flavor = "current_thread")]
async fn malformed_scores_lose_the_turn_and_change_no_score() {
    let of = |spoil: fn(&mut Value)| spoiled("r1.judge", spoil);
    lost_to_each(
        "r1.judge",
        vec![
            (
                "one unscored",
                of(|m| {
                    m["scores"].as_array_mut().unwrap().pop();
                }),
            ),
            (
                "a stranger",
                of(|m| m["scores"][0]["argument_id"] = json!("prop_009")),
            ),
            ("not zero", of(|m| m["scores"][0]["score"] = json!(0.9))),
            (
                "out of range",
                of(|m| {
                    m["scores"][0]["score"] = json!(1.5);
                    m["scores"][1]["score"] = json!(-1.5);
                }),
            ),
            (
                "text for a number",
                of(|m| m["scores"][0]["score"] = json!("0.2")),
            ),
            (
                "a rescore too far",
                of(
                    |m| m["rescores"] = json!([{ "argument_id": "prop_000a", "new_score": -1.0, "reasoning": "It fell." }]),
                ),
            ),
            (
                "a rescore that lies",
                of(
                    |m| m["rescores"] = json!([{ "argument_id": "prop_000a", "old_score": 0.99, "new_score": 0.9, "reasoning": "It fell." }]),
                ),
            ),
            ("a single object", of(|m| *m = m["scores"][0].clone())),
        ],
    )
    .await;
}
