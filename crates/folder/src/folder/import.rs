//! A folder of another tool becomes ours.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_record::event::{Event, Reply};
use agon_record::spec::{FormalSpec, Kind, Spec};
use agon_record::state::{ReplayError, State};
use agon_store::{Disk, DiskError, Layout, RelPath, failpoints};

use super::Folder;
use super::create::{ATTRIBUTES, CreateError, FolderFiles, New, write_attributes};
use crate::foreign::{self, Foreign, ForeignError};
use crate::manifest::{Manifest, ManifestEntry, hex};

/// How the folders begin in which an import is made.
const TEMP: &str = ".agon.tmp-";

/// Why a folder of another tool was not imported; it is as it was.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It has a record already: open it.
    #[error("{} has a record already", path.display())]
    Ours {
        /// The folder.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    /// The record cannot be made.
    #[error("cannot make the record of {}", path.display())]
    Create {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        cause: CreateError,
    },
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Folder {
    /// Makes the record of a debate that another tool keeps in `path`, and opens it.
    ///
    /// Motion, definitions, scope and slug of `spec` are set to the folder's.
    /// `.agon/` appears whole or not at all, and is durable on return; every
    /// file that is there stays as it is.
    ///
    /// # Errors
    ///
    /// If the folder has a record, cannot be read, or a file operation fails.
    pub fn import(
        disk: Arc<dyn Disk>,
        path: &Path,
        mut spec: Spec,
        at_ms: u64,
    ) -> Result<Self, ImportError> {
        let layout = Layout::new(path);
        let ours = || {
            let path = path.to_owned();
            ImportError::Ours { path }
        };
        if disk.metadata(&layout.agon())?.is_some() {
            return Err(ours());
        }
        let foreign = foreign::read(&*disk, path)?;
        let manifest = current_files(&foreign);
        let Foreign {
            slug,
            motion,
            definitions,
            scope,
            imported,
            ..
        } = foreign;
        (spec.slug, spec.topic) = (slug, motion);
        spec.kind = Kind::Formal(FormalSpec {
            definitions,
            scope,
            theses: spec.theses().cloned(),
        });
        sweep(&*disk, path);
        let temp = Layout::in_folder(path, &format!("{TEMP}{}", spec.ulid));
        let events = [
            Event::Opened(Box::new(spec)),
            Event::Imported(Box::new(imported)),
        ];
        let create = |cause| {
            let path = path.to_owned();
            ImportError::Create { path, cause }
        };
        let fits = |error: ReplayError| create(CreateError::Unfit(error));
        let state = State::replay(&events).map_err(fits)?;
        let made = New::record(&*disk, &temp, &events, at_ms)
            .map_err(create)
            .and_then(|new| {
                manifest.write(&*disk, &temp)?;
                disk.rename_new(&temp.agon(), &layout.agon())?;
                Ok(new)
            });
        let new = match made {
            Ok(new) => new,
            Err(error) => {
                disk.remove_tree(&temp.agon()).ok();
                // Another process imported it meanwhile.
                let taken = matches!(&error, ImportError::Disk(cause) if cause.exists());
                return Err(if taken { ours() } else { error });
            }
        };
        let opened = FolderFiles::durable(&disk, path, &layout);
        let FolderFiles {
            journal,
            left,
            runs,
        } = opened.inspect_err(|_| {
            disk.remove_tree(&layout.agon()).ok();
        })?;
        failpoints::point(failpoints::IMPORTED);
        if let Ok(None) = disk.metadata(&path.join(ATTRIBUTES)) {
            // The debate is whole without it.
            write_attributes(&*disk, &layout).ok();
        }
        Ok(Self {
            disk,
            layout,
            left,
            journal,
            after: new.after,
            state,
            manifest,
            runs,
            snapshot: (0, 0),
            poisoned: false,
            _lock: new.lock,
        })
    }
}

/// The files as they are, so that they do not count as changed.
fn current_files(foreign: &Foreign) -> Manifest {
    let files = foreign.imported.files.iter();
    let entries =
        files.filter_map(|(path, reply)| Some((RelPath::new(path).ok()?, entry(reply, 1)?)));
    Manifest(entries.collect())
}

/// The entry of a file that was taken in after line `seq`.
pub(super) fn entry(reply: &Reply, seq: u64) -> Option<ManifestEntry> {
    let (hash, len) = match reply {
        Reply::Text(text) => (hex(text.as_bytes()), Some(text.len() as u64)),
        Reply::Blob { .. } => return None,
    };
    let was = Vec::new();
    Some(ManifestEntry {
        hash,
        seq,
        len,
        was,
    })
}

/// Takes away what imports that were cut short have left; those under way hold a lock.
fn sweep(disk: &dyn Disk, path: &Path) {
    for name in disk.list(path).unwrap_or_default() {
        let name = name.to_string_lossy();
        let left = Layout::in_folder(path, &name);
        if name.starts_with(TEMP) && disk.lock(&left.lock(), b"").is_ok() {
            disk.remove_tree(&left.agon()).ok();
        }
    }
}
