//! The hook that git runs before a commit: for AI tools that have none before an edit, and for people.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure};
use agon_files::{Durable, Replacement};
use agon_git::{Git, GitSession, Repository};
use agon_team::store::TeamLocation;
use schemars::JsonSchema;
use serde::Serialize;

use super::door::{failure, open};
use super::git::git_failure;
use super::hook;

/// The name and version of the document.
pub const TEAM_PRECOMMIT_SCHEMA: &str = "agon.team_precommit/1";
/// What a hook that was there before is called while ours runs it.
const CHAINED: &str = "pre-commit.before-agon";
/// The line by which ours is known.
const MARK: &str = "# Of Agon's team: `agon team precommit rm` takes it out again.";

/// What a person adds to a hook that is not Agon's to change.
const LINE: &str =
    "if command -v agon >/dev/null 2>&1; then agon hook git pre-commit || exit 1; fi";

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
    /// Work trees of the repository for which git looks for hooks elsewhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_held_in: Vec<PathBuf>,
}

/// Puts the hook where git looks for it, before one that is there.
///
/// # Errors
///
/// If there is no team, git looks for hooks among the files of a repository, or the hook cannot be
/// written.
pub async fn add(caller: &Caller) -> Result<TeamPrecommitDoc, Failure> {
    refuse_nested(caller)?;
    let (_, location) = open(caller)?;
    let path = hook_path(caller, &location).await?;
    if has_own_line(&path) {
        return Ok(document(path));
    }
    if let Some(found) = find_keeper(caller, &location, &path).await? {
        return Err(found);
    }
    let is_foreign = path.symlink_metadata().is_ok() && !is_ours(&path);
    if is_foreign && path.with_file_name(CHAINED).symlink_metadata().is_ok() {
        return Err(foreign_hook(&path));
    }
    let program = caller.program.as_deref().unwrap_or(Path::new("agon"));
    write_hook(&path, program).map_err(|error| disk_failure(&path, &error))?;
    let mut not_held_in = Vec::new();
    for tree in location.repository().work_trees() {
        let other = hook_path(caller, &tree.clone().into()).await?;
        if real(&other) != real(&path) {
            not_held_in.extend(tree.work_tree);
        }
    }
    Ok(TeamPrecommitDoc {
        not_held_in,
        ..document(path)
    })
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
    if has_own_line(&path) {
        let message = format!("you added the line of Agon to {} yourself", path.display());
        return Err(
            Failure::new(Code::ForeignHook, message).hint(format!("remove it there:\n    {LINE}"))
        );
    }
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
    Failure::new(Code::ForeignHook, message).hint(format!(
        "the one that was there before is {}: see which you want",
        chained.display()
    ))
}

/// Why the hook is not Agon's to write: it is among the files of this repository, of which each work
/// tree has its own, or a tracked file of another. None where it is not.
///
/// # Errors
///
/// If git fails.
async fn find_keeper(
    caller: &Caller,
    location: &TeamLocation,
    path: &Path,
) -> Result<Option<Failure>, Failure> {
    let folder = real(path.parent().unwrap_or(path));
    let there = folder.ancestors().find(|dir| dir.is_dir());
    let Some(Ok(keeper)) = there.map(Repository::discover) else {
        return Ok(None);
    };
    let is_among_files = keeper.work_tree.is_some() && !folder.starts_with(&keeper.common_dir);
    if !is_among_files {
        return Ok(None);
    }
    // Husky makes `_` again each time; its hooks run those beside it.
    let by_hand = folder.join("pre-commit").display().to_string();
    let by_hand = by_hand.replace("/.husky/_/", "/.husky/");
    let folder = folder.display();
    let why = if keeper.common_dir == location.common_dir {
        format!("git runs the hooks in {folder}, of which each work tree has its own")
    } else if is_tracked(caller, &keeper, &folder.to_string()).await? {
        format!("git runs the hooks in {folder}, and another repository tracks them")
    } else {
        return Ok(None);
    };
    let hint = match Path::new(&by_hand).exists() {
        true => format!("add this line to {by_hand} and commit it:"),
        false => format!("commit {by_hand} as an executable shell script with this line:"),
    };
    // A line of its own, to be copied.
    let hint = format!("{hint}\n    {LINE}");
    Ok(Some(Failure::new(Code::TrackedHook, why).hint(hint)))
}

/// Whether a repository tracks a file in this folder.
async fn is_tracked(
    caller: &Caller,
    repository: &Repository,
    folder: &str,
) -> Result<bool, Failure> {
    let git = Git::find(&caller.vars_os).map_err(git_failure)?;
    let session = GitSession::open_for_objects(&git, repository).map_err(git_failure)?;
    let args = ["--literal-pathspecs", "ls-files", "-z", "--", folder];
    let listed = session.text(&args).await.map_err(git_failure)?;
    Ok(!listed.is_empty())
}

/// A path without links, as far as it is there.
fn real(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(real), ..) => real,
        (Err(_), Some(parent), Some(name)) => real(parent).join(name),
        (Err(_), ..) => path.to_owned(),
    }
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
    hook::refusal_of_paths(caller, &root, &paths).map_err(|error| Failure::new(Code::Store, error))
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
    let mut new = Replacement::create(path, 0o755)?;
    new.write_all(script(program).as_bytes())?;
    // The user's umask may have removed a permission.
    new.file()
        .set_permissions(fs::Permissions::from_mode(0o755))?;
    new.commit(Durable::Yes)
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

/// Whether a person has added the line of Agon to the hook, or to the one that Husky runs for it.
fn has_own_line(path: &Path) -> bool {
    let beside = path.to_string_lossy().replace("/.husky/_/", "/.husky/");
    let is_own = |line: &str| !line.starts_with('#') && line.contains("agon hook git pre-commit");
    let text = agon_files::read_to_string(Path::new(&beside), MAX_HOOK_BYTES);
    text.is_ok_and(|text| text.lines().any(|line| is_own(line.trim_start())))
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
        is_there: is_ours(&path) || has_own_line(&path),
        chained: chained.exists().then_some(chained),
        not_held_in: Vec::new(),
        path,
    }
}

fn disk_failure(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{}: {error}", path.display());
    Failure::new(Code::Store, message).hint("see what the system says")
}
