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
            "max_context_tokens": 20,
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
fn what_is_imported_is_a_document_and_what_is_there_stays() {
    let place = place();
    let args = ["skills", "import", "theirs/design-first", "--json"];
    let ran = place.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let skill = &ran.json()["skills"][0];
    assert_eq!(skill["action"], "add");
    assert!(skill["max_context_tokens"].as_u64() >= skill["tokens"].as_u64());
    let path = place.project().join("skills/design-first/SKILL.md");
    fs::write(&path, "mine").unwrap();
    let ran = place.run(&args);
    assert_eq!(
        (ran.code, &ran.json()["skills"][0]["action"]),
        (Some(7), &json!("keep"))
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    let ran = place.run(&["hosts", "lint", "theirs/design-first", "--json"]);
    assert_eq!(
        ran.code,
        Some(8),
        "the check of our own refuses the form of others"
    );
}

#[test]
fn a_folder_without_skills_is_refused_and_a_debater_imports_nothing() {
    let mut place = place();
    let ran = place.run(&["skills", "import", "nosuch", "--json"]);
    assert_eq!(ran.ended(), (Some(2), "unreadable".to_owned()));
    fs::create_dir(place.project().join("empty")).unwrap();
    let ran = place.run(&["skills", "import", "empty", "--json"]);
    assert_eq!(ran.ended(), (Some(2), "no_skills".to_owned()));
    place.env.insert("AGON_DEPTH".into(), "1".into());
    let ran = place.run(&["skills", "import", "theirs", "--json"]);
    assert_eq!(ran.json()["error"]["code"], "depth");
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

#[test]
fn a_skill_is_shown_by_each_of_its_names_without_front_matter() {
    let place = empty();
    let own = place.run(&["skills", "show", "context-engineering"]);
    let elsewhere = place.run(&["skills", "show", "cek-context-engineering"]);
    assert_eq!((own.code, &own.stdout), (Some(0), &elsewhere.stdout));
    assert!(own.stdout.starts_with("# "), "{}", own.stdout);
}

#[test]
fn skills_of_a_folder_are_chosen_too_and_broken_ones_are_named() {
    let place = empty();
    let skill = |name: &str| {
        format!(
            "---\nname: \"{name}\"\ndescription: \"Bake sourdough bread.\"\n---\n\n{}\n",
            "Feed it. ".repeat(90)
        )
    };
    add(
        &place.project(),
        "mine/sourdough/SKILL.md",
        &skill("sourdough"),
    );
    add(&place.project(), "mine/cake/SKILL.md", &skill("tart"));
    add(&place.project(), "mine/debate/SKILL.md", &skill("debate"));
    let args = [
        "skills",
        "match",
        "bake sourdough bread",
        "--from",
        "mine",
        "--json",
    ];
    let document = place.run(&args).json();
    assert_eq!(document["given"][0]["name"], "sourdough");
    let text = document["given"][0]["text"].as_str().unwrap();
    assert!(text.contains("Feed it."), "{text}");
    let paths: Vec<_> = (document["findings"].as_array().unwrap().iter())
        .map(|finding| {
            (
                finding["path"].as_str().unwrap(),
                finding["code"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        paths,
        [
            ("mine/cake/SKILL.md", "name"),
            ("mine/debate/SKILL.md", "name")
        ]
    );
    let args = [&args[..], &["--budget", "150"]].concat();
    let document = place.run(&args).json();
    let pointer = document["given"][0]["text"].as_str().unwrap();
    let path = place.project().join("mine/sourdough/SKILL.md");
    assert!(
        pointer.ends_with(&format!("read {}\n", path.display())),
        "{pointer}"
    );
    let without = place
        .run(&["skills", "match", "bake sourdough bread", "--json"])
        .json();
    assert_eq!(without["given"], json!([]));
}

#[test]
fn skills_that_take_more_together_than_a_host_lists_are_a_fault() {
    let place = empty();
    assert_eq!(place.run(&["skills", "lint"]).code, Some(0));
    for number in 0..12 {
        let name = format!("s{number}");
        let words = "bake sourdough bread slowly ".repeat(36);
        let text = format!("---\nname: \"{name}\"\ndescription: \"{words}.\"\n---\n\nFeed it.\n");
        add(&place.project(), &format!("mine/{name}/SKILL.md"), &text);
    }
    let ran = place.run(&["skills", "lint", "mine", "--json"]);
    let document = ran.json();
    assert_eq!((ran.code, &document["findings"]), (Some(8), &json!([])));
    let over = |at: usize| {
        let listing = &document["listings"][at];
        listing["tokens"].as_u64() > listing["limit"].as_u64()
    };
    assert!(over(0) && !over(1), "{document}");
}
