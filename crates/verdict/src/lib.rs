//! Computes the results of a debate from its record.
//!
//! [`verdict::verdict`] returns the judge's ruling with the computed facts, [`graph`] the argument
//! graph, [`result`] and [`status`] the small documents for programs, [`answer`] answers to
//! questions about a debate, [`review`] the defects that a debate on a change reported, and
//! [`documents`] all published documents with their schemas.
//!
//! Nothing here uses files, processes, clocks or terminals.

pub mod answer;
pub mod documents;
pub mod facts;
pub mod fixed_line;
pub mod graph;
pub mod render;
pub mod result;
pub mod review;
pub mod status;
pub mod synthesis;
pub mod verdict;
