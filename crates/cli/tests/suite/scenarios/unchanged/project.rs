//! The project that every recorded debate was held in: the same commit wherever it is made, with a
//! change since.

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use agon_testkit::add;

use super::bundle::{self, Files};
use crate::scenarios::evidence::store_rs;

/// Makes it in an empty repository.
pub(super) fn make(project: &Path) {
    // Every place has one, and git takes its time to make it.
    static MADE: LazyLock<Files> = LazyLock::new(|| {
        let project = tempfile::tempdir().unwrap();
        begin(project.path());
        bundle::of_folder(project.path())
    });
    bundle::write(&MADE, project);
}

/// Makes it in an empty folder.
///
/// The record of a debate on the project names its commit, and what was committed is read from
/// there, so author and time are fixed.
fn begin(project: &Path) {
    git(project, &["init", "--quiet"]);
    add(project, ".gitignore", "*.log\n/debates/\n");
    add(project, "Cargo.toml", "[package]\nname = \"jobs\"\n");
    add(project, "src/claim.rs", &"// a claim\n".repeat(60));
    add(project, "src/store.rs", "// nothing yet\n");
    git(project, &["add", "--all"]);
    git(project, &["commit", "--quiet", "-m", "first"]);
    add(project, "src/store.rs", &store_rs());
    add(
        project,
        "docs/roadmap.md",
        "A second writer process in August.\n",
    );
}

fn git(project: &Path, args: &[&str]) {
    let mut git = Command::new("git");
    git.args(args).current_dir(project);
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ("GIT_AUTHOR_NAME", "Test"),
        ("GIT_AUTHOR_EMAIL", "test@example.invalid"),
        ("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"),
        ("GIT_COMMITTER_NAME", "Test"),
        ("GIT_COMMITTER_EMAIL", "test@example.invalid"),
        ("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z"),
    ] {
        git.env(name, value);
    }
    let output = git.output().unwrap();
    assert!(output.status.success(), "git {args:?}: {output:?}");
}
