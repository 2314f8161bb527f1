//! Which settings apply.

use agon_testkit::git;

use crate::place::Place;

#[tokio::test]
async fn habits_of_the_user_do_not_change_what_git_does() {
    let place = Place::new();
    let repo = place.repo();
    for (key, value) in [
        ("merge.ff", "only"),
        ("merge.log", "true"),
        ("commit.gpgSign", "true"),
        ("color.ui", "always"),
        ("status.short", "true"),
        ("diff.noprefix", "true"),
        ("core.hooksPath", ".githooks"),
        ("init.templateDir", "/nowhere"),
    ] {
        place.set_global(key, value);
    }
    git(&repo, &["checkout", "-q", "-b", "side"]);
    git(&repo, &["commit", "-q", "--allow-empty", "-m", "side"]);
    git(&repo, &["checkout", "-q", "main"]);
    git(&repo, &["commit", "-q", "--allow-empty", "-m", "main"]);
    let session = place.open().await;
    let merge = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "merge",
        "-q",
        "--no-edit",
        "side",
    ];
    session.run(&merge, b"").await.unwrap();
    let said = git(&repo, &["log", "-1", "--format=%B"]);
    assert_eq!(said.trim(), "Merge branch 'side'");
    std::fs::write(repo.join("a.txt"), "two\n").unwrap();
    let diff = session.text(&["diff"]).await.unwrap();
    assert!(diff.starts_with("diff --git a/a.txt b/a.txt\n"), "{diff}");
}

#[tokio::test]
async fn how_files_are_stored_and_who_the_user_is_act() {
    let place = Place::new();
    let repo = place.repo();
    place.set_global("core.autocrlf", "input");
    place.set_global("user.name", "Ann");
    git(&repo, &["config", "user.email", "ann@example.invalid"]);
    std::fs::write(repo.join("crlf.txt"), "a\r\n").unwrap();
    let session = place.open().await;
    session.run(&["add", "crlf.txt"], b"").await.unwrap();
    assert_eq!(git(&repo, &["cat-file", "-p", ":crlf.txt"]), "a\n");
    let who = session.text(&["var", "GIT_AUTHOR_IDENT"]).await.unwrap();
    assert!(who.starts_with("Ann <ann@example.invalid>"), "{who}");
}

#[tokio::test]
async fn where_hooks_are_is_read_without_starting_anything() {
    let place = Place::new();
    let repo = place.repo();
    let session = place.open().await;
    assert_eq!(
        session.hooks_folder().await.unwrap(),
        repo.join(".git/hooks")
    );
    place.set_global("core.hooksPath", "~/hooks");
    assert_eq!(
        session.hooks_folder().await.unwrap(),
        place.path("home/hooks")
    );
    git(&repo, &["config", "core.hooksPath", ".githooks"]);
    assert_eq!(
        session.hooks_folder().await.unwrap(),
        repo.join(".githooks")
    );
}
