//! Past debates: search and cost.

use std::fs;

use agon_caller::usage::UsageGrouping;
use agon_caller::{Code, Failure, IgnoreNotes};
use agon_debates::past::search::{SearchDoc, search};
use agon_debates::past::usage::usage;
use agon_record::spec::Spec;
use agon_testkit::Script;
use serde_json::Value;

use crate::front::Recorder;
use crate::project::Project;
use crate::recorded::{debate, other};

/// Returns a project with the scripted debate, and one about tabs that has only begun.
fn with_debates() -> Project {
    let project = Project::new();
    let debates = project.debates();
    debate(&debates, other("job-store", 7), &Script::job_store(), 99);
    let tabs = Spec {
        topic: "Tabs or spaces?".to_owned(),
        ..other("tabs", 8)
    };
    debate(&debates, tabs, &Script::job_store(), 0);
    project
}

fn found(project: &Project, words: &str) -> Result<SearchDoc, Failure> {
    search(&project.caller, words, None, &mut IgnoreNotes)
}

#[test]
fn debates_are_found_by_their_words() {
    let project = with_debates();
    for words in ["lease sweeper", "\"job store\" lease*"] {
        let document = serde_json::to_value(found(&project, words).unwrap()).unwrap();
        let debates = document["debates"].as_array().unwrap();
        assert_eq!(debates.len(), 1, "{words}: {document}");
        let one = &debates[0];
        assert_eq!(one["debate"], "job-store", "{words}");
        assert_eq!(one["answer"], "Use SQLite for the job store");
        assert_eq!(
            (&one["phase"], &one["authority"]),
            (&"closed".into(), &"full".into())
        );
        let snippet = one["snippet"].as_str().unwrap().to_lowercase();
        assert!(snippet.contains("lease"), "{one}");
    }
    assert!(project.debates().join(".agon/index.db").is_file());
    let none = found(&project, "kubernetes").unwrap();
    assert_eq!((none.debates.len(), none.searched), (0, 2));
    let failure = found(&project, "?!").unwrap_err();
    assert_eq!(failure.message, "the search contains no word");
}

#[test]
fn a_search_is_the_same_after_the_index_was_lost_or_spoilt() {
    let project = with_debates();
    let index = project.debates().join(".agon/index.db");
    let search = || {
        let mut notes = Recorder::default();
        let found = search(&project.caller, "sqlite", None, &mut notes).unwrap();
        (serde_json::to_value(found).unwrap(), notes.notes)
    };
    let (first, said) = search();
    assert_eq!(said, [] as [&str; 0]);
    fs::remove_file(&index).unwrap();
    assert_eq!(search(), (first.clone(), Vec::new()));
    fs::write(&index, "my notes").unwrap();
    let (again, said) = search();
    assert_eq!(again, first);
    assert!(said.concat().contains("it was renamed to"), "{said:?}");
    assert_eq!(search(), (first, Vec::new()));
    // Git ignores all of it.
    let ignored = fs::read_to_string(index.with_file_name(".gitignore")).unwrap();
    assert_eq!(ignored, "index.db*\n");
}

#[test]
fn what_debates_cost_is_added_up_from_their_journals() {
    let project = with_debates();
    debate(
        &project.debates(),
        other("half", 9),
        &Script::job_store(),
        3,
    );
    let usage = |since: Option<&str>, by| -> Result<Value, Failure> {
        let usage = usage(&project.caller, since, by, &mut IgnoreNotes)?;
        Ok(serde_json::to_value(usage).unwrap())
    };
    let total = &usage(None, UsageGrouping::Tool).unwrap()["total"];
    // Eight calls and three, of 9,000 tokens in and 800 out each, 41 seconds each.
    assert_eq!(
        (&total["calls"], &total["debates"]),
        (&11.into(), &2.into())
    );
    assert_eq!(total["tokens"]["in"], 99_000);
    assert_eq!(total["tokens"]["out"], 8_800);
    assert_eq!(total["time_ms"], 11 * 41_000);
    assert_eq!(
        (&total["cost"], &total["cost_unknown"]),
        (&Value::Null, &11.into())
    );
    let verdict = fs::read(project.folder().join("verdict.json")).unwrap();
    let verdict: Value = serde_json::from_slice(&verdict).unwrap();
    let groups = usage(None, UsageGrouping::Debate).unwrap()["groups"].clone();
    assert_eq!(groups[0]["name"], "job-store");
    assert_eq!(groups[0]["calls"], verdict["usage"]["calls"]);
    assert_eq!(groups[0]["wall_ms"], verdict["usage"]["wall_ms"]);
    assert_eq!(groups[1]["name"], "half");
    let first = |by, since| usage(Some(since), by).unwrap()["groups"][0]["name"].clone();
    assert_eq!(first(UsageGrouping::Day, "2026-11-21"), "2026-11-21");
    assert_eq!(first(UsageGrouping::Tool, "2126-11-22"), Value::Null);
    let model = "claude (default model)";
    assert_eq!(first(UsageGrouping::Model, "2026-11-21"), model);
    let nonsense = usage(Some("soon"), UsageGrouping::Tool).unwrap_err();
    assert_eq!(nonsense.code, Code::InvalidParameter);
    assert_eq!(nonsense.message, "cannot read `soon` as a time in the past");
}
