//! Where a report is written, and what it never replaces unasked.

use std::fs;
use std::path::Path;

use agon_caller::{Caller, Code, Failure, FailureKind, IgnoreNotes};
use agon_debates::read::check::{CheckRequest, check};
use agon_debates::report::{Report, ReportRequest, report};
use agon_report::ReportKind;
use agon_testkit::Script;
use regex::Regex;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::project::Project;
use crate::tree::tree;

async fn rendered(caller: &Caller, request: &ReportRequest) -> Result<Report, Failure> {
    let stop = CancellationToken::new;
    let rendered = report(caller, request, &stop, &mut IgnoreNotes).await;
    rendered.map(|rendered| rendered.report)
}

async fn of_kind(caller: &Caller, kind: &str) -> Report {
    let kind = ReportKind::find(kind).unwrap();
    let request = ReportRequest {
        kind: Some(kind),
        ..ReportRequest::default()
    };
    rendered(caller, &request).await.unwrap()
}

/// Returns the report of this kind as text.
pub(super) async fn text_of(caller: &Caller, kind: &str) -> String {
    match of_kind(caller, kind).await {
        Report::Text(text) => text,
        other => panic!("{kind}: {other:?}"),
    }
}

/// Returns the files of a whole report, as printed.
async fn whole(caller: &Caller, request: &ReportRequest) -> Result<Vec<String>, Failure> {
    match rendered(caller, request).await? {
        Report::Whole(document) => Ok(document.files),
        other => panic!("{other:?}"),
    }
}

/// Returns a document of the folder without links to other files there, which are broken elsewhere.
fn unlinked(path: &Path) -> String {
    let link = Regex::new(r"\[(\w+)\]\(arguments/\w+\.md\)").unwrap();
    let text = fs::read_to_string(path).unwrap();
    link.replace_all(&text, "$1").into_owned()
}

fn is_sound(project: &Project) -> bool {
    let checked = check(&project.caller, &CheckRequest::default(), &mut IgnoreNotes);
    checked.unwrap().document.errors == 0
}

#[tokio::test]
async fn a_report_is_the_document_in_the_folder() {
    let project = Project::finished();
    for (kind, file) in [("verdict", "verdict.md"), ("transcript", "transcript.md")] {
        let text = text_of(&project.caller, kind).await;
        assert_eq!(text, unlinked(&project.folder().join(file)), "{kind}");
    }
    let file = fs::read(project.folder().join("verdict.json")).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    let Report::Verdict(verdict) = of_kind(&project.caller, "json").await else {
        panic!("`json` is the verdict");
    };
    assert_eq!(serde_json::to_value(verdict).unwrap(), file);
}

#[tokio::test]
async fn a_verdict_becomes_a_short_comment_or_a_decision_record() {
    let project = Project::finished();
    let comment = text_of(&project.caller, "pr").await;
    assert!(comment.lines().count() <= 40, "{comment}");
    let record = text_of(&project.caller, "adr").await;
    insta::assert_snapshot!([comment, record].join("\n"));
}

#[tokio::test]
async fn a_whole_report_is_part_of_the_folder() {
    let project = Project::finished();
    let request = ReportRequest::default();
    let written = whole(&project.caller, &request).await.unwrap();
    let files = [
        "README.md",
        "report.html",
        "argument-graph.svg",
        #[cfg(feature = "png")]
        "argument-graph.png",
    ];
    assert_eq!(
        written,
        files.map(|file| format!("debates/job-store/{file}"))
    );
    for (kind, file) in [("md", "README.md"), ("html", "report.html")] {
        let text = text_of(&project.caller, kind).await;
        assert_eq!(text, unlinked(&project.folder().join(file)), "{kind}");
    }
    assert!(is_sound(&project));
    // A file that the user edited is kept.
    let page = project.folder().join("report.html");
    let edited = "<!DOCTYPE html>\n<p>Mine.</p>\n";
    fs::write(&page, edited).unwrap();
    let failure = whole(&project.caller, &request).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Store);
    assert!(failure.message.contains("report.html"), "{failure:?}");
    assert_eq!(fs::read_to_string(page).unwrap(), edited);
}

#[tokio::test]
async fn a_debate_without_a_verdict_has_no_report_of_one() {
    let project = Project::debated(&Script::job_store(), 1);
    let refused = whole(&project.caller, &ReportRequest::default()).await;
    let failure = refused.unwrap_err();
    assert_eq!(failure.code, Code::NoVerdict);
    assert_eq!(failure.message, "job-store has no verdict yet");
    assert_eq!(
        failure.hint.unwrap().typed(),
        "run `agon show job-store` to see its state, or `agon resume job-store` to continue"
    );
}

#[tokio::test]
async fn a_report_goes_whole_into_another_folder_and_leaves_the_debate_as_it_is() {
    let project = Project::finished();
    let before = tree(&project.debates());
    let there = project.caller.cwd.join("shared/store");
    let request = ReportRequest {
        debate: Some("job-store".to_owned()),
        into: Some("shared/store".into()),
        ..ReportRequest::default()
    };
    let files = whole(&project.caller, &request).await.unwrap();
    assert_eq!(files[0], "shared/store/README.md");
    let written = tree(&there);
    for file in [
        "README.md",
        "report.html",
        "transcript.md",
        "verdict.md",
        "arguments/pro_001a.md",
    ] {
        assert!(written.contains_key(file), "{file}");
    }
    assert!(tree(&project.debates()) == before);
    // Repeating it changes nothing, and files changed in the meantime are not replaced.
    assert!(whole(&project.caller, &request).await.is_ok());
    project.write("shared/store/README.md", "mine\n");
    project.write("shared/store/report.html", "mine\n");
    fs::remove_file(there.join("verdict.md")).unwrap();
    let failure = whole(&project.caller, &request).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Store);
    let message = "did not write: README.md, report.html";
    assert!(failure.message.ends_with(message), "{failure:?}");
    let hint = failure.hint.unwrap().typed();
    assert!(hint.contains("agon report job-store --force"), "{hint}");
    assert!(!there.join("verdict.md").exists());
    let forced = ReportRequest {
        force: true,
        ..request
    };
    assert!(whole(&project.caller, &forced).await.is_ok());
    assert!(tree(&there) == written);
}

#[tokio::test]
async fn what_is_in_the_way_in_the_debates_own_folder_is_kept_aside_when_it_is_replaced() {
    let project = Project::finished();
    fs::write(project.folder().join("README.md"), "mine\n").unwrap();
    let before = tree(&project.folder());
    let request = ReportRequest::default();
    let failure = whole(&project.caller, &request).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Store);
    let message = "debates/job-store that Agon did not write: README.md";
    assert!(failure.message.ends_with(message), "{failure:?}");
    assert!(
        failure.hint.as_ref().unwrap().typed().contains("-o DIR"),
        "{failure:?}"
    );
    assert!(tree(&project.folder()) == before, "nothing is written");
    let forced = ReportRequest {
        force: true,
        ..request
    };
    whole(&project.caller, &forced).await.unwrap();
    let after = tree(&project.folder());
    assert!(after["README.md"].starts_with(b"# "));
    assert!(after.contains_key("report.html"));
    let aside = after
        .iter()
        .find(|(name, _)| name.starts_with(".agon/aside/README.md."));
    assert_eq!(aside.unwrap().1, b"mine\n");
    assert!(is_sound(&project));
}
