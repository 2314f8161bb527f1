//! Debate folders that an earlier build of the program recorded: each is read, taken further and
//! played again as it was then.
//!
//! `tests/fixtures/records/` has a folder for each version of the record, named by the version of
//! the journal and of the prompts. A debate has these files there:
//! - `NAME.folder`: the files of its folder;
//! - `NAME.printed`: what each command that reads printed;
//! - `NAME.gained`: what each command that acts printed, the events that the journal gained by it,
//!   and the documents it left;
//! - `NAME.cuts`: what came of the folder when its journal was cut after any line.
//!
//! `user.files` and `user.printed` are the same of the files of a user beside the debates.
//! `recording.rs` says how they are recorded.

mod acting;
mod bundle;
mod commands;
mod cuts;
mod fixture;
mod gained;
mod golden;
mod older;
mod printed;
mod project;
mod reading;
mod recipes;
mod recording;
mod user_files;
mod world;
