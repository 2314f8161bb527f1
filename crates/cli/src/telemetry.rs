//! Traces of a debate, sent to a collector of OpenTelemetry where the user asked for it.
//!
//! Off unless `OTEL_EXPORTER_OTLP_ENDPOINT`, its variant for traces, or `otlp_endpoint` in the
//! configuration names a collector; then nothing is set up and nothing is spent. A collector that
//! is slow or gone costs a debate nothing: spans are sent in batches from a thread of their own,
//! those that find no room are dropped, and what is not sent shortly after the end is left.
//!
//! A build without the feature `telemetry` has no exporter, and says so where traces are asked for.

#[cfg(not(feature = "telemetry"))]
#[path = "telemetry/absent.rs"]
mod export;
#[cfg(feature = "telemetry")]
mod export;

use agon_caller::settings;
use agon_redact::Redactor;
use agon_report::text::sanitise_line;

use crate::edge::Surroundings;
use crate::error::Failure;
use crate::output::Out;

pub(crate) use export::Telemetry;

/// Begins to send traces; none where the user did not ask for it.
///
/// What stands in the way is said on stderr, and stands in the way of nothing else.
///
/// # Errors
///
/// If the configuration is not valid.
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

/// Where traces go.
enum Collector {
    /// Where the variables of the conventions say.
    Variables,
    /// Where the configuration says.
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
    // An address may have a password in it.
    let why = sanitise_line(&Redactor::new().redact(why).text, 200);
    out.eprint_warning(&format!(
        "traces were not sent, which changes nothing else: {why}"
    ));
}
