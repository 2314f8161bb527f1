//! What was debated before: searched, counted, recalled.

use std::fs;
use std::path::PathBuf;

use agon_record::spec::Spec;
use agon_testkit::Script;
use serde_json::Value;

use crate::cli::folder::{debate, other};
use crate::cli::harness::Agon;

/// A place with the debate that the script knows, and one about tabs that has only begun.
fn with_debates() -> (Agon, PathBuf) {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    fs::create_dir(&debates).unwrap();
    debate(&debates, other("job-store", 7), &Script::job_store(), 99);
    let tabs = Spec {
        topic: "Tabs or spaces?".to_owned(),
        ..other("tabs", 8)
    };
    debate(&debates, tabs, &Script::job_store(), 0);
    (agon, debates)
}

fn names(document: &Value) -> Vec<&str> {
    let debates = document["debates"].as_array().unwrap().iter();
    debates.map(|one| one["debate"].as_str().unwrap()).collect()
}

#[test]
fn debates_are_found_by_their_words() {
    let (agon, debates) = with_debates();
    let found = agon.run(&["list", "--search", "lease sweeper", "--json"]);
    let document = found.json();
    assert_eq!(names(&document), ["job-store"]);
    let one = &document["debates"][0];
    assert_eq!(one["answer"], "Use SQLite for the job store");
    assert_eq!(
        (&one["phase"], &one["authority"]),
        (&"closed".into(), &"full".into())
    );
    assert!(one["snippet"].as_str().unwrap().contains("lease"), "{one}");
    assert!(debates.join(".agon/index.db").is_file());
    insta::assert_snapshot!(
        "search",
        agon.run(&["list", "--search", "\"job store\" lease*"])
            .screen()
    );
    insta::assert_snapshot!(
        "search_none",
        agon.run(&["list", "--search", "kubernetes"]).screen()
    );
    insta::assert_snapshot!(
        "search_no_words",
        agon.run(&["list", "--search", "?!"]).screen()
    );
}

#[test]
fn a_search_is_the_same_after_the_index_was_lost_or_spoilt() {
    let (agon, debates) = with_debates();
    let search = || {
        let found = agon.run(&["list", "--search", "sqlite", "--json"]);
        assert_eq!(found.code, Some(0), "{}", found.stderr);
        (found.json(), found.stderr)
    };
    let (first, said) = search();
    assert_eq!(said, "");
    fs::remove_file(debates.join(".agon/index.db")).unwrap();
    assert_eq!(search(), (first.clone(), String::new()));
    fs::write(debates.join(".agon/index.db"), "my notes").unwrap();
    let (again, said) = search();
    assert_eq!(again, first);
    assert!(said.contains("it is kept as"), "{said}");
    assert_eq!(search(), (first, String::new()));
    // Nothing of it gets into a repository.
    let ignored = fs::read_to_string(debates.join(".agon/.gitignore")).unwrap();
    assert_eq!(ignored, "index.db*\n");
}

#[test]
fn what_debates_cost_is_added_up_from_their_journals() {
    let (agon, debates) = with_debates();
    debate(&debates, other("half", 9), &Script::job_store(), 3);
    let usage = |args: &[&str]| agon.run(&[&["usage", "--json"], args].concat()).json();
    let total = &usage(&[])["total"];
    // Eight calls and three, of 9,000 tokens in and 800 out each, 41 seconds each.
    assert_eq!(
        (&total["calls"], &total["debates"]),
        (&11.into(), &2.into())
    );
    assert_eq!(total["tokens"]["in"], 99_000);
    assert_eq!(total["tokens"]["out"], 8_800);
    assert_eq!(total["time_ms"], 11 * 41_000);
    assert_eq!(
        (&total["cost"], &total["cost_unknown"]),
        (&Value::Null, &11.into())
    );
    let verdict = agon
        .run(&["report", "job-store", "--format", "json"])
        .json();
    let groups = usage(&["--by", "debate"])["groups"].clone();
    assert_eq!(groups[0]["name"], "job-store");
    assert_eq!(groups[0]["calls"], verdict["usage"]["calls"]);
    assert_eq!(groups[0]["wall_ms"], verdict["usage"]["wall_ms"]);
    assert_eq!(groups[1]["name"], "half");
    let calls = |by: &str, since: &str| usage(&["--by", by, "--since", since])["groups"].clone();
    assert_eq!(calls("day", "2026-11-21")[0]["name"], "2026-11-21");
    assert_eq!(calls("tool", "2126-11-22").as_array().unwrap().len(), 0);
    assert_eq!(
        calls("model", "2026-11-21")[0]["name"],
        "claude (its own choice)"
    );
    insta::assert_snapshot!("usage", agon.run(&["usage"]).screen());
    insta::assert_snapshot!(
        "usage_by_debate",
        agon.run(&["usage", "--by", "debate"]).screen()
    );
    insta::assert_snapshot!(
        "usage_since_nonsense",
        agon.run(&["usage", "--since", "soon"]).screen()
    );
}

#[test]
fn the_next_debate_is_expected_to_take_what_earlier_ones_took() {
    let agon = Agon::with(agon_testkit::FakeTools::with(&[
        "claude", "codex", "gemini",
    ]));
    let debates = agon.project().join("debates");
    fs::create_dir(&debates).unwrap();
    let plan = |more: &[&str]| {
        let seats = [
            "--proposer",
            "claude",
            "--challenger",
            "codex",
            "--judge",
            "gemini",
        ];
        let ran = agon.run(
            &[
                &["debate", "Tabs or spaces?", "--dry-run"],
                &seats[..],
                more,
            ]
            .concat(),
        );
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran
    };
    let known = |plan: &Value| plan["expected"].clone();
    for number in 1..=3 {
        assert_eq!(known(&plan(&["--json"]).json()), Value::Null);
        let slug = format!("number-{number}");
        debate(&debates, other(&slug, number), &Script::job_store(), 99);
    }
    // Blind, four turns one after the other, the judge beside itself: six times 41 seconds.
    let expected = known(&plan(&["--json"]).json());
    assert_eq!(
        (&expected["eta_s"], &expected["seconds"][1]),
        (&246.into(), &246.into())
    );
    assert_eq!(expected["tokens"][0], 8 * 9_800);
    let text = plan(&[]).stdout;
    assert!(
        text.contains("8 calls, about 4 min, 78k tokens · stops at"),
        "{text}"
    );
    // Of a third round nothing is known but what other follow-ups took.
    let quick = known(&plan(&["--quick", "--json"]).json());
    assert_eq!(quick["eta_s"], 123);
    let started = agon.run(&["debate", "Tabs or spaces?", "--quick", "--slug", "s"]);
    assert!(
        started.stderr.contains("3 calls, about 2 min, 29k tokens"),
        "{}",
        started.stderr
    );
}
