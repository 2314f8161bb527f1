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
    let build = agon_caller::hint::full_build("telemetry");
    Err(format!("this build cannot send traces; {build}"))
}

impl Telemetry {
    /// Never called, because no value of this type exists.
    pub(crate) fn end(self, _out: &mut Out) {
        match self {}
    }
}
