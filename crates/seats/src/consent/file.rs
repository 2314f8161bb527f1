//! The file with the user's answers, in their data folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_caller::{Caller, Code, Failure, error_chain};
use agon_store::{RealDisk, create_dirs_synced, wait_for_lock, write_file_atomically};
use serde::{Deserialize, Serialize};

/// The schema id of the file.
const SCHEMA: &str = "agon.consents/1";
/// The name of the file, in a folder with its lock.
const FILE: &str = "consents/answers.json";
// Chosen, not measured: room for about 10,000 projects.
/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
// The lock is held while one small file is written.
/// How long to wait for the lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// The user's answers, by project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consents {
    schema: String,
    projects: BTreeMap<String, ProjectConsents>,
}

/// The user's answers for one project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProjectConsents {
    /// The vendors that were allowed.
    pub(crate) allowed: BTreeSet<String>,
    /// The vendors that were withdrawn; a debate that was opened before must not ask them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) withdrawn: BTreeSet<String>,
}

impl Default for Consents {
    fn default() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            projects: BTreeMap::new(),
        }
    }
}

impl Consents {
    /// Reads all answers; there are none without a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not valid.
    pub fn read(caller: &Caller) -> Result<Self, Failure> {
        match path(caller) {
            Some(path) => read_file(&path),
            None => Ok(Self::default()),
        }
    }

    /// Returns the answers for a project.
    pub(crate) fn of_project(&self, project: &Path) -> ProjectConsents {
        let found = project.to_str().and_then(|name| self.projects.get(name));
        found.cloned().unwrap_or_default()
    }

    /// Returns each project with the vendors that are allowed there.
    pub fn allowed(&self) -> BTreeMap<String, BTreeSet<String>> {
        let projects = self.projects.iter();
        let projects = projects.filter(|(_, answers)| !answers.allowed.is_empty());
        let projects = projects.map(|(name, answers)| (name.clone(), answers.allowed.clone()));
        projects.collect()
    }

    /// Stores that these vendors are allowed in a project.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or the project's path is not valid UTF-8.
    pub fn allow(caller: &Caller, project: &Path, vendors: &[String]) -> Result<(), Failure> {
        change(caller, |answers| {
            let name = project.to_str().ok_or_else(|| {
                let message = "the path of this project is not valid UTF-8";
                Failure::new(Code::Environment, message)
                    .hint("list the vendors in the key `vendors` of your own configuration")
            })?;
            let project = answers.projects.entry(name.to_owned()).or_default();
            project.allowed.extend(vendors.iter().cloned());
            project.withdrawn.retain(|vendor| !vendors.contains(vendor));
            Ok(())
        })
    }

    /// Withdraws vendors in `project`, or in every project. Returns those that were allowed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn withdraw(
        caller: &Caller,
        project: Option<&Path>,
        vendors: &BTreeSet<String>,
    ) -> Result<BTreeSet<String>, Failure> {
        let mut withdrawn = BTreeSet::new();
        change(caller, |answers| {
            if let Some(name) = project.and_then(Path::to_str) {
                answers.projects.entry(name.to_owned()).or_default();
            }
            for (name, answers) in &mut answers.projects {
                if project.is_none_or(|project| project.to_str() == Some(name)) {
                    withdrawn.extend(answers.allowed.intersection(vendors).cloned());
                    answers.allowed.retain(|vendor| !vendors.contains(vendor));
                    answers.withdrawn.extend(vendors.iter().cloned());
                }
            }
            Ok(())
        })?;
        Ok(withdrawn)
    }
}

fn path(caller: &Caller) -> Option<PathBuf> {
    caller.data_dir().map(|dir| dir.join(FILE))
}

fn read_file(path: &Path) -> Result<Consents, Failure> {
    let bytes = match agon_files::read(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Consents::default()),
        Err(error) => return Err(failure(path, "read", &error.to_string())),
    };
    let answers: Consents = serde_json::from_slice(&bytes)
        .map_err(|error| failure(path, "read", &error.to_string()))?;
    match answers.schema == SCHEMA {
        true => Ok(answers),
        false => Err(failure(path, "read", "another version of Agon wrote it")),
    }
}

/// Reads the file, changes it and writes it, while no other process does.
fn change(
    caller: &Caller,
    edit: impl FnOnce(&mut Consents) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(path) = path(caller) else {
        let message = "there is no folder for your answers";
        return Err(Failure::new(Code::Environment, message).hint("set HOME"));
    };
    let folder = path.parent().unwrap_or(&path);
    let failed = |error: &dyn std::error::Error| failure(&path, "write", &error_chain(error));
    create_dirs_synced(&RealDisk, folder).map_err(|error| failed(&error))?;
    let locked = wait_for_lock(&folder.join("lock"), LOCK_TIMEOUT, || ());
    let locked = locked.map_err(|error| failed(&error))?;
    let busy = || failure(&path, "write", "another process holds its lock");
    let _held = locked.ok_or_else(busy)?;
    let before = read_file(&path)?;
    let mut answers = before.clone();
    edit(&mut answers)?;
    if answers == before {
        return Ok(());
    }
    let bytes = serde_json::to_vec_pretty(&answers)
        .map_err(|error| failure(&path, "write", &error.to_string()))?;
    write_file_atomically(&RealDisk, &path, &bytes).map_err(|error| failed(&error))
}

fn failure(path: &Path, what: &str, why: &str) -> Failure {
    let message = format!("cannot {what} {}: {why}", path.display());
    Failure::new(Code::Configuration, message)
        .hint("fix the file, or delete it; Agon then asks again")
}
