//! `agon skills import`, as a person types it.

use std::fs;

use agon_testkit::{Sandbox, add};
use insta::assert_snapshot;
use serde_json::json;

use crate::support::Place;

/// A project with three skills of others in `theirs`: one whose budget is too small, a broken one,
/// and a folder without a manifest.
fn place() -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    let place = Place::new(sandbox, env);
    let manifest = |name: &str, version: &str| {
        let manifest = json!({
            "name": name,
            "version": version,
            "description": "Design before you build",
            "triggers": ["design", "plan"],
            "applicable_agents": ["planner", "worker"],
            "max_context_tokens": 5,
            "entry_file": "SKILL.md",
        });
        serde_json::to_string_pretty(&manifest).unwrap()
    };
    let entry = "---\nname: design-first\nversion: 5.1.0\n---\n\n# Design first\n\nDraw it.\n";
    for (name, version) in [("design-first", "1.0.0"), ("broken", "one")] {
        let below = |file: &str| format!("theirs/{name}/{file}");
        add(
            &place.project(),
            &below("manifest.json"),
            &manifest(name, version),
        );
        add(&place.project(), &below("SKILL.md"), entry);
    }
    add(&place.project(), "theirs/notes/README.md", "Nothing.\n");
    place
}

#[test]
fn a_person_is_told_what_became_of_each_skill_and_where_a_broken_one_is_wrong() {
    let place = place();
    let mut shown = String::new();
    for args in [
        &["skills", "import", "theirs", "--dry-run"][..],
        &["skills", "import", "theirs"],
        &["skills", "import", "theirs/design-first", "--to", "skills"],
    ] {
        let ran = place.run(args);
        let typed = args.iter().map(|word| match word.contains(' ') {
            true => format!("\"{word}\""),
            false => (*word).to_owned(),
        });
        let typed: Vec<_> = typed.collect();
        shown.push_str(&format!(
            "$ agon {}\n{}{}exit {}\n\n",
            typed.join(" "),
            ran.stdout,
            ran.stderr,
            ran.code.unwrap()
        ));
        let is_written = place
            .project()
            .join("skills/design-first/SKILL.md")
            .is_file();
        assert_eq!(is_written, !args.contains(&"--dry-run"));
    }
    assert!(!place.project().join("skills/broken").exists());
    assert_snapshot!(shown);
}

#[test]
fn imports_and_checks_exit_by_what_they_find() {
    let place = place();
    let import = ["skills", "import", "theirs/design-first", "--json"];
    let ran = place.run(&import);
    assert_eq!(
        (ran.code, &ran.json()["skills"][0]["action"]),
        (Some(0), &json!("add"))
    );
    fs::write(place.project().join("skills/design-first/SKILL.md"), "mine").unwrap();
    let ran = place.run(&import);
    assert_eq!(
        (ran.code, &ran.json()["skills"][0]["action"]),
        (Some(7), &json!("keep"))
    );
    let ran = place.run(&["skills", "import", "nosuch", "--json"]);
    assert_eq!(ran.ended(), (Some(2), "unreadable".to_owned()));
    let ran = place.run(&["hosts", "lint", "theirs/design-first", "--json"]);
    assert_eq!(ran.code, Some(8), "{ran:?}");
    assert_eq!(place.run(&["skills", "lint"]).code, Some(0));
    let ran = place.run(&["skills", "lint", "skills", "--json"]);
    assert_eq!(ran.code, Some(8), "{ran:?}");
    let own = place.run(&["skills", "show", "context-engineering"]);
    assert!(own.stdout.starts_with("# "), "{}", own.stdout);
    let args = [
        "bake bread",
        "--from",
        "theirs",
        "--budget",
        "150",
        "--json",
    ];
    let ran = place.run(&[&["skills", "match"], &args[..]].concat());
    assert_eq!((ran.code, &ran.json()["budget"]), (Some(0), &json!(150)));
}

fn empty() -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    Place::new(sandbox, env)
}

#[test]
fn a_person_is_told_which_skills_a_request_gets_and_why() {
    let place = empty();
    let mut shown = String::new();
    let flaky = "Why does test_upload sometimes fail on CI?";
    for args in [
        &["skills", "match", flaky][..],
        &["skills", "match", flaky, "--role", "scribe"],
        &[
            "skills", "match", flaky, "--role", "worker", "--room", "800",
        ],
        &["skills", "match", "What is 2 + 2?"],
        &["skills", "match", flaky, "--role", "workr"],
        &["skills", "match", flaky, "--host", "codx"],
        &["skills", "explain", "root-cause-analysis", flaky],
        &[
            "skills",
            "explain",
            "debate",
            "Add a stress test for the server",
        ],
        &["skills", "explain", "root-cause", flaky],
    ] {
        let ran = place.run(args);
        let typed = args.iter().map(|word| match word.contains(' ') {
            true => format!("\"{word}\""),
            false => (*word).to_owned(),
        });
        let typed: Vec<_> = typed.collect();
        shown.push_str(&format!(
            "$ agon {}\n{}{}exit {}\n\n",
            typed.join(" "),
            ran.stdout,
            ran.stderr,
            ran.code.unwrap()
        ));
    }
    assert_snapshot!(shown);
}
