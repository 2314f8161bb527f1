//! The git pre-commit hook, for AI tools without a hook before edits, and for people.

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

use super::git::git_failure;
use super::hook;
use super::open_team::{failure, open};

/// The name and version of the document.
pub const TEAM_PRECOMMIT_SCHEMA: &str = "agon.team_precommit/1";
/// The name of an earlier hook while Agon's hook runs it.
const CHAINED: &str = "pre-commit.before-agon";
/// The line that identifies Agon's hook.
const MARK: &str = "# Added by Agon's team feature; remove with `agon team precommit rm`.";

/// The same line as earlier versions wrote it.
const EARLIER_MARK: &str = "# Of Agon's team: `agon team precommit rm` takes it out again.";

/// The line that users add to a hook that Agon may not change.
const LINE: &str =
    "if command -v agon >/dev/null 2>&1; then agon hook git pre-commit || exit 1; fi";

/// The state of the pre-commit hook: `agon.team_precommit/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamPrecommitDoc {
    #[schemars(extend("const" = TEAM_PRECOMMIT_SCHEMA))]
    schema: &'static str,
    /// Its path.
    pub path: PathBuf,
    /// Whether it is installed now.
    pub is_there: bool,
    /// The earlier hook, which it runs first; null if there was none.
    pub chained: Option<PathBuf>,
    /// Work trees of the repository in which git uses another hooks folder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_held_in: Vec<PathBuf>,
}

/// Installs the hook where git looks for it. It runs an existing hook first.
///
/// # Errors
///
/// Fails if there is no team, the hooks folder is among a repository's files, or the hook cannot be
/// written.
pub async fn add(caller: &Caller) -> Result<TeamPrecommitDoc, Failure> {
    refuse_nested(caller)?;
    let (_, location) = open(caller)?;
    let path = hook_path(caller, &location).await?;
    if has_agon_line(&path) {
        return Ok(document(path));
    }
    if let Some(found) = tracked_hook_failure(caller, &location, &path).await? {
        return Err(found);
    }
    let is_foreign = path.symlink_metadata().is_ok() && !is_ours(&path);
    if is_foreign && path.with_file_name(CHAINED).symlink_metadata().is_ok() {
        return Err(replaced_hook_failure(&path));
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

/// Removes the hook and restores the earlier one.
///
/// # Errors
///
/// Fails if the hook cannot be removed, or another hook has replaced it.
pub async fn remove(caller: &Caller) -> Result<TeamPrecommitDoc, Failure> {
    refuse_nested(caller)?;
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let path = hook_path(caller, &location).await?;
    if has_agon_line(&path) {
        let message = format!("you added Agon's line to {} yourself", path.display());
        return Err(
            Failure::new(Code::ForeignHook, message).hint(format!("remove it there:\n    {LINE}"))
        );
    }
    if path.symlink_metadata().is_ok() && !is_ours(&path) {
        return match path.with_file_name(CHAINED).exists() {
            true => Err(replaced_hook_failure(&path)),
            false => Ok(document(path)),
        };
    }
    remove_hook(&path).map_err(|error| disk_failure(&path, &error))?;
    Ok(document(path))
}

/// Returns the failure if another hook replaced Agon's while the earlier hook still exists: Agon
/// must remove neither.
fn replaced_hook_failure(path: &Path) -> Failure {
    let message = format!("{} is not Agon's hook", path.display());
    let chained = path.with_file_name(CHAINED);
    Failure::new(Code::ForeignHook, message).hint(format!(
        "the earlier hook is {}: keep the one that you want",
        chained.display()
    ))
}

/// Returns why Agon may not write the hook: it is among this repository's files, of which each work
/// tree has its own copy, or another repository tracks it. Returns `None` if Agon may write it.
///
/// # Errors
///
/// If git fails.
async fn tracked_hook_failure(
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
    // Husky regenerates the folder `_`, whose hooks run those in `.husky`, so name the file in
    // `.husky`.
    let by_hand = folder.join("pre-commit").display().to_string();
    let by_hand = by_hand.replace("/.husky/_/", "/.husky/");
    let folder = folder.display();
    let why = if keeper.common_dir == location.common_dir {
        format!("git uses the hooks in {folder}, of which each work tree has its own copy")
    } else if is_tracked(caller, &keeper, &folder.to_string()).await? {
        format!("git uses the hooks in {folder}, which another repository tracks")
    } else {
        return Ok(None);
    };
    let hint = match Path::new(&by_hand).exists() {
        true => format!("add this line to {by_hand} and commit it:"),
        false => format!("commit {by_hand} as an executable shell script with this line:"),
    };
    // On its own line, so that it can be copied.
    let hint = format!("{hint}\n    {LINE}");
    Ok(Some(Failure::new(Code::TrackedHook, why).hint(hint)))
}

/// Returns whether a repository tracks a file in this folder.
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

/// Resolves links in a path, as far as the path exists.
fn real(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(real), ..) => real,
        (Err(_), Some(parent), Some(name)) => real(parent).join(name),
        (Err(_), ..) => path.to_owned(),
    }
}

/// Returns why committing the staged files is refused, or `None` if it is allowed.
///
/// # Errors
///
/// Fails if this cannot be determined; the commit is then made with a warning.
pub async fn refusal(caller: &Caller) -> Result<Option<String>, Failure> {
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let git = Git::find(&caller.vars_os).map_err(git_failure)?;
    let session =
        GitSession::open_for_objects(&git, &location.repository()).map_err(git_failure)?;
    // For a partial commit (`git commit FILE`), git sets this variable to a separate index.
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

/// Returns the path where git looks for the hook, honoring `core.hooksPath`.
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
    // Both names exist before ours replaces one, so that there is a hook at every moment.
    if path.symlink_metadata().is_ok() && !is_ours(path) {
        fs::hard_link(path, &chained)?;
    }
    let mut new = Replacement::create(path, 0o755)?;
    new.write_all(script(program).as_bytes())?;
    // The user's umask may have removed permissions.
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

/// Maximum size of a hook that are read, in bytes.
const MAX_HOOK_BYTES: u64 = 1 << 20;

fn is_ours(path: &Path) -> bool {
    agon_files::read_to_string(path, MAX_HOOK_BYTES)
        .is_ok_and(|text| [Some(MARK), Some(EARLIER_MARK)].contains(&text.lines().nth(1)))
}

/// Returns whether a user added Agon's line to the hook, or to the hook that Husky runs for it.
fn has_agon_line(path: &Path) -> bool {
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
         echo \"agon is not installed any more, so the team's locks were not checked\" >&2\n"
    )
}

fn document(path: PathBuf) -> TeamPrecommitDoc {
    let chained = path.with_file_name(CHAINED);
    TeamPrecommitDoc {
        schema: TEAM_PRECOMMIT_SCHEMA,
        is_there: is_ours(&path) || has_agon_line(&path),
        chained: chained.exists().then_some(chained),
        not_held_in: Vec::new(),
        path,
    }
}

fn disk_failure(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{}: {error}", path.display());
    Failure::new(Code::Store, message).hint("fix this, then run the command again")
}
