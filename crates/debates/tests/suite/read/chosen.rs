//! Which debate is chosen if none is named, and where debates are searched.

use std::fs;

use agon_caller::{Caller, Code, Failure, IgnoreNotes, find};
use agon_debates::read::check::{CheckRequest, check};
use agon_debates::read::evidence::{EvidenceRequest, evidence};
use agon_debates::read::show::show;
use agon_debates::request::ResumeRequest;
use agon_debates::run::resume::resume;
use agon_debates::status::choose::{LikelyDebate, find_or_choose};
use agon_debates::status::list::list;
use agon_testkit::Script;

use crate::front::Recorder;
use crate::project::Project;
use crate::recorded::{debate, halted, other, spec};

const ALL: usize = usize::MAX;

/// Returns a project with a finished debate and a later failed one, both opened by this user.
fn two() -> Project {
    let project = Project::new();
    let debates = project.debates();
    let done = debate(&debates, spec("job-store"), &Script::job_store(), ALL);
    let failed = halted(&debates, other("stuck", 2), &Script::job_store(), 3);
    project.own(&done);
    project.own(&failed);
    project
}

#[test]
fn the_latest_is_read_and_said() {
    let project = two();
    let caller = &project.caller;
    let mut notes = Recorder::default();
    show(caller, Some("job-store"), &mut notes).unwrap();
    assert_eq!(notes.notes, [] as [&str; 0]);
    let list = list(caller, None).unwrap();
    let latest = list.rows()[0].debate.to_owned();
    let said = format!("{latest}: the latest of 2 in ./debates");
    let mut notes = Recorder::default();
    let shown = show(caller, None, &mut notes).unwrap();
    assert_eq!(shown.ended.state.spec.slug, latest);
    let checked = check(caller, &CheckRequest::default(), &mut notes).unwrap();
    assert_eq!(checked.state.spec.slug, latest);
    evidence(caller, EvidenceRequest::default(), &mut notes).unwrap();
    assert_eq!(notes.notes, vec![said; 3]);
}

/// Resumes without naming a debate; returns the notes and the result.
async fn resumed(project: &Project) -> (Vec<String>, Failure) {
    let mut front = Recorder::default();
    let request = ResumeRequest::default();
    let ended = resume(&project.caller, &request, &mut front).await;
    (front.notes, ended.unwrap_err())
}

#[tokio::test]
async fn the_only_one_that_can_go_on_is_resumed() {
    let project = two();
    let (said, _) = resumed(&project).await;
    let taken = "stuck: the only one that can be resumed of 2 in ./debates";
    assert_eq!(said[0], taken);
    let debates = project.debates();
    let under_way = debate(&debates, other("under-way", 3), &Script::job_store(), 2);
    project.own(&under_way);
    let (said, several) = resumed(&project).await;
    assert_eq!(said, [] as [&str; 0]);
    assert_eq!(several.code, Code::MissingParameter);
    assert!(
        several
            .message
            .contains("2 debates in ./debates can be resumed")
    );
    let named = several.hint.unwrap().typed();
    assert!(named.contains("under-way") && named.contains("stuck"));
    assert!(!named.contains("job-store"), "{named}");
}

#[tokio::test]
async fn what_speaks_to_a_running_debate_takes_none_that_is_done() {
    let project = Project::finished();
    let second = other("tabs-or-spaces", 2);
    debate(&project.debates(), second, &Script::job_store(), ALL);
    let none = find_or_choose(
        &project.caller,
        None,
        LikelyDebate::Running,
        &mut IgnoreNotes,
    );
    let none = none.unwrap_err();
    assert_eq!(none.code, Code::MissingParameter);
    assert_eq!(none.message, "no running debate in ./debates");
    for folder in ["job-store", "tabs-or-spaces"] {
        project.own(&project.debates().join(folder));
    }
    let (_, none) = resumed(&project).await;
    assert_eq!(none.message, "no stopped debate in ./debates");
    assert!(
        none.hint
            .unwrap()
            .typed()
            .contains("run `agon continue NAME`")
    );
}

#[test]
fn which_debate_is_meant_must_be_clear() {
    let project = Project::new();
    let refused = |name: Option<&str>| {
        let shown = show(&project.caller, name, &mut IgnoreNotes);
        let failure = shown.unwrap_err();
        (failure.code, failure.message, failure.hint.unwrap().typed())
    };
    let (code, message, hint) = refused(None);
    assert_eq!(code, Code::MissingParameter);
    assert_eq!(message, "no debates in ./debates yet");
    assert!(
        hint.starts_with("start one with `agon debate \"TOPIC\"`"),
        "{hint}"
    );
    let script = Script::job_store();
    debate(&project.debates(), spec("job-store"), &script, 0);
    debate(&project.debates(), other("tabs-or-spaces", 2), &script, 0);
    let looked = |name: &str| {
        let (code, message, hint) = refused(Some(name));
        assert_eq!(code, Code::UnknownDebate);
        let begins = format!("there is no debate `{name}`; looked in {name}, ");
        assert!(message.starts_with(&begins), "{message}");
        let ends = format!("debates/{name}");
        assert!(message.ends_with(&ends), "{message}");
        hint
    };
    let meant = "did you mean job-store? `agon list` shows the debates here";
    assert_eq!(looked("job-stroe"), meant);
    let listed = "`agon list` shows the debates here";
    assert_eq!(looked("nothing-like-it"), listed);
}

#[test]
fn debates_are_looked_for_upwards_to_the_top_of_the_project() {
    let project = two();
    let below = project.caller.cwd.join("src/deep");
    fs::create_dir_all(&below).unwrap();
    project.write("agon.toml", "");
    let below = Caller {
        cwd: below,
        ..project.caller.clone()
    };
    assert_eq!(list(&below, None).unwrap().rows().len(), 2);
    assert!(show(&below, Some("job-store"), &mut IgnoreNotes).is_ok());

    // A separate project below has its own debates.
    project.write("src/agon.toml", "");
    assert!(list(&below, None).unwrap().rows().is_empty());
    let dir = find::debates_dir(&below).unwrap();
    assert_eq!(find::describe_folder(&below, &dir), "./debates");
    // A named folder is used as given.
    let named = Caller {
        debates_dir: Some("debates".into()),
        ..below
    };
    assert!(list(&named, None).unwrap().rows().is_empty());
}
