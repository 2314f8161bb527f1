//! Finding programs.

use std::env::join_paths;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use agon_proc::find_program;

#[test]
fn the_first_executable_file_of_the_path_is_found() {
    let root = tempfile::tempdir().unwrap();
    let directories = ["a", "b", "c", "d"].map(|name| root.path().join(name));
    for directory in &directories {
        fs::create_dir(directory).unwrap();
    }
    fs::create_dir(directories[0].join("tool")).unwrap();
    for (directory, mode) in [(1, 0o644), (2, 0o755), (3, 0o755)] {
        let file = directories[directory].join("tool");
        fs::write(&file, "").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
    }
    let path = join_paths(&directories).unwrap();

    let expected = directories[2].join("tool");
    assert_eq!(find_program("tool", &path), Some(expected.clone()));
    assert_eq!(find_program("none", &path), None);
    assert_eq!(find_program("", &path), None);
    let name = expected.to_str().unwrap();
    assert_eq!(find_program(name, "".as_ref()), Some(expected.clone()));
    let unfit = directories[1].join("tool");
    assert_eq!(find_program(unfit.to_str().unwrap(), &path), None);
}

#[test]
fn relative_directories_are_not_searched() {
    let bin = format!("{}bin", "../".repeat(30));
    assert!(Path::new(&bin).join("sh").exists());
    assert_eq!(find_program("sh", bin.as_ref()), None);
    assert_eq!(find_program("sh", ":/bin".as_ref()), Some("/bin/sh".into()));
}
