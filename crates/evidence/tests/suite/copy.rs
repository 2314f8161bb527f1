//! The contents of a working copy, and the detection of changes in it.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

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

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Returns what is in a folder: the rights of everything, and the content of files.
fn tree(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let state = fs::symlink_metadata(&path).unwrap();
        let content = match state.is_file() {
            true => fs::read(&path).unwrap(),
            false => Vec::new(),
        };
        if state.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            open.extend(entries.map(|entry| entry.unwrap().path()));
        }
        found.insert(path, (state.mode(), content));
    }
    found
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

    let (_folder, mut copy) = copied(&source, &|path| path != ".env");

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
    symlink("real", &link).unwrap();
    let mut copy = source.copy_to(&link.join("copy"), &everything).unwrap();
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
        let (_folder, mut copy) = copied(&source, &everything);
        assert_eq!(copy.changed_files(), Vec::<String>::new());
        let before = tree(copy.folder());
        change(copy.folder());
        let changed = copy.changed_files();
        copy.restore(&source).unwrap();
        assert_eq!(tree(copy.folder()), before);
        assert_eq!(copy.changed_files(), Vec::<String>::new());
        changed
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
        symlink("a.txt", at.join("b.txt")).unwrap();
    });
    assert_eq!(linked, ["b.txt"]);
    // As before by length and time; only the time of the last change of its state tells.
    let hidden = change(&|at| {
        let path = at.join("a.txt");
        let then = fs::metadata(&path).unwrap().modified().unwrap();
        set_mode(&path, 0o600);
        let file = fs::File::options().write(true).open(&path).unwrap();
        (&file).write_all(b"as it isn").unwrap();
        file.set_modified(then).unwrap();
        set_mode(&path, 0o400);
    });
    assert_eq!(hidden, ["a.txt"]);
    let opened = change(&|at| set_mode(&at.join("a.txt"), 0o666));
    assert_eq!(opened, ["a.txt"]);
    let entered = change(&|at| set_mode(&at.join("sub"), 0o777));
    assert_eq!(entered, ["sub"]);
    let root = change(&|at| set_mode(at, 0o755));
    assert_eq!(root, ["."]);
    // Through its other name, the file could be changed later.
    let named = change(&|at| {
        fs::hard_link(at.join("a.txt"), at.parent().unwrap().join("kept")).unwrap();
    });
    assert_eq!(named, ["a.txt"]);
    let swapped = change(&|at| {
        fs::remove_file(at.join("a.txt")).unwrap();
        fs::create_dir_all(at.join("a.txt/inner")).unwrap();
        fs::remove_dir_all(at.join("sub")).unwrap();
        fs::write(at.join("sub"), "").unwrap();
    });
    let below = ["sub", "sub/c.txt", "sub/d.txt", "sub/deep/e.txt"];
    assert_eq!(swapped, [&["a.txt", "a.txt/inner"], &below[..]].concat());
    let touched = change(&|at| {
        let file = fs::File::open(at.join("a.txt")).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
        fs::rename(at.join("sub/deep"), at.join("sub/other")).unwrap();
        fs::rename(at.join("sub/other"), at.join("sub/deep")).unwrap();
    });
    assert_eq!(touched, none, "the same content");
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
    let mut again = source.copy_to(copy.folder(), &everything).unwrap();
    assert_eq!(again.changed_files(), Vec::<String>::new());

    let file = copy.folder().join("a.txt");
    let error = source.copy_to(&file.join("copy"), &everything).unwrap_err();
    assert_eq!(error.path, file.join("copy"));
}

#[test]
fn restoring_writes_and_removes_nothing_behind_a_link() {
    let folder = Repo::folder();
    folder.write("a.txt", "a\n").write("sub/b.txt", "b\n");
    let source = source(&folder);
    let (temp, mut copy) = copied(&source, &everything);
    let outside = temp.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("b.txt"), "theirs\n").unwrap();
    let at = copy.folder().to_owned();
    fs::remove_dir_all(at.join("sub")).unwrap();
    symlink(&outside, at.join("sub")).unwrap();
    symlink(&outside, at.join("more")).unwrap();
    fs::remove_file(at.join("a.txt")).unwrap();
    symlink(outside.join("b.txt"), at.join("a.txt")).unwrap();
    assert_eq!(copy.changed_files(), ["a.txt", "more", "sub", "sub/b.txt"]);
    copy.restore(&source).unwrap();
    assert_eq!(text(&copy, "sub/b.txt").as_deref(), Some("b\n"));
    assert_eq!(text(&copy, "a.txt").as_deref(), Some("a\n"));
    let theirs = fs::read_to_string(outside.join("b.txt")).unwrap();
    assert_eq!(theirs, "theirs\n");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    // Another folder in the place of the copy is left alone.
    fs::rename(&at, temp.path().join("moved")).unwrap();
    symlink(&outside, &at).unwrap();
    assert_eq!(copy.changed_files(), ["a.txt", "sub/b.txt"]);
    assert!(copy.restore(&source).is_err());
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn a_copy_shares_no_file_with_the_project() {
    let repo = Repo::new();
    repo.write("a.txt", "a\n");
    repo.commit();
    let source = source(&repo);
    let (_temp, mut copy) = copied(&source, &everything);
    let path = copy.folder().join("a.txt");
    set_mode(&path, 0o600);
    fs::write(&path, "changed\n").unwrap();
    assert_eq!(
        fs::read_to_string(repo.path().join("a.txt")).unwrap(),
        "a\n"
    );
    assert_eq!(fs::metadata(repo.path().join("a.txt")).unwrap().nlink(), 1);
    // The project changes later, but its commit has the pinned content.
    repo.write("a.txt", "later\n");
    copy.restore(&source).unwrap();
    assert_eq!(text(&copy, "a.txt").as_deref(), Some("a\n"));
}

#[test]
fn a_copy_found_unchanged_is_not_compared_again_before_a_tool_gets_it() {
    let repo = Repo::new();
    repo.write("a.txt", "pinned\n").commit();
    let source = source(&repo);
    let (folder, mut copy) = copied(&source, &everything);
    copy.give_to_tool();
    assert_eq!(copy.changed_files(), Vec::<String>::new());
    // A comparison would fail, because the copy is gone.
    fs::rename(copy.folder(), folder.path().join("moved")).unwrap();
    copy.restore(&source).unwrap();
    copy.give_to_tool();
    assert!(copy.restore(&source).is_err());
}
