//! Verifies a whole debate folder.

use std::collections::BTreeSet;
use std::path::Path;

use agon_record::state::State;
use agon_store::{Disk, DiskError, FileKind, Layout, Projection, RelPath, count_large_texts};

use crate::edition::earlier_folder_edition;
use crate::manifest::{FileStatus, Manifest, accept_imported_status, blake3_hex};
use crate::view::{Problem, View, ViewError};

/// The result of verifying a debate folder.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The state of the debate, up to the first invalid journal line.
    pub state: State,
    /// The number of items that were checked.
    pub counts: Counts,
    /// The problems of the record itself.
    pub problems: Vec<Problem>,
    /// The problems of the files rendered from it, by path.
    pub files: Vec<(RelPath, FileProblem)>,
    /// Whether another tool keeps the folder; it has no record then.
    pub foreign: bool,
}

impl CheckReport {
    /// Returns whether the record and every file are as they should be.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty() && self.files.is_empty()
    }
}

/// The number of items that were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Valid journal lines.
    pub lines: u64,
    /// Events in these lines.
    pub events: u64,
    /// Large replies that are present and intact.
    pub blobs: u64,
    /// Files that should exist.
    pub files: u64,
    /// Files among them that an earlier version of Agon wrote.
    pub earlier: u64,
}

/// A problem of a file rendered from the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    /// It does not exist.
    #[error("is missing")]
    Missing,
    /// Agon wrote it from an earlier state of the debate.
    #[error("is from an earlier state of the debate")]
    Stale,
    /// Agon wrote it, but it is empty or truncated.
    #[error("is empty or truncated")]
    Broken,
    /// Another program changed it.
    #[error("was changed by hand or by another program")]
    ForeignEdit,
}

/// Verifies the debate folder `path`: the whole hash chain, every blob, every file.
///
/// `prompt_version` is the current version of the prompts; `rendered` returns the bytes that every
/// projection should have for a state. Writes nothing, so a read-only folder can be checked. A
/// folder of another tool has no record to verify.
///
/// # Errors
///
/// If there is no debate, its first line cannot be read, or the disk fails.
pub fn check(
    disk: &dyn Disk,
    path: &Path,
    prompt_version: u32,
    rendered: &dyn Fn(&State) -> Vec<Projection>,
) -> Result<CheckReport, ViewError> {
    let view = View::read(disk, path)?;
    if view.foreign {
        return Ok(foreign_report(view));
    }
    let layout = Layout::new(path);
    let (manifest, readable) = Manifest::read(disk, &layout)?;
    let mut problems = view.problems;
    if !readable {
        problems.push(Problem::Manifest);
    }
    let wanted = rendered(&view.state);
    let documents = wanted.iter().map(|(path, bytes)| (path.as_str(), &**bytes));
    let read = |name: &str| disk.read(&layout.root().join(name)).ok();
    let is_earlier = earlier_folder_edition(&view.state, prompt_version, read, documents).is_some();
    let (mut files, mut earlier) = (Vec::new(), 0);
    for (path, bytes) in &wanted {
        let standing = manifest.file_status(disk, layout.root(), path, bytes)?;
        let standing = accept_imported_status(disk, layout.root(), &view.state, path, standing)?;
        let trouble = match standing {
            FileStatus::Current => continue,
            FileStatus::Missing => FileProblem::Missing,
            FileStatus::Older(_) if is_earlier => {
                earlier += 1;
                continue;
            }
            FileStatus::Older(_) => FileProblem::Stale,
            FileStatus::Broken(_) => FileProblem::Broken,
            FileStatus::Foreign => FileProblem::ForeignEdit,
        };
        files.push((path.clone(), trouble));
    }
    let known: BTreeSet<_> = wanted.iter().map(|(path, _)| path.clone()).collect();
    for path in unrecorded_files(disk, &layout, &manifest, &known)? {
        files.push((path, FileProblem::ForeignEdit));
    }
    let counts = Counts {
        lines: view.lines,
        events: view.events.len() as u64,
        blobs: view
            .events
            .iter()
            .map(|r| count_large_texts(&r.event))
            .sum::<usize>() as u64,
        files: wanted.len() as u64,
        earlier,
    };
    Ok(CheckReport {
        state: view.state,
        counts,
        problems,
        files,
        foreign: false,
    })
}

/// Returns the report of a folder of another tool, which is consistent, since it could be read.
fn foreign_report(view: View) -> CheckReport {
    CheckReport {
        counts: Counts {
            lines: 0,
            events: 0,
            blobs: 0,
            files: view.state.imported_files().len() as u64,
            earlier: 0,
        },
        state: view.state,
        problems: view.problems,
        files: Vec::new(),
        foreign: true,
    }
}

/// Returns files that Agon did not write and that the record does not require: arguments, and files
/// named in the manifest.
fn unrecorded_files(
    disk: &dyn Disk,
    layout: &Layout,
    manifest: &Manifest,
    known: &BTreeSet<RelPath>,
) -> Result<Vec<RelPath>, DiskError> {
    let mut paths: BTreeSet<_> = manifest.0.keys().cloned().collect();
    let arguments = layout.root().join("arguments");
    if matches!(disk.metadata(&arguments)?, Some(meta) if meta.kind == FileKind::Dir) {
        let names = disk.list_names(&arguments)?;
        let names = names.iter().filter_map(|name| name.to_str());
        paths.extend(names.filter_map(|name| RelPath::new(format!("arguments/{name}")).ok()));
    }
    let mut strangers = Vec::new();
    for path in paths.difference(known) {
        let at = path.under(layout.root());
        let ours = match disk.metadata(&at)? {
            None => true,
            Some(meta) if meta.kind == FileKind::File => {
                manifest.has_written(path, &blake3_hex(&disk.read(&at)?))
            }
            Some(_) => false,
        };
        if !ours {
            strangers.push(path.clone());
        }
    }
    Ok(strangers)
}
