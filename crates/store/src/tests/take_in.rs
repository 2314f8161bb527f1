//! What another tool writes between two of our writes.

use std::sync::Arc;

use agon_debate::plan::{Phase, phase};
use agon_debate::tally::totals;
use serde_json::{Value, json};

use super::formal_support::{
    Other, argument, changed, debates, files, formal, image, next, place, rebuttal,
};
use super::support::{AT, open};
use crate::{
    AppendError, Disk, Fault, FaultDisk, FaultKind, Folder, TakeInError, View, check, foreign,
};

fn reopened(disk: &FaultDisk) -> Folder {
    open(disk, &place()).unwrap().0
}

/// Takes in what is there, goes on for a step, and looks whether all is well.
fn goes_on(disk: &FaultDisk, case: &str) -> Folder {
    let mut folder = reopened(disk);
    let before = image(disk, &place());
    let taken = folder.take_in(AT).unwrap();
    assert!(taken.is_some(), "{case}");
    assert_eq!(changed(&before, &image(disk, &place())), [""; 0], "{case}");
    assert_eq!(folder.take_in(AT).unwrap(), None, "{case}");
    folder.project(&files(folder.state())).unwrap();
    // What the other tool wrote keeps its bytes.
    for (name, bytes) in &before {
        if name.starts_with("arguments/") || name == "scores.json" {
            assert_eq!(
                &disk.read(&place().join(name)).unwrap(),
                bytes,
                "{case}: {name}"
            );
        }
    }
    for _ in 0..2 {
        let events = next(folder.state());
        folder.append(AT, &events).unwrap();
        folder.project(&files(folder.state())).unwrap();
    }
    let report = check(disk, &place(), &files).unwrap();
    assert!(
        report.sound(),
        "{case}: {:?} {:?}",
        report.problems,
        report.files
    );
    assert_eq!(&report.state, folder.state(), "{case}");
    // And the other tool could go on from there.
    let view = View::read(disk, &place()).unwrap();
    let copy = FaultDisk::new();
    for (name, bytes) in image(disk, &place()) {
        copy.put(&place().join(name), &bytes);
    }
    let theirs = foreign::read(&copy, &place()).unwrap();
    assert_eq!(theirs.imported.scores, view.state.scores, "{case}");
    assert_eq!(theirs.stated, Some(totals(&view.state)), "{case}");
    folder
}

#[test]
fn steps_of_another_tool_are_taken_in_wherever_the_debate_stands() {
    type Steps = fn(&Other<'_>);
    let cases: [(&str, usize, Steps); 8] = [
        ("the opening exchange", 0, |other| other.argue(0)),
        ("the opening exchange and its judgment", 0, |other| {
            other.argue(0);
            other.judge(None);
        }),
        ("the judgment of our opening exchange", 1, |other| {
            other.judge(None)
        }),
        ("a rebuttal", 2, |other| other.argue(1)),
        ("a judgment with a rescore", 3, |other| {
            other.judge(Some(("opp_000b", 0.1)))
        }),
        ("a whole exchange", 4, |other| {
            other.argue(2);
            other.judge(Some(("prop_001", 0.25)));
        }),
        ("three exchanges", 2, |other| {
            for round in 1..=3 {
                other.argue(round);
                other.judge(Some(("prop_000a", 0.25)));
            }
        }),
        ("a judgment and the next arguments", 3, |other| {
            other.judge(None);
            other.argue(2);
        }),
    ];
    for (case, steps, write) in cases {
        let disk = FaultDisk::new();
        drop(formal(&disk, steps));
        write(&Other::new(&disk));
        drop(goes_on(&disk, case));
        // Again, on top of what was taken in and what we added.
        let folder = reopened(&disk);
        let round = agon_debate::format::exchange(folder.state());
        let waits = phase(folder.state()) == Phase::AwaitingJudgment;
        drop(folder);
        let other = Other::new(&disk);
        if waits {
            other.judge(Some(("prop_000c", 0.5)));
        } else {
            other.argue(round);
        }
        goes_on(&disk, case);
    }
}

#[test]
fn what_was_taken_in_is_told() {
    let disk = FaultDisk::new();
    drop(formal(&disk, 4));
    let other = Other::new(&disk);
    other.argue(2);
    other.judge(Some(("prop_001", 0.25)));
    let mut folder = reopened(&disk);
    let lines = folder.lines();
    let taken = folder.take_in(AT + 7).unwrap().unwrap();
    let named =
        |ids: &[agon_debate::id::NodeId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(named(&taken.arguments), ["prop_002", "opp_002"]);
    assert_eq!(named(&taken.scored), ["prop_001", "prop_002", "opp_002"]);
    assert_eq!(taken.judged, Some(2));
    assert_eq!((folder.lines(), folder.times_ms().1), (lines + 1, AT + 7));
    let history = &folder.state().scores[&"prop_001".parse().unwrap()];
    assert_eq!(history.len(), 2);
    let names: Vec<_> = folder.state().imported.keys().cloned().collect();
    let expected = [
        "argument-graph.mmd",
        "arguments/opp_002.md",
        "arguments/prop_002.md",
        "debate.md",
        "scores.json",
    ];
    assert_eq!(names, expected);
}

/// What is said of a folder of ours, after four steps, that somebody changed.
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
    let error = folder.take_in(AT).unwrap_err();
    assert!(
        matches!(error, TakeInError::ForeignEdit { .. }),
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
        other.write("scores.json", &crate::raw::ascii(&all));
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
            "arguments/prop_002.md: arguments/prop_002.md: is of exchange 2, but debate.md awaits the arguments of exchange 2",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.put_argument("prop_002", argument("Alone"));
                o.front(|front| front["current_phase"] = "awaiting_judgment".into());
            }),
            "debate.md, arguments/prop_002.md: debate.md:3: debate.md awaits the judgment of exchange 2, but the opposition",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(3);
            }),
            "debate.md, arguments/opp_003.md, arguments/prop_003.md: arguments/prop_003.md: is of exchange 3",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.put_argument("prop_001", rebuttal("Other", "opp_000a"));
            }),
            "debate.md, arguments/prop_001.md, arguments/opp_002.md, arguments/prop_002.md: arguments/prop_001.md was there before",
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
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: the text of debate.md is another",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.front(|front| front["ruleset"] = "none".into());
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: `ruleset` in debate.md is another",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.front(|front| {
                    front.as_object_mut().unwrap().remove("ulid");
                });
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: `ulid` in debate.md is another",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.front(|front| front["mine"] = 1.into());
            }),
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: `mine` in debate.md is another",
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
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: debate.md gives other totals than the scores add up to",
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
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: scores.json does not hold what was there before",
        ),
        (
            Box::new(|o: &Other<'_>| {
                o.argue(2);
                o.judge(None);
                scores(o, &|all| all["opp_000a"]["x"] = 1.into());
            }),
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: scores.json does not hold what was there before",
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
            "debate.md, scores.json, arguments/opp_002.md, arguments/prop_002.md: the scores of exchange 2 add up to +0.500, not to 0",
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
            "scores.json: scores were added without a judgment",
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
            "debate.md, arguments/opp_002.md, arguments/prop_002.md: debate.md:3: debate.md awaits the judgment of exchange 2, but the opposition has no argument of exchange 1",
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

#[test]
fn a_folder_that_nobody_changed_is_left_alone() {
    let disk = FaultDisk::new();
    for steps in 0..5 {
        let disk = FaultDisk::new();
        drop(formal(&disk, steps));
        let mut folder = reopened(&disk);
        disk.make_read_only();
        assert_eq!(folder.take_in(AT).unwrap(), None);
    }
    // Nor is a crash before the files were written anybody's change.
    let mut folder = formal(&disk, 2);
    let events = next(folder.state());
    folder.append(AT, &events).unwrap();
    drop(folder);
    let mut folder = reopened(&disk);
    assert_eq!(folder.take_in(AT).unwrap(), None);
    folder.project(&files(folder.state())).unwrap();
    assert!(check(&disk, &place(), &files).unwrap().sound());
}

#[test]
fn a_duel_takes_nothing_in() {
    let disk = FaultDisk::new();
    let mut duel = super::support::debate(&disk, 4);
    duel.project(&super::support::files(duel.state())).unwrap();
    disk.put(
        &super::support::folder().join("arguments/pro_009.md"),
        b"Mine.",
    );
    disk.put(&super::support::folder().join("debate.md"), b"Mine.");
    let error = duel.take_in(AT).unwrap_err();
    let expected = "changed by hand or by another program: debate.md, arguments/pro_009.md: \
                    only a formal debate goes on with another tool";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_step_cut_short_anywhere_is_taken_in_once() {
    let set_up = || {
        let disk = FaultDisk::new();
        drop(formal(&disk, 4));
        // The system got round to writing what was written.
        for (name, bytes) in image(&disk, &place()) {
            disk.put(&place().join(name), &bytes);
        }
        for dir in [place(), place().join("arguments")] {
            disk.sync_dir(&dir).unwrap();
        }
        let other = Other::new(&disk);
        other.argue(2);
        other.judge(Some(("prop_001", 0.25)));
        disk
    };
    let counted = {
        let disk = set_up();
        let mut folder = reopened(&disk);
        disk.set(Fault {
            at: u64::MAX,
            kind: FaultKind::Fail,
        });
        folder.take_in(AT).unwrap();
        disk.changes().len() as u64 + disk.operations()
    };
    for kind in [
        FaultKind::Fail,
        FaultKind::Tear,
        FaultKind::Crash,
        FaultKind::CrashTorn,
    ] {
        for at in 0..counted {
            let case = format!("{kind:?} at {at}");
            let disk = set_up();
            let before = image(&disk, &place());
            let mut folder = reopened(&disk);
            let lines = folder.lines();
            disk.set(Fault { at, kind });
            let taken = folder.take_in(AT).is_ok();
            disk.mend();
            drop(folder);
            let crashed = matches!(kind, FaultKind::Crash | FaultKind::CrashTorn);
            let after = if crashed {
                crate::Keep::ALL.map(|keep| disk.survive(keep)).to_vec()
            } else {
                vec![disk]
            };
            for disk in after {
                assert_eq!(changed(&before, &image(&disk, &place())), [""; 0], "{case}");
                let mut folder = reopened(&disk);
                assert!(!taken || folder.lines() == lines + 1, "{case}");
                folder.take_in(AT).unwrap();
                assert_eq!(folder.lines(), lines + 1, "{case}");
                folder.project(&files(folder.state())).unwrap();
                let report = check(&disk, &place(), &files).unwrap();
                assert!(
                    report.sound(),
                    "{case}: {:?} {:?}",
                    report.problems,
                    report.files
                );
            }
        }
    }
}

#[test]
fn a_journal_changed_meanwhile_takes_nothing_in() {
    let disk = FaultDisk::new();
    let mut folder = formal(&disk, 2);
    Other::new(&disk).argue(1);
    let mut journal = disk.read(&place().join(".agon/journal.jsonl")).unwrap();
    journal.extend_from_slice(b"more");
    disk.put(&place().join(".agon/journal.jsonl"), &journal);
    let error = folder.take_in(AT).unwrap_err();
    assert!(
        matches!(error, TakeInError::Append(AppendError::Changed)),
        "{error:?}"
    );
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let (_, opening) = Folder::open(shared, &debates().join("job-store"), AT)
        .map_err(drop)
        .unwrap_or_else(|()| {
            drop(folder);
            open(&disk, &place()).unwrap()
        });
    assert_eq!(opening.torn.map(|torn| torn.bytes), Some(4));
}
