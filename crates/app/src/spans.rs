//! What is measured of a run, for a collector of traces.

pub use agon_engine::spans::TARGET;
pub use agon_redact::Redactor;
