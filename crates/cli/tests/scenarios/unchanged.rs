//! Debate folders that an earlier build of the program recorded: each is read, taken further and
//! played again as it was then.
//!
//! `tests/fixtures/records/` has a folder for each version of the record, named by the version of
//! the journal and of the prompts, with three files for each debate: `NAME.folder` has the files
//! of its folder, `NAME.printed` what each command that reads printed, and `NAME.gained` what each
//! command that acts printed, the lines that it added to the journal, and the documents it left.
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
