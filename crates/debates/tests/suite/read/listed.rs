//! Lists and removes debates.

use std::fs;
use std::os::unix::fs::symlink;

use agon_caller::{Caller, Code, Failure};
use agon_debates::past::remove::{find_removable, remove};
use agon_debates::status::list::list;
use agon_testkit::Script;

use crate::project::Project;
use crate::recorded::{debate, halted, other};

#[test]
fn debates_are_listed_with_their_answer_or_topic() {
    let project = Project::new();
    assert!(list(&project.caller, None).unwrap().rows().is_empty());
    let project = Project::finished();
    let debates = project.debates();
    halted(&debates, other("stuck", 2), &Script::job_store(), 3);
    debate(&debates, other("under-way", 3), &Script::job_store(), 2);
    fs::create_dir(debates.join("no-debate")).unwrap();
    let all = list(&project.caller, None).unwrap();
    let rows = all.rows();
    let said: Vec<_> = rows.iter().map(|row| (row.debate, row.answer)).collect();
    let answer = Some("Use SQLite for the job store");
    assert_eq!(
        said,
        [("under-way", None), ("stuck", None), ("job-store", answer)]
    );
    assert_eq!(list(&project.caller, Some(1)).unwrap().rows().len(), 1);

    let document = serde_json::to_value(&all).unwrap();
    assert_eq!(document["schema"], "agon.list/1");
    let job_store = &document["debates"][2];
    assert_eq!(job_store["debate"], "job-store");
    assert_eq!(job_store["authority"], "full");
    assert_eq!(job_store["opened_at"], "2026-11-21T20:00:00Z");
}

#[test]
fn only_a_debate_that_is_a_folder_of_its_own_is_removed() {
    let project = Project::finished();
    let debates = project.debates();
    debate(&debates, other("kept", 2), &Script::job_store(), 2);
    symlink(debates.join("kept"), debates.join("link")).unwrap();
    let refused = |caller: &Caller, name: &str| -> Failure {
        let refused = find_removable(caller, name);
        refused.unwrap_err()
    };
    let unknown = refused(&project.caller, "nothing-like-it");
    assert_eq!(unknown.code, Code::UnknownDebate);
    let link = refused(&project.caller, "link");
    assert_eq!(link.code, Code::NotRemovable);
    assert!(link.message.contains("is a link"), "{link:?}");
    let inside = Caller {
        cwd: project.folder(),
        ..project.caller.clone()
    };
    assert_eq!(refused(&inside, ".").code, Code::NotRemovable);
    assert!(project.folder().is_dir());

    let found = find_removable(&project.caller, "job-store").unwrap();
    let removed = remove(&[found]).unwrap();
    assert_eq!(removed.removed, ["debates/job-store"]);
    let left = fs::read_dir(&debates).unwrap();
    let left = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut left: Vec<_> = left.filter(|name| name != ".agon").collect();
    left.sort();
    assert_eq!(left, ["kept", "link"]);
}
