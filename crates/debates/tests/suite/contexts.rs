//! Contexts of the seats: several files, a folder, the changes of commits.

use std::fs;

use agon_caller::{Failure, FailureKind};
use agon_debates::request::{CONTEXT_SEPARATOR, NewRequest};
use agon_debates::run::formal_run;
use agon_testkit::{git, sandbox_has_reftable};
use serde_json::Value;

use crate::front::Recorder;
use crate::project::Project;

const MOTION: &str = "This house would keep its jobs in SQLite";

/// Returns a project with three commits, an uncommitted file, and one that git ignores.
fn committed() -> Project {
    committed_in(&[])
}

/// Returns the same, in a repository created with these arguments of `git init`.
fn committed_in(args: &[&str]) -> Project {
    let project = Project::new();
    let here = project.caller.cwd.clone();
    if !args.is_empty() {
        fs::remove_dir_all(here.join(".git")).ok();
    }
    git(&here, &[&["init", "--quiet"], args].concat());
    let commit = |message: &str| {
        git(&here, &["add", "--all"]);
        git(&here, &["commit", "--quiet", "-m", message]);
    };
    project.write(".gitignore", "*.log\n");
    project.write("src/queue.py", "def claim():\n    return 1\n");
    project.write("src/deep/lease.py", "LEASE = 30\n");
    project.write("notes.md", "Two writers come in August.\n");
    commit("one");
    project.write("src/queue.py", "def claim():\n    return 2\n");
    commit("two");
    project.write("src/queue.py", "def claim():\n    return 3\n");
    fs::remove_file(here.join("notes.md")).unwrap();
    commit("three");
    project.write("src/queue.py", "def claim():\n    return 4\n");
    project.write("src/new.py", "NEW = True\n");
    project.write("src/queue.log", "claimed\n");
    fs::write(here.join("src/picture"), b"\0\x01\x02").unwrap();
    project
}

/// Opens the formal debate `slug` with this context.
async fn open_as(project: &Project, slug: &str, context: &[&str]) -> Result<(), Failure> {
    let request = NewRequest {
        motion: Some(MOTION.to_owned()),
        slug: Some(slug.to_owned()),
        context: Some(context.join(&CONTEXT_SEPARATOR.to_string())),
        ..NewRequest::default()
    };
    let opened = formal_run::open(&project.caller, &request, &mut Recorder::default()).await;
    opened.map(drop)
}

/// Opens the debate `d`.
async fn open(project: &Project, context: &[&str]) -> Result<(), Failure> {
    open_as(project, "d", context).await
}

/// Returns the debate's spec from its record.
fn spec(project: &Project) -> Value {
    let journal = project.debates().join("d/.agon/journal.jsonl");
    let text = fs::read_to_string(journal).unwrap();
    let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    line["events"][0].clone()
}

/// Returns the files stored with the record, as text.
fn kept(project: &Project) -> Vec<String> {
    let blobs = project.debates().join("d/.agon/blobs");
    let files = fs::read_dir(blobs).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    texts.collect()
}

/// Returns the message and the hint for a rejected `context`, and checks that nothing was opened.
async fn refused(project: &Project, context: &[&str]) -> String {
    let failure = open(project, context).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Usage, "{context:?}");
    assert!(!project.debates().join("d").exists(), "{context:?}");
    format!(
        "{}\n{}",
        failure.message,
        failure.hint.unwrap_or_default().typed()
    )
}

#[tokio::test]
async fn what_commits_changed_is_given_and_pinned_at_the_last_of_them() {
    let project = committed();
    open(&project, &["commit=HEAD~2..HEAD"]).await.unwrap();
    let spec = spec(&project);
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
        git(&project.caller.cwd, &["rev-parse", commit])
            .trim()
            .to_owned()
    };
    assert_eq!(context["commit"], name("HEAD"));
    assert_eq!(context["since"], name("HEAD~2"));
    // The work tree differs from the context.
    let kept = kept(&project);
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

#[tokio::test]
async fn one_commit_is_what_it_changed_and_three_dots_are_since_both_parted() {
    let project = committed();
    open(&project, &["commit=HEAD~1"]).await.unwrap();
    let text = spec(&project)["context"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        text.contains("+    return 2") && !text.contains("return 3"),
        "{text}"
    );

    let project = committed();
    let here = project.caller.cwd.clone();
    git(&here, &["stash", "--quiet", "--include-untracked"]);
    git(&here, &["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    project.write("src/side.py", "SIDE = 1\n");
    git(&here, &["add", "--all"]);
    git(&here, &["commit", "--quiet", "-m", "side"]);
    open(&project, &["commit=master...side"]).await.unwrap();
    let text = spec(&project)["context"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        text.contains("SIDE = 1") && !text.contains("return"),
        "{text}"
    );
}

#[tokio::test]
async fn several_files_and_folders_are_given_each_once() {
    let project = committed();
    let named = ["file=.gitignore", "dir=src", "file=src/queue.py"];
    open(&project, &named).await.unwrap();
    let files = spec(&project)["context"]["files"].clone();
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
    // Citations are checked against the files as they were.
    project.write("src/new.py", "NEW = False\n");
    assert!(kept(&project).iter().any(|text| text == "NEW = True\n"));
}

#[tokio::test]
async fn what_cannot_be_given_is_refused_with_what_to_do() {
    let project = committed();
    let outside = project.caller.cwd.with_file_name("elsewhere.py");
    fs::write(&outside, "x = 1\n").unwrap();
    project.write(
        "keys/aws.py",
        format!("A = 1\nKEY = \"{}IOSFODNN7BBBXYZ1\"\n", "AKIA"),
    );
    project.write("large/a.txt", "a line of text\n".repeat(9_000));
    project.write("large/b.txt", "a line of text\n".repeat(9_000));
    for n in 0..101 {
        project.write(&format!("many/{n}.txt"), "x\n");
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
        (&["file=../elsewhere.py"], "is outside the project"),
        (&["dir=.."], "is outside the project"),
        (&["dir=nowhere"], "cannot read nowhere"),
        (&["dir=keys"], "line 2 of keys/aws.py looks like a secret"),
        (&["dir=large"], "the limit is 204800"),
        (&["dir=many"], "more than 100 files"),
        (&["file=src/picture"], "src/picture is not text"),
        (&["file=src/queue.py", "diff"], "`diff` cannot be combined"),
        (&["folder=src"], "unknown context `folder=src`"),
    ] {
        let said = refused(&project, context).await;
        assert!(said.contains(told), "{context:?}: {said}");
    }
    // A debate's own folder is never part of a context.
    open(&project, &["none"]).await.unwrap();
    let refused = open_as(&project, "e", &["dir=debates"]).await;
    let message = refused.unwrap_err().message;
    assert!(
        message.contains("debates contains no text file"),
        "{message}"
    );
}

#[tokio::test]
async fn changes_are_given_in_repositories_of_every_kind() {
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
            let project = committed_in(args);
            let opened = open(&project, &[context]).await;
            assert_eq!(opened, Ok(()), "{args:?} {context}");
            let spec = spec(&project);
            let text = spec["context"]["text"].as_str().unwrap();
            assert!(text.contains(given), "{args:?} {context}: {text}");
            assert_ne!(spec["source"]["about"], Value::Null, "{args:?} {context}");
        }
    }
}

#[tokio::test]
async fn a_shallow_clone_says_that_it_is_one() {
    let project = committed();
    let here = project.caller.cwd.clone();
    let head = git(&here, &["rev-parse", "HEAD"]);
    fs::write(here.join(".git/shallow"), head).unwrap();
    let said = refused(&project, &["commit=HEAD~1..HEAD"]).await;
    assert!(
        said.contains("this clone is shallow and does not contain the commit `HEAD~1`")
            && said.contains("git fetch --unshallow"),
        "{said}"
    );
}
