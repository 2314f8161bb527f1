//! The folder that git takes for the common folder of a repository: its objects and branches by links,
//! and in the place of its configuration one that Agon wrote.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

/// What git finds in the repository's own folder. Some of it may not be there yet.
///
/// Not among them: `config`, `hooks`, `modules` (git folders of submodules), `branches` and `remotes`
/// (old forms of a remote).
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

/// Fills the empty folder `mirror` for the repository whose common folder is `common_dir`.
///
/// # Errors
///
/// If a link cannot be made.
pub(crate) fn fill(mirror: &Path, common_dir: &Path) -> io::Result<()> {
    for name in LINKED {
        let target = common_dir.join(name);
        // A link to nothing is followed when git makes what it leads to; a folder has to be there.
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
