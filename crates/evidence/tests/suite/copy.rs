//! The contents of a working copy, and the detection of changes in it.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use crate::repo::Repo;
use agon_evidence::{Commits, Manifest, ManifestError, PinLimits, Source, WorkingCopy};
use tempfile::TempDir;

fn source(repo: &Repo) -> Source {
    Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap()
}

fn copied(source: &Source, wanted: &dyn Fn(&str) -> bool) -> (TempDir, WorkingCopy) {
    let folder = tempfile::tempdir().unwrap();
    let copy = source.copy_to(&folder.path().join("copy"), wanted).unwrap();
    (folder, copy)
}

fn text(copy: &WorkingCopy, path: &str) -> Option<String> {
    fs::read_to_string(copy.folder().join(path)).ok()
}

fn everything(_: &str) -> bool {
    true
}

#[test]
fn it_has_the_files_as_they_were_pinned_and_nothing_else() {
    let repo = Repo::new();
    repo.write("src/same.rs", "same\n")
        .write("src/edited.rs", "committed\n")
        .write("gone.rs", "gone\n")
        .write("data.bin", b"\0\x01\x02")
        .write(".gitignore", "*.log\n")
        .write(".env", "placeholder\n");
    repo.commit();
    repo.write("src/edited.rs", "pinned\n")
        .write("new.rs", "new\n")
        .write("noise.log", "noise\n")
        .link("link.rs", "new.rs");
    let source = source(&repo);
    repo.write("src/edited.rs", "later\n")
        .write("src/same.rs", "later\n")
        .write("later.rs", "later\n");
    fs::remove_file(repo.path().join("gone.rs")).unwrap();

    let (_folder, copy) = copied(&source, &|path| path != ".env");

    assert_eq!(text(&copy, "src/same.rs").as_deref(), Some("same\n"));
    assert_eq!(text(&copy, "src/edited.rs").as_deref(), Some("pinned\n"));
    assert_eq!(text(&copy, "gone.rs").as_deref(), Some("gone\n"));
    assert_eq!(text(&copy, "new.rs").as_deref(), Some("new\n"));
    let binary = fs::read(copy.folder().join("data.bin")).unwrap();
    assert_eq!(binary, b"\0\x01\x02");
    for absent in [".env", "noise.log", "link.rs", "later.rs", ".git"] {
        let path = copy.folder().join(absent);
        assert!(fs::symlink_metadata(path).is_err(), "{absent}");
    }
    assert_eq!((copy.file_count(), copy.missing_text_count()), (6, 0));
    assert_eq!(copy.changed_files(), Vec::<String>::new());
}

#[test]
fn a_text_that_nothing_has_as_it_was_is_missing_and_a_binary_is_left_out() {
    let folder = Repo::folder();
    folder.write("a.bin", b"\0first").write("b.txt", "kept\n");
    let none = PinLimits {
        held_bytes: 0,
        ..PinLimits::default()
    };
    let held = source(&folder);
    let unheld = Source::pin_tree(&folder.path(), &none).unwrap();
    folder
        .write("a.bin", b"\0second")
        .write("b.txt", "edited\n");
    let (_folder, copy) = copied(&held, &everything);
    assert_eq!((copy.file_count(), copy.missing_text_count()), (1, 0));
    assert_eq!(text(&copy, "b.txt").as_deref(), Some("kept\n"));
    assert_eq!(text(&copy, "a.bin"), None);
    let (_folder, copy) = copied(&unheld, &everything);
    assert_eq!((copy.file_count(), copy.missing_text_count()), (0, 1));
}

#[test]
fn a_manifest_that_leads_out_is_refused() {
    let folder = Repo::folder();
    folder.write("a.txt", "a\n");
    let manifest = source(&folder).manifest().clone();
    let bytes = String::from_utf8(manifest.to_bytes()).unwrap();
    assert!(Manifest::from_bytes(bytes.as_bytes()).is_ok());
    for path in ["../a.txt", "/etc/a.txt", "b/../../a.txt", "./a.txt", ""] {
        let strange = bytes.replace("\"a.txt\"", &format!("{path:?}"));
        let refused = Manifest::from_bytes(strange.as_bytes());
        assert!(matches!(refused, Err(ManifestError::Outside)), "{path}");
        // A forged manifest writes nothing outside the folder, either.
        let mut manifest = manifest.clone();
        let entry = manifest.entries.remove("a.txt").unwrap();
        manifest.entries.insert(path.to_owned(), entry.clone());
        let blobs = [(entry.hash.unwrap(), b"a\n".as_slice().into())].into();
        let source = Source::from_stored(manifest, Commits::default(), blobs);
        let (_folder, copy) = copied(&source, &everything);
        assert_eq!(copy.file_count(), 0, "{path}");
    }
    let name = bytes.replacen("\"name\":\"", "\"name\":\"../", 1);
    assert!(Manifest::from_bytes(name.as_bytes()).is_err());
}

#[test]
fn a_link_on_the_way_to_a_copy_is_no_change() {
    let folder = Repo::folder();
    folder.write("sub/a.txt", "a\n");
    let source = source(&folder);
    let temp = tempfile::tempdir().unwrap();
    let link = temp.path().join("link");
    fs::create_dir(temp.path().join("real")).unwrap();
    std::os::unix::fs::symlink("real", &link).unwrap();
    let copy = source.copy_to(&link.join("copy"), &everything).unwrap();
    assert_eq!(copy.changed_files(), Vec::<String>::new());
}

#[test]
fn every_change_is_seen() {
    let folder = Repo::folder();
    for path in ["a.txt", "b.txt", "sub/c.txt", "sub/d.txt", "sub/deep/e.txt"] {
        folder.write(path, "as it was\n");
    }
    let source = source(&folder);
    let change = |change: &dyn Fn(&Path)| {
        let (_folder, copy) = copied(&source, &everything);
        assert_eq!(copy.changed_files(), Vec::<String>::new());
        change(copy.folder());
        copy.changed_files()
    };
    let none: [&str; 0] = [];
    assert_eq!(change(&|_| {}), none);
    let replace = |path: &Path, text: &str| {
        fs::remove_file(path).unwrap();
        fs::write(path, text).unwrap();
    };
    // Same length, same name.
    let altered = change(&|at| replace(&at.join("a.txt"), "as it isn't"));
    assert_eq!(altered, ["a.txt"]);
    let longer = change(&|at| replace(&at.join("sub/c.txt"), &"more\n".repeat(100)));
    assert_eq!(longer, ["sub/c.txt"]);
    let removed = change(&|at| fs::remove_dir_all(at.join("sub/deep")).unwrap());
    assert_eq!(removed, ["sub/deep/e.txt"]);
    let added = change(&|at| {
        fs::create_dir_all(at.join("node_modules/x")).unwrap();
        fs::write(at.join("node_modules/x/i.js"), "").unwrap();
        fs::create_dir(at.join("empty")).unwrap();
    });
    assert_eq!(added, ["empty", "node_modules/x/i.js"]);
    let linked = change(&|at| {
        fs::remove_file(at.join("b.txt")).unwrap();
        std::os::unix::fs::symlink("a.txt", at.join("b.txt")).unwrap();
    });
    assert_eq!(linked, ["b.txt"]);
    let moved = change(&|at| fs::rename(at.join("a.txt"), at.join("z.txt")).unwrap());
    assert_eq!(moved, ["a.txt", "z.txt"]);
}

#[test]
fn files_are_read_only_and_a_folder_that_cannot_be_made_is_named() {
    let folder = Repo::folder();
    folder.write("a.txt", "a\n");
    let source = source(&folder);
    let (_temp, copy) = copied(&source, &everything);
    let mode = fs::metadata(copy.folder().join("a.txt")).unwrap();
    assert!(mode.permissions().readonly());
    // Copied again to the same folder.
    let again = source.copy_to(copy.folder(), &everything).unwrap();
    assert_eq!(again.changed_files(), Vec::<String>::new());

    let file = copy.folder().join("a.txt");
    let error = source.copy_to(&file.join("copy"), &everything).unwrap_err();
    assert_eq!(error.path, file.join("copy"));
}
