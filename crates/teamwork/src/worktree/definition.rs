//! Reads and writes the `[worktree]` section, in a file beside the team's file and outside every
//! work tree.
//!
//! The section's command runs with the user's rights, and its copies may contain secrets. It is
//! therefore stored like the gates: only a person or the lead writes it, and no change by a member
//! affects it.

use std::io;
use std::path::PathBuf;

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure, FailureKind, Hint};
use agon_files::Durable;
use agon_team::store::{Actor, Team, TeamLocation};
use agon_team::worktree::{WorktreeFile, WorktreeSettings};
use schemars::JsonSchema;
use serde::Serialize;

use crate::gate::lock_definitions;
use crate::member::lead;
use crate::open_team::open;
use crate::turn::hosts_that_follow_links;

/// The name and version of the `[worktree]` document.
pub const TEAM_WORKTREE_SCHEMA: &str = "agon.team_worktree/1";

/// How members' new work trees are set up: `agon.team_worktree/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamWorktreeDoc {
    #[schemars(extend("const" = TEAM_WORKTREE_SCHEMA))]
    schema: &'static str,
    /// The file that contains the section.
    pub path: PathBuf,
    /// The section.
    #[serde(flatten)]
    pub settings: WorktreeSettings,
    /// The AI tools that are not started in a tree with such a link, because their model could
    /// write through it.
    pub refuse_links: Vec<String>,
}

/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Sets the section, replacing the previous one.
///
/// # Errors
///
/// Fails if the caller is a member other than the lead, or the section is invalid.
pub fn set(caller: &Caller, settings: &WorktreeSettings) -> Result<TeamWorktreeDoc, Failure> {
    settings.check().map_err(|fault| {
        Failure::from_error(Code::InvalidWorktree, &fault).kind(FailureKind::Usage)
    })?;
    let (location, _) = open_as_lead(caller)?;
    let path = path(&location);
    let _lock = lock_definitions(&path)?;
    let text = WorktreeFile::new(settings.clone()).to_text();
    agon_files::replace(&path, text.as_bytes(), 0o600, Durable::Yes)
        .map_err(|error| disk_failure(&location, &error))?;
    document(caller, &location, settings.clone())
}

/// Removes the section; new work trees then contain only the files of their commit.
///
/// # Errors
///
/// Fails if the caller is a member other than the lead, or the file cannot be removed.
pub fn remove(caller: &Caller) -> Result<TeamWorktreeDoc, Failure> {
    let (location, _) = open_as_lead(caller)?;
    let path = path(&location);
    let _lock = lock_definitions(&path)?;
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(disk_failure(&location, &error));
        }
        Ok(()) | Err(_) => {}
    }
    document(caller, &location, WorktreeSettings::default())
}

/// Returns the section; everyone who can read the repository may see it.
///
/// # Errors
///
/// Fails if there is no team, or the section is invalid.
pub fn show(caller: &Caller) -> Result<TeamWorktreeDoc, Failure> {
    let (_, location) = open(caller)?;
    let settings = read(&location)?;
    document(caller, &location, settings)
}

fn open_as_lead(caller: &Caller) -> Result<(TeamLocation, Actor), Failure> {
    refuse_nested(caller)?;
    let (team, location): (Team, _) = open(caller)?;
    let actor = lead(caller, &team, &location, "set up work trees")?;
    Ok((location, actor))
}

fn document(
    caller: &Caller,
    location: &TeamLocation,
    settings: WorktreeSettings,
) -> Result<TeamWorktreeDoc, Failure> {
    Ok(TeamWorktreeDoc {
        schema: TEAM_WORKTREE_SCHEMA,
        path: path(location),
        refuse_links: hosts_that_follow_links(caller)?,
        settings,
    })
}

fn path(location: &TeamLocation) -> PathBuf {
    location.database().with_file_name("worktree.toml")
}

/// Reads the team's section. Returns an empty section if there is none.
///
/// # Errors
///
/// Fails if the file cannot be read or is invalid.
pub(super) fn read(location: &TeamLocation) -> Result<WorktreeSettings, Failure> {
    let path = path(location);
    let text = match agon_files::read_to_string(&path, MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(WorktreeSettings::default());
        }
        Err(error) => return Err(disk_failure(location, &error)),
    };
    let parsed = WorktreeFile::parse(&text).map_err(|fault| {
        let message = format!("{}: {fault}", path.display());
        Failure::new(Code::InvalidWorktree, message).hint(
            Hint::new("fix the file, or replace it with ")
                .quoted("team worktree set")
                .text("; until then, no member can start"),
        )
    })?;
    Ok(parsed.worktree)
}

fn disk_failure(location: &TeamLocation, error: &io::Error) -> Failure {
    let message = format!("{}: {error}", path(location).display());
    Failure::new(Code::Store, message)
}
