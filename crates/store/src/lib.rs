//! Stores debates in folders: disk, lock, journal and blobs.
//!
//! Every file operation goes through a [`Disk`]. [`load`] reads a debate from its [`journal`], with
//! the [`Blobs`] of large replies and the [`snapshot`] that replaces earlier lines. [`Layout`] has
//! their paths. Small files beside the record, such as the requests in [`inbox`], are here too. The
//! folder as a whole, and every file outside `.agon/`, belongs to the crate `folder`.
//!
//! This crate knows nothing of tools, prompts, processes or terminals, and reads no clock.
//!
//! ```no_run
//! # use std::path::Path;
//! use agon_store::load::{SnapshotUse, load_debate};
//! use agon_store::{Layout, RealDisk};
//!
//! let layout = Layout::new(Path::new("debates/job-store"));
//! if let Ok(loaded) = load_debate(&RealDisk, &layout, SnapshotUse::Snapshot) {
//!     println!("topic: {}", loaded.state.spec.topic);
//! }
//! ```

mod answer_file;
mod aside;
mod blob;
mod consults;
mod detached;
mod disk;
pub mod failpoints;
mod host_file;
pub mod inbox;
pub mod journal;
mod layout;
pub mod load;
mod offerings;
mod rel_path;
mod run;
mod slug;
pub mod snapshot;
pub mod time;

#[cfg(test)]
mod tests;

pub use answer_file::{
    answer_path, read_answer, remove_answer_if_equal, write_answer, write_answer_copy,
};
pub use aside::save_in_aside_dir;
pub use blob::{BlobFault, Blobs, INLINE_MAX, count_large_texts, read_blob};
pub use consults::{Consult, ConsultError, Consults, Conversation, Latest};
pub use detached::{read_detached_log_tail, wait_for_start_lock};
#[cfg(any(test, feature = "testing"))]
pub use disk::fault::{CrashRemains, DiskFault, FaultDisk, FaultKind};
pub use disk::lock::{Holder, LockError, LockGuard, LockState};
pub use disk::real::RealDisk;
pub use disk::wait::wait_for_lock;
pub use disk::{
    Disk, DiskError, DiskFile, Durable, FileKind, FileMark, Meta, create_dirs_synced, parent_of,
    read_if_exists, replace_file, write_synced,
};
pub use host_file::{write_file_atomically, write_file_below};
pub use layout::{AGON, JOURNAL, Layout};
pub use offerings::{Offering, Offerings, SeatOffer};
pub use rel_path::{Projection, RelPath, RelPathError};
pub use run::{RunEntry, RunList};
pub use slug::{slug, slug_with_number};
