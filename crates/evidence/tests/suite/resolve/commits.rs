//! Files and commits are looked up as they are in commits.

use super::*;
use crate::pin::kinds_of_repository;

#[test]
fn a_file_is_looked_up_in_the_commit_that_is_cited() {
    let apart = tempfile::tempdir().unwrap();
    for args in kinds_of_repository(apart.path()) {
        look_up_files_of_commits(&Repo::with(&args));
    }
}

fn look_up_files_of_commits(repo: &Repo) {
    let first = repo.write("a.rs", "let limit_of_calls = 3;\n").commit();
    repo.git(&["tag", "v1"]);
    repo.git(&["tag", "-a", "-m", "annotated", "v1a"]);
    let second = repo
        .write("a.rs", "let limit_of_calls = 4;\n")
        .write("b.rs", "b\n")
        .commit();
    repo.write("a.rs", "let limit_of_calls = 5;\n");
    let source = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap();
    let at = |commit: &str, path: &str, words: &str| Citation {
        commit: Some(commit.into()),
        ..file(path, Some([1, 1]), Some(words))
    };
    let short = |id: &str| id[..12].to_owned();
    for (citation, expected) in [
        (
            at(&first, "a.rs", "limit_of_calls = 3"),
            format!("found: a.rs:1 at {}", short(&first)),
        ),
        (
            at(&first[..7], "a.rs", "limit_of_calls = 3"),
            format!("found: a.rs:1 at {}", short(&first)),
        ),
        (
            at("v1", "a.rs", "limit_of_calls = 3"),
            format!("found: a.rs:1 at {}", short(&first)),
        ),
        (
            at("v1a", "a.rs", "limit_of_calls = 3"),
            format!("found: a.rs:1 at {}", short(&first)),
        ),
        (
            at("HEAD", "a.rs", "limit_of_calls = 4"),
            format!("found: a.rs:1 at {}", short(&second)),
        ),
        (
            at("HEAD", "a.rs", "limit_of_calls = 5"),
            "wrong: the words are not in a.rs; they are in a.rs:1".into(),
        ),
        (
            at(&first, "b.rs", "b"),
            "missing: no such file; there is b.rs".into(),
        ),
        // In most repositories this is longer than any id.
        (
            at(&"01234567".repeat(8), "a.rs", "b"),
            "missing: no such commit".into(),
        ),
        (
            at("0123456789", "a.rs", "b"),
            "missing: no such commit".into(),
        ),
        (
            file("a.rs", None, Some("limit_of_calls = 5")),
            "found: a.rs:1".into(),
        ),
        (
            Citation {
                commit: Some(first[..9].into()),
                ..Citation::default()
            },
            format!("place: commit {}, nothing quoted", short(&first)),
        ),
    ] {
        assert_eq!(said(&source, &citation), expected, "{citation:?}");
    }
}

#[test]
fn a_commit_that_a_shallow_clone_lacks_is_unreachable() {
    let repo = Repo::new();
    let first = repo.write("a.rs", "one\n").commit();
    repo.write("a.rs", "two\n").commit();
    let other = Repo::folder();
    let (from, to) = (
        format!("file://{}", repo.path().display()),
        other.path().join("c"),
    );
    repo::git(
        &other.path(),
        &[
            "clone",
            "--quiet",
            "--depth",
            "1",
            &from,
            &to.to_string_lossy(),
        ],
    );
    let source = Source::pin_tree(&to, &PinLimits::default()).unwrap();
    let citation = Citation {
        commit: Some(first),
        ..file("a.rs", None, None)
    };
    assert_eq!(
        said(&source, &citation),
        "unreachable: the clone is shallow and may lack the commit"
    );
}
