//! Inputs with one fault each are rejected with a message, without any change in the folder.

use agon_debates::steer::ops::StepFiles;
use agon_samples::steps::{argument, case, good, rebuttal, scores};
use serde_json::{Value, json};

use crate::ops::world::{Said, World};

/// A wrong input, and a word that the error must contain.
struct Wrong {
    name: &'static str,
    input: Vec<u8>,
    says: &'static str,
}

fn wrong(name: &'static str, input: impl ToString, says: &'static str) -> Wrong {
    let input = input.to_string().into_bytes();
    Wrong { name, input, says }
}

/// Returns a valid input with one change.
fn spoiled(
    good: Value,
    (name, says): (&'static str, &'static str),
    spoil: impl FnOnce(&mut Value),
) -> Wrong {
    let mut input = good;
    spoil(&mut input);
    wrong(name, input, says)
}

pub(crate) fn refused(name: &str, said: &Said, says: &str) {
    let errors = said.errors();
    assert!(
        errors.to_lowercase().contains(&says.to_lowercase()),
        "{name}: expected `{says}` in: {errors}"
    );
    assert!(
        errors.len() < 20_000,
        "{name}: {} bytes of errors",
        errors.len()
    );
}

/// Submits each as the proposition's and as the opposition's input of `exchange`.
fn exchange(exchange: u16, cases: Vec<Wrong>) -> usize {
    let world = World::before(exchange);
    let before = world.files();
    for case in &cases {
        let opp = good("opp", exchange);
        let said = world.exchange_bytes(exchange, &case.input, opp.as_bytes());
        refused(case.name, &said, case.says);
        if said.document()["errors"].is_array() {
            assert_eq!(said.document()["side"], "proposition", "{}", case.name);
        }
        assert!(
            world.has_input("prop.json") && world.has_input("opp.json"),
            "{}",
            case.name
        );
        assert!(
            before == world.files(),
            "{}: the folder has changed",
            case.name
        );
    }
    // The valid side is not recorded if the other one is wrong.
    let prop = good("prop", exchange);
    let said = world.exchange_bytes(exchange, prop.as_bytes(), b"nothing");
    refused("the opposition alone", &said, "json");
    assert_eq!(said.document()["side"], "opposition");
    assert!(before == world.files());
    world.argue(exchange);
    cases.len() + 1
}

/// Submits each as the scores of `exchange`.
fn judgment(exchange: u16, cases: Vec<Wrong>) -> usize {
    let world = World::before(exchange);
    world.argue(exchange);
    let before = world.files();
    for case in &cases {
        let said = world.judgment_bytes(&case.input);
        refused(case.name, &said, case.says);
        assert!(world.has_input("judge.json"), "{}", case.name);
        assert!(
            before == world.files(),
            "{}: the folder has changed",
            case.name
        );
    }
    world.judge(exchange);
    cases.len()
}

/// Returns inputs that are wrong for every kind of step.
fn not_json(good: &str) -> Vec<Wrong> {
    let half = &good[..good.len() / 2];
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_object = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    let mut bytes = good.as_bytes().to_vec();
    bytes.insert(20, 0xff);
    vec![
        wrong("empty", "", "empty"),
        wrong("white space", " \n\t ", "empty"),
        wrong("prose", "I would rather not.", "json"),
        wrong("truncated", half, "cut off"),
        wrong("null", "null", "json"),
        wrong("a number", "42", "json"),
        wrong("a string", "\"moves\"", "json"),
        wrong("deep nesting", deep, ""),
        wrong("deep objects", deep_object, ""),
        wrong("50 MB", " ".repeat(50 << 20), "is too large"),
        Wrong {
            name: "invalid UTF-8",
            input: bytes,
            says: "utf-8",
        },
        wrong("NUL", "\0\0\0\0", "json"),
        wrong(
            "trailing comma",
            format!("{},}}", &good[..good.len() - 1]),
            "",
        ),
    ]
}

#[test]
fn a_malformed_opening_changes_nothing() {
    let of = |name, says, spoil: fn(&mut Value)| spoiled(case(), (name, says), spoil);
    let mut cases = not_json(&case().to_string());
    cases.extend([
        of("no argument", "3", |v| *v = json!([])),
        of("one argument", "3", |v| *v = json!([v[0]])),
        of("two arguments", "3", |v| { v.as_array_mut().unwrap().pop(); }),
        of("four arguments", "3", |v| { let one = v[0].clone(); v.as_array_mut().unwrap().push(one); }),
        of("thirty arguments", "3", |v| *v = json!(vec![v[0].clone(); 30])),
        of("one object", "three", |v| *v = v[0].clone()),
        of("a list of numbers", "object", |v| *v = json!([1, 2, 3])),
        of("a list of lists", "object", |v| *v = json!([[], [], []])),
        of("null among them", "", |v| v[1] = Value::Null),
        of("attacks at the opening", "attack", |v| v[0]["attacks"] = json!([{ "target_id": "opp_000a", "attack_type": "claim_attack", "content": "No." }])),
        of("defenses at the opening", "defen", |v| v[2]["defends"] = json!([{ "target_id": "prop_000a", "defense_type": "clarify", "content": "Yes." }])),
        of("no title", "title", |v| { v[0].as_object_mut().unwrap().remove("title"); }),
        of("no claim", "claim", |v| { v[0].as_object_mut().unwrap().remove("claim"); }),
        of("no warrant", "warrant", |v| { v[2].as_object_mut().unwrap().remove("warrant"); }),
        of("no grounds", "grounds", |v| { v[1].as_object_mut().unwrap().remove("grounds"); }),
        of("empty grounds", "ground", |v| v[1]["grounds"] = json!([])),
        of("four grounds", "ground", |v| { let one = v[0]["grounds"][0].clone(); v[0]["grounds"] = json!(vec![one; 4]); }),
        of("a ground without a source", "source", |v| { v[0]["grounds"][0].as_object_mut().unwrap().remove("source"); }),
        of("a ground that is text", "object", |v| v[0]["grounds"] = json!(["see above"])),
        of("a title that is a number", "title", |v| v[0]["title"] = json!(7)),
        of("a claim that is a list", "claim", |v| v[0]["claim"] = json!(["yes"])),
        of("an empty title", "title", |v| v[0]["title"] = json!("")),
        of("a title of white space", "title", |v| v[0]["title"] = json!(" \u{2003} ")),
        of("an empty claim", "claim", |v| v[0]["claim"] = json!("")),
        of("lines that go backwards as text", "lines", |v| v[0]["grounds"][0]["citation"] = json!({ "file": "a", "lines": "x" })),
    ]);
    let count = exchange(0, cases);
    eprintln!("{count} malformed openings refused, the folder unchanged by each");
}

#[test]
fn a_malformed_rebuttal_changes_nothing() {
    let of = |name, says, spoil: fn(&mut Value)| spoiled(rebuttal("prop", 1), (name, says), spoil);
    fn attack(target: &str, kind: &str) -> Value {
        json!({ "target_id": target, "attack_type": kind, "content": "It does not follow." })
    }
    fn defend(target: &str, kind: &str) -> Value {
        json!({ "target_id": target, "defense_type": kind, "content": "It still holds." })
    }
    let mut cases = not_json(&rebuttal("prop", 1).to_string());
    cases.extend([
        of("a list of three", "object", |v| *v = case()),
        of("an attack on its own side", "prop_000a", |v| {
            v["attacks"] = json!([attack("prop_000a", "claim_attack")])
        }),
        of("an attack on the same exchange", "opp_001", |v| {
            v["attacks"] = json!([attack("opp_001", "claim_attack")])
        }),
        of("an attack on itself", "prop_001", |v| {
            v["attacks"] = json!([attack("prop_001", "claim_attack")])
        }),
        of("an attack on nothing", "opp_000d", |v| {
            v["attacks"] = json!([attack("opp_000d", "claim_attack")])
        }),
        of("an attack on a later exchange", "opp_009", |v| {
            v["attacks"] = json!([attack("opp_009", "claim_attack")])
        }),
        of("an attack on a path", "target", |v| {
            v["attacks"] = json!([attack("../../etc/passwd", "claim_attack")])
        }),
        of("an attack on a file name", "target", |v| {
            v["attacks"] = json!([attack("opp_000a.md", "claim_attack")])
        }),
        of(
            "an attack on a number",
            "target",
            |v| {
                v["attacks"] =
                    json!([{ "target_id": 1, "attack_type": "claim_attack", "content": "No." }])
            },
        ),
        of(
            "an attack without a target",
            "target",
            |v| v["attacks"] = json!([{ "attack_type": "claim_attack", "content": "No." }]),
        ),
        of("an attack without a type", "attack_type", |v| {
            v["attacks"] = json!([{ "target_id": "opp_000a", "content": "No." }])
        }),
        of("an attack of an unknown type", "attack_type", |v| {
            v["attacks"] = json!([attack("opp_000a", "ad_hominem")])
        }),
        of(
            "an attack without words",
            "content",
            |v| v["attacks"] = json!([{ "target_id": "opp_000a", "attack_type": "claim_attack" }]),
        ),
        of("an attack with empty words", "content", |v| {
            v["attacks"][0]["content"] = json!("")
        }),
        of("four attacks", "3", |v| {
            v["attacks"] = json!([
                attack("opp_000a", "claim_attack"),
                attack("opp_000b", "claim_attack"),
                attack("opp_000c", "claim_attack"),
                attack("opp_000a", "warrant_attack")
            ])
        }),
        of("the same attack twice", "opp_000a", |v| {
            v["attacks"] = json!([
                attack("opp_000a", "claim_attack"),
                attack("opp_000a", "claim_attack")
            ])
        }),
        of("attacks that are an object", "attacks", |v| {
            v["attacks"] = attack("opp_000a", "claim_attack")
        }),
        of("a defense of the other side", "opp_000a", |v| {
            v["defends"] = json!([defend("opp_000a", "clarify")])
        }),
        of("a defense of itself", "prop_001", |v| {
            v["defends"] = json!([defend("prop_001", "clarify")])
        }),
        of("a defense of nothing", "prop_004", |v| {
            v["defends"] = json!([defend("prop_004", "clarify")])
        }),
        of("a defense of an unknown type", "defense_type", |v| {
            v["defends"] = json!([defend("prop_000a", "shrug")])
        }),
        of("three defenses", "2", |v| {
            v["defends"] = json!([
                defend("prop_000a", "clarify"),
                defend("prop_000b", "clarify"),
                defend("prop_000c", "clarify")
            ])
        }),
        of("the same defense twice", "prop_000a", |v| {
            v["defends"] = json!([
                defend("prop_000a", "clarify"),
                defend("prop_000a", "clarify")
            ])
        }),
        of("no warrant", "warrant", |v| {
            v.as_object_mut().unwrap().remove("warrant");
        }),
        of("four grounds", "ground", |v| {
            v["grounds"] = json!(vec![argument("x")["grounds"][0].clone(); 4])
        }),
    ]);
    let count = exchange(1, cases);
    eprintln!("{count} malformed rebuttals refused, the folder unchanged by each");
}

#[test]
fn malformed_scores_change_nothing() {
    let of = |name, says, spoil: fn(&mut Value)| spoiled(scores(1), (name, says), spoil);
    fn one(id: &str, score: f64) -> Value {
        json!({ "argument_id": id, "score": score, "reasoning": "It holds." })
    }
    fn again(id: &str, old: Option<f64>, new: f64) -> Value {
        let mut value = json!({ "argument_id": id, "new_score": new, "reasoning": "It fell." });
        if let Some(old) = old {
            value["old_score"] = json!(old);
        }
        value
    }
    let mut cases = not_json(&scores(1).to_string());
    cases.extend([
        of("a single object", "scores", |v| *v = one("prop_001", 0.0)),
        of("no scores", "score", |v| v["scores"] = json!([])),
        of("one unscored", "opp_001", |v| v["scores"] = json!([one("prop_001", 0.0)])),
        of("a stranger", "opp_009", |v| v["scores"] = json!([one("prop_001", 0.2), one("opp_001", -0.1), one("opp_009", -0.1)])),
        of("one scored before", "prop_000a", |v| v["scores"] = json!([one("prop_001", 0.2), one("opp_001", -0.1), one("prop_000a", -0.1)])),
        of("one scored twice", "prop_001", |v| v["scores"] = json!([one("prop_001", 0.2), one("prop_001", 0.0), one("opp_001", -0.2)])),
        of("a sum that is not zero", "sum", |v| v["scores"] = json!([one("prop_001", 0.3), one("opp_001", -0.1)])),
        of("a sum just over", "sum", |v| v["scores"] = json!([one("prop_001", 0.211), one("opp_001", -0.2)])),
        of("a score over one", "1", |v| v["scores"] = json!([one("prop_001", 1.2), one("opp_001", -1.2)])),
        of("a huge score", "", |v| v["scores"] = json!([one("prop_001", 1e300), one("opp_001", -1e300)])),
        wrong("NaN", "{\"scores\": [{\"argument_id\": \"prop_001\", \"score\": NaN, \"reasoning\": \"x\"}]}", "json"),
        wrong("Infinity", "{\"scores\": [{\"argument_id\": \"prop_001\", \"score\": Infinity, \"reasoning\": \"x\"}]}", "json"),
        of("a score as text", "score", |v| v["scores"][0]["score"] = json!("0.25")),
        of("a score that is null", "score", |v| v["scores"][0]["score"] = Value::Null),
        of("no reasoning", "reasoning", |v| { v["scores"][0].as_object_mut().unwrap().remove("reasoning"); }),
        of("empty reasoning", "reasoning", |v| v["scores"][0]["reasoning"] = json!("")),
        of("an id as a path", "argument_id", |v| v["scores"][0]["argument_id"] = json!("../prop_001")),
        of("a rescore of nothing", "opp_007", |v| v["rescores"] = json!([again("opp_007", None, 0.0)])),
        of("a rescore of a new argument", "prop_001", |v| v["rescores"] = json!([again("prop_001", None, 0.0)])),
        of("a rescore made twice", "prop_000a", |v| v["rescores"] = json!([again("prop_000a", None, 0.1), again("prop_000a", None, 0.2)])),
        of("a rescore that lies about the old score", "0.300", |v| v["rescores"] = json!([again("prop_000a", Some(0.9), 0.7)])),
        of("a rescore that goes too far", "0.5", |v| v["rescores"] = json!([again("prop_000a", None, -0.3)])),
        of("a rescore out of range", "1", |v| v["rescores"] = json!([again("prop_000a", None, 5.0)])),
        of("a rescore as text", "new_score", |v| v["rescores"] = json!([{ "argument_id": "prop_000a", "new_score": "0.1", "reasoning": "x" }])),
        of("a rescore without a new score", "new_score", |v| v["rescores"] = json!([{ "argument_id": "prop_000a", "reasoning": "x" }])),
        of("a rescore without reasoning", "reasoning", |v| v["rescores"] = json!([{ "argument_id": "prop_000a", "new_score": 0.1 }])),
    ]);
    let count = judgment(1, cases);
    eprintln!("{count} malformed judgments refused, the folder unchanged by each");
}

#[test]
fn a_step_at_the_wrong_time_changes_nothing() {
    let world = World::before(1);
    let before = world.files();
    let unchanged = |name: &str, said: &Said, says: &str| {
        refused(name, said, says);
        assert!(before == world.files(), "{name}: the folder has changed");
    };
    let (prop, opp) = (good("prop", 1), good("opp", 1));
    unchanged(
        "a skipped exchange",
        &world.exchange(2, &prop, &opp),
        "exchange 1",
    );
    unchanged(
        "a far exchange",
        &world.exchange(65_535, &prop, &opp),
        "exchange 1",
    );
    let other = good("prop", 0).replace("March", "April");
    unchanged(
        "a repeated exchange with other words",
        &world.exchange(0, &other, &good("opp", 0)),
        "exchange 1",
    );
    unchanged(
        "scores before arguments",
        &world.judgment(&scores(1).to_string()),
        "arguments",
    );
    let nowhere = StepFiles::Judgment {
        scores: world.path("nowhere.json"),
    };
    unchanged(
        "a file that is not there",
        &world.take("d", nowhere),
        "nowhere.json",
    );
    let judge = StepFiles::Judgment {
        scores: world.input("judge.json", scores(0).to_string().as_bytes()),
    };
    unchanged(
        "a debate that is not there",
        &world.take("elsewhere", judge),
        "elsewhere",
    );
    world.argue(1);
    let before = world.files();
    refused(
        "arguments before scores",
        &world.exchange(2, &prop, &opp),
        "scores",
    );
    assert!(before == world.files());
}

#[test]
fn arguments_that_are_a_link_are_not_followed() {
    let world = World::before(1);
    let elsewhere = tempfile::tempdir().unwrap();
    let arguments = world.folder().join("arguments");
    std::fs::rename(&arguments, elsewhere.path().join("arguments")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("arguments"), &arguments).unwrap();
    let before = world.files();
    let said = world.exchange(1, &good("prop", 1), &good("opp", 1));
    refused("arguments/ as a link", &said, "arguments");
    assert!(before == world.files());
    let count = std::fs::read_dir(elsewhere.path().join("arguments"))
        .unwrap()
        .count();
    assert_eq!(count, 6, "something was written through the link");
}
