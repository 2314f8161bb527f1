//! The commands that read a debate: show, list, check, report.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use agon_testkit::Script;
use insta::assert_snapshot;
use regex::Regex;
use serde_json::{Value, json};

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
fn the_verdict_is_shown_on_one_screen() {
    let agon = finished();
    let ran = agon.run(&["show", "job-store"]);
    assert!(ran.stdout.lines().count() <= 24, "{}", ran.stdout);
    assert_snapshot!(ran.screen());
}

#[test]
fn the_only_debate_need_not_be_named() {
    let agon = finished();
    let named = agon.run(&["show", "job-store"]).stdout;
    assert_eq!(agon.run(&["show"]).stdout, named);
    assert_eq!(
        agon.run(&["show", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]).stdout,
        named
    );
    assert_eq!(agon.run(&["show", "debates/job-store"]).stdout, named);
}

#[test]
fn a_program_gets_a_small_result() {
    let ran = finished().run(&["show", "--json"]);
    let shown = ran.json();
    assert_eq!(shown["schema"], "agon.result/1");
    assert_eq!(shown["phase"], "closed");
    assert_eq!(shown["authority"], "full");
    assert_eq!(shown["winner"], "proposer");
    assert_eq!(shown["paths"]["folder"], "debates/job-store");
    assert!(ran.stdout.len() < 5_000, "{}", ran.stdout.len());
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_debate_under_way_says_what_goes_on_with_it() {
    let agon = Agon::new();
    debate(
        &agon.project().join("debates"),
        spec("job-store"),
        &Script::job_store(),
        3,
    );
    assert_snapshot!(agon.run(&["show"]).screen());
    let shown = agon.run(&["show", "--json"]).json();
    assert_eq!(
        (&shown["phase"], &shown["answer"]),
        (&json!("awaiting_challenger"), &Value::Null)
    );
}

#[test]
fn a_halted_debate_says_why() {
    let agon = Agon::new();
    halted(
        &agon.project().join("debates"),
        spec("job-store"),
        &Script::job_store(),
        3,
    );
    assert_snapshot!(agon.run(&["show"]).screen());
}

#[test]
fn sections_are_bounded_and_say_how_much_there_is() {
    let agon = finished();
    for section in ["transcript", "arguments", "findings"] {
        let whole = agon.run(&["show", "--section", section, "--json"]).json();
        assert_eq!(whole["schema"], "agon.section/1", "{section}");
        let entries = whole["entries"].as_array().unwrap();
        assert_eq!(whole["total"], entries.len(), "{section}");
        let two = agon
            .run(&["show", "--section", section, "--limit", "2", "--json"])
            .json();
        let expected: Vec<_> = entries.iter().take(2).cloned().collect();
        assert_eq!(two["entries"], Value::Array(expected), "{section}");
        assert_eq!(two["total"], whole["total"], "{section}");
    }
    let transcript = agon.run(&["show", "--section", "transcript"]).screen();
    let arguments = agon
        .run(&["show", "--section", "arguments", "--limit", "3"])
        .screen();
    let findings = agon.run(&["show", "--section", "findings"]).screen();
    assert_snapshot!([transcript, arguments, findings].join("\n"));
}

#[test]
fn a_point_is_shown_whole() {
    let agon = finished();
    let argued = agon.run(&["show", "job-store", "pro_001a"]);
    let objected = agon.run(&["show", "cha_001a"]);
    assert_snapshot!([argued.screen(), objected.screen()].join("\n"));
    for line in argued.stdout.lines().chain(objected.stdout.lines()) {
        assert!(!line.contains('…'), "{line}");
    }
    let json = agon.run(&["show", "pro_001a", "--json"]).json();
    assert_eq!(json["schema"], "agon.point/1");
    assert_eq!(json["point"]["id"], "pro_001a");
    assert!(!json["answered_by"].as_array().unwrap().is_empty());

    let none = agon.run(&["show", "job-store", "pro_999z"]);
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("job-store has no point pro_999z"));
    let none = agon.run(&["evidence", "--id", "pro_999z"]).stderr;
    assert!(none.contains("job-store has no point pro_999z"), "{none}");
    let none = agon.run(&["evidence", "--stamp", "unreachable"]).stderr;
    assert_eq!(none.trim(), "none");
}

#[test]
fn a_verdict_becomes_a_comment_or_a_decision_record() {
    let agon = finished();
    let comment = agon.run(&["report", "--format", "pr"]);
    let record = agon.run(&["report", "--format", "adr"]);
    let lines = comment.stdout.lines().count();
    assert!(lines <= 40, "{lines}");
    assert_snapshot!([comment.screen(), record.screen()].join("\n"));
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
fn what_is_removed_is_asked_first_and_nothing_else_goes() {
    let agon = finished();
    let debates = agon.project().join("debates");
    debate(&debates, other("kept", 2), &Script::job_store(), 2);
    let asked = agon.run(&["rm", "job-store"]);
    assert_eq!(asked.code, Some(2));
    assert!(asked.stderr.contains("--yes"), "{asked:?}");
    // One that is not there keeps the others too.
    let one_wrong = agon.run(&["rm", "--yes", "job-store", "nothing-like-it"]);
    assert_eq!(one_wrong.code, Some(2));
    assert!(debates.join("job-store").is_dir());
    let inside = agon.run_in(&debates.join("job-store"), &["rm", "--yes", "."]);
    assert_eq!(inside.code, Some(2), "{inside:?}");
    std::os::unix::fs::symlink(debates.join("kept"), debates.join("link")).unwrap();
    let link = agon.run(&["rm", "--yes", "link"]);
    assert!(link.stderr.contains("is a link"), "{link:?}");

    let removed = agon.run(&["rm", "--yes", "job-store", "--json"]).json();
    assert_eq!(removed["removed"], json!(["debates/job-store"]));
    let left: Vec<_> = fs::read_dir(&debates)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".agon")
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(debates.join("kept").is_dir());
}

#[test]
fn which_debate_is_meant_must_be_clear() {
    let agon = Agon::new();
    let none = agon.run(&["show"]).screen();
    let debates = agon.project().join("debates");
    debate(&debates, spec("job-store"), &Script::job_store(), 0);
    debate(
        &debates,
        other("tabs-or-spaces", 2),
        &Script::job_store(),
        0,
    );
    let several = agon.run(&["check"]).screen();
    let unknown = agon.run(&["report", "job-stroe"]).screen();
    let json = agon.run(&["show", "nothing-like-it", "--json"]).screen();
    assert_snapshot!([none, several, unknown, json].join("\n"));
}

#[test]
fn debates_are_listed_with_their_answer_or_topic() {
    let agon = Agon::new();
    let empty = agon.run(&["list"]).screen();
    let debates = agon.project().join("debates");
    debate(&debates, spec("job-store"), &Script::job_store(), ALL);
    halted(&debates, other("stuck", 2), &Script::job_store(), 3);
    debate(&debates, other("under-way", 3), &Script::job_store(), 2);
    fs::create_dir(debates.join("no-debate")).unwrap();
    let listed = agon.run(&["list"]).screen();
    let age = Regex::new(r"(just now|\d+ (min|h|d) ago|\d{4}-\d\d-\d\d)  ").unwrap();
    let listed = age.replace_all(&listed, "[AGE]  ");
    assert_snapshot!([empty, listed.into_owned()].join("\n"));
    let first = agon.run(&["list", "--limit", "1"]).stdout;
    assert_eq!(first.lines().count(), 1);

    let listed = agon.run(&["list", "--json"]).json();
    assert_eq!(listed["schema"], "agon.list/1");
    let job_store = &listed["debates"].as_array().unwrap()[2];
    assert_eq!(job_store["debate"], "job-store");
    assert_eq!(job_store["authority"], "full");
    assert_eq!(job_store["opened_at"], "2026-11-21T20:00:00Z");
}

#[test]
fn a_whole_folder_checks_clean() {
    let agon = finished();
    assert_snapshot!(agon.run(&["check"]).screen());
    let checked = agon.run(&["check", "--json"]);
    assert_eq!(checked.code, Some(0));
    let document = checked.json();
    assert_eq!(
        (&document["sound"], &document["errors"]),
        (&json!(true), &json!(0))
    );
}

#[test]
fn broken_rules_are_shown_where_they_stand() {
    let agon = Agon::new();
    let good = Script::job_store();
    let title = "Claim and lease are two steps";
    let long = good
        .reply(&cue("r1.pro"))
        .replace(title, &format!("{title} that nothing locks"));
    let wrong = good
        .reply(&cue("r1.cha"))
        .replace("\"pro_001a\"", "\"pro_009a\"");
    let script = good
        .turn("r1.pro", [long.clone(), long])
        .turn("r1.cha", [wrong.clone(), wrong]);
    debate(
        &agon.project().join("debates"),
        spec("job-store"),
        &script,
        6,
    );
    let ran = agon.run(&["check"]);
    assert_eq!(ran.code, Some(8), "{}", ran.stdout);
    let one = agon.run(&["check", "--rule", "attack-target"]).screen();
    let none = agon.run(&["check", "--rule", "reply-parse"]).screen();
    let unknown = agon.run(&["check", "--rule", "target"]).screen();
    assert_snapshot!([ran.screen(), one, none, unknown].join("\n"));
}

#[test]
fn a_rule_broken_often_is_told_once() {
    let agon = Agon::new();
    let good = Script::job_store();
    let reply = good.reply(&cue("r1.pro"));
    let (start, end) = (reply.find('{').unwrap(), reply.rfind('}').unwrap());
    let mut moves: Value = serde_json::from_str(&reply[start..=end]).unwrap();
    let stuffed = moves["arguments"].as_array_mut().unwrap();
    for argument in stuffed.iter_mut() {
        for key in ["title", "claim", "warrant"] {
            argument[key] = Value::String("too many words ".repeat(30));
        }
    }
    let long = moves.to_string();
    let script = good.turn("r1.pro", [long.clone(), long]);
    debate(
        &agon.project().join("debates"),
        spec("job-store"),
        &script,
        4,
    );
    let ran = agon.run(&["check"]);
    assert_eq!(
        ran.stdout.matches("[reply-words]").count(),
        1,
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("the first of 9 of this rule"),
        "{}",
        ran.stdout
    );
    let all = agon.run(&["check", "--rule", "reply-words"]).stdout;
    assert_eq!(all.matches("[reply-words]").count(), 9, "{all}");
}

#[test]
fn a_folder_edited_by_hand_is_told_file_by_file() {
    let agon = finished();
    let folder = agon.project().join("debates/job-store");
    fs::write(folder.join("transcript.md"), "mine\n").unwrap();
    fs::remove_file(folder.join("debate.md")).unwrap();
    fs::write(folder.join("arguments/pro_001a.md"), "").unwrap();
    let ran = agon.run(&["check"]);
    assert_eq!(ran.code, Some(8));
    assert_snapshot!(ran.screen());
    let document = agon.run(&["check", "--json"]).json();
    assert_eq!(document["sound"], false);
    assert_eq!(
        document["folder"].as_array().unwrap().len(),
        3,
        "{document}"
    );
}

#[test]
fn a_damaged_journal_is_told_and_what_is_sound_is_shown() {
    let agon = finished();
    let journal = agon.project().join("debates/job-store/.agon/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines[4] = lines[4].replacen("\"at\":\"2026", "\"at\":\"2027", 1);
    fs::write(&journal, lines.join("\n") + "\n").unwrap();
    let shown = agon.run(&["show"]);
    assert_eq!(shown.code, Some(0));
    assert!(shown.stderr.contains("warning: "), "{}", shown.stderr);
    let checked = agon.run(&["check"]);
    assert_eq!(checked.code, Some(8));
    assert!(
        checked.stdout.contains("error[journal]"),
        "{}",
        checked.stdout
    );
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
            ran.stderr.contains("of the journal is damaged"),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr
                .contains("agon check 'else where/job-store' says more"),
            "{}",
            ran.stderr
        );
    }
    assert!(tree(&elsewhere) == before);
    for command in ["show", "evidence", "graph", "ask"] {
        let ran = agon.run(&[command, path, "why"][..2 + usize::from(command == "ask")]);
        assert!(
            ran.stderr
                .contains("agon check 'else where/job-store' says more"),
            "{command}: {}",
            ran.stderr
        );
    }
}

#[test]
fn reading_writes_nothing_and_needs_no_right_to() {
    let agon = finished();
    let folder = agon.project().join("debates/job-store");
    let before = tree(&folder);
    for dir in [&folder, &folder.join(".agon"), &folder.join("arguments")] {
        fs::set_permissions(dir, fs::Permissions::from_mode(0o555)).unwrap();
    }
    for args in [
        &["show"][..],
        &["check"],
        &["report", "--format", "md"],
        &["report", "--format", "html"],
        &["list"],
        &["show", "--json"],
    ] {
        let ran = agon.run(args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
    assert_eq!(tree(&folder), before);
    for dir in [&folder, &folder.join(".agon"), &folder.join("arguments")] {
        fs::set_permissions(dir, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// A document of the folder without its links to other files there, which lead nowhere elsewhere.
fn unlinked(path: &Path) -> String {
    let link = Regex::new(r"\[(\w+)\]\(arguments/\w+\.md\)").unwrap();
    let text = fs::read_to_string(path).unwrap();
    link.replace_all(&text, "$1").into_owned()
}

#[test]
fn a_report_is_the_document_in_the_folder() {
    let agon = finished();
    let folder = agon.project().join("debates/job-store");
    for (format, file) in [("verdict", "verdict.md"), ("transcript", "transcript.md")] {
        let ran = agon.run(&["report", "--format", format]);
        assert_eq!(ran.stdout, unlinked(&folder.join(file)), "{format}");
    }
    let file = fs::read_to_string(folder.join("verdict.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(agon.run(&["report", "--format", "json"]).json(), file);
}

#[test]
fn a_whole_report_is_part_of_the_folder() {
    let agon = finished();
    let folder = agon.project().join("debates/job-store");
    let ran = agon.run(&["report"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let files = [
        "README.md",
        "report.html",
        "argument-graph.svg",
        "argument-graph.png",
    ];
    let told: Vec<_> = files
        .iter()
        .map(|file| format!("debates/job-store/{file}\n"))
        .collect();
    assert_eq!(ran.stdout, told.concat());
    for (format, file) in [("md", "README.md"), ("html", "report.html")] {
        let printed = agon.run(&["report", "--format", format]).stdout;
        assert_eq!(printed, unlinked(&folder.join(file)));
    }
    assert_eq!(agon.run(&["check"]).code, Some(0));
    // What somebody wrote into one of them is kept.
    let edited = "<!DOCTYPE html>\n<p>Mine.</p>\n";
    fs::write(folder.join("report.html"), edited).unwrap();
    let ran = agon.run(&["report"]);
    assert_eq!(ran.code, Some(6), "{}", ran.stderr);
    assert!(ran.stderr.contains("report.html"), "{}", ran.stderr);
    let kept = fs::read_to_string(folder.join("report.html")).unwrap();
    assert_eq!(kept, edited);
}

#[test]
fn a_debate_without_a_verdict_has_no_report_of_one() {
    let agon = Agon::new();
    debate(
        &agon.project().join("debates"),
        spec("job-store"),
        &Script::job_store(),
        1,
    );
    assert_snapshot!(agon.run(&["report"]).screen());
}

fn cue(turn: &str) -> agon_testkit::Cue {
    agon_testkit::Cue {
        turn: Some(turn.to_owned()),
        again: 0,
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
