//! Past debates: searched, recalled, compared with the present, added up and removed.

pub(crate) mod precedents;
pub mod recall;
pub mod remove;
pub mod search;
pub mod stale;
pub mod usage;
