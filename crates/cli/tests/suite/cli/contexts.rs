//! What every seat is given: several files, a folder, what commits changed.

use std::fs;

use agon_testkit::{git, sandbox_has_reftable};
use serde_json::Value;

use crate::cli::harness::{Agon, Ran};

const MOTION: &str = "This house would keep its jobs in SQLite";

/// A project with three commits, a file that is not committed, and one that git ignores.
fn project() -> Agon {
    project_of_kind(&[])
}

/// The same, in a repository that is made with these arguments of `git init`.
fn project_of_kind(args: &[&str]) -> Agon {
    let agon = Agon::new();
    let here = agon.project();
    if !args.is_empty() {
        fs::remove_dir_all(here.join(".git")).ok();
    }
    git(&here, &[&["init", "--quiet"], args].concat());
    let commit = |message: &str| {
        git(&here, &["add", "--all"]);
        git(&here, &["commit", "--quiet", "-m", message]);
    };
    agon.write(".gitignore", "*.log\n");
    agon.write("src/queue.py", "def claim():\n    return 1\n");
    agon.write("src/deep/lease.py", "LEASE = 30\n");
    agon.write("notes.md", "Two writers come in August.\n");
    commit("one");
    agon.write("src/queue.py", "def claim():\n    return 2\n");
    commit("two");
    agon.write("src/queue.py", "def claim():\n    return 3\n");
    fs::remove_file(here.join("notes.md")).unwrap();
    commit("three");
    agon.write("src/queue.py", "def claim():\n    return 4\n");
    agon.write("src/new.py", "NEW = True\n");
    agon.write("src/queue.log", "claimed\n");
    fs::write(here.join("src/picture"), b"\0\x01\x02").unwrap();
    agon
}

/// Opens a formal debate that is given `context`.
fn open(agon: &Agon, context: &[&str]) -> Ran {
    let given = context.iter().flat_map(|given| ["--context", given]);
    let args: Vec<_> = ["new", MOTION, "--slug", "d"]
        .into_iter()
        .chain(given)
        .collect();
    agon.run(&args)
}

/// The debate's specification, as its record has it.
fn spec(agon: &Agon) -> Value {
    let journal = agon.project().join("debates/d/.agon/journal.jsonl");
    let text = fs::read_to_string(journal).unwrap();
    let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    line["events"][0].clone()
}

/// What is kept with the record, as text.
fn kept(agon: &Agon) -> Vec<String> {
    let blobs = agon.project().join("debates/d/.agon/blobs");
    let files = fs::read_dir(blobs).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    texts.collect()
}

/// The failure with which `context` is refused, and that nothing was opened.
fn refused(agon: &Agon, context: &[&str]) -> String {
    let ran = open(agon, context);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(2), ""),
        "{context:?}"
    );
    assert!(!agon.project().join("debates/d").exists(), "{context:?}");
    ran.stderr
}

#[test]
fn what_commits_changed_is_given_and_pinned_at_the_last_of_them() {
    let agon = project();
    let ran = open(&agon, &["commit=HEAD~2..HEAD"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let spec = spec(&agon);
    let context = &spec["context"];
    let text = context["text"].as_str().unwrap();
    for told in [
        "-    return 1",
        "+    return 3",
        "-Two writers come in August.",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(
        !text.contains("return 4") && !text.contains("return 2"),
        "{text}"
    );
    let name = |commit| {
        git(&agon.project(), &["rev-parse", commit])
            .trim()
            .to_owned()
    };
    assert_eq!(context["commit"], name("HEAD"));
    assert_eq!(context["since"], name("HEAD~2"));
    // What stands in the working tree is not what was given.
    let kept = kept(&agon);
    assert!(
        kept.iter().any(|text| text.contains("return 3")),
        "{kept:?}"
    );
    assert!(
        !kept.iter().any(|text| text.contains("return 4")),
        "{kept:?}"
    );
    let about = format!("1 changed file at {}", &name("HEAD")[..7]);
    assert_eq!(spec["source"]["about"], about.as_str());
}

#[test]
fn one_commit_is_what_it_changed_and_three_dots_are_since_both_parted() {
    let agon = project();
    assert_eq!(open(&agon, &["commit=HEAD~1"]).code, Some(0));
    let text = spec(&agon)["context"]["text"].as_str().unwrap().to_owned();
    assert!(
        text.contains("+    return 2") && !text.contains("return 3"),
        "{text}"
    );

    let agon = project();
    let here = agon.project();
    git(&here, &["stash", "--quiet", "--include-untracked"]);
    git(&here, &["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    agon.write("src/side.py", "SIDE = 1\n");
    git(&here, &["add", "--all"]);
    git(&here, &["commit", "--quiet", "-m", "side"]);
    assert_eq!(open(&agon, &["commit=master...side"]).code, Some(0));
    let text = spec(&agon)["context"]["text"].as_str().unwrap().to_owned();
    assert!(
        text.contains("SIDE = 1") && !text.contains("return"),
        "{text}"
    );
}

#[test]
fn several_files_and_folders_are_given_each_once() {
    let agon = project();
    let named = ["file=.gitignore", "dir=src", "file=src/queue.py"];
    let ran = open(&agon, &named);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let files = spec(&agon)["context"]["files"].clone();
    let files: Vec<_> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            (
                file["path"].as_str().unwrap(),
                file["text"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        files,
        [
            (".gitignore", "*.log\n"),
            ("src/deep/lease.py", "LEASE = 30\n"),
            ("src/new.py", "NEW = True\n"),
            ("src/queue.py", "def claim():\n    return 4\n"),
        ]
    );
    // What is cited from them is looked up as they stood.
    agon.write("src/new.py", "NEW = False\n");
    assert!(kept(&agon).iter().any(|text| text == "NEW = True\n"));
}

#[test]
fn what_cannot_be_given_is_refused_with_what_to_do() {
    let agon = project();
    let outside = agon.project().with_file_name("elsewhere.py");
    fs::write(&outside, "x = 1\n").unwrap();
    agon.write(
        "keys/aws.py",
        &format!("A = 1\nKEY = \"{}IOSFODNN7BBBXYZ1\"\n", "AKIA"),
    );
    agon.write("large/a.txt", &"a line of text\n".repeat(9_000));
    agon.write("large/b.txt", &"a line of text\n".repeat(9_000));
    for n in 0..101 {
        agon.write(&format!("many/{n}.txt"), "x\n");
    }
    for (context, told) in [
        (
            &["commit=nowhere..HEAD"][..],
            "there is no commit `nowhere`",
        ),
        (&["commit=HEAD..HEAD"], "changed nothing in the project"),
        (
            &["commit=--output=x..HEAD"],
            "there is no commit `--output=x`",
        ),
        (&["file=../elsewhere.py"], "lies outside the project"),
        (&["dir=.."], "lies outside the project"),
        (&["dir=nowhere"], "cannot read nowhere"),
        (&["dir=keys"], "line 2 of keys/aws.py looks like a secret"),
        (&["dir=large"], "at most 204800 are sent"),
        (&["dir=many"], "more than 100 files"),
        (&["file=src/picture"], "src/picture is not text"),
        (
            &["file=src/queue.py", "diff"],
            "`diff` cannot be given together",
        ),
        (&["folder=src"], "`folder=src` is no context"),
    ] {
        let stderr = refused(&agon, context);
        assert!(stderr.contains(told), "{context:?}: {stderr}");
    }
    // A debate's own folder is nobody's material.
    assert_eq!(open(&agon, &["none"]).code, Some(0));
    let ran = agon.run(&["new", MOTION, "--slug", "e", "--context", "dir=debates"]);
    assert!(
        ran.stderr.contains("there is no text in debates"),
        "{}",
        ran.stderr
    );
}

#[test]
fn changes_are_given_in_repositories_of_every_kind() {
    for args in [
        &["--object-format=sha256"][..],
        &["--ref-format=reftable"],
        &["--separate-git-dir=../kept apart"],
    ] {
        if args == ["--ref-format=reftable"] && !sandbox_has_reftable() {
            continue;
        }
        for (context, given) in [
            ("diff", "+    return 4"),
            ("commit=HEAD~1", "+    return 2"),
        ] {
            let agon = project_of_kind(args);
            let ran = open(&agon, &[context]);
            assert_eq!(ran.code, Some(0), "{args:?} {context}: {}", ran.stderr);
            let spec = spec(&agon);
            let text = spec["context"]["text"].as_str().unwrap();
            assert!(text.contains(given), "{args:?} {context}: {text}");
            assert_ne!(spec["source"]["about"], Value::Null, "{args:?} {context}");
        }
    }
}

#[test]
fn a_shallow_clone_says_that_it_is_one() {
    let agon = project();
    let here = agon.project();
    let head = git(&here, &["rev-parse", "HEAD"]);
    fs::write(here.join(".git/shallow"), head).unwrap();
    let ran = open(&agon, &["commit=HEAD~1..HEAD"]);
    assert_eq!(ran.code, Some(2));
    let said = ran.stderr;
    assert!(
        said.contains("this clone is shallow, and has no commit `HEAD~1`")
            && said.contains("git fetch --unshallow"),
        "{said}"
    );
}
