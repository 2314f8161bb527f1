//! The properties that every new debate fixes, whatever its format.

use std::collections::BTreeMap;

use agon_caller::{Failure, system};
use agon_config::Settings;
use agon_record::spec::{FormatName, Spec};
use ulid::Ulid;

/// Returns the spec of a debate of `format` on `topic` with the settings, without seats and limits.
///
/// # Errors
///
/// If the system provides no random bytes for its salt.
pub(super) fn new_spec(
    format: FormatName,
    id: Option<Ulid>,
    (slug, topic): (String, String),
    settings: &Settings,
) -> Result<Spec, Failure> {
    Ok(Spec {
        ulid: id.unwrap_or_else(system::new_ulid),
        ask_timeout_ms: settings.timeout.saturating_mul(1_000),
        severities: BTreeMap::from_iter(settings.rules.clone()),
        weights: settings.graph.clone(),
        salt: system::new_salt()?,
        ..Spec::for_format(format, slug, topic)
    })
}
