//! Files that git considers changed although nobody changed them.

use std::path::Path;

use agon_testkit::{add, git};

use super::super::*;
use super::place;
use crate::tree::hash_work_tree;

/// Commits a file, and then attributes with which git would store it differently.
fn commit_then_attribute(project: &Path, name: &str, content: &str, attributes: &str) {
    add(project, name, content);
    git(project, &["add", "."]);
    git(project, &["commit", "-q", "-m", "file"]);
    add(project, ".gitattributes", attributes);
    git(project, &["add", ".gitattributes"]);
    git(project, &["commit", "-q", "-m", "attributes"]);
}

#[tokio::test]
async fn a_file_that_only_git_takes_for_changed_is_no_change() {
    for (name, content, attributes) in [
        ("win.txt", "a\r\nb\r\n", "*.txt text\n"),
        ("mixed.txt", "a\r\nb\n", "*.txt text eol=crlf\n"),
        ("keyword.c", "/* $Id: 1234 $ */\n", "*.c ident\n"),
        ("b\u{e4}d \"name.txt", "a\r\n", "* text=auto\n*.txt text\n"),
    ] {
        let (sandbox, caller, project) = place();
        commit_then_attribute(&project, name, content, attributes);
        let tree = sandbox.home().join("trees/ada");
        let branch = "agon/members/ada";
        make(&caller, &tree, branch, "HEAD").await.unwrap();
        let base = head(&caller, &tree).await.unwrap();
        let text = std::fs::read(tree.join(name)).unwrap();
        std::fs::write(tree.join(name), &text).unwrap();
        let status = git(&tree, &["status", "--porcelain"]);
        assert!(status.starts_with(" M "), "{name}: {status:?}");

        let ada = "ada".parse().unwrap();
        let found = changed_paths(&caller, &tree, &base, None).await.unwrap();
        assert_eq!(found, [], "{name}");
        let committed = commit(&caller, &tree, branch, &ada, "work").await;
        assert_eq!(committed, Ok(false), "{name}");
        // Evidence is about the tree of that commit.
        let location = TeamLocation::find(&tree).unwrap();
        let hash = hash_work_tree(&caller, &location).await.unwrap();
        let of_commit = git(&tree, &["rev-parse", "HEAD^{tree}"]);
        assert_eq!(hash.to_string(), of_commit.trim(), "{name}");

        // One of its lines is changed, and another file beside it.
        let changed = [text.as_slice(), b"more\r\n"].concat();
        std::fs::write(tree.join(name), changed).unwrap();
        add(&tree, "new.txt", "new\r\n");
        let found = changed_paths(&caller, &tree, &base, None).await.unwrap();
        let found: Vec<&[u8]> = found.iter().map(|it| it.path.as_bytes()).collect();
        let mut expected = [name.as_bytes(), b"new.txt"];
        expected.sort_unstable();
        assert_eq!(found, expected);
        let committed = commit(&caller, &tree, branch, &ada, "work").await;
        assert_eq!(committed, Ok(true), "{name}");
    }
}
