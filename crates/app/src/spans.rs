//! What is measured of a run, for whoever collects traces.

pub use agon_engine::spans::TARGET;
pub use agon_redact::Redactor;
