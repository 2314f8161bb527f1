//! Generates pages of `docs/` from the program, and checks the handwritten pages.
//!
//! `AGON_RECORD_REFERENCE=1` writes the generated pages again. `docs/commands.md` is written in
//! `args/groups/reference.rs`, and `docs/errors.md` in `command/errors.rs`.

mod documents;
mod exit_codes;
mod language;
mod links;
mod markdown;
mod rules;
mod settings;
mod tool_pages;
mod typed;
mod variables;

use std::fs;
use std::path::PathBuf;

/// The environment variable that makes the tests write the generated pages.
const RECORD: &str = "AGON_RECORD_REFERENCE";

/// Pages that a test generates from the program, below `docs/`.
const GENERATED: [&str; 7] = [
    "commands.md",
    "documents.md",
    "errors.md",
    "exit-codes.md",
    "rules.md",
    "settings.md",
    "variables.md",
];

/// The guides, below `docs/`.
const GUIDES: [&str; 10] = [
    "install.md",
    "first-debate.md",
    "your-code.md",
    "batch.md",
    "trial.md",
    "in-your-tool.md",
    "pull-request.md",
    "team.md",
    "context.md",
    "programs.md",
];

/// Returns the root folder of the workspace.
fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the path and text of each page in the root folder and in `docs/`.
fn pages() -> Vec<(String, String)> {
    let mut names: Vec<String> = [
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ]
    .map(str::to_owned)
    .into();
    for file in fs::read_dir(root().join("docs")).unwrap() {
        let name = file.unwrap().file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            names.push(format!("docs/{name}"));
        }
    }
    names.sort();
    let read = |name: String| {
        let text = fs::read_to_string(root().join(&name)).unwrap();
        (name, text)
    };
    names.into_iter().map(read).collect()
}

/// Writes a generated page if `RECORD` is set, and checks that its file is up to date.
pub(crate) fn check_generated(name: &str, page: &str) {
    let path = root().join("docs").join(name);
    if std::env::var_os(RECORD).is_some() {
        fs::write(&path, page).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let differs = page
        .lines()
        .zip(kept.lines())
        .find(|(now, then)| now != then);
    assert!(
        page == kept,
        "docs/{name} is out of date: {differs:?}; write it with \
         {RECORD}=1 cargo test -p agon reference"
    );
}

#[test]
fn every_generated_page_and_every_guide_exists() {
    for name in GENERATED.iter().chain(&GUIDES) {
        assert!(root().join("docs").join(name).is_file(), "docs/{name}");
    }
}
