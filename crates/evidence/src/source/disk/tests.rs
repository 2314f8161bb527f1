use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

const MOST: u64 = 1 << 20;

fn folder() -> (tempfile::TempDir, Folder) {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("root");
    for path in ["a", "b/c", "b/d"] {
        fs::create_dir_all(root.join(path)).unwrap();
    }
    for path in ["top", "a/one", "a/two", "b/three", "b/c/four", "b/d/five"] {
        fs::write(root.join(path), path).unwrap();
    }
    let folder = Folder::new(root.canonicalize().unwrap());
    (temp, folder)
}

fn names(folder: &Folder) -> Vec<String> {
    let way = folder.way.borrow();
    way.iter().map(|open| open.name.clone()).collect()
}

fn handles(folder: &Folder) -> Vec<Arc<OwnedFd>> {
    let way = folder.way.borrow();
    way.iter().map(|open| Arc::clone(&open.opened)).collect()
}

fn is_read(folder: &Folder, path: &str) -> bool {
    matches!(folder.read_entry(path, MOST), DiskEntry::Bytes(bytes) if bytes == path.as_bytes())
}

#[test]
fn the_folders_on_the_way_are_opened_once_for_their_files() {
    let (_temp, folder) = folder();
    assert!(is_read(&folder, "b/c/four"));
    assert_eq!(names(&folder), ["", "b", "c"]);
    let before = handles(&folder);
    assert!(is_read(&folder, "b/c/four") && is_read(&folder, "b/three"));
    let shared = |(now, then): (&Arc<OwnedFd>, &Arc<OwnedFd>)| Arc::ptr_eq(now, then);
    assert!(handles(&folder).iter().zip(&before).all(shared));
    assert!(is_read(&folder, "b/d/five"));
    assert_eq!(names(&folder), ["", "b", "d"]);
    assert!(handles(&folder).iter().zip(&before).take(2).all(shared));
    assert!(is_read(&folder, "a/one") && is_read(&folder, "top"));
    assert_eq!(names(&folder), ["", "a"]);
}

#[test]
fn a_path_deeper_than_the_folders_that_stay_open_is_read() {
    let (_temp, folder) = folder();
    let deep = vec!["deep"; 2 * MAX_KEPT].join("/");
    fs::create_dir_all(folder.path().join(&deep)).unwrap();
    for name in ["x", "y"] {
        let path = format!("{deep}/{name}");
        fs::write(folder.path().join(&path), &path).unwrap();
        assert!(is_read(&folder, &path));
        assert_eq!(names(&folder).len(), MAX_KEPT);
    }
    assert!(is_read(&folder, "b/d/five"));
}

#[test]
fn nothing_behind_a_link_or_above_the_folder_is_read() {
    let (temp, folder) = folder();
    let outside = temp.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "secret").unwrap();
    symlink(&outside, folder.path().join("a/out")).unwrap();
    symlink("b", folder.path().join("inner")).unwrap();
    let absolute = outside.join("secret");
    for path in [
        "a/out/secret",
        "inner/three",
        "../outside/secret",
        "a/../../outside/secret",
        "a/./one",
        "a//one",
        absolute.to_str().unwrap(),
    ] {
        let read = folder.read_entry(path, MOST);
        assert!(matches!(read, DiskEntry::Unreadable), "{path}: {read:?}");
    }
    let link = folder.read_entry("a/out", MOST);
    assert!(matches!(&link, DiskEntry::Link(to) if *to == outside.to_string_lossy()));
    for path in ["none", "a/none", "none/one", "a/one/none"] {
        let read = folder.read_entry(path, MOST);
        assert!(matches!(read, DiskEntry::Nothing), "{path}: {read:?}");
    }
    for path in ["", "a", "a/", "b/c"] {
        assert!(
            matches!(folder.read_entry(path, MOST), DiskEntry::Directory),
            "{path}"
        );
    }
}

#[test]
fn a_folder_that_may_be_entered_but_not_listed_is_read() {
    let (_temp, folder) = folder();
    let closed = folder.path().join("b/c");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o100)).unwrap();
    assert!(is_read(&folder, "b/c/four"));
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
}
