//! `agon report`: what it prints, and where it writes.

use std::fs;

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

#[test]
fn a_report_names_its_files_and_exits_6_where_something_is_in_the_way() {
    let agon = finished();
    let ran = agon.run(&["report"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let files = [
        "README.md",
        "report.html",
        "argument-graph.svg",
        "argument-graph.png",
    ];
    let told = files.map(|file| format!("debates/job-store/{file}\n"));
    assert_eq!(ran.stdout, told.concat());
    agon.write("debates/job-store/report.html", "mine\n");
    let ran = agon.run(&["report"]);
    assert_eq!(ran.code, Some(6), "{}", ran.stderr);
    assert!(ran.stderr.contains("report.html"), "{}", ran.stderr);
    assert_eq!(agon.run(&["report", "--force"]).code, Some(0));
    let ran = agon.run(&["report", "job-store", "-o", "shared/store"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.starts_with("shared/store/README.md\n"));
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
            .contains("r.md exists already\n  hint: to overwrite it, use --force"),
        "{}",
        ran.stderr
    );
    assert_eq!(agon.run(&["report", "-o", "r.md", "--force"]).code, Some(0));
    let ran = agon.run(&["report", "-o", "r.doc"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("choose a --format"), "{}", ran.stderr);
}
