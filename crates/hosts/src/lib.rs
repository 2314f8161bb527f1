//! Skills, commands, agents and roles that Agon installs into a host: an AI tool that a person works in.
//!
//! [`content`] is the only source: skills, commands, agents and roles, embedded in the program. A
//! [`host`] is data: where its files are, their format, and which limits of an agent it can enforce. A
//! [`roster`] says how each role is run. [`compile`] writes the files of one host and reports the
//! outcome of every field; [`matrix`] reports it for every skill, command and agent. [`lint`] refuses
//! files that a host would misread. [`import`] reads other authors' skills.

pub mod ask;
pub mod cells;
pub mod choice;
pub mod compile;
pub mod content;
pub mod defaults;
mod disk;
pub mod drift;
pub mod edit;
pub mod failpoints;
pub mod field;
pub mod hook;
pub mod host;
pub mod import;
pub mod install;
pub mod json;
mod level;
pub mod library;
pub mod lint;
pub mod matrix;
pub mod permit;
pub mod plugins;
pub mod receipt;
pub mod roster;
pub mod shape;
