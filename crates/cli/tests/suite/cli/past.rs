//! What was debated before, on the screen: searched, counted, expected of the next debate.

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

#[test]
fn a_search_prints_what_it_finds() {
    let (agon, _) = with_debates();
    let words = ["\"job store\" lease*", "kubernetes", "?!"];
    let ran = words.map(|words| agon.run(&["list", "--search", words]).screen());
    insta::assert_snapshot!(ran.join("\n"));
}

#[test]
fn what_debates_cost_is_a_table() {
    let (agon, debates) = with_debates();
    debate(&debates, other("half", 9), &Script::job_store(), 3);
    let usage = |args: &[&str]| agon.run(&[&["usage"], args].concat()).screen();
    let ran = [
        usage(&[]),
        usage(&["--by", "debate"]),
        usage(&["--since", "soon"]),
    ];
    insta::assert_snapshot!(ran.join("\n"));
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
