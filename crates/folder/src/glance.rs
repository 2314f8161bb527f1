//! A debate as it stands for those who only look: its record, and whether a process is at it.

use std::path::{Path, PathBuf};

use agon_record::state::State;
use agon_store::load::Use;
use agon_store::{Disk, DiskError, Holder, Layout, Look, RunEntry};
use agon_verdict::status::{RunState, run_state};

use crate::folder::read_detached_process;
use crate::view::{View, ViewError};

/// A debate, seen from outside at one moment.
#[derive(Clone, Debug)]
pub struct Glance {
    /// Its record.
    pub state: State,
    /// Lines of its journal.
    pub lines: u64,
    /// When it was opened, in milliseconds since 1970.
    pub at_first: u64,
    /// Who has it open for writing.
    pub writer: Writer,
    /// Whom it was last handed to, to go on without its caller.
    pub handed_to: Option<RunEntry>,
}

/// Who has a debate open for writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writer {
    /// No process.
    Nobody,
    /// A process; which, where it says so.
    Process(Option<Holder>),
}

impl Writer {
    /// Whether there is one.
    pub fn is_present(&self) -> bool {
        matches!(self, Self::Process(_))
    }
}

impl Glance {
    /// Looks at the debate in `path`, without a lock and without writing.
    ///
    /// # Errors
    ///
    /// If nothing of it can be read.
    pub fn read(disk: &dyn Disk, path: &Path) -> Result<Self, ViewError> {
        // The writer first: what it wrote before it left is then read.
        let writer = current_writer(disk, path)?;
        let view = View::load(disk, path, Use::Snapshot)?;
        let handed_to = read_detached_process(disk, path)?;
        Ok(Self {
            lines: view.lines,
            at_first: view.at_first,
            state: view.state,
            writer,
            handed_to,
        })
    }

    /// How the debate stands; `alive` says whether a process that it was handed to still runs.
    pub fn current_run_state(&self, alive: impl Fn(&RunEntry) -> bool) -> RunState {
        let beginning = || self.handed_to.as_ref().is_some_and(alive);
        run_state(&self.state, self.writer.is_present() || beginning())
    }
}

/// Who has the debate in `path` open for writing.
///
/// # Errors
///
/// If its lock cannot be looked at.
pub fn current_writer(disk: &dyn Disk, path: &Path) -> Result<Writer, DiskError> {
    Ok(match disk.probe_lock(&Layout::new(path).lock())? {
        Look::Free => Writer::Nobody,
        Look::Taken(holder) => Writer::Process(holder),
    })
}

/// How long the journal of the debate in `path` is, in bytes: it changes with every line.
///
/// # Errors
///
/// If it cannot be looked at.
pub fn journal_len(disk: &dyn Disk, path: &Path) -> Result<u64, DiskError> {
    let meta = disk.metadata(&Layout::new(path).journal())?;
    Ok(meta.map_or(0, |meta| meta.len))
}

/// The debates in `dir` that were written to at `since_ms` or later, in milliseconds since 1970.
///
/// One that cannot be read is left out.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn glances_written_since(
    disk: &dyn Disk,
    dir: &Path,
    since_ms: u64,
) -> Result<Vec<(PathBuf, Glance)>, DiskError> {
    let names = match disk.list_names(dir) {
        Ok(names) => names,
        Err(error) if error.is_not_found() => Vec::new(),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for name in names {
        let path = dir.join(&name);
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let journal = disk.metadata(&Layout::new(&path).journal())?;
        let recent = journal.is_some_and(|meta| meta.changed_ms.is_none_or(|at| at >= since_ms));
        if recent && let Ok(glance) = Glance::read(disk, &path) {
            found.push((path, glance));
        }
    }
    Ok(found)
}
