//! The output of `show`: the result, the sections, the points and the state of a debate.

use agon_caller::{Code, IgnoreNotes};
use agon_debates::read::evidence::{EvidenceRequest, evidence};
use agon_debates::read::section::Section;
use agon_debates::read::show::{ShownDebate, show};
use agon_report::screen::{Detail, UNLIMITED, progress_lines};
use agon_testkit::Script;
use serde_json::{Value, json};

use crate::front::Recorder;
use crate::project::Project;
use crate::recorded::{halted, spec};

fn shown(project: &Project, name: Option<&str>) -> ShownDebate {
    show(&project.caller, name, &mut IgnoreNotes).unwrap()
}

fn document(value: impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn the_only_debate_need_not_be_named() {
    let project = Project::finished();
    let result = |name| {
        let mut notes = Recorder::default();
        let shown = show(&project.caller, name, &mut notes).unwrap();
        assert_eq!(notes.notes, [] as [&str; 0]);
        document(shown.ended.document())
    };
    let named = result(Some("job-store"));
    assert_eq!(result(None), named);
    assert_eq!(result(Some("01ARZ3NDEKTSV4RRFFQ69G5FAV")), named);
    assert_eq!(result(Some("debates/job-store")), named);
}

#[test]
fn a_program_gets_a_small_result() {
    let result = document(shown(&Project::finished(), None).ended.document());
    assert_eq!(result["schema"], "agon.result/1");
    assert_eq!(result["phase"], "closed");
    assert_eq!(result["authority"], "full");
    assert_eq!(result["winner"], "proposer");
    assert_eq!(result["paths"]["folder"], "debates/job-store");
    assert!(result.to_string().len() < 5_000, "{result}");
}

/// Returns the lines about a debate's progress.
fn progress(project: &Project) -> String {
    let shown = shown(project, None);
    assert!(!shown.has_verdict);
    let (state, folder) = (&shown.ended.state, &shown.ended.folder);
    let next = shown.next_step();
    let lines = progress_lines(state, folder, &next, Detail::Claims, UNLIMITED);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

const SO_FAR: &str = "\
SQLite or plain files for the job store?
duel · 2 rounds · effort medium · debates/job-store
  proposer claude   challenger codex   judge gemini (third vendor)
  8 calls · stops at 11 calls, 250k tokens or 30 min

first answers  0:41
  claude  SQLite  The job store should be one SQLite database in WAL mode, opened by every process that claims jobs.
  codex  Plain files  The job store should stay one file a job in a directory a state, moved by rename.
round 1   claude  0:41  \"Use SQLite for the job store, in WAL mode, behind the existing JobStore trait.\"
  pro_001a  Claim and lease are two steps
  pro_001b  Start-up walks every job ever written
  pro_001c  The library is already in reach
";

#[test]
fn a_debate_under_way_says_what_goes_on_with_it() {
    let project = Project::debated(&Script::job_store(), 3);
    let stands = "\
status    waiting for the challenger in round 1 · 3 of 11 calls · 2:03 · 29k tokens
next      agon resume job-store
";
    assert_eq!(progress(&project), format!("{SO_FAR}{stands}"));
    let result = document(shown(&project, None).ended.document());
    assert_eq!(
        (&result["phase"], &result["answer"]),
        (&json!("awaiting_challenger"), &Value::Null)
    );
}

#[test]
fn a_halted_debate_says_why() {
    let project = Project::new();
    let script = Script::job_store();
    halted(&project.debates(), spec("job-store"), &script, 3);
    let stands = "\
status    waiting for the challenger in round 1 · 4 of 11 calls · 2:03 · 29k tokens
reason    codex cannot speak as challenger: log in first
next      fix that (see `agon tools`), then run agon resume job-store; or give the seat to another tool: agon resume job-store --replace challenger=TOOL
";
    assert_eq!(progress(&project), format!("{SO_FAR}{stands}"));
}

#[test]
fn sections_are_bounded_and_say_how_much_there_is() {
    let project = Project::finished();
    let shown = shown(&project, None);
    for section in [Section::Transcript, Section::Arguments, Section::Findings] {
        let whole = document(shown.section(section, None));
        assert_eq!(whole["schema"], "agon.section/1", "{section:?}");
        let entries = whole["entries"].as_array().unwrap();
        assert_eq!(whole["total"], entries.len(), "{section:?}");
        let two = document(shown.section(section, Some(2)));
        let expected: Vec<_> = entries.iter().take(2).cloned().collect();
        assert_eq!(two["entries"], Value::Array(expected), "{section:?}");
        assert_eq!(two["total"], whole["total"], "{section:?}");
    }
}

#[test]
fn a_point_has_what_answers_it_and_an_unknown_one_is_refused() {
    let project = Project::finished();
    let shown = shown(&project, None);
    let point = document(shown.point("pro_001a".parse().unwrap()).unwrap());
    assert_eq!(point["schema"], "agon.point/1");
    assert_eq!(point["point"]["id"], "pro_001a");
    assert!(!point["answered_by"].as_array().unwrap().is_empty());

    let unknown = "pro_999z".parse().unwrap();
    let none = shown.point(unknown).unwrap_err();
    assert_eq!(none.code, Code::UnknownPoint);
    let message = "job-store has no point pro_999z";
    assert_eq!(none.message, message);
    let nothing = |request| {
        let found = evidence(&project.caller, request, &mut IgnoreNotes).unwrap();
        found.nothing_found()
    };
    let of_unknown = EvidenceRequest {
        id: Some(unknown),
        ..EvidenceRequest::default()
    };
    assert_eq!(nothing(of_unknown).as_deref(), Some(message));
}
