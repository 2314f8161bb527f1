//! Finds debates.

use std::path::{Path, PathBuf};

use agon_rules::format::{Phase, debate_phase};
use agon_store::load::SnapshotUse;
use agon_store::{Disk, DiskError, Layout, RunEntry};
use agon_verdict::status::{RunState, run_state};
use ulid::Ulid;

use crate::folder::read_detached_process;
use crate::foreign::is_foreign_debate;
use crate::glance::current_writer;
use crate::removal::interrupted_removals;
use crate::view::{View, ViewError};

/// Why no debate was found.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// No debate has this name.
    #[error("there is no debate `{name}`; looked in {}", join_paths(looked))]
    NotFound {
        /// The name, path or id that the user gave.
        name: String,
        /// The paths that were tried.
        looked: Vec<PathBuf>,
    },
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn join_paths(paths: &[PathBuf]) -> String {
    let paths: Vec<_> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    paths.join(", ")
}

/// Returns the folder of the debate `name`.
///
/// Tries it as a path (a bare name is relative to the current directory), then as a name in
/// `debates_dir`, then as a ULID there or a unique beginning of one.
///
/// # Errors
///
/// If there is none, or a directory cannot be read.
pub fn find_debate(disk: &dyn Disk, name: &str, debates_dir: &Path) -> Result<PathBuf, FindError> {
    let mut looked = vec![PathBuf::from(name)];
    if is_bare_name(name) {
        looked.push(debates_dir.join(name));
    }
    for path in &looked {
        if name.is_empty() {
            continue;
        }
        if Layout::new(path).has_journal(disk)? || is_foreign_debate(disk, path)? {
            return Ok(path.clone());
        }
    }
    if may_begin_ulid(name) {
        let begins = name.to_ascii_uppercase();
        let is_meant =
            |found: &&ListedDebate| !found.foreign && found.ulid.to_string().starts_with(&begins);
        let listed = list_debates(disk, debates_dir)?.debates;
        let mut matches = listed.iter().filter(is_meant);
        if let (Some(found), None) = (matches.next(), matches.next()) {
            return Ok(found.path.clone());
        }
    }
    let name = name.chars().take(120).collect();
    Err(FindError::NotFound { name, looked })
}

// The first ten characters of a ULID are its time. Eight of them stand for about a second, and
// fewer rarely distinguish debates of the same day.
/// Minimum number of characters accepted as the beginning of a ULID.
const MIN_ULID_CHARS: usize = 8;

fn may_begin_ulid(name: &str) -> bool {
    (MIN_ULID_CHARS..=ulid::ULID_LEN).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_bare_name(name: &str) -> bool {
    !name.contains(['/', '\\']) && !matches!(name, "" | "." | "..")
}

/// The debates in a directory.
#[derive(Debug, Default)]
pub struct Listing {
    /// Debates that can be read, by folder name.
    pub debates: Vec<ListedDebate>,
    /// Debates that cannot be read.
    pub unreadable: Vec<Unreadable>,
    /// Debates whose removal was interrupted.
    pub interrupted_removals: Vec<PathBuf>,
}

/// A debate in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDebate {
    /// Its folder.
    pub path: PathBuf,
    /// The name of its folder.
    pub slug: String,
    /// Its unique id.
    pub ulid: Ulid,
    /// The topic.
    pub topic: String,
    /// The phase.
    pub phase: Phase,
    /// Whether it has stopped without an answer.
    pub halted: bool,
    /// Its run state, as far as its folder shows.
    pub run_state: RunState,
    /// The background process that it was last handed to; the debate runs while that process does.
    pub handed_to: Option<RunEntry>,
    /// The number of rounds in which both sides spoke.
    pub rounds_completed: u16,
    /// The number of planned rounds.
    pub rounds: u16,
    /// When it was opened, in milliseconds since 1970.
    pub at_first: u64,
    /// When its last journal line was written.
    pub at_last: u64,
    /// Whether its folder has problems.
    pub problems: bool,
    /// Whether another tool keeps it; it has no unique id then.
    pub foreign: bool,
    /// Whether it is the recorded debate of `agon demo`.
    pub is_demo: bool,
}

/// A debate in a list that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// Its folder.
    pub path: PathBuf,
    /// The reason.
    pub error: ViewError,
}

/// Returns the debates in `debates_dir`; none if the directory does not exist.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn list_debates(disk: &dyn Disk, debates_dir: &Path) -> Result<Listing, DiskError> {
    let names = match disk.list_names(debates_dir) {
        Ok(names) => names,
        Err(error) if error.is_not_found() => Vec::new(),
        Err(error) => return Err(error),
    };
    let names = names.iter().map(|name| name.to_string_lossy().into_owned());
    let mut listing = Listing {
        interrupted_removals: interrupted_removals(disk, debates_dir, names.clone())?,
        ..Listing::default()
    };
    for name in names {
        let path = debates_dir.join(&name);
        if name.starts_with('.') {
            continue;
        }
        // Check for a writer first: the lines that it wrote last are then read too.
        let live = current_writer(disk, &path)?.is_present();
        match View::load(disk, &path, SnapshotUse::Snapshot) {
            Ok(view) => {
                let debate = ListedDebate {
                    run_state: run_state(&view.state, live),
                    handed_to: read_detached_process(disk, &path)?,
                    ..to_listed_debate(path, name, &view)
                };
                listing.debates.push(debate);
            }
            Err(ViewError::NotADebate { .. }) => {}
            Err(error) => listing.unreadable.push(Unreadable { path, error }),
        }
    }
    Ok(listing)
}

fn to_listed_debate(path: PathBuf, slug: String, view: &View) -> ListedDebate {
    let state = &view.state;
    ListedDebate {
        path,
        slug,
        ulid: state.spec.ulid,
        topic: state.spec.topic.clone(),
        phase: debate_phase(state),
        halted: state.halted.is_some(),
        run_state: run_state(state, false),
        handed_to: None,
        rounds_completed: state.rounds_completed(),
        rounds: state.planned_rounds(),
        at_first: view.at_first,
        at_last: view.at_last,
        problems: !view.problems.is_empty(),
        foreign: view.foreign,
        is_demo: state.spec.is_demo(),
    }
}
