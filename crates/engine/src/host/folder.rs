//! Stores a debate in a folder.

use std::io;
use std::path::Path;
use std::sync::Arc;

use agon_folder::{
    AppendError, CreateError, Earlier, Folder, ImportError, ImportStepsError, ImportedSteps,
    NamedFolder, NewFolder, OpenError, OpenReport, ProjectError, changed_published_files,
};
use agon_proc::{Group, Survivor, Watch, end_survivor};
use agon_record::event::Event;
use agon_record::spec::Spec;
use agon_record::state::{ReplayError, State};
use agon_record::user::Item;
use agon_store::{Disk, DiskError, Projection, RunEntry, RunList};
use agon_verdict::verdict::{Verdict, verdict};

use ulid::Ulid;

use crate::host::Host;

/// Stores the record in a debate folder, with the documents beside it.
#[derive(Debug)]
pub struct FolderHost {
    folder: Folder,
    now_ms: fn() -> u64,
    /// The events since the documents were last up to date; `None` if that is unknown.
    since: Option<Since>,
    /// The verdict on the current state, or that there is none; computed on demand.
    verdict: Option<Option<Arc<Verdict>>>,
}

/// What was recorded since the documents were last up to date.
#[derive(Debug)]
struct Since {
    /// The number of journal lines then.
    line: u64,
    events: Vec<Event>,
}

/// Why the folder could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The events could not be written to the journal.
    #[error("cannot write the journal")]
    Append(#[from] AppendError),
    /// A file that the record refers to could not be stored.
    #[error("cannot store a file that the record refers to")]
    Keep(#[from] DiskError),
    /// A document could not be written.
    #[error("cannot write the debate's documents")]
    Project(#[from] ProjectError),
    /// The events do not form a debate.
    #[error("the record is not a valid debate")]
    Replay(#[from] ReplayError),
}

impl FolderHost {
    fn new(folder: Folder, now_ms: fn() -> u64) -> Self {
        Self {
            folder,
            now_ms,
            since: None,
            verdict: None,
        }
    }

    /// Creates a new debate in its own folder below `parent`.
    ///
    /// # Errors
    ///
    /// If the folder cannot be created; nothing of it is left then.
    pub fn create(
        disk: Arc<dyn Disk>,
        parent: &Path,
        spec: Spec,
        now_ms: fn() -> u64,
    ) -> Result<Self, CreateError> {
        Self::create_with_blobs(disk, parent, spec, &[], now_ms)
    }

    /// As [`FolderHost::create`], and stores the blobs `kept` under their hashes.
    ///
    /// # Errors
    ///
    /// If the folder cannot be created; nothing of it is left then.
    pub fn create_with_blobs(
        disk: Arc<dyn Disk>,
        parent: &Path,
        spec: Spec,
        kept: &[&[u8]],
        now_ms: fn() -> u64,
    ) -> Result<Self, CreateError> {
        let named = Self::write_new(disk, parent, spec, kept, now_ms)?.take_name()?;
        Self::open_new(named, now_ms)
    }

    /// Writes the folder of a new debate below `parent`, with `kept` stored under their hashes.
    /// No other process finds it before it takes its name.
    ///
    /// # Errors
    ///
    /// If the folder cannot be created; nothing of it is left then.
    pub fn write_new<'a>(
        disk: Arc<dyn Disk>,
        parent: &Path,
        spec: Spec,
        kept: &'a [&'a [u8]],
        now_ms: fn() -> u64,
    ) -> Result<NewFolder<'a>, CreateError> {
        let wanted = if spec.slug.is_empty() {
            &spec.topic
        } else {
            &spec.slug
        }
        .clone();
        NewFolder::write(disk, parent, &wanted, spec, kept, now_ms())
    }

    /// Opens the folder of a new debate that has its name.
    ///
    /// # Errors
    ///
    /// If a file operation fails; nothing of the folder is left then.
    pub fn open_new(named: NamedFolder, now_ms: fn() -> u64) -> Result<Self, CreateError> {
        Ok(Self::new(named.open()?, now_ms))
    }

    /// Opens a debate to continue it, and ends processes that a previous run left behind.
    ///
    /// # Errors
    ///
    /// If it is locked, corrupted, or of a newer format.
    pub fn open(
        disk: Arc<dyn Disk>,
        path: &Path,
        now_ms: fn() -> u64,
    ) -> Result<(Self, OpenReport), OpenError> {
        let (folder, opening) = Folder::open(disk, path, now_ms())?;
        let runs = folder.run_list();
        for entry in folder.leftover_runs() {
            if end_survivor(&to_group(&entry)) != Survivor::Stuck {
                // If this fails, the entry stays listed and the next run tries again.
                runs.unregister(&entry).unwrap_or_default();
            }
        }
        Ok((Self::new(folder, now_ms), opening))
    }

    /// Imports a debate that another tool keeps in `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or its record cannot be created; it stays unchanged then.
    pub fn import(
        disk: Arc<dyn Disk>,
        path: &Path,
        spec: Spec,
        now_ms: fn() -> u64,
    ) -> Result<Self, ImportError> {
        let folder = Folder::import(disk, path, spec, now_ms())?;
        Ok(Self::new(folder, now_ms))
    }

    /// Imports what another tool wrote into the folder since Agon's last write.
    ///
    /// # Errors
    ///
    /// If it is not a valid step of the debate, or cannot be recorded; nothing is changed then.
    pub fn import_external_changes(&mut self) -> Result<Option<ImportedSteps>, ImportStepsError> {
        self.since = None;
        self.verdict = None;
        self.folder.import_foreign_steps((self.now_ms)())
    }

    /// Writes the documents again if one is missing or was changed.
    ///
    /// The file of a point never changes, so an existing one of the right length is not read. The
    /// cost of a step therefore does not grow with the debate.
    ///
    /// # Errors
    ///
    /// If a document cannot be checked or written, or belongs to another program.
    pub fn publish_if_outdated(&mut self) -> Result<(), FolderError> {
        let folder = &mut self.folder;
        let sound = folder
            .has_every_argument_file()
            .and_then(|all| Ok(all && folder.has_unchanged_documents()?));
        if sound.map_err(ProjectError::from)? {
            self.begin_since();
            return Ok(());
        }
        self.publish_documents()
    }

    /// Notes that the documents are up to date.
    fn begin_since(&mut self) {
        self.since = Some(Since {
            line: self.folder.line_count(),
            events: Vec::new(),
        });
    }

    /// Sets the argument that the user types for this debate in commands; it is not recorded.
    pub fn set_typed(&mut self, typed: String) {
        self.folder.set_typed(typed);
    }

    /// Records the process group that the debate is handed to, as later programs find it.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn record_detached_process(&self, group: &Group) -> Result<RunEntry, DiskError> {
        let entry = to_run_entry(group);
        self.folder.record_detached_process(&entry)?;
        Ok(entry)
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Returns the verdict on the debate, computed once per state.
    pub fn verdict(&mut self) -> Option<Arc<Verdict>> {
        let state = self.folder.state();
        let find = || verdict(state).map(Arc::new);
        self.verdict.get_or_insert_with(find).clone()
    }

    /// Writes documents of the debate that are not published automatically.
    ///
    /// # Errors
    ///
    /// If one cannot be written, or another program wrote it.
    pub fn write_documents(&mut self, files: &[Projection]) -> Result<(), FolderError> {
        Ok(self.folder.write_projections(files)?)
    }

    /// Returns the watch that lists the processes of this run in the folder.
    pub fn process_watch(&self) -> Arc<dyn Watch> {
        Arc::new(ListedRuns(self.folder.run_list()))
    }
}

impl Host for FolderHost {
    type Error = FolderError;

    fn now_ms(&self) -> Option<u64> {
        Some((self.now_ms)())
    }

    fn state(&self) -> &State {
        self.folder.state()
    }

    fn record(&mut self, events: &[Event]) -> Result<(), FolderError> {
        self.verdict = None;
        self.folder.append((self.now_ms)(), events)?;
        if let Some(since) = &mut self.since {
            since.events.extend_from_slice(events);
        }
        Ok(())
    }

    fn store_blob(&mut self, bytes: &[u8]) -> Result<(), FolderError> {
        Ok(self.folder.store_blob(bytes)?)
    }

    fn can_receive_requests(&self) -> bool {
        true
    }

    fn pending_requests(&mut self) -> Result<Vec<Item>, FolderError> {
        Ok(self.folder.pending_requests()?)
    }

    fn mark_request_done(&mut self, wish: Ulid) -> Result<(), FolderError> {
        Ok(self.folder.remove_request(wish)?)
    }

    fn publish_documents(&mut self) -> Result<(), FolderError> {
        let verdict = self.verdict();
        let folder = &self.folder;
        let line = self.since.as_ref().map_or(0, |since| since.line);
        let bytes = |path: &str| folder.published_document(line, path);
        let earlier = self.since.as_ref().map(|since| Earlier {
            events: &since.events,
            bytes: &bytes,
        });
        let files = changed_published_files(folder.state(), earlier, verdict.as_deref());
        self.folder.publish(files)?;
        self.begin_since();
        Ok(())
    }
}

struct ListedRuns(RunList);

impl Watch for ListedRuns {
    fn on_group_started(&self, group: &Group) -> io::Result<()> {
        self.0
            .register(&to_run_entry(group))
            .map_err(io::Error::other)
    }

    fn on_group_ended(&self, group: &Group) {
        // If this fails, the entry stays listed, and the next run finds that the process is gone.
        self.0.unregister(&to_run_entry(group)).unwrap_or_default();
    }
}

fn to_run_entry(group: &Group) -> RunEntry {
    RunEntry {
        pgid: group.pgid,
        leader_start: group.leader_start,
        boot: group.boot.clone(),
        mark: group.mark.clone(),
    }
}

fn to_group(entry: &RunEntry) -> Group {
    Group {
        pgid: entry.pgid,
        leader_start: entry.leader_start,
        boot: entry.boot.clone(),
        mark: entry.mark.clone(),
    }
}

#[cfg(test)]
mod tests;
