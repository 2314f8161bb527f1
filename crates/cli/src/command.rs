//! The commands, one file each.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod debate;
pub(crate) mod graph;
pub(crate) mod list;
pub(crate) mod locate;
pub(crate) mod man;
pub(crate) mod narrate;
pub(crate) mod new;
pub(crate) mod ops;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod section;
pub(crate) mod show;
pub(crate) mod tools;
pub(crate) mod which;
