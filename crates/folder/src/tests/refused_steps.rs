//! Changes of another tool that are not a valid step of the debate.

use agon_store::{Disk, FaultDisk};
use serde_json::{Value, json};

use super::formal_support::{Other, argument, changed, formal, image, place, rebuttal};
use super::support::AT;
use super::take_in::reopened;
use crate::ImportStepsError;

/// Returns the error for a folder of Agon that was changed after four steps.
fn refusal(spoil: &dyn Fn(&Other<'_>)) -> String {
    let disk = FaultDisk::new();
    drop(formal(&disk, 4));
    let other = Other::new(&disk);
    spoil(&other);
    let mut folder = reopened(&disk);
    let state = folder.state().clone();
    let before = image(&disk, &place());
    let ours = |disk: &FaultDisk| {
        ["journal.jsonl", "projections.json"]
            .map(|name| disk.read(&place().join(".agon").join(name)).unwrap())
    };
    let record = ours(&disk);
    let error = folder.import_foreign_steps(AT).unwrap_err();
    assert!(
        matches!(error, ImportStepsError::ForeignEdit { .. }),
        "{error:?}"
    );
    assert_eq!(folder.state(), &state);
    assert_eq!(
        changed(&before, &image(&disk, &place())),
        [""; 0],
        "{error}"
    );
    assert!(ours(&disk) == record, "{error}");
    error.to_string()
}

#[test]
fn what_is_no_step_of_the_debate_is_refused_and_nothing_is_written() {
    let scores = |other: &Other<'_>, change: &dyn Fn(&mut Value)| {
        let mut all: Value = serde_json::from_str(&other.read("scores.json")).unwrap();
        change(&mut all);
        other.write("scores.json", &crate::raw_json::to_ascii_json(&all));
    };
    let replace = |other: &Other<'_>, name: &str, old: &str, new: &str| {
        let text = other.read(name);
        assert!(text.contains(old));
        other.write(name, &text.replacen(old, new, 1));
    };
    type Case<'a> = (Box<dyn Fn(&Other<'_>) + 'a>, &'a str);
    let cases: Vec<Case<'_>> = vec![
        (
            Box::new(|o: &Other<'_>| o.put_argument("prop_002", argument("Alone"))),
            "arguments/prop_002.md: arguments/prop_002.md: belongs to exchange 2, but debate.md awaits the arguments of exchange 2",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.put_argument("prop_002", argument("Alone"));
                o.front(|front| front["current_phase"] = "awaiting_judgment".into());
            }),
            "debate.md, arguments/prop_002.md: debate.md:3: awaits the judgment of exchange 2, but the opposition",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(3);
            }),
            "debate.md, arguments/opp_003.md, arguments/prop_003.md: arguments/prop_003.md: belongs to exchange 3",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.put_argument("prop_001", rebuttal("Other", "opp_000a"));
            }),
            "debate.md, arguments/prop_001.md, arguments/opp_002.md, arguments/prop_002.md: arguments/prop_001.md existed before and was changed",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.put_argument("prop_000d", argument("More"));
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_000d.md, arguments/prop_002.md: scores.json: does not score prop_000d",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                replace(o, "debate.md", "One host.", "Two hosts.");
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: the text of debate.md was changed",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.front(|front| front["ruleset"] = "none".into());
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: `ruleset` in debate.md was changed",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.front(|front| {
                    front.as_object_mut().unwrap().remove("ulid");
                });
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: `ulid` in debate.md was changed",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.front(|front| front["mine"] = 1.into());
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: `mine` in debate.md was changed",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.front(|front| front["cumulative_scores"]["proposition"]["total"] = 5.into())
            }),
            "debate.md: no argument and no score was added",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.judge(None);
                o.front(|front| front["cumulative_scores"]["opposition"]["total"] = 5.into());
            }),
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: the totals in debate.md do not match the scores",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.judge(None);
                scores(o, &|all| {
                    all["opp_000a"]["history"][0]["score"] = 0.2.into()
                });
            }),
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: scores.json:",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.judge(None);
                scores(o, &|all| {
                    all["opp_000a"]["history"][0]["reasoning"] = "Other.".into()
                });
            }),
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: earlier entries of scores.json were changed or removed",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.judge(None);
                scores(o, &|all| all["opp_000a"]["x"] = 1.into());
            }),
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: earlier entries of scores.json were changed or removed",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.judge(None);
                scores(
                    o,
                    &|all| {
                        all["opp_002"] =
                            json!({ "current_score": -0.5, "history": [{ "score": -0.5 }] })
                    },
                );
            }),
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: the scores of exchange 2 add up to +0.500 instead of 0",
        ),
        (
            Box::new(|o: &Other<'_>| {
                scores(o, &|all| {
                    let item = json!({ "score": 0.1, "reasoning": "", "triggered_by": "prop_001" });
                    all["prop_001"]["history"]
                        .as_array_mut()
                        .unwrap()
                        .push(item);
                    all["prop_001"]["current_score"] = 0.1.into();
                })
            }),
            "scores.json: scores were added although no judgment was pending",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                scores(o, &|all| {
                    all["prop_002"] = json!({ "current_score": 0, "history": [{ "score": 0 }] });
                });
            }),
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: scores.json: scores prop_002, but debate.md awaits",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.judge(None);
                scores(o, &|all| {
                    all.as_object_mut().unwrap().remove("opp_002");
                });
            }),
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: scores.json: does not score opp_002",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.disk
                    .remove_tree(&o.at.join("arguments/opp_001.md"))
                    .unwrap();
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: debate.md:3: awaits the judgment of exchange 2, but the opposition has no argument of exchange 1",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.disk
                    .remove_tree(&o.at.join("arguments/opp_000b.md"))
                    .unwrap();
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: scores.json: scores opp_000b, which has no file",
        ),
        (
            Box::new(|o: &Other<'_>| o.write("arguments/notes.md", "Mine.")),
            "arguments/notes.md: arguments/notes.md: is not named like an argument",
        ),
        (
            Box::new(|o: &Other<'_>| o.write("debate.md", "{}\n\n# Motion\n\nMine.\n")),
            "debate.md: debate.md:1: missing field `current_exchange`",
        ),
    ];
    let mut wrong = Vec::new();
    for (spoil, expected) in &cases {
        println!("{expected}");
        let found = refusal(spoil);
        let found = found
            .strip_prefix("changed by hand or by another program: ")
            .unwrap()
            .to_owned();
        if !found.starts_with(expected) {
            wrong.push((found, *expected));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
