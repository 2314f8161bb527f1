//! Which files of a folder are pinned, and which are left out.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::time::Duration;

use crate::repo::{self, Repo};
use agon_evidence::{
    Change, Excluded, FileKind, LeftOut, Manifest, PinError, PinLimits, Scope, Source,
};

fn kinds(source: &Source) -> BTreeMap<&str, (&FileKind, Change)> {
    let entries = source.manifest().entries.iter();
    entries
        .map(|(path, entry)| (path.as_str(), (&entry.kind, entry.change)))
        .collect()
}

fn left_out(source: &Source) -> Vec<(&str, LeftOut)> {
    let left_out = source.manifest().left_out.iter();
    left_out.map(|(path, why)| (path.as_str(), *why)).collect()
}

fn tree(repo: &Repo) -> Source {
    Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap()
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

#[test]
fn a_repository_is_pinned_as_it_stands_on_the_disk() {
    let repo = Repo::new();
    repo.write("same.rs", "same\n")
        .write("edited.rs", "before\n")
        .write("gone.rs", "gone\n")
        .write(".gitignore", "*.log\nbuild/\n");
    let commit = repo.commit();
    repo.write("edited.rs", "after\n")
        .write("staged.rs", "staged\n")
        .write("new/file.rs", "new\n")
        .write("debug.log", "noise\n")
        .write("build/out/x.js", "noise\n");
    std::fs::remove_file(repo.path().join("gone.rs")).unwrap();
    repo.git(&["add", "staged.rs"]);

    let source = tree(&repo);

    let text = &FileKind::Text;
    let expected = [
        (".gitignore", (text, Change::None)),
        ("edited.rs", (text, Change::Changed)),
        ("new/file.rs", (text, Change::New)),
        ("same.rs", (text, Change::None)),
        ("staged.rs", (text, Change::New)),
    ];
    assert_eq!(kinds(&source), expected.into());
    assert_eq!(
        left_out(&source),
        [
            ("build", LeftOut::Ignored),
            ("debug.log", LeftOut::Ignored),
            ("gone.rs", LeftOut::Deleted),
        ]
    );
    let manifest = source.manifest();
    assert_eq!(manifest.commit, Some(commit));
    assert!(manifest.dirty);
    assert_eq!(manifest.entries["edited.rs"].hash, Some(hash("after\n")));
    // Contents that no commit has are kept; the others are not.
    let mut held: Vec<_> = source.uncommitted_blobs().keys().cloned().collect();
    let mut expected = ["after\n", "new\n", "staged\n"].map(hash);
    held.sort();
    expected.sort();
    assert_eq!(held, expected);
}

#[test]
fn a_clean_repository_is_not_dirty_and_nothing_of_it_has_to_be_held() {
    let repo = Repo::new();
    repo.write("a.rs", "a\n").commit();
    let source = tree(&repo);
    assert!(!source.manifest().dirty);
    assert!(source.uncommitted_blobs().is_empty());
}

#[test]
fn equal_sources_on_two_machines_have_equal_manifests() {
    let repo = Repo::new();
    repo.write("b.rs", "b\n").write("a/x.rs", "x\n").commit();
    repo.write("c.rs", "new\n");
    let other = Repo::folder();
    let clone = other.path().join(repo.path().file_name().unwrap());
    let from = repo.path().to_string_lossy().into_owned();
    repo::git(
        &other.path(),
        &["clone", "--quiet", &from, &clone.to_string_lossy()],
    );
    std::fs::write(clone.join("c.rs"), "new\n").unwrap();

    let bytes = tree(&repo).manifest().to_bytes();

    let again = Source::pin_tree(&clone, &PinLimits::default()).unwrap();
    assert_eq!(again.manifest().to_bytes(), bytes);
    assert_eq!(Manifest::from_bytes(&bytes).unwrap(), *again.manifest());
    assert!(!String::from_utf8(bytes).unwrap().contains("/tmp"));
}

#[test]
fn what_is_no_plain_text_is_listed_with_its_kind() {
    let repo = Repo::new();
    let large = "x".repeat(3 << 20);
    repo.write("picture.png", b"\x89PNG\0\0")
        .write("large.csv", &large)
        .write("latin.txt", b"caf\xe9\n")
        .write(
            "model.bin",
            "version https://git-lfs.github.com/spec/v1\noid sha256:00\n",
        )
        .link("out", "/etc/passwd");
    repo.commit();
    let source = tree(&repo);
    let link = FileKind::Symlink("/etc/passwd".into());
    assert_eq!(
        kinds(&source),
        [
            ("large.csv", (&FileKind::Oversized, Change::None)),
            ("latin.txt", (&FileKind::Text, Change::None)),
            ("model.bin", (&FileKind::LargeFile, Change::None)),
            ("out", (&link, Change::None)),
            ("picture.png", (&FileKind::Binary, Change::None)),
        ]
        .into()
    );
}

#[test]
fn another_repository_inside_is_left_out() {
    let repo = Repo::new();
    repo.write("a.rs", "a\n").write("inner/b.rs", "b\n");
    repo::git(&repo.path().join("inner"), &["init", "--quiet"]);
    assert_eq!(left_out(&tree(&repo)), [("inner", LeftOut::Submodule)]);
}

#[test]
fn nothing_behind_a_link_is_read() {
    let secret = Repo::folder();
    secret.write("key", "secret\n");
    let repo = Repo::new();
    repo.write("folder/key", "mine\n").commit();
    std::fs::remove_dir_all(repo.path().join("folder")).unwrap();
    repo.link("folder", &secret.path().to_string_lossy());
    let source = tree(&repo);
    assert_eq!(left_out(&source), [("folder/key", LeftOut::Unreadable)]);
    assert!(
        source
            .uncommitted_blobs()
            .values()
            .all(|it| &**it != b"secret\n")
    );
}

#[test]
fn a_folder_inside_a_repository_is_pinned_alone() {
    let repo = Repo::new();
    repo.write("web/a.ts", "a\n")
        .write("api/b.rs", "b\n")
        .commit();
    repo.write("web/new.ts", "n\n").write("api/new.rs", "n\n");
    let source = Source::pin_tree(&repo.path().join("web"), &PinLimits::default()).unwrap();
    let paths: Vec<_> = source.manifest().entries.keys().collect();
    assert_eq!(paths, ["a.ts", "new.ts"]);
    assert_eq!(source.manifest().prefix, "web");
}

#[test]
fn the_repository_is_never_written_and_runs_nothing() {
    let repo = Repo::new();
    repo.write("a.txt", "a\n")
        .write(".gitattributes", "*.txt filter=f\n");
    repo.commit();
    let ran = repo.path().join("ran");
    let touch = format!("touch {}", ran.display());
    for key in [
        "core.fsmonitor",
        "filter.f.clean",
        "filter.f.smudge",
        "core.sshCommand",
    ] {
        repo.git(&["config", key, &touch]);
    }
    repo.git(&["config", "filter.f.required", "true"]);
    repo.write("a.txt", "edited\n");
    let before = snapshot(&repo.path().join(".git"));

    let source = tree(&repo);

    assert_eq!(source.manifest().entries["a.txt"].change, Change::Changed);
    assert_eq!(snapshot(&repo.path().join(".git")), before);
    assert!(!ran.exists());
}

/// Every file in a folder with its content and modification time.
fn snapshot(at: &std::path::Path) -> BTreeMap<String, (Vec<u8>, std::time::SystemTime)> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(at).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(snapshot(&path));
        } else {
            let modified = path.metadata().unwrap().modified().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            files.insert(path.to_string_lossy().into_owned(), (bytes, modified));
        }
    }
    files
}

#[test]
fn changes_are_the_files_that_differ_from_the_commit() {
    let repo = Repo::new();
    repo.write("same.rs", "same\n")
        .write("edited.rs", "before\n")
        .commit();
    repo.write("edited.rs", "after\n").write("new.rs", "new\n");
    let source = Source::pin_changes(&repo.path(), &PinLimits::default()).unwrap();
    assert_eq!(source.manifest().scope, Scope::Changes);
    let paths: Vec<_> = source.manifest().entries.keys().collect();
    assert_eq!(paths, ["edited.rs", "new.rs"]);

    let empty = Repo::new();
    let error = Source::pin_changes(&empty.path(), &PinLimits::default()).unwrap_err();
    assert!(matches!(error, PinError::NoCommit));
}

#[test]
fn line_ends_of_a_checkout_are_no_change() {
    let repo = Repo::new();
    repo.write("a.txt", "one\ntwo\n").commit();
    repo.write("a.txt", "one\r\ntwo\r\n");
    let source = tree(&repo);
    assert!(!source.manifest().dirty);
    // No commit has these bytes, so they are kept.
    assert_eq!(source.uncommitted_blobs().len(), 1);
}

#[test]
fn named_files_are_pinned_alone_and_must_be_texts_inside() {
    let repo = Repo::folder();
    repo.write("a.rs", "a\n")
        .write("b.png", b"\0")
        .write("c.rs", "c\n");
    let pin = |paths: &[&str]| Source::pin_files(&repo.path(), paths, &PinLimits::default());
    let source = pin(&["./a.rs"]).unwrap();
    assert_eq!(
        kinds(&source),
        [("a.rs", (&FileKind::Text, Change::None))].into()
    );
    let said = |path: &str| pin(&[path]).unwrap_err().to_string();
    assert_eq!(said("b.png"), "cannot use \"b.png\": it is not a text file");
    assert_eq!(said("gone.rs"), "no such file: \"gone.rs\"");
    assert_eq!(said("../x"), "\"../x\" is outside the project");
    assert_eq!(
        said("/etc/passwd"),
        "\"/etc/passwd\" is outside the project"
    );
}

#[test]
fn a_plain_folder_is_pinned_without_what_tools_fill() {
    let repo = Repo::folder();
    repo.write("src/a.ts", "a\n")
        .write("node_modules/x/index.js", "x\n")
        .write(
            "cache/CACHEDIR.TAG",
            "Signature: 8a477f597d28d172789f06886806bc55\n",
        )
        .write("cache/x", "x\n");
    let source = tree(&repo);
    assert_eq!(
        kinds(&source),
        [("src/a.ts", (&FileKind::Text, Change::None))].into()
    );
    assert_eq!(
        left_out(&source),
        [
            ("cache", LeftOut::Ignored),
            ("node_modules", LeftOut::Ignored)
        ]
    );
    assert_eq!(source.manifest().commit, None);
}

#[test]
fn a_source_over_a_limit_is_refused_with_what_to_do() {
    let repo = Repo::new();
    repo.write("a.rs", "aaaa\n")
        .write("b.rs", "bbbb\n")
        .commit();
    let cases = [
        PinLimits {
            files: 1,
            ..PinLimits::default()
        },
        PinLimits {
            bytes: 8,
            ..PinLimits::default()
        },
        PinLimits {
            time: Duration::ZERO,
            ..PinLimits::default()
        },
    ];
    let said: Vec<_> = cases
        .iter()
        .map(|limits| {
            let error = Source::pin_tree(&repo.path(), limits).unwrap_err();
            assert!(error.hint().is_some());
            error.to_string()
        })
        .collect();
    assert_eq!(
        said,
        [
            "the project has more than 1 files",
            "the project has more than 8 bytes",
            "reading the project took longer than 0 s",
        ]
    );
}

#[test]
fn a_folder_that_is_none_is_refused() {
    let repo = Repo::folder();
    repo.write("a.rs", "a\n");
    let pin =
        |path: &str| Source::pin_tree(&repo.path().join(path), &PinLimits::default()).unwrap_err();
    assert!(matches!(pin("a.rs"), PinError::NoFolder { .. }));
    assert!(matches!(pin("gone"), PinError::Read { .. }));
    let bare = Repo::folder();
    bare.git(&["init", "--quiet", "--bare"]);
    let error = Source::pin_tree(&bare.path(), &PinLimits::default()).unwrap_err();
    assert!(matches!(error, PinError::Bare), "{error}");
}

#[test]
fn a_repository_whose_files_lie_elsewhere_is_refused() {
    let elsewhere = Repo::folder();
    let repo = Repo::new();
    repo.write("a.rs", "a\n").commit();
    repo.git(&[
        "config",
        "core.worktree",
        &elsewhere.path().to_string_lossy(),
    ]);
    let error = Source::pin_tree(&repo.path(), &PinLimits::default()).unwrap_err();
    assert!(
        matches!(error, PinError::WorkTreeElsewhere { .. }),
        "{error}"
    );
}

#[test]
fn a_manifest_of_another_version_is_refused() {
    let bytes = br#"{"schema":"agon.source/9","scope":"tree","entries":{}}"#;
    assert_eq!(
        Manifest::from_bytes(bytes).unwrap_err().to_string(),
        "the source's manifest has version \"agon.source/9\", expected \"agon.source/1\""
    );
    assert!(Manifest::from_bytes(b"{}").is_err());
}

#[test]
fn folders_that_leave_no_trace_make_no_other_manifest_whether_they_are_ignored_or_not() {
    let repo = Repo::new();
    repo.write("a.rs", "a\n").commit();
    let excluded = Excluded {
        apart: &["debates"],
        unseen: &[".host/debate"],
    };
    let pin = || {
        let pinned = Source::pin_tree_excluding(&repo.path(), excluded, &PinLimits::default());
        pinned.unwrap().manifest().clone()
    };
    let before = pin();
    assert_eq!(before.left_out["debates"], LeftOut::Apart);
    repo.write(".host/debate/last.json", "{}");
    repo.write("debates/s/verdict.md", "Yes.");
    assert_eq!(pin(), before);
    repo.write(".git/info/exclude", "/.host/debate/\n");
    assert_eq!(pin(), before, "all of the outer folder is ignored");
    repo.write(".host/.gitignore", "*\n");
    repo.write(".host/cache", "x");
    assert_eq!(pin(), before, "the host ignores its own folder");
    // The user's own rules in it apply.
    repo.write(".git/info/exclude", "/.host/debate/\n");
    std::fs::remove_file(repo.path().join(".host/.gitignore")).unwrap();
    assert_ne!(pin(), before);
}

/// Arguments of `git init` for every kind of repository that the installed git supports; the
/// separate git folder is in `apart`.
pub(crate) fn kinds_of_repository(apart: &std::path::Path) -> Vec<Vec<String>> {
    let apart = format!("--separate-git-dir={}", apart.join("kept apart").display());
    let [sha256, tables] = ["--object-format=sha256", "--ref-format=reftable"].map(str::to_owned);
    let mut kinds = vec![vec![], vec![sha256.clone()], vec![apart]];
    if agon_testkit::git_has_reftable() {
        kinds.extend([vec![tables.clone()], vec![tables, sha256]]);
    }
    kinds
}

#[test]
fn changes_are_told_from_the_commit_in_every_kind_of_repository() {
    let apart = tempfile::tempdir().unwrap();
    for args in kinds_of_repository(apart.path()) {
        let repo = Repo::with(&args);
        repo.write("src/a.rs", "one\n").write("b.rs", "b\n");
        repo.commit();
        for is_packed in [false, true] {
            if is_packed {
                repo.git(&["gc", "--quiet"]);
            }
            repo.write("src/a.rs", "two\n").write("new.rs", "new\n");
            let source = Source::pin_changes(&repo.path(), &PinLimits::default()).unwrap();
            let text = &FileKind::Text;
            let expected = [
                ("new.rs", (text, Change::New)),
                ("src/a.rs", (text, Change::Changed)),
            ];
            assert_eq!(kinds(&source), expected.into(), "{args:?}");
            let head = repo.git(&["rev-parse", "HEAD"]);
            assert_eq!(source.manifest().commit.as_deref(), Some(head.trim()));
        }
    }
}
