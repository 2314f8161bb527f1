//! What Agon brings into a host: an AI tool that a person works in.
//!
//! [`content`] is the one source: skills, commands and agents, embedded. A [`host`] is data: where
//! its files are, in which form, and what it can hold an agent to. A [`roster`] says how each role is
//! run. [`compile`] makes a host's own files of the source, and says of every field what became of it;
//! a [`matrix`] says it of every skill, command and agent. [`lint`] refuses files that a
//! host would misread. [`import`] reads skills of others.

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
