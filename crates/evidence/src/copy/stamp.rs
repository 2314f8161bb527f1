//! The state of a file or folder, by which a change is detected without reading it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

// Linux takes a file's times from a clock that advances 100 to 1,000 times a second. Four ticks of
// the slowest one, because that clock and the one of `SystemTime` need not agree.
/// How long a second change may leave a file's times as they are.
const TICK: Duration = Duration::from_millis(40);
/// The same for a file system that stores only whole seconds, which some store as even ones.
const COARSE_TICK: Duration = Duration::from_secs(2);

/// The state of a file.
///
/// The time of the last change of its state (ctime) cannot be set by a program, so that a file with
/// the same state has the same content unless it changed again within a tick of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    device: u64,
    inode: u64,
    bytes: u64,
    mode: u32,
    links: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileStamp {
    pub(super) fn new(state: &Metadata) -> Self {
        Self {
            device: state.dev(),
            inode: state.ino(),
            bytes: state.len(),
            mode: state.mode(),
            links: state.nlink(),
            modified: (state.mtime(), state.mtime_nsec()),
            changed: (state.ctime(), state.ctime_nsec()),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns whether the file has the same kind and rights as `other`, and no other name.
    ///
    /// A tool could change the file later through another name.
    pub(super) fn has_rights_of(&self, other: &Self) -> bool {
        (self.mode, self.links) == (other.mode, 1)
    }

    /// Returns whether the file may have changed since `time` without a change of its recorded state.
    pub(super) fn is_too_recent(&self, time: SystemTime) -> bool {
        let (seconds, nanoseconds) = self.changed;
        let tick = match nanoseconds {
            0 => COARSE_TICK,
            _ => TICK,
        };
        let since = Duration::new(
            u64::try_from(seconds).unwrap_or(0),
            u32::try_from(nanoseconds).unwrap_or(0),
        );
        let settled = UNIX_EPOCH.checked_add(since + tick);
        settled.is_none_or(|settled| settled >= time)
    }
}

/// The state of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FolderStamp {
    device: u64,
    inode: u64,
    mode: u32,
}

impl FolderStamp {
    pub(super) fn new(state: &Metadata) -> Self {
        Self {
            device: state.dev(),
            inode: state.ino(),
            mode: state.mode(),
        }
    }

    pub(super) fn is_same_folder(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// Returns whether this has the kind and rights of `other`.
    pub(super) fn has_rights_of(&self, other: &Self) -> bool {
        self.mode == other.mode
    }

    /// Returns the rights, without the kind.
    pub(super) fn rights(&self) -> u32 {
        self.mode & 0o7777
    }
}
