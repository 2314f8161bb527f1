//! Sends traces of a debate to an OpenTelemetry collector, if the user configured one.
//!
//! Off by default, at no cost. Set `OTEL_EXPORTER_OTLP_ENDPOINT`, its variant for traces, or
//! `otlp_endpoint` in the configuration to turn it on. A slow or missing collector does not delay a
//! debate: a separate thread sends spans in batches, a full queue drops spans, and spans not sent
//! shortly after the end are dropped.
//!
//! A build without the feature `telemetry` has no exporter, and warns if traces are configured.

#[cfg(not(feature = "telemetry"))]
#[path = "telemetry/absent.rs"]
mod export;
#[cfg(feature = "telemetry")]
mod export;

use agon_caller::settings;
use agon_redact::Redactor;
use agon_report::text::sanitise_line;

use crate::error::Failure;
use crate::output::Out;
use crate::surroundings::Surroundings;

pub(crate) use export::Telemetry;

/// Starts to send traces. Returns `None` if no collector is configured or, after a warning, if the
/// exporter cannot start.
///
/// # Errors
///
/// Returns an error if the configuration is invalid.
pub(crate) fn start(edge: &Surroundings, out: &mut Out) -> Result<Option<Telemetry>, Failure> {
    let Some(collector) = configured_collector(edge)? else {
        return Ok(None);
    };
    let base = match &collector {
        Collector::Variables => None,
        Collector::Configured(base) => Some(base.as_str()),
    };
    match export::begin(edge, base) {
        Ok(telemetry) => Ok(Some(telemetry)),
        Err(why) => {
            warn_traces_not_sent(out, &why);
            Ok(None)
        }
    }
}

/// The collector of traces.
enum Collector {
    /// The collector of the standard OpenTelemetry variables.
    Variables,
    /// The collector of the configuration.
    Configured(String),
}

fn configured_collector(edge: &Surroundings) -> Result<Option<Collector>, Failure> {
    let is = |name: &str, value: &str| {
        let set = edge.vars.get(name).map(|set| set.trim());
        set.is_some_and(|set| set.eq_ignore_ascii_case(value))
    };
    if is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
        return Ok(None);
    }
    let named = [
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
    ];
    let set = |name: &&str| edge.vars.get(*name).is_some_and(|it| !it.trim().is_empty());
    if named.iter().any(set) {
        return Ok(Some(Collector::Variables));
    }
    let settings = settings::read_settings(edge)?;
    let configured = settings.otlp_endpoint.filter(|it| !it.trim().is_empty());
    Ok(configured.map(Collector::Configured))
}

fn warn_traces_not_sent(out: &mut Out, why: &str) {
    // Redact secrets, because the reason may contain a URL with a password.
    let why = sanitise_line(&Redactor::new().redact(why).text, 200);
    out.eprint_warning(&format!(
        "traces were not sent (the debate is not affected): {why}"
    ));
}
