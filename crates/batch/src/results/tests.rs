use super::*;
use crate::folder::AFTER_FULL_DISK;
use crate::request::BatchRequest;

fn folder(path: &Path) -> BatchFolder {
    let caller = agon_caller::Caller::new(BTreeMap::new(), path);
    let batch = BatchRequest {
        folder: Some("b".into()),
        ..BatchRequest::default()
    };
    BatchFolder::of(&caller, &batch)
}

fn result(identity: &str, status: ResultStatus) -> BatchResult {
    BatchResult {
        schema: RESULT_SCHEMA.to_owned(),
        identity: identity.to_owned(),
        id: String::new(),
        tags: vec!["a".to_owned()],
        line: 1,
        repeat: 1,
        attempt: 1,
        status,
        error: None,
        message: None,
        topic: "=1+1, \"A\" or B?".to_owned(),
        answer: Some("A".to_owned()),
        winner: None,
        winner_tool: None,
        authority: None,
        calls: 3,
        tokens: 10,
        cost_usd: 0.5,
        seconds: 1.5,
        folder: None,
    }
}

#[test]
fn a_line_that_a_killed_process_left_is_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let folder = folder(dir.path());
    let lock = folder.lock().unwrap();
    let mut results = Results::open(&folder).unwrap();
    results.append(result("a", ResultStatus::Done)).unwrap();
    results.append(result("b", ResultStatus::Failed)).unwrap();
    drop(results);
    let whole = fs::read(folder.results()).unwrap();
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for cut in 0..=whole.len() {
        fs::write(folder.results(), &whole[..cut]).unwrap();
        let results = Results::open(&folder).unwrap();
        let lines = usize::from(cut >= first) + usize::from(cut >= whole.len());
        assert_eq!(results.all().count(), lines, "cut at {cut}");
        let left = fs::read(folder.results()).unwrap();
        assert!(left.is_empty() || left.ends_with(b"\n"), "cut at {cut}");
    }
    drop(lock);
}

#[test]
fn a_newer_result_replaces_an_older_one() {
    let dir = tempfile::tempdir().unwrap();
    let folder = folder(dir.path());
    let _lock = folder.lock().unwrap();
    let mut results = Results::open(&folder).unwrap();
    for (identity, status) in [
        ("a", ResultStatus::Failed),
        ("b", ResultStatus::Done),
        ("a", ResultStatus::Done),
    ] {
        results.append(result(identity, status)).unwrap();
    }
    drop(results);
    let results = Results::open(&folder).unwrap();
    assert_eq!(results.find("a").unwrap().status, ResultStatus::Done);
    let text = fs::read_to_string(folder.results()).unwrap();
    assert_eq!(text.lines().count(), 2);
    let table = fs::read_to_string(folder.table()).unwrap();
    assert_eq!(table.lines().count(), 3);
    assert!(table.contains("\"'=1+1, \"\"A\"\" or B?\""), "{table}");
}

#[test]
fn a_full_disk_loses_no_result() {
    let dir = tempfile::tempdir().unwrap();
    let folder = folder(dir.path());
    let _lock = folder.lock().unwrap();
    let mut results = Results::open(&folder).unwrap();
    results.append(result("a", ResultStatus::Done)).unwrap();
    let before = fs::read(folder.results()).unwrap();
    let line = encode(&result("b", ResultStatus::Done)).unwrap();
    let failed = results.append_line(&line, |file, line| {
        file.write_all(&line[..line.len() / 2])?;
        Err(ErrorKind::StorageFull.into())
    });
    let failure = failed.unwrap_err();
    assert_eq!(failure.code, Code::DiskFull);
    assert!(failure.message.contains("results.jsonl"), "{failure:?}");
    assert_eq!(failure.hint, Some(AFTER_FULL_DISK.into()));
    assert_eq!(fs::read(folder.results()).unwrap(), before);
    results.append(result("b", ResultStatus::Done)).unwrap();
    drop(results);
    assert_eq!(Results::open(&folder).unwrap().all().count(), 2);
}

#[test]
fn only_one_process_runs_a_batch() {
    let dir = tempfile::tempdir().unwrap();
    let folder = folder(dir.path());
    assert!(!folder.is_running());
    let lock = folder.lock().unwrap();
    assert!(folder.is_running());
    assert_eq!(folder.lock().unwrap_err().code, Code::Locked);
    drop(lock);
    assert!(!folder.is_running());
}
