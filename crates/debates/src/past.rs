//! Debates that were: found, recalled, looked at again, added up and removed.

pub(crate) mod precedents;
pub mod recall;
pub mod remove;
pub mod search;
pub mod stale;
pub mod usage;
