//! Where a report goes, and what it never replaces unasked.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agon_testkit::Script;

use crate::cli::folder::{debate, spec};
use crate::cli::harness::Agon;

/// A project with the finished debate `job-store`.
fn finished() -> Agon {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    debate(
        &debates,
        spec("job-store"),
        &Script::job_store(),
        usize::MAX,
    );
    agon
}

/// Every file below `dir`, by its path in it.
fn tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let below = tree(&path).into_iter();
            found.extend(below.map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn a_report_goes_whole_into_another_folder_and_leaves_the_debate_as_it_is() {
    let agon = finished();
    let before = tree(&agon.project().join("debates"));
    let ran = agon.run(&["report", "job-store", "-o", "shared/store"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(
        ran.stdout.starts_with("shared/store/README.md\n"),
        "{}",
        ran.stdout
    );
    let written = tree(&agon.project().join("shared/store"));
    for file in [
        "README.md",
        "report.html",
        "transcript.md",
        "verdict.md",
        "arguments/pro_001a.md",
    ] {
        assert!(written.contains_key(file), "{file}");
    }
    assert!(tree(&agon.project().join("debates")) == before);
    // The same again changes nothing; what was changed meanwhile is not replaced.
    assert_eq!(
        agon.run(&["report", "job-store", "-o", "shared/store"])
            .code,
        Some(0)
    );
    agon.write("shared/store/README.md", "mine\n");
    agon.write("shared/store/report.html", "mine\n");
    fs::remove_file(agon.project().join("shared/store/verdict.md")).unwrap();
    let ran = agon.run(&["report", "job-store", "-o", "shared/store"]);
    assert_eq!(ran.code, Some(6));
    assert!(
        ran.stderr
            .contains("did not write: README.md, report.html\n")
            && ran.stderr.contains("agon report job-store --force"),
        "{}",
        ran.stderr
    );
    assert!(!agon.project().join("shared/store/verdict.md").exists());
    assert_eq!(
        agon.run(&["report", "job-store", "-o", "shared/store", "--force"])
            .code,
        Some(0)
    );
    assert!(tree(&agon.project().join("shared/store")) == written);
}

#[test]
fn what_is_in_the_way_in_the_debates_own_folder_is_kept_aside_when_it_is_replaced() {
    let agon = finished();
    let folder = agon.project().join("debates/job-store");
    fs::write(folder.join("README.md"), "mine\n").unwrap();
    let before = tree(&folder);
    let ran = agon.run(&["report"]);
    assert_eq!(ran.code, Some(6));
    assert!(
        ran.stderr
            .contains("debates/job-store that Agon did not write: README.md\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("-o DIR"), "{}", ran.stderr);
    assert!(tree(&folder) == before, "nothing is written");
    let ran = agon.run(&["report", "--force"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let after = tree(&folder);
    assert!(after["README.md"].starts_with(b"# "));
    assert!(after.contains_key("report.html"));
    let aside = after
        .iter()
        .find(|(name, _)| name.starts_with(".agon/aside/README.md."));
    assert_eq!(aside.unwrap().1, b"mine\n");
    assert_eq!(agon.run(&["check"]).code, Some(0));
}

#[test]
fn the_ending_of_a_file_says_what_is_rendered_and_no_file_is_replaced_unasked() {
    let agon = finished();
    for (file, begins) in [
        ("r.md", "# "),
        ("r.html", "<!DOCTYPE html>"),
        ("r.json", "{"),
        ("r.svg", "<svg "),
        ("r.dot", "digraph"),
    ] {
        let ran = agon.run(&["report", "-o", file]);
        assert_eq!((ran.code, ran.stdout), (Some(0), format!("{file}\n")));
        let text = fs::read_to_string(agon.project().join(file)).unwrap();
        assert!(text.starts_with(begins), "{file}");
    }
    let ran = agon.run(&["report", "-o", "r.md"]);
    assert_eq!(ran.code, Some(6));
    assert!(
        ran.stderr
            .contains("r.md is there already\n  hint: --force replaces it"),
        "{}",
        ran.stderr
    );
    assert_eq!(agon.run(&["report", "-o", "r.md", "--force"]).code, Some(0));
    let ran = agon.run(&["report", "-o", "r.doc"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("name its --format"), "{}", ran.stderr);
}
