//! Imports a folder of another tool.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_record::event::{Event, Reply};
use agon_record::spec::{FormalSpec, Kind, Spec};
use agon_record::state::{ReplayError, State};
use agon_store::{Disk, DiskError, Layout, RelPath, failpoints};

use super::Folder;
use super::create::{ATTRIBUTES, CreateError, FolderFiles, UnnamedFolder, write_git_attributes};
use super::published::Published;
use crate::foreign::{self, Foreign, ForeignError};
use crate::manifest::{Manifest, ManifestEntry, blake3_hex};

/// The prefix of the temporary folder of an import.
const TEMP: &str = ".agon.tmp-";

/// Why a folder of another tool was not imported; it is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It already has a record: open it.
    #[error("{} already has a record", path.display())]
    Ours {
        /// The folder.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    /// The record cannot be created.
    #[error("cannot create the record of {}", path.display())]
    Create {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        cause: CreateError,
    },
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Folder {
    /// Creates the record of a debate that another tool keeps in `path`, and opens it.
    ///
    /// Sets motion, definitions, scope and slug of `spec` to those of the folder. `.agon/` appears
    /// in one step and is durable on return; all existing files stay unchanged.
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
        if disk.metadata(&layout.agon_dir())?.is_some() {
            return Err(ours());
        }
        let foreign = foreign::read(&*disk, path)?;
        let manifest = manifest_of_imported(&foreign);
        let Foreign {
            slug,
            motion,
            definitions,
            scope,
            imported,
            ..
        } = foreign;
        (spec.slug, spec.topic) = (slug, motion);
        spec.kind = Kind::formal(FormalSpec {
            definitions,
            scope,
            theses: spec.theses().cloned(),
        });
        remove_abandoned_imports(&*disk, path);
        let temp = Layout::with_agon_dir_name(path, &format!("{TEMP}{}", spec.ulid));
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
        let made = UnnamedFolder::create_record_dir(&*disk, &temp, &events, at_ms)
            .map_err(create)
            .and_then(|new| {
                manifest.write(&*disk, &temp)?;
                disk.rename_no_replace(&temp.agon_dir(), &layout.agon_dir())?;
                Ok(new)
            });
        let new = match made {
            Ok(new) => new,
            Err(error) => {
                // Ignore a failure, because the next import removes a leftover folder.
                disk.remove_tree(&temp.agon_dir()).ok();
                // If the name is taken, another process has imported the debate in the meantime.
                let taken = matches!(&error, ImportError::Disk(cause) if cause.is_target_taken());
                return Err(if taken { ours() } else { error });
            }
        };
        let opened = FolderFiles::sync_parent_and_open(&disk, path, &layout);
        let FolderFiles {
            journal,
            left,
            runs,
        } = opened.inspect_err(|_| {
            // Report the first error.
            disk.remove_tree(&layout.agon_dir()).ok();
        })?;
        failpoints::die_if_armed(failpoints::IMPORTED);
        if let Ok(None) = disk.metadata(&path.join(ATTRIBUTES)) {
            // Ignore a failure, because the debate is complete without this file.
            write_git_attributes(&*disk, &layout).ok();
        }
        Ok(Self {
            disk,
            layout,
            left,
            journal,
            after: new.after,
            state,
            manifest,
            published: Published::default(),
            runs,
            snapshot: (0, 0),
            poisoned: false,
            _lock: new.lock,
        })
    }
}

/// Returns a manifest of the existing files, so that they do not count as changed.
fn manifest_of_imported(foreign: &Foreign) -> Manifest {
    let files = foreign.imported.files.iter();
    let entries = files
        .filter_map(|(path, reply)| Some((RelPath::new(path).ok()?, manifest_entry(reply, 1)?)));
    Manifest(entries.collect())
}

/// Returns the manifest entry of a file imported in line `seq`.
pub(super) fn manifest_entry(reply: &Reply, seq: u64) -> Option<ManifestEntry> {
    let (hash, len) = match reply {
        Reply::Text(text) => (blake3_hex(text.as_bytes()), text.len() as u64),
        Reply::Blob { .. } => return None,
    };
    let was = Vec::new();
    Some(ManifestEntry {
        hash,
        seq,
        len,
        agon: String::new(),
        was,
    })
}

/// Removes what interrupted imports have left; running imports hold a lock.
fn remove_abandoned_imports(disk: &dyn Disk, path: &Path) {
    for name in disk.list_names(path).unwrap_or_default() {
        let name = name.to_string_lossy();
        let left = Layout::with_agon_dir_name(path, &name);
        if name.starts_with(TEMP) && disk.lock(&left.lock(), b"").is_ok() {
            disk.remove_tree(&left.agon_dir()).ok();
        }
    }
}
