//! Several agents on one repository: who does what, who may touch what, who said what to whom.

pub mod glob;
pub mod id;
pub mod time;
