//! Files on a real disk.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};

use agon_store::{Disk, RealDisk, write_file_atomically};

/// Returns every file below `dir` with its bytes.
fn image(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(image(&path));
        } else {
            files.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

#[test]
fn a_file_for_the_host_gets_its_directories() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(".claude/debate/last-debate.json");
    write_file_atomically(&RealDisk, &path, b"{}").unwrap();
    write_file_atomically(&RealDisk, &path, b"{\"id\":1}").unwrap();
    assert_eq!(image(dir.path()), [(path, b"{\"id\":1}".to_vec())]);
}

#[test]
fn every_error_names_its_path() {
    let dir = tempfile::tempdir().unwrap();
    let absent = dir.path().join("absent/below");
    let errors = [
        RealDisk.read(&absent).unwrap_err(),
        RealDisk.list_names(&absent).unwrap_err(),
        RealDisk.open_append(&absent).unwrap_err(),
        RealDisk.create_file(&absent).unwrap_err(),
        RealDisk.rename(&absent, &absent).unwrap_err(),
        RealDisk.rename_no_replace(&absent, &absent).unwrap_err(),
        RealDisk.remove_tree(&absent).unwrap_err(),
        RealDisk.create_dir(&absent).unwrap_err(),
        RealDisk.sync_dir(&absent).unwrap_err(),
    ];
    let at = absent.display().to_string();
    for error in errors {
        assert!(error.to_string().ends_with(&at), "{error}");
        assert_eq!(error.cause.kind(), std::io::ErrorKind::NotFound, "{error}");
    }
    assert!(
        RealDisk
            .lock(&absent, b"")
            .unwrap_err()
            .to_string()
            .ends_with(&at)
    );
    assert_eq!(RealDisk.metadata(&absent).unwrap(), None);
}

#[test]
fn a_name_that_is_taken_is_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("from"), dir.path().join("to"));
    for place in [&from, &to] {
        fs::create_dir(place).unwrap();
    }
    // A plain rename would replace an empty directory.
    let error = RealDisk.rename_no_replace(&from, &to).unwrap_err();
    assert_eq!(error.cause.kind(), std::io::ErrorKind::AlreadyExists);
    fs::remove_dir(&to).unwrap();
    RealDisk.rename_no_replace(&from, &to).unwrap();
    assert!(to.exists() && !from.exists());
}
