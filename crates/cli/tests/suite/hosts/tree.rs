//! Everything in a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Files by their path below the folder, with what is in them.
pub(super) type Tree = BTreeMap<String, Vec<u8>>;

/// Every file below `folder`.
pub(super) fn tree(folder: &Path) -> Tree {
    let mut files = Tree::new();
    add(folder, folder, &mut files);
    files
}

fn add(top: &Path, folder: &Path, files: &mut Tree) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let meta = fs::symlink_metadata(&path).unwrap();
        let name = path.strip_prefix(top).unwrap().display().to_string();
        if meta.is_dir() {
            add(top, &path, files);
        } else if meta.is_file() {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
}
