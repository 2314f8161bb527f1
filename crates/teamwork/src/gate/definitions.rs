//! Reads and writes the gate definitions, in a file beside the team's file and outside every work
//! tree.
//!
//! A member changes its work tree, and gates judge that change. What a gate runs must therefore not
//! come from the work tree, a task or a message. It is stored in the git folder that all work trees
//! share, and only a person or the lead writes it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure};
use agon_files::Durable;
use agon_team::gate::{GateDefinition, GateFile};
use agon_team::id::GateName;
use agon_team::store::TeamLocation;

use super::documents::{TeamGatesDoc, gates_document};
use crate::member::lead;
use crate::open_team::{failure, open};

/// Adds a gate or replaces the one with this name; earlier results of the old one no longer count.
///
/// # Errors
///
/// Fails if the caller is a member other than the lead, or the definition is invalid.
pub fn add(
    caller: &Caller,
    name: GateName,
    definition: GateDefinition,
) -> Result<TeamGatesDoc, Failure> {
    let fault = |error| Failure::from_error(Code::InvalidGate, &error);
    definition.check().map_err(fault)?;
    change(caller, &name, |file| {
        file.gates.insert(name.clone(), definition);
        Ok(())
    })
}

/// Removes a gate; its earlier results no longer count.
///
/// # Errors
///
/// Fails if the caller is a member other than the lead, or there is no such gate.
pub fn remove(caller: &Caller, name: &GateName) -> Result<TeamGatesDoc, Failure> {
    change(caller, name, |file| match file.gates.remove(name) {
        Some(_) => Ok(()),
        None => Err(unknown(name)),
    })
}

fn change(
    caller: &Caller,
    name: &GateName,
    act: impl FnOnce(&mut GateFile) -> Result<(), Failure>,
) -> Result<TeamGatesDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = lead(caller, &team, &location, "define gates")?;
    let path = path(&location);
    let _lock = lock(&path)?;
    let mut file = read(&location)?;
    act(&mut file)?;
    // Done first: a pass by the old definition must not survive, even if the next step fails.
    team.invalidate_gate_runs(&actor, name).map_err(failure)?;
    agon_files::replace(&path, file.to_text().as_bytes(), 0o600, Durable::Yes)
        .map_err(|error| disk_failure(&path, &error))?;
    Ok(gates_document(path, file))
}

/// Maximum size of the gate file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the path of the gate file.
pub(crate) fn path(location: &TeamLocation) -> PathBuf {
    location.database().with_file_name("gates.toml")
}

/// Reads the team's gates. Returns no gates if the file does not exist.
///
/// # Errors
///
/// Fails if the file cannot be read or is invalid; no gate runs then.
pub(crate) fn read(location: &TeamLocation) -> Result<GateFile, Failure> {
    let path = path(location);
    let text = match agon_files::read_to_string(&path, MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(GateFile::default()),
        Err(error) => return Err(disk_failure(&path, &error)),
    };
    GateFile::parse(&text).map_err(|fault| {
        let message = format!("{}: {fault}", path.display());
        Failure::new(Code::InvalidGates, message).hint(
            "no gate runs until the file is valid: fix it, or delete it and add the gates again",
        )
    })
}

/// Returns the definition of a gate.
///
/// # Errors
///
/// Fails if there is no such gate, or the file is invalid.
pub(super) fn find(location: &TeamLocation, name: &GateName) -> Result<GateDefinition, Failure> {
    read(location)?
        .gates
        .remove(name)
        .ok_or_else(|| unknown(name))
}

fn unknown(name: &GateName) -> Failure {
    Failure::new(Code::NoGate, format!("no gate is called {name}")).hint(
        "list the gates with `agon team gate show`; the lead or a person can add one with \
         `agon team gate add`",
    )
}

/// Locks the gate file while it is changed, so that two concurrent additions are both kept.
pub(crate) fn lock(path: &Path) -> Result<File, Failure> {
    let dir = path.parent().unwrap_or(path);
    let locked = File::open(dir).and_then(|dir| {
        rustix::fs::flock(&dir, rustix::fs::FlockOperation::LockExclusive)?;
        Ok(dir)
    });
    locked.map_err(|error| disk_failure(dir, &error))
}

fn disk_failure(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{}: {error}", path.display());
    Failure::new(Code::Store, message).hint("fix this, then run the command again")
}
