//! What the seats read where nobody says what they are to read.

use std::fs;

use agon_testkit::{Env, add, git};

use crate::scenarios::place::Fakes;

/// Fakes in a repository with one file.
fn in_a_repository() -> Fakes {
    let fakes = Fakes::new();
    let project = fakes.place.project();
    add(
        &project,
        "src/store.rs",
        "fs::rename(&lease_tmp, &lease)?;\n",
    );
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "--quiet", "-m", "first"]);
    fakes
}

fn opened(fakes: &Fakes) -> serde_json::Value {
    fakes.events()[0].clone()
}

#[test]
fn inside_a_repository_each_seat_reads_it_and_none_undoes_that() {
    let fakes = in_a_repository();
    let ran = fakes.debate(&[]);
    assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
    let said = "each tool gets a read-only copy of this repository (--context none: without)";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    for ask in fakes.tools.asks() {
        assert_eq!(ask.files, ["src/store.rs"], "{:?}", ask.turn);
    }
    assert_eq!(opened(&fakes)["default_context"]["kind"], "repository");
    assert!(
        opened(&fakes)["source"]["about"]
            .to_string()
            .contains("repo at")
    );

    let fakes = in_a_repository();
    let ran = fakes.debate(&["--context", "none"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(!ran.stderr.contains("context none"), "{}", ran.stderr);
    assert_eq!(opened(&fakes)["context"]["kind"], "none");
    assert!(opened(&fakes)["source"].is_null() && opened(&fakes)["default_context"].is_null());
}

#[test]
fn outside_a_repository_nothing_is_read_and_it_is_said() {
    let fakes = Fakes::new();
    fs::remove_dir_all(fakes.place.project().join(".git")).unwrap();
    add(&fakes.place.project(), "src/store.rs", "text\n");
    let ran = fakes.debate(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let said = "context none (not in a git work tree)";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(fakes.tools.asks().iter().all(|ask| ask.files.is_empty()));
}

#[test]
fn a_seat_that_cannot_read_has_the_default_give_way_and_what_was_given_stay() {
    let fakes = in_a_repository();
    let mut env: Env = fakes.place.env.clone();
    env.insert("ANTHROPIC_API_KEY".into(), "placeholder".into());
    let plan = |more: &[&str]| {
        let args = [
            "debate",
            "Tabs or spaces?",
            "--proposer",
            "anthropic:m",
            "--challenger",
            "codex",
            "--judge",
            "gemini",
            "--dry-run",
        ];
        let mut command = fakes.place.command(&[&args[..], more].concat());
        command.env_clear().envs(&env);
        let output = command.output().unwrap();
        let told = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(told).unwrap())
    };
    let (code, told) = plan(&[]);
    assert_eq!(code, Some(0), "{told}");
    let said = "context none (anthropic:m cannot read a folder)";
    assert!(told.contains(said), "{told}");
    let (_, told) = plan(&["--context", "repo"]);
    assert!(told.contains("repo at"), "{told}");
    assert!(!told.contains("context none"), "{told}");
}
