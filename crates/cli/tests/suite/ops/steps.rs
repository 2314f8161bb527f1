//! Good steps, and the same steps again.

use agon_samples::steps::{good, scores};
use serde_json::{Value, json};

use crate::ops::world::{World, front};

#[test]
fn the_steps_of_a_debate_are_answered_in_the_shape_their_callers_read() {
    let world = World::new();
    let said = world.exchange(0, &good("prop", 0), &good("opp", 0));
    assert_eq!(
        said.document(),
        json!({
            "success": true,
            "argument_id": {
                "proposition": ["prop_000a", "prop_000b", "prop_000c"],
                "opposition": ["opp_000a", "opp_000b", "opp_000c"],
            },
            "warnings": null,
        })
    );
    assert!(!world.has_input("prop.json") && !world.has_input("opp.json"));
    world.judge(0);
    assert!(!world.has_input("judge.json"));
    let said = world.exchange(1, &good("prop", 1), &good("opp", 1));
    let ids = json!({ "proposition": "prop_001", "opposition": "opp_001" });
    assert_eq!(said.document()["argument_id"], ids);
    let said = world.judgment(&scores(1).to_string());
    assert_eq!(
        said.document(),
        json!({
            "success": true,
            "argument_id": ["prop_001", "opp_001"],
            "score": [0.25, -0.25],
            "rescored": ["prop_000c"],
            "warnings": null,
        })
    );
    let front: Value = front(&world.read("debate.md"));
    assert_eq!(front["current_exchange"], 2);
    assert_eq!(front["current_phase"], "awaiting_arguments");
    let totals = json!({
        "proposition": { "total": 0.46, "count": 4 },
        "opposition": { "total": -0.45, "count": 4 },
    });
    assert_eq!(front["cumulative_scores"], totals);
    let book: Value = serde_json::from_str(&world.read("scores.json")).unwrap();
    let entry = &book["prop_000c"];
    assert_eq!(entry["current_score"], -0.19);
    let last = &entry["history"][1];
    assert_eq!(last["triggered_by"], "prop_001");
    assert_eq!(
        (&last["previous_score"], &last["diff"]),
        (&json!(-0.2), &json!(0.01))
    );
}

#[test]
fn moves_that_were_handed_in_are_taken_from_the_record_when_it_is_played_again() {
    let world = World::before(2);
    let said = world.run(&["replay", "d", "--json", "--debates-dir", "."], None);
    let document = said.document();
    assert_eq!(said.code, Some(0), "{document}");
    assert_eq!(document["differences"], json!([]));
    assert_eq!(document["decisions"], 0);
    assert!(document["files"].as_u64() > Some(8), "{document}");
}

#[test]
fn the_same_inputs_again_are_answered_as_before() {
    let world = World::new();
    let first = world.exchange(0, &good("prop", 0), &good("opp", 0));
    let before = world.files();
    let again = world.exchange(0, &good("prop", 0), &good("opp", 0));
    assert_eq!((again.code, &again.stdout), (Some(0), &first.stdout));
    assert_eq!(before, world.files());
    let first = world.judgment(&scores(0).to_string());
    let before = world.files();
    let again = world.judgment(&scores(0).to_string());
    assert_eq!((again.code, &again.stdout), (Some(0), &first.stdout));
    assert_eq!(before, world.files());
    // Also long after, while the debate waits for something else.
    world.argue(1);
    let again = world.judgment(&scores(0).to_string());
    assert_eq!((again.code, &again.stdout), (Some(0), &first.stdout));
}

#[test]
fn a_code_fence_and_prose_around_the_moves_are_accepted() {
    let world = World::new();
    let fenced = |text: String| format!("Here is my case.\n\n```json\n{text}\n```\n");
    let said = world.exchange(0, &fenced(good("prop", 0)), &fenced(good("opp", 0)));
    assert_eq!(said.code, Some(0), "{}", said.stdout);
}

#[test]
fn long_texts_and_strange_keys_are_warned_of_and_taken() {
    let world = World::new();
    let mut case: Value = serde_json::from_str(&good("prop", 0)).unwrap();
    case[0]["title"] = json!("Short");
    case[1]["mood"] = json!("cheerful");
    let said = world.exchange(0, &case.to_string(), &good("opp", 0));
    assert_eq!(said.code, Some(0), "{}", said.stdout);
    let document = said.document();
    let warnings: Vec<_> = document["warnings"].as_array().unwrap().iter().collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(document["warnings"].to_string().contains("mood"));
}

#[test]
fn a_secret_in_an_input_is_not_kept() {
    let world = World::new();
    let token = ["ghp", "_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let prop = good("prop", 0).replace("Incident review of March", &token);
    assert_eq!(world.exchange(0, &prop, &good("opp", 0)).code, Some(0));
    for (path, bytes) in world.files() {
        assert!(!String::from_utf8_lossy(&bytes).contains(&token), "{path}");
    }
    let again = world.exchange(0, &prop, &good("opp", 0));
    assert_eq!(again.code, Some(0), "{}", again.stdout);
}
