use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::*;

fn failed(path: &Path) -> (ErrorKind, String) {
    let error = read(path, 1 << 10).unwrap_err();
    (error.kind(), error.to_string())
}

#[test]
fn a_file_up_to_the_limit_is_read_and_a_larger_one_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    fs::write(&path, "x".repeat(1 << 10)).unwrap();
    assert_eq!(read(&path, 1 << 10).unwrap().len(), 1 << 10);
    fs::write(&path, "x".repeat((1 << 10) + 1)).unwrap();
    let expected = (
        ErrorKind::FileTooLarge,
        "it is larger than 1 KiB".to_owned(),
    );
    assert_eq!(failed(&path), expected);
}

#[test]
fn a_sparse_file_of_a_terabyte_is_refused_before_it_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(failed(&path).0, ErrorKind::FileTooLarge);
}

#[test]
fn a_pipe_a_socket_and_devices_are_refused_without_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
    let socket = dir.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    let zero = dir.path().join("zero");
    symlink("/dev/zero", &zero).unwrap();
    for path in [&pipe, &socket, &zero, Path::new("/dev/tty")] {
        let expected = (
            ErrorKind::InvalidInput,
            "it is not a regular file".to_owned(),
        );
        assert_eq!(failed(path), expected, "{}", path.display());
    }
}

#[test]
fn a_folder_a_circle_of_links_and_nothing_keep_the_errors_of_the_system() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(failed(dir.path()).0, ErrorKind::IsADirectory);
    assert_eq!(failed(&dir.path().join("none")).0, ErrorKind::NotFound);
    let circle = dir.path().join("circle");
    symlink("circle", &circle).unwrap();
    read(&circle, 1).unwrap_err();
}

#[test]
fn a_link_to_a_file_is_followed_unless_it_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a"), "text").unwrap();
    let link = dir.path().join("link");
    symlink("a", &link).unwrap();
    assert_eq!(read(&link, 9).unwrap(), b"text");
    let refused = read_no_follow(&link, 9).unwrap_err();
    assert_eq!(refused.to_string(), "it is a symbolic link");
}

#[test]
fn a_file_is_read_from_an_offset_and_a_text_must_be_utf_8() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    fs::write(&path, b"ab\xff").unwrap();
    let from = |offset| read_from_offset(open(&path).unwrap(), offset, 2).unwrap();
    assert_eq!(from(1), b"b\xff");
    assert_eq!(from(7), b"");
    assert_eq!(
        read_to_string(&path, 9).unwrap_err().kind(),
        ErrorKind::InvalidData
    );
}

#[test]
fn a_file_that_others_can_change_is_not_ones_own() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("own");
    fs::write(&path, "own").unwrap();
    for (mode, is_own) in [(0o600, true), (0o644, true), (0o620, false), (0o602, false)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(read_own(&path, 10).is_ok(), is_own, "{mode:o}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&path, dir.path().join("link")).unwrap();
    assert!(read_own(&dir.path().join("link"), 10).is_err());
}
