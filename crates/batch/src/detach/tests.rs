use std::collections::BTreeMap;
use std::path::Path;

use agon_proc::end_survivor;

use super::*;
use crate::request::BatchRequest;

fn caller(path: &Path) -> Caller {
    Caller {
        program: Some("/bin/sh".into()),
        ..Caller::new(BTreeMap::new(), path)
    }
}

/// Starts a shell with `script` as the process of a batch in `path`.
fn start_shell(path: &Path, script: &str) -> Result<(), Failure> {
    let caller = caller(path);
    let batch = BatchRequest {
        folder: Some("b".into()),
        ..BatchRequest::default()
    };
    let folder = BatchFolder::of(&caller, &batch);
    fs::create_dir_all(folder.path()).unwrap();
    let log = File::create(folder.log()).unwrap();
    start(&caller, &folder, vec!["-c".into(), script.into()], &log)
}

#[test]
fn a_process_that_ends_before_it_writes_the_progress_did_not_start() {
    let dir = tempfile::tempdir().unwrap();
    let failure = start_shell(dir.path(), "echo why; exit 1").unwrap_err();
    assert_eq!(failure.code, Code::NotStarted);
    assert!(failure.message.contains("b/batch.log"), "{failure:?}");
    let log = fs::read_to_string(dir.path().join("b/batch.log")).unwrap();
    assert_eq!(log, "why\n");
}

#[test]
fn a_process_that_wrote_the_progress_and_ended_did_start() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(start_shell(dir.path(), "echo {} > b/progress.json"), Ok(()));
}

#[test]
fn a_process_that_still_plans_is_left_to_run() {
    let dir = tempfile::tempdir().unwrap();
    let program = Program {
        path: "/bin/sh".into(),
        args: vec!["-c".into(), "exec sleep 60".into()],
        env: BTreeMap::new(),
        cwd: dir.path().to_owned(),
    };
    let log = File::create(dir.path().join("log")).unwrap();
    let group = spawn_detached(&program, &log).unwrap();
    assert!(is_running_after(&group, Duration::ZERO, || false));
    end_survivor(&group);
}
