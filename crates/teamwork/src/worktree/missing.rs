//! Finds ignored files that programs usually need, if no `[worktree]` section brings them.

use agon_caller::{Caller, Failure};
use agon_team::store::TeamLocation;

use super::definition::read;
use super::source::source;
use crate::git::{git_failure, open_at};
use crate::open_team::failure;

/// Files in a project's root that programs usually need and git usually ignores.
const FILES: &[&str] = &[
    ".env",
    ".env.local",
    ".env.development",
    ".env.development.local",
    ".env.test",
    ".dev.vars",
    "local.settings.json",
    "config/local.json",
    "config/local.toml",
];
/// Folders of the same kind.
const FOLDERS: &[&str] = &["node_modules", ".venv", "venv", "vendor"];

/// Returns a note if the main work tree has ignored files that are usually needed and the team has
/// no `[worktree]` section.
///
/// # Errors
///
/// Fails if git fails, or the section is invalid.
pub async fn missing_files_note(caller: &Caller) -> Result<Option<String>, Failure> {
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    missing(caller, &location).await
}

pub(super) async fn missing(
    caller: &Caller,
    location: &TeamLocation,
) -> Result<Option<String>, Failure> {
    if !read(location)?.is_empty() {
        return Ok(None);
    }
    let source = source(location)?;
    let Some(root) = source.work_tree.clone() else {
        return Ok(None);
    };
    let there = |name: &&&str| root.join(name).symlink_metadata().is_ok();
    let named: Vec<&str> = FILES.iter().chain(FOLDERS).filter(there).copied().collect();
    if named.is_empty() {
        return Ok(None);
    }
    let session = open_at(caller, &source).await?;
    let mut args = vec![
        "ls-files",
        "-z",
        "--others",
        "--ignored",
        "--exclude-standard",
        "--directory",
        "--",
    ];
    args.extend(&named);
    let listed = session.text(&args).await.map_err(git_failure)?;
    let listed: Vec<&str> = listed
        .split('\0')
        .map(|path| path.trim_end_matches('/'))
        .collect();
    let is_ignored = |name: &&&str| listed.contains(*name);
    let files: Vec<&str> = FILES.iter().filter(is_ignored).copied().collect();
    let folders: Vec<&str> = FOLDERS.iter().filter(is_ignored).copied().collect();
    if files.is_empty() && folders.is_empty() {
        return Ok(None);
    }
    let copies = files.iter().map(|name| format!(" --copy {name}"));
    let links = folders.iter().map(|name| format!(" --link {name}"));
    let flags: String = copies.chain(links).collect();
    Ok(Some(format!(
        "git ignores {}, so a member's work tree lacks them; bring them with \
         `agon team worktree set{flags}`",
        [files, folders].concat().join(", ")
    )))
}
