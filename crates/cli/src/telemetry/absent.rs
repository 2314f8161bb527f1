//! What stands in the place of the exporter where the program was built without.

use crate::edge::Surroundings;
use crate::output::Out;

/// Traces that are being sent, of which there are none.
pub(crate) enum Telemetry {}

/// Sends nothing.
///
/// # Errors
///
/// Always; the reason names a build that does.
pub(super) fn begin(_edge: &Surroundings, _base: Option<&str>) -> Result<Telemetry, String> {
    Err(
        "this build sends none; released builds do, and so does the one of \
         `cargo install --path crates/cli --features telemetry`"
            .to_owned(),
    )
}

impl Telemetry {
    /// Sends what was not sent yet: nothing.
    pub(crate) fn end(self, _out: &mut Out) {
        match self {}
    }
}
