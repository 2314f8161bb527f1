//! An in-memory disk that simulates failures, partial writes and crashes.

mod tree;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tree::{Tree, TreeNode};

use super::lock::{Holder, LockError, LockGuard, LockState};
use super::{Disk, DiskError, DiskFile, FileKind, FileMark, Meta};

/// An in-memory disk that distinguishes written data from synced data.
///
/// Clones share the same disk. Operations are numbered, and a [`DiskFault`] can be set at any of
/// them.
#[derive(Clone, Debug)]
pub struct FaultDisk {
    inner: Arc<Mutex<Inner>>,
}

/// A fault, and when it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskFault {
    /// The number of the operation, from 0.
    pub at: u64,
    /// The effect.
    pub kind: FaultKind,
}

/// The effect of a fault on an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It fails without effect; later operations work.
    Fail,
    /// A write writes half of its bytes and fails; other operations just fail.
    Tear,
    /// From this operation on, everything that needs space fails: the disk is full.
    Full,
    /// The process dies: this operation and all later ones fail.
    Crash,
    /// Like [`FaultKind::Crash`], after half of a write.
    CrashTorn,
}

/// Which unsynced data survives a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashRemains {
    /// None of it.
    Synced,
    /// All of it: the process died, but the machine did not.
    All,
    /// New names, but only their synced bytes.
    Names,
    /// Bytes, but only under names that were synced.
    Bytes,
    /// New names and half of the unsynced bytes; a new file is restored in whole pages.
    Half,
}

impl CrashRemains {
    /// All variants.
    pub const ALL: [Self; 5] = [
        Self::Synced,
        Self::All,
        Self::Names,
        Self::Bytes,
        Self::Half,
    ];
}

#[derive(Debug)]
struct Inner {
    tree: Tree,
    fault: Option<DiskFault>,
    done: u64,
    /// The operations that changed something, and the operations that wrote bytes.
    changes: Vec<u64>,
    writes: Vec<u64>,
    crashed: bool,
    full: bool,
    read_only: bool,
}

/// The access to the disk that an operation requires.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Read,
    Change,
    Space,
    Bytes,
}

impl Default for FaultDisk {
    fn default() -> Self {
        Self::new()
    }
}

impl FaultDisk {
    /// Returns an empty disk without a fault.
    pub fn new() -> Self {
        Self::from_tree(Tree::new())
    }

    fn from_tree(tree: Tree) -> Self {
        let inner = Inner {
            tree,
            fault: None,
            done: 0,
            changes: Vec::new(),
            writes: Vec::new(),
            crashed: false,
            full: false,
            read_only: false,
        };
        let inner = Arc::new(Mutex::new(inner));
        Self { inner }
    }

    /// Sets the fault and restarts the count of operations at 0.
    pub fn set_fault(&self, fault: DiskFault) {
        let mut inner = self.lock_inner();
        inner.done = 0;
        (inner.changes, inner.writes) = (Vec::new(), Vec::new());
        inner.fault = Some(fault);
    }

    /// Removes the fault and frees space.
    pub fn clear_faults(&self) {
        let mut inner = self.lock_inner();
        (inner.fault, inner.full, inner.crashed) = (None, false, false);
    }

    /// Rejects all further changes, like a read-only mount.
    pub fn make_read_only(&self) {
        self.lock_inner().read_only = true;
    }

    /// Returns the number of operations since the fault was set.
    pub fn operation_count(&self) -> u64 {
        self.lock_inner().done
    }

    /// Returns the numbers of the operations that change the disk.
    ///
    /// A crash at any other operation equals a crash at the next of these.
    pub fn change_indices(&self) -> Vec<u64> {
        self.lock_inner().changes.clone()
    }

    /// Returns the numbers of the operations that write bytes; only these can be partial.
    pub fn write_indices(&self) -> Vec<u64> {
        self.lock_inner().writes.clone()
    }

    /// Returns the disk after a crash.
    pub fn after_crash(&self, keep: CrashRemains) -> Self {
        Self::from_tree(self.lock_inner().tree.after_crash(keep))
    }

    /// Places a synced file without counting an operation.
    pub fn place_file(&self, path: &Path, bytes: &[u8]) {
        self.lock_inner().tree.place_file(path, bytes);
    }

    fn lock_inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an operation and returns how much of it is done.
    fn count_operation(&self, need: Need) -> io::Result<Half> {
        let mut inner = self.lock_inner();
        if inner.crashed {
            return Err(io::Error::other("the process is gone"));
        }
        let number = inner.done;
        let due = inner.fault.filter(|fault| fault.at == number);
        if need != Need::Read {
            inner.changes.push(number);
        }
        if need == Need::Bytes {
            inner.writes.push(number);
        }
        inner.done += 1;
        let kind = due.map(|fault| fault.kind);
        inner.crashed = matches!(kind, Some(FaultKind::Crash | FaultKind::CrashTorn));
        inner.full |= kind == Some(FaultKind::Full);
        if inner.read_only && need != Need::Read {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        if inner.full && matches!(need, Need::Space | Need::Bytes) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        match kind {
            None | Some(FaultKind::Full) => Ok(Half::Whole),
            Some(FaultKind::Tear | FaultKind::CrashTorn) => Ok(Half::Torn),
            Some(FaultKind::Fail | FaultKind::Crash) => Err(io::Error::other("made to fail")),
        }
    }

    fn run_operation<T>(
        &self,
        doing: &'static str,
        path: &Path,
        need: Need,
        act: impl FnOnce(&mut Tree) -> io::Result<T>,
    ) -> Result<T, DiskError> {
        let done = self.count_operation(need).and_then(|half| match half {
            Half::Whole => act(&mut self.lock_inner().tree),
            Half::Torn => Err(io::Error::other("made to fail")),
        });
        done.map_err(|cause| DiskError::new(doing, path, cause))
    }

    fn open_node(&self, path: &Path, node: usize) -> Box<dyn DiskFile> {
        Box::new(FaultFile {
            disk: self.clone(),
            path: path.to_owned(),
            node,
        })
    }
}

#[derive(PartialEq, Eq)]
enum Half {
    Whole,
    Torn,
}

impl Disk for FaultDisk {
    fn read_from(&self, path: &Path, offset: u64) -> Result<Vec<u8>, DiskError> {
        self.run_operation("read", path, Need::Read, |tree| {
            let at = tree.find_node(path)?;
            let offset = usize::try_from(offset).unwrap_or(usize::MAX);
            let now = &*tree.file_contents_mut(at)?.0;
            Ok(now.get(offset..).unwrap_or_default().to_vec())
        })
    }

    fn metadata(&self, path: &Path) -> Result<Option<Meta>, DiskError> {
        self.run_operation("check", path, Need::Read, |tree| {
            let node = tree.find_node(path).ok().map(|at| &tree.nodes[at]);
            Ok(node.map(|node| match node {
                TreeNode::File { now, .. } => Meta {
                    kind: FileKind::File,
                    len: now.len() as u64,
                    changed_ms: None,
                    mark: None,
                },
                TreeNode::Dir { .. } => Meta {
                    kind: FileKind::Dir,
                    len: 0,
                    changed_ms: None,
                    mark: None,
                },
            }))
        })
    }

    fn list_names(&self, dir: &Path) -> Result<Vec<OsString>, DiskError> {
        self.run_operation("list", dir, Need::Read, |tree| {
            let at = tree.find_node(dir)?;
            Ok(tree.dir_entries(at)?.keys().cloned().collect())
        })
    }

    fn open_append(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError> {
        let at = self.run_operation("open", path, Need::Change, |tree| tree.find_node(path))?;
        Ok(self.open_node(path, at))
    }

    fn create_file(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError> {
        let at = self.run_operation("open", path, Need::Space, |tree| tree.create_file(path))?;
        Ok(self.open_node(path, at))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        self.run_operation("write", to, Need::Change, |tree| tree.rename(from, to))
    }

    fn rename_no_replace(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        self.run_operation("create", to, Need::Change, |tree| {
            if tree.find_node(to).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            tree.rename(from, to)
        })
    }

    fn remove_tree(&self, path: &Path) -> Result<(), DiskError> {
        self.run_operation("remove", path, Need::Change, |tree| {
            let (dir, name) = tree.parent_dir_and_name(path)?;
            let gone = tree.dir_entries_mut(dir)?.remove(name);
            gone.map(|_| ()).ok_or(io::ErrorKind::NotFound.into())
        })
    }

    fn remove_file(&self, path: &Path) -> Result<(), DiskError> {
        self.remove_tree(path)
    }

    fn create_dir(&self, path: &Path) -> Result<(), DiskError> {
        self.run_operation("create", path, Need::Space, |tree| tree.create_dir(path))
    }

    fn sync_dir(&self, path: &Path) -> Result<(), DiskError> {
        self.run_operation("sync", path, Need::Change, |tree| {
            let at = tree.find_node(path)?;
            match &mut tree.nodes[at] {
                TreeNode::Dir { now, kept } => kept.clone_from(now),
                TreeNode::File { .. } => return Err(io::ErrorKind::NotADirectory.into()),
            }
            Ok(())
        })
    }

    fn probe_lock(&self, path: &Path) -> Result<LockState, DiskError> {
        self.run_operation("check", path, Need::Read, |tree| {
            let Ok(at) = tree.find_node(path) else {
                return Ok(LockState::Free);
            };
            if !tree.locked.contains(&at) {
                return Ok(LockState::Free);
            }
            let text = String::from_utf8_lossy(tree.file_contents_mut(at)?.0).into_owned();
            Ok(LockState::Taken(Holder::parse(&text)))
        })
    }

    fn lock(&self, path: &Path, note: &[u8]) -> Result<Box<dyn LockGuard>, LockError> {
        let found = self.run_operation("lock", path, Need::Space, |tree| {
            let at = match tree.find_node(path) {
                Ok(at) => at,
                Err(_) => tree.create_file(path)?,
            };
            if tree.locked.contains(&at) {
                return Ok(Err(tree.file_contents_mut(at)?.0.clone()));
            }
            tree.locked.insert(at);
            *tree.file_contents_mut(at)?.0 = note.to_vec();
            Ok(Ok(at))
        })?;
        match found {
            Ok(node) => Ok(Box::new(FaultHeld {
                disk: self.clone(),
                node,
            })),
            Err(text) => {
                let text = String::from_utf8_lossy(&text);
                Err(LockError::Taken(Holder::parse(&text)))
            }
        }
    }
}

#[derive(Debug)]
struct FaultFile {
    disk: FaultDisk,
    path: PathBuf,
    node: usize,
}

impl DiskFile for FaultFile {
    fn write(&mut self, bytes: &[u8]) -> Result<(), DiskError> {
        let write = || {
            let half = self.disk.count_operation(Need::Bytes)?;
            let mut inner = self.disk.lock_inner();
            let now = inner.tree.file_contents_mut(self.node)?.0;
            if half == Half::Torn {
                now.extend_from_slice(&bytes[..bytes.len() / 2]);
                return Err(io::Error::other("made to tear"));
            }
            now.extend_from_slice(bytes);
            Ok(())
        };
        write().map_err(|cause| DiskError::new("write", &self.path, cause))
    }

    fn sync(&mut self) -> Result<(), DiskError> {
        self.disk
            .run_operation("sync", &self.path, Need::Change, |tree| {
                let (now, kept) = tree.file_contents_mut(self.node)?;
                kept.clone_from(now);
                Ok(())
            })
    }

    fn truncate(&mut self, len: u64) -> Result<(), DiskError> {
        self.disk
            .run_operation("truncate", &self.path, Need::Change, |tree| {
                let now = tree.file_contents_mut(self.node)?.0;
                now.truncate(usize::try_from(len).unwrap_or(usize::MAX));
                Ok(())
            })
    }

    fn current_mark(&self) -> Result<Option<FileMark>, DiskError> {
        Ok(None)
    }
}

#[derive(Debug)]
struct FaultHeld {
    disk: FaultDisk,
    node: usize,
}

impl Drop for FaultHeld {
    fn drop(&mut self) {
        self.disk.lock_inner().tree.locked.remove(&self.node);
    }
}

impl LockGuard for FaultHeld {}
