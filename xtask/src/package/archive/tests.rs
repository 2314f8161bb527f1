use std::fs;
use std::process::Command;

use super::*;
use crate::workspace::stdout_of;

/// 2026-02-28, 23:59:59 UTC.
const TIME: u64 = 1_772_323_199;

fn entries() -> Vec<Entry> {
    vec![
        Entry::text("b/read.txt", "read\n"),
        Entry::program("a/run", "#!/bin/sh\n".repeat(100)),
        Entry::text("b/empty", ""),
    ]
}

#[test]
fn tar_lists_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.tar.gz");
    fs::write(&path, tar_gz(&entries(), TIME).unwrap()).unwrap();
    let mut tar = Command::new("tar");
    tar.args(["--list", "--verbose", "--numeric-owner", "--file"]);
    let listed = stdout_of(tar.arg(&path).env("TZ", "UTC")).unwrap();
    let rows: Vec<Vec<&str>> = listed
        .lines()
        .map(|it| it.split_whitespace().collect())
        .collect();
    let row = |mode, size, path| vec![mode, "0/0", size, "2026-02-28", "23:59", path];
    let expected = [
        row("-rwxr-xr-x", "1000", "a/run"),
        row("-rw-r--r--", "0", "b/empty"),
        row("-rw-r--r--", "5", "b/read.txt"),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn folders_come_before_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.tar.gz");
    fs::write(&path, tar_gz_with_folders(&entries(), TIME).unwrap()).unwrap();
    let mut tar = Command::new("tar");
    let listed = stdout_of(tar.arg("--list").arg("--file").arg(&path)).unwrap();
    let listed: Vec<_> = listed.lines().collect();
    let expected = ["./", "./a/", "./b/", "./a/run", "./b/empty", "./b/read.txt"];
    assert_eq!(listed, expected);
}

#[test]
fn the_order_of_entries_does_not_change_a_tar() {
    let mut other = entries();
    other.reverse();
    assert_eq!(
        tar_gz(&entries(), TIME).unwrap(),
        tar_gz(&other, TIME).unwrap()
    );
}

#[test]
fn a_path_that_a_header_cannot_hold_is_refused() {
    let long = Entry::text("p".repeat(101), "");
    assert!(
        tar_gz(&[long], TIME)
            .unwrap_err()
            .to_string()
            .ends_with("is too long for an archive")
    );
}

#[test]
fn ar_pads_odd_members() {
    let bytes = ar(&[("one", b"1".to_vec()), ("two", b"22".to_vec())], 7).unwrap();
    let header = |name: &str, size: u8| {
        format!(
            "{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
            7, 0, 0, 100_644
        )
    };
    let expected = format!("!<arch>\n{}1\n{}22", header("one", 1), header("two", 2));
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
}

#[test]
fn a_zip_archive_has_the_day_of_its_time() {
    let time = DateTime::from_date_and_time(2026, 2, 28, 0, 0, 0).unwrap();
    assert_eq!(zip_time(TIME).unwrap(), time);
    let refused = zip_time(0).unwrap_err().to_string();
    assert_eq!(refused, "zip archives have no such year");
}
