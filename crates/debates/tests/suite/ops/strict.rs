//! Ambiguous inputs are rejected without any change.

use agon_debates::steer::ops::StepFiles;
use agon_samples::steps::{good, rebuttal, scores};
use serde_json::{Value, json};

use crate::ops::malformed::refused;
use crate::ops::world::World;

/// Returns `json` in a fenced block.
fn fenced(json: &str) -> String {
    format!("```json\n{json}\n```\n")
}

#[test]
fn a_file_that_may_mean_something_else_is_refused_and_stays() {
    let world = World::new();
    let (one, other) = (good("prop", 0), good("prop", 0).replace("March", "April"));
    let several = "several JSON documents";
    let before = world.files();
    for (name, input, says) in [
        ("two documents", format!("{one}\n{other}"), several),
        (
            "two blocks",
            format!("First.\n{}Or:\n{}", fenced(&other), fenced(&one)),
            several,
        ),
        (
            "two documents in a block",
            fenced(&format!("{one}\n{other}")),
            several,
        ),
        (
            "a document beside a block",
            format!("{}{other}", fenced(&one)),
            "outside of a fenced block",
        ),
        (
            "words after it",
            format!("{one} and so on"),
            "after the JSON",
        ),
        ("a bracket after it", format!("{one}]"), "after the JSON"),
        ("a NUL after it", format!("{one}\0"), "after the JSON"),
        (
            "a NUL after a block",
            format!("{}\0\n", fenced(&one)),
            "control characters",
        ),
        (
            "words before it",
            format!("My case: {one}"),
            "outside of a fenced block",
        ),
        ("an open block", format!("```json\n{one}\n"), "never closed"),
        (
            "a block that another sign closes",
            format!("```json\n{one}\n~~~\n"),
            "never closed",
        ),
    ] {
        let said = world.exchange(0, &input, &good("opp", 0));
        refused(name, &said, says);
        assert_eq!(said.document()["side"], "proposition", "{name}");
        assert!(world.has_input("prop.json"), "{name}");
        assert!(world.has_input("opp.json"), "{name}");
        assert!(before == world.files(), "{name}: the folder has changed");
    }
}

#[test]
fn the_same_document_again_in_a_file_is_that_document() {
    let world = World::new();
    let one = good("prop", 0);
    let pretty: Value = serde_json::from_str(&one).unwrap();
    let again = format!("{one}\n{pretty:#}\n");
    let blocks = format!("So:\n{}\nOnce more.\n{}", fenced(&one), fenced(&one));
    let said = world.exchange(0, &again, &blocks);
    assert!(said.is_success, "{}", said.json);
}

#[test]
fn ids_and_words_are_taken_only_as_the_debate_writes_them() {
    let world = World::before(1);
    let before = world.files();
    for (name, from, to, says) in [
        (
            "an id in capitals",
            "opp_000a",
            "OPP_000A",
            "write exactly `opp_000a`",
        ),
        (
            "an id in brackets",
            "opp_000a",
            "[opp_000a]",
            "write exactly `opp_000a`",
        ),
        (
            "a word in capitals",
            "reinforce",
            "Reinforce",
            "write exactly `reinforce`",
        ),
        (
            "a word in other signs",
            "warrant_attack",
            "warrant-attack",
            "write exactly `warrant_attack`",
        ),
    ] {
        let said = world.exchange(1, &good("prop", 1).replace(from, to), &good("opp", 1));
        refused(name, &said, says);
        assert!(before == world.files(), "{name}: the folder has changed");
    }
    world.argue(1);
    let before = world.files();
    let scores = scores(1).to_string().replace("prop_001", "Prop_001");
    refused(
        "a score",
        &world.judgment(&scores),
        "write exactly `prop_001`",
    );
    assert!(world.has_input("judge.json") && before == world.files());
    world.judge(1);
}

#[test]
fn one_argument_is_defended_once() {
    let world = World::before(1);
    let before = world.files();
    let mut twice = rebuttal("prop", 1);
    let first = twice["defends"][0].clone();
    let defense = json!({
        "target_id": first["target_id"],
        "defense_type": "clarify",
        "content": "It never said otherwise.",
    });
    twice["defends"] = json!([first, defense]);
    let said = world.exchange(1, &twice.to_string(), &good("opp", 1));
    assert_eq!(
        said.errors(),
        "defends[1].target_id: prop_000b is defended twice (merge both into one defense) [attack-repeat]"
    );
    assert!(world.has_input("prop.json") && before == world.files());
    world.argue(1);
}

#[test]
fn a_score_out_of_range_by_however_little_is_refused() {
    let world = World::before(1);
    world.argue(1);
    let before = world.files();
    for (high, low) in [
        ("1.0000001", "-1"),
        ("1", "-1.0000001"),
        ("1.0004", "-1.0004"),
    ] {
        let mut input = scores(1);
        input["scores"][0]["score"] = serde_json::from_str(high).unwrap();
        input["scores"][1]["score"] = serde_json::from_str(low).unwrap();
        let said = world.judgment(&input.to_string());
        refused(high, &said, "[score-range]");
        assert!(
            world.has_input("judge.json") && before == world.files(),
            "{high}"
        );
    }
    let mut input = scores(1);
    input["rescores"] = json!([]);
    input["scores"][0]["score"] = json!(1);
    input["scores"][1]["score"] = json!(-1.0);
    assert!(world.judgment(&input.to_string()).is_success);
}

#[test]
#[expect(clippy::disallowed_types, reason = "a pipe is made by a program")]
fn what_is_no_file_of_its_own_is_refused_without_waiting() {
    let world = World::new();
    let opp = world.input("opp.json", good("opp", 0).as_bytes());
    let pipe = world.path("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    let before = world.files();
    for (prop, says) in [
        (&pipe, "is not a file"),
        (&world.path("."), "is not a file"),
        (&opp, "same file"),
    ] {
        let said = world.take(
            "d",
            StepFiles::Exchange {
                exchange: 0,
                proposition: prop.clone(),
                opposition: opp.clone(),
            },
        );
        let prop = &prop.display().to_string();
        refused(prop, &said, says);
        assert!(
            world.has_input("opp.json") && before == world.files(),
            "{prop}"
        );
    }
}
