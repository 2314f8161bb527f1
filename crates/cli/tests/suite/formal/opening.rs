//! What `agon new` opens and refuses, and what `agon run` refuses before it calls anybody.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use crate::formal::table::{MOTION, SEATS, Table};

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
fn what_cannot_be_opened_or_run_is_refused_with_its_exit_code() {
    let table = Table::bare();
    for (args, code, name) in [
        (&["new"][..], 2, "missing_parameter"),
        (&["new", "--motion", "@nowhere"], 2, "invalid_parameter"),
        (
            &["new", "--motion", "m", "--scope", ""],
            2,
            "invalid_parameter",
        ),
        (
            &["new", "--motion", "m", "--thesis-for", "t"],
            2,
            "missing_parameter",
        ),
        (&["run"], 2, "missing_parameter"),
    ] {
        let ran = table.place.run(&[args, &["--json"]].concat());
        assert_eq!(ran.ended(), (Some(code), name.to_owned()), "{args:?}");
    }
    let table = Table::laid();
    for (args, code, name) in [
        (&["s", "-1"][..], 2, "usage"),
        (&["s", "1001"], 2, "invalid_parameter"),
        (
            &["s", "1", "--judge", "codex", "--judge", "no"],
            2,
            "unknown_tool",
        ),
        (
            &["s", "1", "--model-judge", "a", "--model-judge", "b"],
            2,
            "invalid_parameter",
        ),
        (&["s", "1", "--strict"], 2, "missing_parameter"),
        (&["s", "--opposition", "copilot"], 4, "tool_missing"),
    ] {
        let ran = table.place.run(&[&["run", "--json"], args].concat());
        assert_eq!(ran.ended(), (Some(code), name.to_owned()), "{args:?}");
    }
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
