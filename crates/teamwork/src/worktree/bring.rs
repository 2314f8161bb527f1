//! Brings the files of the `[worktree]` section into a work tree, once.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use agon_caller::{Caller, Code, Failure, Hint};
use agon_git::{GitError, GitSession};
use agon_team::id::MemberName;
use agon_team::store::{SessionDoc, TeamLocation};
use agon_team::worktree::WorktreeSettings;
use tokio_util::sync::CancellationToken;

use super::definition::read;
use super::destination::Destination;
use super::missing::missing;
use super::setup;
use super::source::{Bringing, source};
use crate::git::{git_failure, open_at, open_tree};
use crate::open_team::{SharedTeam, failure, lock};
use crate::text::clean_line;
use crate::trees::brought_files::{BroughtFiles, section_hash};
use crate::trees::mark;
use crate::turn::find_worker;

/// The most files that are copied into one work tree.
const MAX_FILES: usize = 100_000;
/// The most bytes that are copied into one work tree.
const MAX_BYTES: u64 = 4 << 30;

/// Brings what a member needs into its existing work tree, unless it is working there. Members that
/// neither edit nor run programs need nothing, and do not get copies of secrets.
///
/// # Errors
///
/// Fails like [`bring`].
pub(crate) async fn bring_for_member(
    caller: &Caller,
    team: &SharedTeam,
    (location, tree, name): (&TeamLocation, &Path, &MemberName),
    (host, may_edit, cancel): (&str, bool, &CancellationToken),
) -> Result<Vec<String>, Failure> {
    let (_, worker) = find_worker(caller, host)?;
    let sessions = lock(team).sessions().map_err(failure)?;
    let is_at_work = |it: &SessionDoc| it.member == *name && !it.closed && it.ending.is_none();
    if !(may_edit || worker.runs_programs()) || sessions.iter().any(is_at_work) {
        return Ok(Vec::new());
    }
    let bringing = Bringing {
        location,
        tree,
        follows_links: worker.follows_links().then_some(host),
        cancel,
    };
    let mut notes = bring(caller, &bringing).await?;
    notes.extend(missing(caller, location).await?);
    Ok(notes)
}

/// Brings what gates need that run in a tree without a member.
///
/// # Errors
///
/// Fails like [`bring`].
pub(crate) async fn bring_for_checks(
    caller: &Caller,
    location: &TeamLocation,
    tree: &Path,
    cancel: &CancellationToken,
) -> Result<(), Failure> {
    let bringing = Bringing {
        location,
        tree,
        follows_links: None,
        cancel,
    };
    bring(caller, &bringing).await.map(drop)
}

/// Copies, links and sets up what the section names, unless that was done since the section last
/// changed. Existing files in the tree are left alone. Returns notes for the user.
///
/// # Errors
///
/// Fails if the section is invalid, one of its files is not ignored in the tree, a link would let
/// the tool write elsewhere, or the command fails.
pub(super) async fn bring(
    caller: &Caller,
    bringing: &Bringing<'_>,
) -> Result<Vec<String>, Failure> {
    let Bringing { location, tree, .. } = bringing;
    let settings = read(location)?;
    if settings.is_empty() {
        return Ok(Vec::new());
    }
    if let (Some(host), Some(link)) = (bringing.follows_links, settings.link.first()) {
        return Err(refuse_link(host, link));
    }
    let inside = open_tree(caller, tree).await?;
    let git_dir = inside.repository().git_dir.clone();
    let mut record = BroughtFiles::read(&git_dir)?;
    let section = section_hash(&settings);
    if record.is_complete && record.section == section {
        return Ok(Vec::new());
    }
    let source = source(location)?;
    mark(caller, tree)?;
    record.is_complete = false;
    let notes = make_copies_and_links(caller, (&settings, &source), &inside, &mut record).await?;
    if let Some(command) = &settings.setup {
        setup::run(caller, bringing, command).await?;
    }
    record.section = section;
    record.is_complete = true;
    record.write(&git_dir)?;
    Ok(notes)
}

fn refuse_link(host: &str, link: &str) -> Failure {
    let link = clean_line(link);
    let message = format!(
        "[worktree] links {link}, and {host} would let its model write out of the work tree through it"
    );
    Failure::new(Code::CannotWork, message).hint(
        Hint::new("copy it instead with ")
            .quoted(format!("team worktree set --copy {link}"))
            .text(", or start the member in another tool"),
    )
}

/// Makes the copies and links.
async fn make_copies_and_links(
    caller: &Caller,
    (settings, source): (&WorktreeSettings, &TeamLocation),
    inside: &GitSession,
    record: &mut BroughtFiles,
) -> Result<Vec<String>, Failure> {
    let Some((from, to)) = source.work_tree.as_deref().zip(tree_of(inside)) else {
        return Ok(Vec::new());
    };
    let mut notes = Vec::new();
    let session = open_at(caller, source).await?;
    let mut files = BTreeSet::new();
    for glob in &settings.copy {
        let found = ignored_files(&session, from, glob).await?;
        if found.is_empty() {
            notes.push(format!(
                "no ignored file matches `copy = {}`",
                clean_line(glob)
            ));
        }
        files.extend(found);
    }
    if files.len() > MAX_FILES {
        return Err(copy_limit_failure(&format!("{MAX_FILES} files")));
    }
    let links: BTreeSet<PathBuf> = settings.link.iter().map(PathBuf::from).collect();
    let destination = Destination::open(to).map_err(|error| failed(to, &error))?;
    let is_new = |path: &PathBuf| match destination.has(path) {
        Ok(has) => Ok(!has),
        Err(error) => Err(failed(path, &error)),
    };
    let mut new = Vec::new();
    for path in files.iter().chain(&links) {
        if is_new(path)? {
            new.push(path.as_path());
        }
    }
    require_ignored(inside, &new).await?;
    record
        .paths
        .extend(new.iter().map(|path| path.to_path_buf()));
    // Recorded first, so that brought files are never committed, even if a later step fails.
    record.write(&inside.repository().git_dir)?;
    let mut room = MAX_BYTES;
    for path in new {
        let source = from.join(path);
        let placed = if links.contains(path) {
            let missing = || missing_link_failure(caller, &source, path);
            let target = source.canonicalize().map_err(|_| missing())?;
            destination.link(&target, path).map(|()| 0)
        } else if let Some(target) = relative_link_target(&source, path) {
            destination.link(&target, path).map(|()| 0)
        } else {
            destination.copy(&source, path, room)
        };
        let bytes = placed.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => copy_limit_failure("4 GiB"),
            _ => failed(path, &error),
        })?;
        room = room.saturating_sub(bytes);
    }
    Ok(notes)
}

fn tree_of(session: &GitSession) -> Option<&Path> {
    session.repository().work_tree.as_deref()
}

/// Returns the ignored files of a work tree that match a glob. The name of an existing path matches
/// only that path.
async fn ignored_files(
    session: &GitSession,
    root: &Path,
    glob: &str,
) -> Result<Vec<PathBuf>, Failure> {
    let magic = match root.join(glob).symlink_metadata() {
        Ok(_) => "literal",
        Err(_) => "glob",
    };
    let pathspec = format!(":({magic}){}", glob.trim_end_matches('/'));
    let args = [
        "ls-files",
        "-z",
        "--others",
        "--ignored",
        "--exclude-standard",
        "--",
        &pathspec,
    ];
    let listed = session.run(&args, b"").await.map_err(git_failure)?;
    let paths = listed.split(|byte| *byte == 0).filter(|it| !it.is_empty());
    let paths: Vec<PathBuf> = paths
        .map(|path| PathBuf::from(OsStr::from_bytes(path)))
        .collect();
    // Git lists a nested repository as a path that ends with `/`.
    let inner = paths
        .iter()
        .find(|path| path.as_os_str().as_bytes().ends_with(b"/"));
    match inner {
        None => Ok(paths),
        Some(path) => {
            let path = clean_line(&path.to_string_lossy());
            let message = format!("[worktree] copies {path}, which is a separate repository");
            Err(Failure::new(Code::TreeSetup, message)
                .hint("name files outside of that repository"))
        }
    }
}

/// Refuses paths that git does not ignore in the work tree, because they would be committed there.
async fn require_ignored(session: &GitSession, paths: &[&Path]) -> Result<(), Failure> {
    if paths.is_empty() {
        return Ok(());
    }
    let mut input = Vec::new();
    for path in paths {
        input.extend_from_slice(path.as_os_str().as_bytes());
        input.push(0);
    }
    let args = ["check-ignore", "--no-index", "--stdin", "-z"];
    let ignored = match session.run(&args, &input).await {
        Ok(printed) => printed,
        Err(GitError::Failed { code: Some(1), .. }) => Vec::new(),
        Err(error) => return Err(git_failure(error)),
    };
    let ignored: BTreeSet<&[u8]> = ignored.split(|byte| *byte == 0).collect();
    let mut paths = paths.iter();
    let Some(path) = paths.find(|path| !ignored.contains(path.as_os_str().as_bytes())) else {
        return Ok(());
    };
    let path = clean_line(&path.to_string_lossy());
    let message = format!(
        "[worktree] brings {path}, which git does not ignore in the member's work tree: it would \
         be committed"
    );
    Err(Failure::new(Code::TreeSetup, message).hint(format!(
        "commit a `.gitignore` that names `{path}`, or add it to `.git/info/exclude`; write a \
         link without a final `/`"
    )))
}

/// Returns a source link's target if it stays below the root wherever the tree is.
fn relative_link_target(source: &Path, path: &Path) -> Option<PathBuf> {
    let target = source.read_link().ok()?;
    let mut depth = path.components().count().checked_sub(1)?;
    for part in target.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => depth = depth.checked_sub(1)?,
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(target)
}

fn missing_link_failure(caller: &Caller, source: &Path, path: &Path) -> Failure {
    let source = caller.display_path(source);
    let message = format!(
        "[worktree] links {}, but {source} does not exist",
        clean_line(&path.to_string_lossy())
    );
    Failure::new(Code::TreeSetup, message).hint("create it there first, for example with `npm ci`")
}

fn copy_limit_failure(what: &str) -> Failure {
    let message = format!("[worktree] copies more than {what}, the limit for one work tree");
    Failure::new(Code::TreeSetup, message)
        .hint("link large folders, or create them with the setup command")
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    let message = format!(
        "cannot bring {} into the work tree: {error}",
        clean_line(&path.to_string_lossy())
    );
    Failure::new(Code::TreeSetup, message)
        .hint("check that no file or link of the commit is in its place")
}
