//! A real tool whose model starts the same debate twice: it is held once, and the repository shows
//! nothing of it but the folder of debates.

use std::fs;

use agon_testkit::{add, git};
use serde_json::Value;

use super::real::{CLAUDE, Desk, Host, OPENCODE, flags};

fn is_held_once(host: &'static Host) {
    let Some(desk) = Desk::new(host) else { return };
    let project = desk.place.project();
    add(&project, "src/store.rs", "pub fn claim() {}\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "begin"]);
    let status = || git(&project, &["status", "--porcelain"]);
    assert_eq!(status(), "");
    let installed = desk.place.run(&["install", host.name, "--json"]).json();
    let mut starts = Vec::new();
    for _ in 0..2 {
        desk.hold_debate(&flags(&installed));
        let requests = desk.models.requests();
        let results = requests.last().unwrap().results();
        let started: Value = serde_json::from_str(&results[0]).unwrap_or_else(|error| {
            panic!("{error}: {results:#?}");
        });
        starts.push(started);
    }
    assert_eq!(starts[1]["id"], starts[0]["id"], "{starts:#?}");
    assert_eq!(
        (&starts[0]["reused"], &starts[1]["reused"]),
        (&false.into(), &true.into())
    );
    let debates = fs::read_dir(project.join("debates")).unwrap().flatten();
    let names: Vec<_> = debates.map(|it| it.file_name()).collect();
    let shown = names
        .iter()
        .filter(|it| !it.to_string_lossy().starts_with('.'));
    assert_eq!(shown.count(), 1, "{names:?}");
    eprintln!("{}: git status: {:?}", host.name, status());
    assert_eq!(status(), "?? debates/\n");
}

#[test]
fn two_starts_of_claude_are_one_debate() {
    is_held_once(&CLAUDE);
}

#[test]
fn two_starts_of_opencode_are_one_debate() {
    is_held_once(&OPENCODE);
}
