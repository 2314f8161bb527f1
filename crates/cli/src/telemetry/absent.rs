//! Replaces the exporter in builds without the feature `telemetry`.

use crate::output::Out;
use crate::surroundings::Surroundings;

/// A type without values, because this build has no exporter.
pub(crate) enum Telemetry {}

/// Fails, because this build has no exporter.
///
/// # Errors
///
/// Always returns an error that names a build with an exporter.
pub(super) fn begin(_edge: &Surroundings, _base: Option<&str>) -> Result<Telemetry, String> {
    Err(
        "this build cannot send traces; use a released build, or the build of \
         `cargo install --path crates/cli --features telemetry`"
            .to_owned(),
    )
}

impl Telemetry {
    /// Never called, because no value of this type exists.
    pub(crate) fn end(self, _out: &mut Out) {
        match self {}
    }
}
