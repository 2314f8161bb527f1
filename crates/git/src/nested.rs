//! Finds nested repositories in a work tree on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Characters that some file systems ignore in names, so that `.g\u{200c}it` is `.git` there.
const IGNORED_CHARS: [char; 16] = [
    '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}',
    '\u{202e}', '\u{206a}', '\u{206b}', '\u{206c}', '\u{206d}', '\u{206e}', '\u{206f}', '\u{feff}',
];

/// Returns every file, folder or link below `root` that git could take for a repository's `.git`,
/// in any case, relative to `root` and sorted. The `.git` of `root` itself is left out. Ignored
/// folders are searched; links are not followed.
///
/// # Errors
///
/// Fails with the path of a folder that cannot be read.
pub fn find_git_entries(root: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        let folder = root.join(&inside);
        let failed = |cause| (inside.clone(), cause);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let path = inside.join(&name);
            if is_git_name(&name.to_string_lossy()) {
                if path != Path::new(".git") {
                    found.push(path);
                }
            } else if entry.file_type().map_err(failed)?.is_dir() {
                open.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns whether some file system takes a name for `.git`.
fn is_git_name(name: &str) -> bool {
    let seen: String = name
        .chars()
        .filter(|c| !IGNORED_CHARS.contains(c))
        .collect();
    // Windows ignores dots and spaces at the end of a name, and `git~1` is its short form of
    // `.git`.
    let seen = seen.trim_end_matches(['.', ' ']).to_ascii_lowercase();
    seen == ".git" || seen == "git~1"
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn every_kind_of_git_entry_is_found_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for folder in [
            ".git/modules/x",
            "a/.git",
            "b",
            "c/d/.GIT",
            "e",
            "f/.github",
            "g",
        ] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("b/.git"), "gitdir: x").unwrap();
        symlink("nowhere", root.join("e/.Git")).unwrap();
        fs::write(root.join("g/.g\u{200c}it"), "x").unwrap();
        fs::write(root.join("g/git~1"), "x").unwrap();
        fs::write(root.join("g/.gitignore"), "x").unwrap();
        symlink(root, root.join("f/loop")).unwrap();
        let found = find_git_entries(root).unwrap();
        let found: Vec<_> = found.iter().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(
            found,
            [
                "a/.git",
                "b/.git",
                "c/d/.GIT",
                "e/.Git",
                "g/.g\u{200c}it",
                "g/git~1"
            ]
        );
    }
}
