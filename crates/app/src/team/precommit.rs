//! The hook that git runs before a commit: for AI tools that have none before an edit, and for people.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use agon_git::{Git, GitSession};
use agon_team::store::TeamLocation;
use schemars::JsonSchema;
use serde::Serialize;

use super::door::{failure, open};
use super::git::git_failure;
use super::hook;
use crate::caller::Caller;
use crate::depth::refuse_nested;
use crate::failure::{Failure, FailureKind};

/// The name and version of the document.
pub const TEAM_PRECOMMIT_SCHEMA: &str = "agon.team_precommit/1";
/// What a hook that was there before is called while ours runs it.
const CHAINED: &str = "pre-commit.before-agon";
/// The line by which ours is known.
const MARK: &str = "# Of Agon's team: `agon team precommit rm` takes it out again.";

/// The hook before a commit: `agon.team_precommit/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamPrecommitDoc {
    #[schemars(extend("const" = TEAM_PRECOMMIT_SCHEMA))]
    schema: &'static str,
    /// Its file.
    pub path: PathBuf,
    /// Whether it is there now.
    pub is_there: bool,
    /// The hook that was there before, which it runs first; null where there was none.
    pub chained: Option<PathBuf>,
}

/// Puts the hook where git looks for it, before one that is there.
///
/// # Errors
///
/// If there is no team, or the hook cannot be written.
pub async fn add(caller: &Caller) -> Result<TeamPrecommitDoc, Failure> {
    refuse_nested(caller)?;
    let (_, location) = open(caller)?;
    let path = hook_path(caller, &location).await?;
    let is_foreign = path.symlink_metadata().is_ok() && !is_ours(&path);
    if is_foreign && path.with_file_name(CHAINED).symlink_metadata().is_ok() {
        return Err(foreign_hook(&path));
    }
    let program = caller.program.as_deref().unwrap_or(Path::new("agon"));
    write_hook(&path, program).map_err(|error| disk_failure(&path, &error))?;
    Ok(document(path))
}

/// Takes the hook out; what was there before is there again.
///
/// # Errors
///
/// If it cannot be removed, or another has taken its place since.
pub async fn remove(caller: &Caller) -> Result<TeamPrecommitDoc, Failure> {
    refuse_nested(caller)?;
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let path = hook_path(caller, &location).await?;
    if path.symlink_metadata().is_ok() && !is_ours(&path) {
        return match path.with_file_name(CHAINED).exists() {
            true => Err(foreign_hook(&path)),
            false => Ok(document(path)),
        };
    }
    remove_hook(&path).map_err(|error| disk_failure(&path, &error))?;
    Ok(document(path))
}

/// Another hook stands where ours was, and the one from before ours is still there: neither is ours
/// to remove.
fn foreign_hook(path: &Path) -> Failure {
    let message = format!("{} is not Agon's", path.display());
    let chained = path.with_file_name(CHAINED);
    Failure::new(FailureKind::Usage, "foreign_hook", message).hint(format!(
        "the one that was there before is {}: see which you want",
        chained.display()
    ))
}

/// Why a commit of what is staged is refused; none where it may be made.
///
/// # Errors
///
/// If it cannot be told: the commit is made then, with a warning.
pub async fn refusal(caller: &Caller) -> Result<Option<String>, Failure> {
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let git = Git::find(&caller.vars_os).map_err(git_failure)?;
    let session =
        GitSession::open_for_objects(&git, &location.repository()).map_err(git_failure)?;
    // A commit of some paths alone has an index of its own.
    let index = caller.vars_os.get(std::ffi::OsStr::new("GIT_INDEX_FILE"));
    let index = match index {
        Some(index) => caller.cwd.join(index),
        None => location.git_dir.join("index"),
    };
    let staged = [
        "diff",
        "--cached",
        "--name-only",
        "--no-renames",
        "--no-ext-diff",
        "--ignore-submodules=dirty",
        "-z",
    ];
    let printed = session.run_with_index(&index, &staged, b"").await;
    let printed = printed.map_err(git_failure)?;
    let printed = String::from_utf8_lossy(&printed);
    let paths = printed.split('\0').filter(|path| !path.is_empty());
    let paths: Vec<String> = paths.map(str::to_owned).collect();
    let root = location.work_tree.unwrap_or(location.git_dir);
    hook::refusal_of_paths(caller, &root, &paths)
        .map_err(|error| Failure::new(FailureKind::Store, "store", error))
}

/// Where git looks for it: `core.hooksPath` counts.
async fn hook_path(caller: &Caller, location: &TeamLocation) -> Result<PathBuf, Failure> {
    let git = Git::find(&caller.vars_os).map_err(git_failure)?;
    let session =
        GitSession::open_for_objects(&git, &location.repository()).map_err(git_failure)?;
    let folder = session.hooks_folder().await.map_err(git_failure)?;
    Ok(folder.join("pre-commit"))
}

fn write_hook(path: &Path, program: &Path) -> io::Result<()> {
    let dir = path.parent().unwrap_or(path);
    fs::create_dir_all(dir)?;
    let chained = path.with_file_name(CHAINED);
    // Both names are there until ours is written over one: at no moment is there no hook.
    if path.symlink_metadata().is_ok() && !is_ours(path) {
        fs::hard_link(path, &chained)?;
    }
    let new = path.with_file_name(format!("pre-commit.{}.new", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o755)
        .open(&new)
        .and_then(|mut file| {
            file.write_all(script(program).as_bytes())?;
            // The mask of the user may have taken a right away.
            file.set_permissions(fs::Permissions::from_mode(0o755))?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&new, path));
    written.inspect_err(|_| {
        fs::remove_file(&new).ok();
    })
}

fn remove_hook(path: &Path) -> io::Result<()> {
    let chained = path.with_file_name(CHAINED);
    match chained.symlink_metadata().is_ok() {
        true => fs::rename(chained, path),
        false => match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        },
    }
}

/// The most bytes of a hook that are read.
const MAX_HOOK_BYTES: u64 = 1 << 20;

fn is_ours(path: &Path) -> bool {
    agon_files::read_to_string(path, MAX_HOOK_BYTES)
        .is_ok_and(|text| text.lines().nth(1) == Some(MARK))
}

fn script(program: &Path) -> String {
    let program = program.display().to_string().replace('\'', "'\\''");
    format!(
        "#!/bin/sh\n\
         {MARK}\n\
         before=\"$(dirname \"$0\")/{CHAINED}\"\n\
         if [ -x \"$before\" ]; then \"$before\" \"$@\" || exit $?; fi\n\
         program='{program}'\n\
         if command -v \"$program\" >/dev/null 2>&1; then exec \"$program\" hook git pre-commit; fi\n\
         echo \"agon is gone, so locks of the team were not looked at\" >&2\n"
    )
}

fn document(path: PathBuf) -> TeamPrecommitDoc {
    let chained = path.with_file_name(CHAINED);
    TeamPrecommitDoc {
        schema: TEAM_PRECOMMIT_SCHEMA,
        is_there: is_ours(&path),
        chained: chained.exists().then_some(chained),
        path,
    }
}

fn disk_failure(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{}: {error}", path.display());
    Failure::new(FailureKind::Store, "store", message).hint("see what the system says")
}
