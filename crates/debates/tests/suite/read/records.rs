//! Decision records in a project's folder of them: the number, the name, the form.

use std::fs;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, IgnoreNotes};
use agon_debates::report::{DECISION_RECORD, Report, ReportRequest, report};
use agon_debates::request::{DecisionKind, StartRequest};
use agon_debates::run::duel;
use agon_debates::status::outcome::Outcome;
use agon_debates::steer::{Decider, decide};
use agon_report::ReportKind;
use agon_testkit::Script;
use tokio_util::sync::CancellationToken;

use crate::front::Recorder;
use crate::place::Place;
use crate::project::Project;
use crate::recorded::{debate, other};

async fn recorded(caller: &Caller, name: &str, force: bool) -> Result<String, Failure> {
    let request = ReportRequest {
        debate: Some(name.to_owned()),
        kind: ReportKind::find(DECISION_RECORD),
        into: Some(PathBuf::from("docs/adr")),
        force,
        ..ReportRequest::default()
    };
    let stop = CancellationToken::new;
    match report(caller, &request, &stop, &mut IgnoreNotes)
        .await?
        .report
    {
        Report::Whole(document) => Ok(document.files.concat()),
        other => panic!("{other:?}"),
    }
}

/// Returns a project whose folder of decision records contains `name` with this text.
fn with_record(name: &str, text: &str) -> Project {
    let project = Project::finished();
    project.write(&format!("docs/adr/{name}"), text);
    project
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap().flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_record_follows_the_form_and_the_numbers_of_its_folder() {
    let nygard = "# 7. Cache\n\nDate: 2026-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nSlow.\n";
    let madr =
        "---\nstatus: accepted\n---\n\n# Cache\n\n## Context and Problem Statement\n\nSlow.\n";
    let log4brains = "# Cache\n\n- Status: accepted\n\n## Context and Problem Statement\n\nSlow.\n";
    let title = "use-sqlite-for-the-job-store.md";
    for (latest, text, name, parts) in [
        (
            "0007-cache.md",
            nygard,
            format!("0008-{title}"),
            &[
                "# 8. Use SQLite",
                "\n## Status\n\nProposed\n",
                "\n## Consequences\n",
            ][..],
        ),
        (
            "0007-cache.md",
            madr,
            format!("0008-{title}"),
            &["---\nstatus: \"proposed\"\n", "\n## Decision Outcome\n"],
        ),
        (
            "20260102-cache.md",
            log4brains,
            format!("20261121-{title}"),
            &[
                "# Use SQLite",
                "\n- Status: proposed\n",
                "\n## Considered Options\n",
            ],
        ),
        (
            "README.md",
            "Our decisions.\n",
            format!("0001-{title}"),
            &["# Use SQLite", "\n- Status: proposed\n", "\n## Context\n"],
        ),
    ] {
        let project = with_record(latest, text);
        let file = recorded(&project.caller, "job-store", false).await.unwrap();
        assert!(file.ends_with(&name), "{latest}: {file}");
        let written = fs::read_to_string(project.caller.cwd.join(&file)).unwrap();
        for part in parts {
            assert!(written.contains(part), "{latest}: no {part:?} in {written}");
        }
        let kept = fs::read_to_string(project.caller.cwd.join("docs/adr").join(latest)).unwrap();
        assert_eq!(kept, text);
        assert_eq!(names(&project.caller.cwd.join("docs/adr")).len(), 2);
    }
}

#[tokio::test]
async fn a_debate_has_one_record_which_only_force_writes_again() {
    let project = with_record("0001-cache.md", "# 1. Cache\n\n## Status\n\nAccepted\n");
    let caller = &project.caller;
    let file = recorded(caller, "job-store", false).await.unwrap();
    let again = recorded(caller, "job-store", false).await.unwrap_err();
    assert_eq!(again.code, Code::Exists);
    assert!(again.message.contains("0002-"), "{}", again.message);
    let why = "The host has no disk.";
    let by = Decider::Caller;
    decide(
        caller,
        None,
        DecisionKind::NotTaken,
        why,
        by,
        &mut IgnoreNotes,
    )
    .await
    .unwrap();
    assert_eq!(recorded(caller, "job-store", true).await.unwrap(), file);
    let text = fs::read_to_string(caller.cwd.join(&file)).unwrap();
    assert!(
        text.contains("\n## Status\n\nRejected\n") && text.contains(why),
        "{text}"
    );
    assert!(text.starts_with("# 2. "), "{text}");
}

#[tokio::test]
async fn two_records_at_the_same_time_get_two_numbers() {
    let project = Project::finished();
    for (name, id) in [("two", 8), ("three", 9)] {
        let spec = other(name, id);
        debate(&project.debates(), spec, &Script::job_store(), usize::MAX);
    }
    std::thread::scope(|scope| {
        for name in ["job-store", "two", "three"] {
            let caller = &project.caller;
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread();
                let runtime = { runtime }.build().unwrap();
                runtime.block_on(recorded(caller, name, false)).unwrap();
            });
        }
    });
    let written = names(&project.caller.cwd.join("docs/adr"));
    let numbers: Vec<_> = written.iter().map(|name| &name[..4]).collect();
    assert_eq!(numbers, ["0001", "0002", "0003"], "{written:?}");
}

#[tokio::test]
async fn a_debate_without_a_verdict_leaves_no_record_and_no_folder() {
    let project = Project::debated(&Script::job_store(), 3);
    let failure = recorded(&project.caller, "job-store", false)
        .await
        .unwrap_err();
    assert_eq!(failure.code, Code::NoVerdict);
    assert!(!project.caller.cwd.join("docs").exists());
}

#[tokio::test(flavor = "current_thread")]
async fn a_verdict_becomes_a_record_if_the_user_configures_it() {
    let place = Place::new();
    let file = place.caller.user_config_file().unwrap();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let settings = fs::read_to_string(&file).unwrap_or_default();
    let line = "decision_records = \"auto\"\n";
    fs::write(&file, format!("{line}{settings}")).unwrap();
    fs::create_dir_all(place.caller.cwd.join("doc/adr")).unwrap();
    let request = StartRequest {
        topic: "SQLite or plain files for the job store?".to_owned(),
        slug: Some("s".to_owned()),
        ..StartRequest::default()
    };
    let mut front = Recorder::default();
    let local = tokio::task::LocalSet::new();
    let outcome = local.run_until(duel::start(&place.caller, &request, &mut front));
    assert!(matches!(outcome.await.unwrap(), Outcome::Ended(_)));
    let written = names(&place.caller.cwd.join("doc/adr"));
    assert_eq!(written, ["0001-use-sqlite-for-the-job-store.md"]);
    let said = front.notes.concat();
    assert!(said.contains("decision record: doc/adr/0001-"), "{said}");
}
