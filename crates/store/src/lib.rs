//! The debate folder: journal, blobs, projections, lock.
//!
//! A [`Folder`] is a debate open for writing: one writer, one journal, one
//! synced line for each batch of events. A [`View`] reads the same folder
//! without a lock and without writing. Everything outside `.agon/` is a
//! projection of the record and can be rebuilt from it; what another program put
//! there is never overwritten. All formats on disk are known here and nowhere
//! else, and every file operation goes through a [`Disk`].
//!
//! This crate knows nothing of tools, prompts, processes or terminals, and
//! reads no clock.
//!
//! ```no_run
//! # use std::path::Path;
//! use agon_store::{RealDisk, View};
//!
//! let view = View::read(&RealDisk, Path::new("debates/job-store"))?;
//! println!("{} lines, topic: {}", view.lines, view.state.spec.topic);
//! # Ok::<(), agon_store::ViewError>(())
//! ```

mod answer_file;
mod aside;
mod blob;
mod check;
mod consults;
mod detached;
mod disk;
pub mod failpoints;
mod find;
mod folder;
pub mod foreign;
mod formal;
mod glance;
mod host_file;
mod inbox;
mod journal;
mod layout;
mod load;
mod manifest;
mod markup;
mod offerings;
mod projection;
mod raw_json;
mod rel_path;
mod run;
mod slug;
mod snapshot;
pub mod time;
mod view;

#[cfg(test)]
mod tests;

pub use answer_file::{answer_path, drop_answer, keep_answer, keep_beside, read_answer};
pub use blob::{INLINE_MAX, read_kept};
pub use check::{CheckReport, Counts, Trouble, check};
pub use consults::{Consult, ConsultError, Consults, Conversation, Latest};
pub use detached::{last_log, lock_starts};
#[cfg(any(test, feature = "testing"))]
pub use disk::fault::{DiskFault, FaultDisk, FaultKind, Keep};
pub use disk::lock::{Holder, LockError, LockGuard, Look};
pub use disk::real::RealDisk;
pub use disk::{Disk, DiskError, DiskFile, FileKind, Meta};
pub use find::{FindError, ListedDebate, Listing, Unreadable, find_debate, list};
pub use folder::{
    AppendError, CreateError, Folder, ImportError, OpenError, OpenReport, ProjectError,
    TakeInError, TakenIn, Torn,
};
pub use foreign::{Foreign, ForeignError};
pub use glance::{Glance, Writer, journal_bytes, writer, written_since};
pub use host_file::write_host_file;
pub use inbox::{submit_wish, take_back, waits};
pub use journal::{FORMAT_VERSION, JournalFault};
pub use layout::{AGON, JOURNAL};
pub use offerings::{Offering, Offerings, SeatOffer};
pub use projection::{projections, projections_with};
pub use rel_path::{Projection, RelPath, RelPathError};
pub use run::{RunEntry, RunList};
pub use slug::slug;
pub use view::{Problem, Recorded, View, ViewError};
