//! The paths of files in a debate folder.

use std::path::{Path, PathBuf};

use crate::disk::{Disk, DiskError, FileKind};

/// The folder of internal files, in a debate or beside debates.
pub const AGON: &str = ".agon";
/// The journal, in that folder.
pub const JOURNAL: &str = "journal.jsonl";

/// The paths of a debate folder.
#[derive(Clone, Debug)]
pub struct Layout {
    root: PathBuf,
    agon: PathBuf,
}

impl Layout {
    /// Returns the paths of the debate folder `root`.
    pub fn new(root: &Path) -> Self {
        Self::with_agon_dir_name(root, AGON)
    }

    /// Returns the paths of a folder whose internal directory is still called `name` instead of
    /// `.agon`.
    pub fn with_agon_dir_name(root: &Path, name: &str) -> Self {
        let agon = root.join(name);
        let root = root.to_owned();
        Self { root, agon }
    }

    /// Returns the folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns its internal directory.
    pub fn agon_dir(&self) -> PathBuf {
        self.agon.clone()
    }

    /// Returns the journal.
    pub fn journal(&self) -> PathBuf {
        self.agon_dir().join(JOURNAL)
    }

    pub(crate) fn blobs_dir(&self) -> PathBuf {
        self.agon_dir().join("blobs")
    }

    pub(crate) fn aside_dir(&self) -> PathBuf {
        self.agon_dir().join("aside")
    }

    /// Returns the list of documents written beside the record.
    pub fn manifest(&self) -> PathBuf {
        self.agon_dir().join("projections.json")
    }

    pub(crate) fn snapshot(&self) -> PathBuf {
        self.agon_dir().join("snapshot")
    }

    /// Returns the folder of requests to the writer.
    pub(crate) fn inbox(&self) -> PathBuf {
        self.agon_dir().join("inbox")
    }

    /// Returns the folder of people's unfinished answers.
    pub(crate) fn answers_dir(&self) -> PathBuf {
        self.agon_dir().join("answer")
    }

    /// Returns the writer's lock.
    pub fn lock(&self) -> PathBuf {
        self.agon_dir().join("lock")
    }

    pub(crate) fn run_list_file(&self) -> PathBuf {
        self.agon_dir().join("run")
    }

    /// Returns the log of a background process.
    pub fn detached_log(&self) -> PathBuf {
        self.agon_dir().join("log")
    }

    /// Returns the file that names the background process.
    pub fn detached_process_file(&self) -> PathBuf {
        self.agon_dir().join("handed")
    }

    /// Returns the temporary file that is renamed into place. There is only one writer.
    pub fn temp_file(&self) -> PathBuf {
        self.agon_dir().join("tmp")
    }

    /// Returns whether the folder contains a journal that is not a link.
    ///
    /// # Errors
    ///
    /// If it cannot be checked.
    pub fn has_journal(&self, disk: &dyn Disk) -> Result<bool, DiskError> {
        let kind = |path: &Path| Ok(disk.metadata(path)?.map(|meta| meta.kind));
        Ok(kind(&self.agon_dir())? == Some(FileKind::Dir)
            && kind(&self.journal())? == Some(FileKind::File))
    }

    /// Returns the first internal path that is not a directory, such as a link out of the folder.
    ///
    /// # Errors
    ///
    /// If one cannot be checked.
    pub fn first_misplaced_path(&self, disk: &dyn Disk) -> Result<Option<PathBuf>, DiskError> {
        let arguments = self.root.join("arguments");
        for dir in [
            self.agon_dir(),
            self.blobs_dir(),
            self.aside_dir(),
            self.inbox(),
            arguments,
        ] {
            match disk.metadata(&dir)? {
                None => {}
                Some(meta) if meta.kind == FileKind::Dir => {}
                Some(_) => return Ok(Some(dir)),
            }
        }
        match disk.metadata(&self.journal())? {
            Some(meta) if meta.kind != FileKind::File => Ok(Some(self.journal())),
            Some(_) | None => Ok(None),
        }
    }

    /// Creates one of the directories if it does not exist, synced to disk.
    pub(crate) fn ensure_dir(&self, disk: &dyn Disk, dir: &Path) -> Result<(), DiskError> {
        crate::disk::create_dirs_synced(disk, dir)
    }
}
