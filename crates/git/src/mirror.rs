//! A folder that git uses as a repository's common folder: it links to the objects and branches,
//! and contains a configuration written by Agon.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

/// The entries that are linked to the repository's own folder. Some of them may not exist yet.
///
/// Left out are `config`, `hooks`, `modules` (git folders of submodules), and `branches` and
/// `remotes` (old forms of a remote).
const LINKED: [&str; 11] = [
    "annex",
    "git-crypt",
    "info",
    "lfs",
    "logs",
    "objects",
    "packed-refs",
    "refs",
    "reftable",
    "shallow",
    "worktrees",
];

/// Fills the empty folder `mirror` for the repository with this common folder.
///
/// # Errors
///
/// Fails if a link cannot be created.
pub(crate) fn fill(mirror: &Path, common_dir: &Path) -> io::Result<()> {
    for name in LINKED {
        let target = common_dir.join(name);
        // Link files even if they do not exist yet: git can create a file through a dangling link,
        // but not a folder.
        let is_file = matches!(name, "packed-refs" | "shallow");
        if is_file || target.exists() {
            symlink(target, mirror.join(name))?;
        }
    }
    Ok(())
}

/// Writes the configuration of a mirror or scratch folder.
///
/// # Errors
///
/// If it cannot be written.
pub(crate) fn write_config(folder: &Path, text: &str) -> io::Result<()> {
    fs::write(folder.join("config"), text)
}
