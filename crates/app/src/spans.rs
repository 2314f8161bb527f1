//! What is measured of a run, for a collector of traces.

pub use agon_engine::spans::TARGET;
pub(crate) use agon_engine::spans::otel_provider_name;
pub use agon_redact::Redactor;
