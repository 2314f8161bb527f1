//! What became of a verdict: recorded, changed, and shown wherever the verdict is.

use std::fs;

use agon_caller::{Caller, Code, Failure, IgnoreNotes};
use agon_debates::past::recall::recall;
use agon_debates::read::check::{CheckRequest, check};
use agon_debates::read::show::show;
use agon_debates::request::DecisionKind;
use agon_debates::status::list::list;
use agon_debates::steer::{DecideDoc, Decider, decide};
use agon_record::decision::{MAX_DECISIONS, MAX_WHY_BYTES};
use agon_record::spec::Spec;
use agon_testkit::Script;
use serde_json::Value;

use super::reports::text_of;
use crate::project::Project;
use crate::recorded::{debate, other};

async fn decided(caller: &Caller, taken: DecisionKind, why: &str) -> Result<DecideDoc, Failure> {
    let by = Decider::Caller;
    decide(caller, Some("job-store"), taken, why, by, &mut IgnoreNotes).await
}

/// Returns the decisions on `topic`, as `recall` prints them.
fn recalled(project: &Project, topic: &str) -> Vec<Value> {
    let found = recall(&project.caller, topic, None, &mut IgnoreNotes).unwrap();
    let found = serde_json::to_value(found).unwrap();
    found["decisions"].as_array().unwrap().clone()
}

fn journal(project: &Project) -> String {
    fs::read_to_string(project.folder().join(".agon/journal.jsonl")).unwrap()
}

#[tokio::test]
async fn a_decision_is_shown_with_the_verdict_and_a_later_one_replaces_it() {
    let project = Project::finished();
    let topic = "SQLite or plain files for the job store?";
    let before = recalled(&project, topic);
    assert_eq!(before[0]["decided"], Value::Null);
    let sealed = journal(&project);

    let not = decided(
        &project.caller,
        DecisionKind::NotTaken,
        "The host has no disk.",
    )
    .await;
    assert_eq!(not.unwrap().earlier, 0);
    let now = decided(&project.caller, DecisionKind::Partly, "Only the lease.").await;
    let now = now.unwrap();
    assert_eq!((now.earlier, now.decided.by), (1, None));
    assert_eq!(now.answer.as_deref(), Some("Use SQLite for the job store"));

    // The record before it is unchanged, and the whole of it is still valid.
    assert!(journal(&project).starts_with(&sealed));
    let checked = check(&project.caller, &CheckRequest::default(), &mut IgnoreNotes).unwrap();
    assert_eq!(checked.document.errors, 0);
    let name = Some("job-store");

    let after = recalled(&project, topic);
    assert_eq!(after[0]["decided"]["taken"], "partly");
    assert_eq!(after[0]["decided_at"], before[0]["decided_at"]);
    let listed = serde_json::to_value(list(&project.caller, None).unwrap()).unwrap();
    assert_eq!(listed["debates"][0]["taken"], "partly");
    assert!(
        list(&project.caller, None).unwrap().rows()[0]
            .stands
            .contains("partly taken")
    );
    let shown = show(&project.caller, name, &mut IgnoreNotes).unwrap();
    assert_eq!(
        shown.ended.document().decided.unwrap().why,
        "Only the lease."
    );
    let verdict = fs::read(project.folder().join("verdict.json")).unwrap();
    let verdict: Value = serde_json::from_slice(&verdict).unwrap();
    assert_eq!(verdict["decided_before"][0]["why"], "The host has no disk.");
    for kind in ["verdict", "adr", "html"] {
        let text = text_of(&project.caller, kind).await;
        let (was, is) = ("The host has no disk.", "Only the lease.");
        assert!(text.contains(was) && text.contains(is), "{kind}: {text}");
    }
    let record = text_of(&project.caller, "adr").await;
    assert!(record.contains("- Status: accepted in part\n"), "{record}");
    assert!(
        text_of(&project.caller, "pr")
            .await
            .contains("Only the lease.")
    );
}

#[tokio::test]
async fn a_decision_needs_a_verdict_and_a_reason_of_limited_length() {
    let open = Project::debated(&Script::job_store(), 3);
    let refused = decided(&open.caller, DecisionKind::Taken, "Yes.")
        .await
        .unwrap_err();
    assert_eq!(refused.code, Code::Unfinished, "{refused:?}");
    let project = Project::finished();
    let before = journal(&project);
    let long = "x".repeat(MAX_WHY_BYTES + 1);
    for (why, code) in [(" \n", Code::Empty), (long.as_str(), Code::TooLarge)] {
        let refused = decided(&project.caller, DecisionKind::Taken, why)
            .await
            .unwrap_err();
        assert_eq!(refused.code, code);
        assert!(refused.hint.is_some());
    }
    assert_eq!(journal(&project), before);
    for nth in 0..MAX_DECISIONS {
        let why = format!("Change of mind {nth}.");
        decided(&project.caller, DecisionKind::Taken, &why)
            .await
            .unwrap();
    }
    let refused = decided(&project.caller, DecisionKind::Taken, "Again.")
        .await
        .unwrap_err();
    assert_eq!(refused.code, Code::Limit);
}

#[tokio::test]
async fn a_tool_that_decides_is_named_and_a_secret_in_its_reason_is_removed() {
    let project = Project::finished();
    let relayed = Caller {
        is_relayed: true,
        ..project.caller.clone()
    };
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let why = format!("It needs {secret}.");
    let decided = decided(&relayed, DecisionKind::Taken, &why).await.unwrap();
    assert_eq!(decided.decided.by.as_deref(), Some("tool"));
    assert_eq!(decided.redacted, 1);
    assert!(!journal(&project).contains(secret));
}

#[tokio::test]
async fn recall_prefers_a_debate_whose_outcome_is_known() {
    let project = Project::finished();
    let later = Spec {
        topic: "SQLite or plain files for the logs of jobs?".to_owned(),
        ..other("logs", 8)
    };
    debate(&project.debates(), later, &Script::job_store(), usize::MAX);
    let topic = "SQLite or plain files for the logs of each job?";
    let names = |found: &[Value]| -> Vec<String> {
        let names = found.iter().map(|one| one["debate"].as_str().unwrap());
        names.map(str::to_owned).collect()
    };
    let found = recalled(&project, topic);
    assert_eq!(names(&found), ["logs", "job-store"], "{found:?}");
    decided(&project.caller, DecisionKind::Taken, "It is in.")
        .await
        .unwrap();
    assert_eq!(
        names(&recalled(&project, topic)),
        ["job-store", "logs"],
        "{found:?}"
    );

    // The same topic comes first, whatever was decided about others.
    let same = "SQLite or plain files for the logs of jobs?";
    assert_eq!(names(&recalled(&project, same)), ["logs", "job-store"]);
}

#[tokio::test]
async fn a_decision_in_a_form_is_the_users_and_one_by_a_host_is_the_tools() {
    let project = Project::finished();
    let mut vars = project.caller.vars_os.clone();
    vars.insert("CLAUDECODE".into(), "1".into());
    let in_host = Caller {
        is_watched: true,
        ..Caller::new(vars, project.caller.cwd.clone())
    };
    let mut by = Vec::new();
    for decider in [Decider::Caller, Decider::User] {
        let kind = DecisionKind::Taken;
        let decided = decide(&in_host, None, kind, "It is in.", decider, &mut IgnoreNotes).await;
        by.push(decided.unwrap().decided.by);
    }
    assert_eq!(by, [Some("claude".to_owned()), None]);
}
