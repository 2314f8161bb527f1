//! What `agon new` opens and refuses, and what `agon run` refuses before it calls anybody.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use crate::formal::table::{MOTION, SEATS, Table};
use crate::support::Ran;

#[test]
fn a_new_debate_is_a_folder_in_which_nobody_has_spoken() {
    let table = Table::bare();
    let args = [
        "new",
        "--motion",
        "Resolved: *AI* development\nshould be halted",
        "--define",
        "AI=frontier models",
        "--define",
        "halted=no training runs above 10^26 operations",
        "--scope",
        "The next ten years",
    ];
    let ran = table.place.run(&args);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "debates/ai-development-should-be-halted\n"),
        "{ran:#?}"
    );
    let folder = table.place.project().join(ran.stdout.trim_end());
    let text = fs::read_to_string(folder.join("debate.md")).unwrap();
    for part in [
        "AI",
        "frontier models",
        "The next ten years",
        "development should be halted",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(
        fs::read_to_string(folder.join("scores.json"))
            .unwrap()
            .trim(),
        "{}"
    );
    assert_eq!(table.tools.calls(), []);
    let checked = table.place.run(&["check"]);
    assert_eq!(checked.code, Some(0), "{checked:#?}");
    let shown = table.place.run(&["show"]);
    assert!(shown.stdout.contains("frontier models"), "{shown:#?}");
}

#[test]
fn a_program_is_told_what_was_opened() {
    let table = Table::bare();
    let ran = table.place.run(&["new", "s", "--motion", MOTION, "--json"]);
    let mut started = ran.json();
    let id = started.as_object_mut().unwrap().remove("id").unwrap();
    assert_eq!(id.as_str().unwrap().len(), 26);
    let expected = json!({
        "schema": "agon.started/1", "debate": "s", "folder": "debates/s", "calls_max": 0,
        "tokens_max": 0, "eta_s": 0, "poll_after_s": 0, "reused": false,
    });
    assert_eq!(started, expected);
}

#[test]
fn a_motion_may_come_from_a_file_or_from_stdin() {
    let table = Table::bare();
    fs::write(
        table.place.project().join("motion.txt"),
        format!("{MOTION}\n"),
    )
    .unwrap();
    assert_eq!(
        table
            .place
            .run(&["new", "a", "--motion", "@motion.txt"])
            .code,
        Some(0)
    );
    let mut command = table.place.command(&["new", "b", "--motion", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(MOTION.as_bytes())
        .unwrap();
    assert!(child.wait().unwrap().success());
    for name in ["a", "b"] {
        let path = table
            .place
            .project()
            .join("debates")
            .join(name)
            .join("debate.md");
        assert!(fs::read_to_string(path).unwrap().contains(MOTION));
    }
}

#[test]
fn a_name_that_is_there_is_refused_with_a_list_and_a_suggested_one_gets_a_number() {
    let table = Table::laid();
    assert_eq!(
        table.place.run(&["new", "other", "--motion", MOTION]).code,
        Some(0)
    );
    let refused = table.place.run(&["new", "S", "--motion", MOTION, "--json"]);
    assert_eq!(
        refused.ended(),
        (Some(2), "slug_taken".to_owned()),
        "{refused:#?}"
    );
    let hint = refused.json()["error"]["hint"].as_str().unwrap().to_owned();
    assert!(hint.contains("other, s"), "{hint}");
    for name in [
        "read-every-change-before-it-is-merged",
        "read-every-change-before-it-is-merged-2",
    ] {
        let ran = table.place.run(&["new", "--motion", MOTION]);
        assert_eq!(ran.stdout, format!("debates/{name}\n"), "{ran:#?}");
    }
}

fn ended(ran: &Ran) -> (Option<i32>, String, String) {
    let (code, name) = ran.ended();
    let parameter = ran.json()["error"]["parameter"].clone();
    (
        code,
        name,
        parameter.as_str().unwrap_or_default().to_owned(),
    )
}

#[test]
fn what_cannot_be_opened_says_which_parameter_is_wrong() {
    let table = Table::bare();
    let long = "x".repeat(20_000);
    for (args, code, parameter) in [
        (&["new"][..], "missing_parameter", "motion"),
        (&["new", "--motion", " "], "invalid_parameter", "motion"),
        (
            &["new", "--motion", "a\u{202e}b"],
            "invalid_parameter",
            "motion",
        ),
        (&["new", "--motion", &long], "invalid_parameter", "motion"),
        (
            &["new", "--motion", "@nowhere"],
            "invalid_parameter",
            "motion",
        ),
        (
            &["new", "--motion", "m", "--define", "car"],
            "invalid_parameter",
            "define",
        ),
        (
            &["new", "--motion", "m", "--define", "a=b", "--define", "a=c"],
            "invalid_parameter",
            "define",
        ),
        (
            &["new", "--motion", "m", "--scope", ""],
            "invalid_parameter",
            "scope",
        ),
        (
            &["new", "--motion", "m", "--thesis-for", "t"],
            "missing_parameter",
            "thesis-against",
        ),
        (
            &["new", "s", "--motion", "m", "--strict"],
            "missing_parameter",
            "thesis-for",
        ),
    ] {
        let ran = table.place.run(&[args, &["--json"]].concat());
        let expected = (Some(2), code.to_owned(), parameter.to_owned());
        assert_eq!(ended(&ran), expected, "{args:?}");
    }
    assert!(
        !table.place.project().join("debates").exists(),
        "nothing was opened"
    );
}

#[test]
fn what_cannot_be_run_is_refused_before_anybody_is_called() {
    let table = Table::bare();
    let none = table.place.run(&["run", "--json"]);
    assert_eq!(
        ended(&none),
        (Some(2), "missing_parameter".into(), "debate".into())
    );
    let table = Table::laid();
    assert_eq!(
        table.place.run(&["new", "t", "--motion", MOTION]).code,
        Some(0)
    );
    let two = table.place.run(&["run", "--json"]);
    assert_eq!(
        ended(&two),
        (Some(2), "missing_parameter".into(), "debate".into())
    );
    assert_eq!(two.json()["error"]["hint"], "the latest first: t, s");
    let many = ["--judge"; 10]
        .iter()
        .flat_map(|flag| [*flag, "codex"])
        .collect::<Vec<_>>();
    for (args, code, parameter) in [
        (&["nowhere", "1"][..], "unknown_debate", "debate"),
        (
            &["s", "1", "--proposition", "nobody"],
            "unknown_tool",
            "proposition",
        ),
        (
            &["s", "1", "--judge", "codex", "--judge", "no"],
            "unknown_tool",
            "judge-2",
        ),
        (
            &["s", "1", "--model-judge", "a", "--model-judge", "b"],
            "invalid_parameter",
            "model-judge",
        ),
        (
            &[&["s", "1"], &many[..]].concat(),
            "invalid_parameter",
            "judge",
        ),
        (&["s", "1001"], "invalid_parameter", "n"),
        (&["s", "-1"], "usage", ""),
        (
            &["s", "1", "--max-calls", "99"],
            "limit_raised",
            "max-calls",
        ),
        (&["s", "1", "--strict"], "missing_parameter", "proposition"),
    ] {
        let ran = table.place.run(&[&["run", "--json"], args].concat());
        let expected = (Some(2), code.to_owned(), parameter.to_owned());
        assert_eq!(ended(&ran), expected, "{args:?}");
    }
    let missing = table
        .place
        .run(&["run", "s", "--opposition", "copilot", "--json"]);
    assert_eq!(
        missing.ended(),
        (Some(4), "tool_missing".to_owned()),
        "{missing:#?}"
    );
    assert_eq!(table.asks(), Vec::<String>::new());
}

#[test]
fn a_dry_run_says_what_it_would_do_and_does_nothing() {
    let table = Table::laid();
    let before = table.files();
    let args = [&["run", "s", "3", "--dry-run"], SEATS].concat();
    let ran = table.place.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for part in [
        "exchanges 0 to 3",
        "13 calls",
        "17 calls",
        MOTION,
        "claude",
        "third vendor",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let plan = table.place.run(&[&args[..], &["--json"]].concat()).json();
    assert_eq!(plan["schema"], "agon.plan/1");
    assert_eq!(
        (&plan["calls"], &plan["caps"]["calls"]),
        (&json!(13), &json!(17))
    );
    assert_eq!(plan["seats"]["opposition"]["tool"], "codex");
    assert_eq!(table.files(), before);
    assert_eq!(table.asks(), Vec::<String>::new());
}

#[test]
fn a_debater_can_neither_open_nor_run_a_debate() {
    let mut table = Table::laid();
    table.place.env.insert("AGON_DEPTH".into(), "1".into());
    for args in [
        &["new", "t", "--motion", "m", "--json"][..],
        &["run", "s", "--json"],
    ] {
        assert_eq!(table.place.run(args).ended(), (Some(2), "depth".to_owned()));
    }
}
