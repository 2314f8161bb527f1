//! The commands that read a debate: show, list, check, rm, open.

use std::fs;
use std::path::Path;

use agon_testkit::{Cue, Script};
use insta::assert_snapshot;
use regex::Regex;
use serde_json::json;

use crate::cli::folder::{debate, halted, other, spec};
use crate::cli::harness::Agon;

const ALL: usize = usize::MAX;

/// A project with the finished debate `job-store`.
fn finished() -> Agon {
    let agon = Agon::new();
    debate(
        &agon.project().join("debates"),
        spec("job-store"),
        &Script::job_store(),
        ALL,
    );
    agon
}

#[test]
fn the_verdict_is_shown_on_one_screen_and_to_programs() {
    let agon = finished();
    let ran = agon.run(&["show", "job-store"]);
    assert!(ran.stdout.lines().count() <= 24, "{}", ran.stdout);
    assert_snapshot!(ran.screen());
    let ran = agon.run(&["show", "--json"]);
    assert_eq!(ran.json()["schema"], "agon.result/1");
    assert!(ran.stdout.len() < 5_000, "{}", ran.stdout.len());
    assert_eq!(ran.stderr, "");
    let ran = agon.run(&["show", "nothing-like-it", "--json"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.json()["error"]["code"], "unknown_debate");
}

#[test]
fn a_halted_debate_shows_how_far_it_came() {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    halted(&debates, spec("job-store"), &Script::job_store(), 3);
    let ran = agon.run(&["show"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let because = "\nreason    codex cannot speak as challenger: log in first\n";
    assert!(ran.stdout.contains(because), "{}", ran.stdout);
}

#[test]
fn sections_and_points_are_printed() {
    let agon = finished();
    let transcript = agon.run(&["show", "--section", "transcript"]);
    let arguments = agon.run(&["show", "--section", "arguments", "--limit", "3"]);
    let findings = agon.run(&["show", "--section", "findings"]);
    let argued = agon.run(&["show", "job-store", "pro_001a"]);
    let objected = agon.run(&["show", "cha_001a"]);
    for line in argued.stdout.lines().chain(objected.stdout.lines()) {
        assert!(!line.contains('…'), "{line}");
    }
    let screens = [transcript, arguments, findings, argued, objected];
    assert_snapshot!(screens.map(|ran| ran.screen()).join("\n"));
    let none = agon.run(&["show", "job-store", "pro_999z"]);
    assert_eq!(none.code, Some(2));
    let none = agon.run(&["evidence", "--stamp", "unreachable"]).stderr;
    assert_eq!(none.trim(), "none");
}

#[test]
fn a_page_is_written_and_named_where_nobody_watches() {
    let agon = finished();
    let opened = agon.run(&["open"]);
    assert_eq!(opened.code, Some(0), "{opened:?}");
    assert!(opened.stdout.trim().ends_with("job-store/report.html"));
    assert!(Path::new(opened.stdout.trim()).is_file());
}

#[test]
fn what_is_removed_is_asked_first() {
    let agon = finished();
    let folder = agon.project().join("debates/job-store");
    let asked = agon.run(&["rm", "job-store"]);
    assert_eq!(asked.code, Some(2));
    assert!(asked.stderr.contains("--yes"), "{asked:?}");
    // One that is not there keeps the others too.
    let one_wrong = agon.run(&["rm", "--yes", "job-store", "nothing-like-it"]);
    assert_eq!(one_wrong.code, Some(2));
    assert!(folder.is_dir());
    let removed = agon.run(&["rm", "--yes", "job-store", "--json"]).json();
    assert_eq!(removed["removed"], json!(["debates/job-store"]));
    assert!(!folder.exists());
}

#[test]
fn debates_are_listed_in_a_table() {
    let agon = Agon::new();
    let empty = agon.run(&["list"]).screen();
    let debates = agon.project().join("debates");
    debate(&debates, spec("job-store"), &Script::job_store(), ALL);
    halted(&debates, other("stuck", 2), &Script::job_store(), 3);
    debate(&debates, other("under-way", 3), &Script::job_store(), 2);
    let listed = agon.run(&["list"]).screen();
    let age = Regex::new(r"(just now|\d+ (min|h|d) ago|\d{4}-\d\d-\d\d)  ").unwrap();
    let listed = age.replace_all(&listed, "[AGE]  ");
    assert_snapshot!([empty, listed.into_owned()].join("\n"));
    let first = agon.run(&["list", "--limit", "1"]).stdout;
    assert_eq!(first.lines().count(), 1);
}

#[test]
fn a_check_exits_by_what_it_finds_and_shows_where_it_stands() {
    let agon = Agon::new();
    let good = Script::job_store();
    let cue = Cue {
        turn: Some("r1.cha".to_owned()),
        again: 0,
    };
    let wrong = good.reply(&cue).replace("\"pro_001a\"", "\"pro_009a\"");
    let script = good.turn("r1.cha", [wrong.clone(), wrong]);
    let debates = agon.project().join("debates");
    let folder = debate(&debates, spec("job-store"), &script, 5);
    fs::write(folder.join("transcript.md"), "mine\n").unwrap();
    fs::remove_file(folder.join("debate.md")).unwrap();
    let found = agon.run(&["check"]);
    assert_eq!(found.code, Some(8), "{}", found.stdout);
    let one = agon.run(&["check", "--rule", "attack-target"]);
    let none = agon.run(&["check", "--rule", "reply-parse"]);
    let unknown = agon.run(&["check", "--rule", "target"]);
    let screens = [found, one, none, unknown];
    assert_snapshot!(screens.map(|ran| ran.screen()).join("\n"));
}

#[test]
fn nothing_goes_on_with_a_damaged_journal_and_every_word_names_what_can_be_typed() {
    let agon = finished();
    let elsewhere = agon.project().join("else where");
    fs::create_dir(&elsewhere).unwrap();
    fs::rename(
        agon.project().join("debates/job-store"),
        elsewhere.join("job-store"),
    )
    .unwrap();
    let journal = elsewhere.join("job-store/.agon/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines[4] = lines[4].replacen("\"at\":\"2026", "\"at\":\"2027", 1);
    fs::write(&journal, lines.join("\n") + "\n").unwrap();
    let before = tree(&elsewhere);
    let path = "else where/job-store";
    for args in [
        &["resume", path][..],
        &["continue", path],
        &["run", path],
        &["say", path, "hello"],
        &["judge", path],
    ] {
        let ran = agon.run(args);
        assert_eq!(ran.code, Some(6), "{args:?}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout, "", "{args:?}");
        assert!(
            ran.stderr.contains("of the journal is corrupted"),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr
                .contains("agon check 'else where/job-store' lists the problems"),
            "{}",
            ran.stderr
        );
    }
    assert!(tree(&elsewhere) == before);
    for command in ["show", "evidence", "graph", "ask"] {
        let ran = agon.run(&[command, path, "why"][..2 + usize::from(command == "ask")]);
        assert!(
            ran.stderr
                .contains("for details: agon check 'else where/job-store'"),
            "{command}: {}",
            ran.stderr
        );
    }
}

/// Every file with its bytes and the time of its last change.
fn tree(folder: &Path) -> Vec<(String, Vec<u8>, std::time::SystemTime)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let changed = fs::metadata(&path).unwrap().modified().unwrap();
                found.push((
                    path.display().to_string(),
                    fs::read(&path).unwrap(),
                    changed,
                ));
            }
        }
    }
    found.sort();
    found
}
