//! What a debate comes to, computed from its record.
//!
//! [`verdict::verdict`] is what the judge wrote with all that code adds to it, [`graph`] the
//! argument graph with what it says, [`result`] and [`status`] the small documents for programs,
//! [`answer`] answers to questions about it,
//! and [`documents`] the list of all that are published, with their schemas.
//!
//! Nothing here touches files, processes, clocks or terminals.

pub mod answer;
pub mod documents;
pub mod facts;
pub mod fixed_line;
pub mod graph;
pub mod render;
pub mod result;
pub mod status;
pub mod synthesis;
pub mod verdict;
