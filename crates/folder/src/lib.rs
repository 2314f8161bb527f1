//! Writes and parses every file of a debate folder.
//!
//! A [`Folder`] is a debate open for writing: one writer, one journal, and one synced line for each
//! batch of events. A [`View`] reads the same folder without a lock and without writing. Everything
//! outside `.agon/` is a projection of the record and can be rebuilt from it, and files of other
//! programs are never overwritten. [`changed_published_files`] lists all projections: this crate
//! renders the data files, and `report` the documents. `store` handles the bytes.
//!
//! This crate knows nothing of tools, prompts, processes or terminals, and reads no clock.
//!
//! ```no_run
//! # use std::path::Path;
//! use agon_folder::View;
//! use agon_store::RealDisk;
//!
//! let view = View::read(&RealDisk, Path::new("debates/job-store"))?;
//! println!("{} lines, topic: {}", view.lines, view.state.spec.topic);
//! # Ok::<(), agon_folder::ViewError>(())
//! ```

mod check;
mod earlier;
mod edition;
mod find;
mod folder;
pub mod foreign;
mod formal_files;
mod glance;
mod listed;
mod manifest;
mod markup;
mod projection;
mod publication;
mod raw_json;
mod removal;
mod view;

#[cfg(test)]
mod tests;

pub use check::{CheckReport, Counts, FileProblem, check};
pub use earlier::Earlier;
pub use edition::{EarlierEdition, earlier_edition, earlier_folder_edition};
pub use find::{FindError, Listing, find_debate, list_debates};
pub use folder::{
    AppendError, CreateError, Folder, ImportError, ImportStepsError, ImportedSteps, NamedFolder,
    NewFolder, OpenError, OpenReport, ProjectError, Torn, read_detached_process,
};
pub use foreign::{Foreign, ForeignError};
pub use glance::{Glance, Opening, Writer, current_writer, journal_len, read_opening};
pub use listed::{
    ListedDebate, ListedFolder, ListedRecord, ListedVerdict, Unreadable, read_listed,
};
pub use projection::projections;
pub use publication::{changed_published_files, published_files};
pub use removal::{interrupted_removals, remove_debate};
pub use view::{Problem, Recorded, View, ViewError};
