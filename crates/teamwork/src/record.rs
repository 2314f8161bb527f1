//! Exports a team as JSON lines, and imports it into a repository without a team.

use std::fs;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_caller::{Caller, Code, Failure};
use agon_files::{Durable, Replacement};
use agon_team::store::{SystemClock, Team, TeamLimits, TeamLocation};
use schemars::JsonSchema;
use serde::Serialize;

use super::open_team::{failure, open};

/// The name and version of the document about an exported team.
pub const TEAM_EXPORTED_SCHEMA: &str = "agon.team_exported/1";
/// The name and version of the document about an imported team.
pub const TEAM_IMPORTED_SCHEMA: &str = "agon.team_imported/1";

/// A team that was exported to a file: `agon.team_exported/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamExportedDoc {
    #[schemars(extend("const" = TEAM_EXPORTED_SCHEMA))]
    schema: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A team that was imported from a file: `agon.team_imported/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamImportedDoc {
    #[schemars(extend("const" = TEAM_IMPORTED_SCHEMA))]
    schema: &'static str,
    /// The team's file.
    pub path: PathBuf,
    /// The number of its tasks.
    pub tasks: u64,
    /// The number of its members, each of whom has to join again.
    pub members: u64,
    /// The number of its events.
    pub events: u64,
}

/// Writes all of a team except the tokens to `out`, including messages.
///
/// # Errors
///
/// Fails if there is no team, its file cannot be read, or `out` cannot be written.
pub fn export(caller: &Caller, out: &mut impl Write) -> Result<(), Failure> {
    let (mut team, _) = open(caller)?;
    let mut out = BufWriter::new(out);
    team.export(&mut out).map_err(failure)?;
    out.flush()
        .map_err(|cause| Failure::new(Code::Stdout, cause.to_string()))
}

/// Exports all of a team except the tokens to a new file that only its owner can read. If the
/// export fails, there is no file.
///
/// # Errors
///
/// Fails if the file exists or cannot be written, or like [`export`].
pub fn export_to(caller: &Caller, file: &Path) -> Result<TeamExportedDoc, Failure> {
    let path = caller.resolve_path(file);
    let error = |cause: std::io::Error| {
        let message = format!("cannot write {}: {cause}", file.display());
        Failure::new(Code::Write, message)
    };
    if fs::symlink_metadata(&path).is_ok() {
        let message = format!("{} already exists", file.display());
        return Err(Failure::new(Code::Exists, message)
            .parameter("file")
            .hint("choose another file name, or remove that file"));
    }
    // Create the file atomically, because an incomplete one could look like an export.
    let mut new = Replacement::create(&path, 0o600).map_err(error)?;
    export(caller, &mut new)?;
    let bytes = new.file().metadata().map_err(error)?.len();
    new.commit(Durable::Yes).map_err(error)?;
    Ok(TeamExportedDoc {
        schema: TEAM_EXPORTED_SCHEMA,
        bytes,
        path: path.canonicalize().map_err(error)?,
    })
}

/// Creates the team of the caller's repository from an export: all of it, or nothing.
///
/// # Errors
///
/// Fails if the repository already has a team that is not empty, or the file is not an export.
pub(super) fn import_team(caller: &Caller, file: &Path) -> Result<TeamImportedDoc, Failure> {
    let error = |cause: std::io::Error| {
        let message = format!("cannot read {}: {cause}", file.display());
        Failure::new(Code::InvalidParameter, message).parameter("file")
    };
    let read = agon_files::open(&caller.resolve_path(file)).map_err(error)?;
    import_from(caller, BufReader::new(read))
}

fn import_from(caller: &Caller, lines: impl BufRead) -> Result<TeamImportedDoc, Failure> {
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let clock = Arc::new(SystemClock::new());
    let mut team = Team::create(&location, clock, TeamLimits::default()).map_err(failure)?;
    team.import(lines).map_err(failure)?;
    let mut events = 0;
    let mut last = 0;
    while let Some(end) = {
        let page = team.events(last, 1_000).map_err(failure)?;
        events += page.len() as u64;
        page.last().map(|event| event.seq)
    } {
        last = end;
    }
    Ok(TeamImportedDoc {
        schema: TEAM_IMPORTED_SCHEMA,
        path: location.database(),
        tasks: team.tasks().map_err(failure)?.len() as u64,
        members: team.members().map_err(failure)?.len() as u64,
        events,
    })
}
