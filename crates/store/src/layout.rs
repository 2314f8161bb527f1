//! Where things stand in a debate folder.

use std::path::{Path, PathBuf};

use crate::disk::{Disk, DiskError, FileKind};

/// The folder of what is not for people, in a debate or beside debates.
pub const AGON: &str = ".agon";
/// The journal, in that folder.
pub const JOURNAL: &str = "journal.jsonl";

/// The paths of one debate folder.
#[derive(Clone, Debug)]
pub struct Layout {
    root: PathBuf,
    agon: PathBuf,
}

impl Layout {
    /// The paths of the debate folder `root`.
    pub fn new(root: &Path) -> Self {
        Self::with_agon_dir_name(root, AGON)
    }

    /// The paths of a folder whose own directory is still called `name` instead of `.agon`.
    pub fn with_agon_dir_name(root: &Path, name: &str) -> Self {
        let agon = root.join(name);
        let root = root.to_owned();
        Self { root, agon }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Our own directory in it.
    pub fn agon_dir(&self) -> PathBuf {
        self.agon.clone()
    }

    /// The journal.
    pub fn journal(&self) -> PathBuf {
        self.agon_dir().join(JOURNAL)
    }

    pub(crate) fn blobs_dir(&self) -> PathBuf {
        self.agon_dir().join("blobs")
    }

    pub(crate) fn aside_dir(&self) -> PathBuf {
        self.agon_dir().join("aside")
    }

    /// The list of what was written beside the record.
    pub fn manifest(&self) -> PathBuf {
        self.agon_dir().join("projections.json")
    }

    pub(crate) fn snapshot(&self) -> PathBuf {
        self.agon_dir().join("snapshot")
    }

    /// Where others put what they want of the writer.
    pub(crate) fn inbox(&self) -> PathBuf {
        self.agon_dir().join("inbox")
    }

    /// Where a person's answer is kept while it is written.
    pub(crate) fn answers_dir(&self) -> PathBuf {
        self.agon_dir().join("answer")
    }

    /// The lock of the one writer.
    pub fn lock(&self) -> PathBuf {
        self.agon_dir().join("lock")
    }

    pub(crate) fn run_list_file(&self) -> PathBuf {
        self.agon_dir().join("run")
    }

    /// Where a detached process writes its output.
    pub fn detached_log(&self) -> PathBuf {
        self.agon_dir().join("log")
    }

    /// The file that names the detached process.
    pub fn detached_process_file(&self) -> PathBuf {
        self.agon_dir().join("handed")
    }

    /// Where a file is written before it gets its name. There is one writer.
    pub fn temp_file(&self) -> PathBuf {
        self.agon_dir().join("tmp")
    }

    /// Whether a journal stands here, in the folder itself and not behind a link.
    ///
    /// # Errors
    ///
    /// If it cannot be looked at.
    pub fn has_journal(&self, disk: &dyn Disk) -> Result<bool, DiskError> {
        let kind = |path: &Path| Ok(disk.metadata(path)?.map(|meta| meta.kind));
        Ok(kind(&self.agon_dir())? == Some(FileKind::Dir)
            && kind(&self.journal())? == Some(FileKind::File))
    }

    /// The first of our directories that is not one, such as a link out of the folder.
    ///
    /// # Errors
    ///
    /// If one cannot be looked at.
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

    /// Creates one of our directories if it is not there, durably.
    pub(crate) fn ensure_dir(&self, disk: &dyn Disk, dir: &Path) -> Result<(), DiskError> {
        crate::disk::create_dirs_synced(disk, dir)
    }
}
