//! Reads a debate for observers: its record, and whether a process is running it.

use std::path::Path;

use agon_record::event::Event;
use agon_record::spec::Spec;
use agon_record::state::State;
use agon_store::journal;
use agon_store::load::SnapshotUse;
use agon_store::{Disk, DiskError, Holder, Layout, LockState, RunEntry};
use agon_verdict::status::{RunState, run_state};

use crate::folder::read_detached_process;
use crate::view::{View, ViewError};

/// The state of a debate at one moment, as seen from outside.
#[derive(Clone, Debug)]
pub struct Glance {
    /// Its record.
    pub state: State,
    /// The number of journal lines.
    pub lines: u64,
    /// When it was opened, in milliseconds since 1970.
    pub at_first: u64,
    /// Who has it open for writing.
    pub writer: Writer,
    /// The background process that it was last handed to.
    pub handed_to: Option<RunEntry>,
}

/// Who has a debate open for writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writer {
    /// No process.
    Nobody,
    /// A process; contains which, if it says so.
    Process(Option<Holder>),
}

impl Writer {
    /// Returns whether a process has it open.
    pub fn is_present(&self) -> bool {
        matches!(self, Self::Process(_))
    }
}

impl Glance {
    /// Reads the debate in `path` without a lock and without writing.
    ///
    /// # Errors
    ///
    /// If nothing of it can be read.
    pub fn read(disk: &dyn Disk, path: &Path) -> Result<Self, ViewError> {
        // Checks the writer first, so that its last lines are read too.
        let writer = current_writer(disk, path)?;
        let view = View::load(disk, path, SnapshotUse::Snapshot)?;
        let handed_to = read_detached_process(disk, path)?;
        Ok(Self {
            lines: view.lines,
            at_first: view.at_first,
            state: view.state,
            writer,
            handed_to,
        })
    }

    /// Returns the run state; `alive` tells whether a process that the debate was handed to is
    /// still running.
    pub fn current_run_state(&self, alive: impl Fn(&RunEntry) -> bool) -> RunState {
        let beginning = || self.handed_to.as_ref().is_some_and(alive);
        run_state(&self.state, self.writer.is_present() || beginning())
    }
}

/// Returns who has the debate in `path` open for writing.
///
/// # Errors
///
/// If its lock cannot be checked.
pub fn current_writer(disk: &dyn Disk, path: &Path) -> Result<Writer, DiskError> {
    Ok(match disk.probe_lock(&Layout::new(path).lock())? {
        LockState::Free => Writer::Nobody,
        LockState::Taken(holder) => Writer::Process(holder),
    })
}

/// Returns the length of the journal of the debate in `path` in bytes, which changes with every
/// line.
///
/// # Errors
///
/// If it cannot be checked.
pub fn journal_len(disk: &dyn Disk, path: &Path) -> Result<u64, DiskError> {
    let meta = disk.metadata(&Layout::new(path).journal())?;
    Ok(meta.map_or(0, |meta| meta.len))
}

/// How a debate was opened, from the first line of its journal, which never changes.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Its spec.
    pub spec: Spec,
    /// When it was opened, in milliseconds since 1970.
    pub at_ms: u64,
}

/// Reads how the debate in `path` was opened, without replaying it; `None` if it has no valid
/// first line.
///
/// # Errors
///
/// If its journal cannot be read.
pub fn read_opening(disk: &dyn Disk, path: &Path) -> Result<Option<Opening>, DiskError> {
    let journal = disk.read(&Layout::new(path).journal())?;
    let line = journal::read_first_line(&journal);
    Ok(line.and_then(|line| match line.events.into_iter().next() {
        Some(Event::Opened(spec)) => Some(Opening {
            spec: *spec,
            at_ms: line.at_ms,
        }),
        _ => None,
    }))
}
