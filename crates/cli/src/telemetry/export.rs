//! Sends traces over OTLP/HTTP, in batches from a separate thread.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_engine::spans::TARGET;
use async_trait::async_trait;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt as _;

use super::warn_traces_not_sent;
use crate::output::Out;
use crate::surroundings::Surroundings;

// Chosen, not measured: enough to send one batch over a fast connection. A longer limit would delay
// the prompt; a shorter one would lose the last spans.
/// The time that the end of a debate waits for unsent spans.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);
// The default of OpenTelemetry: <https://opentelemetry.io/docs/specs/otel/protocol/exporter/>.
/// The default time limit for a collector's answer.
const TIMEOUT: Duration = Duration::from_secs(10);
// A collector's answer is a few lines on refused spans; the limit guards against other servers.
/// The maximum size of a collector's answer, in bytes.
const MAX_ANSWER_BYTES: usize = 1 << 20;

/// The first failure, in words for a person.
type Trouble = Arc<Mutex<Option<String>>>;

/// Traces that are being sent.
pub(crate) struct Telemetry {
    provider: SdkTracerProvider,
    trouble: Trouble,
}

/// Starts to send traces to `base`, or to the collector of the standard variables.
///
/// # Errors
///
/// Returns the reason, in words for a person, if the exporter cannot start.
pub(super) fn begin(edge: &Surroundings, base: Option<&str>) -> Result<Telemetry, String> {
    let trouble = Trouble::default();
    let sender = Sender::new(export_timeout(edge), Arc::clone(&trouble))?;
    let mut exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_http_client(sender);
    let protocols = [
        "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
        "OTEL_EXPORTER_OTLP_PROTOCOL",
    ];
    if protocols.iter().all(|name| !edge.vars.contains_key(*name)) {
        // Use Protobuf, because every collector accepts it; the library's default is JSON.
        exporter = exporter.with_protocol(opentelemetry_otlp::Protocol::HttpBinary);
    }
    if let Some(base) = base {
        let base = base.trim().trim_end_matches('/');
        exporter = exporter.with_endpoint(format!("{base}/v1/traces"));
    }
    let exporter = exporter.build().map_err(|error| error.to_string())?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(service_resource(edge))
        .build();
    let layer = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("agon"))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_target(false)
        .with_level(false)
        .with_filter(filter_fn(|meta| meta.target() == TARGET));
    // Tracing can be set up only once per process, and a process runs only one debate.
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer))
        .map_err(|error| error.to_string())?;
    Ok(Telemetry { provider, trouble })
}

/// Returns the service that sends: `agon`, unless the environment names another one.
fn service_resource(edge: &Surroundings) -> Resource {
    let named = edge.vars.contains_key("OTEL_SERVICE_NAME")
        || edge
            .vars
            .get("OTEL_RESOURCE_ATTRIBUTES")
            .is_some_and(|set| set.contains("service.name="));
    let version = opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder().with_attribute(version);
    match named {
        true => resource.build(),
        false => resource.with_service_name("agon").build(),
    }
}

/// Returns the time limit for a collector, from the standard variables (in milliseconds).
fn export_timeout(edge: &Surroundings) -> Duration {
    let named = [
        "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
        "OTEL_EXPORTER_OTLP_TIMEOUT",
    ];
    let said = named
        .iter()
        .find_map(|name| edge.vars.get(*name)?.trim().parse().ok());
    said.map_or(TIMEOUT, Duration::from_millis).min(TIMEOUT)
}

impl Telemetry {
    /// Sends the remaining spans for a short time, and reports the first failure.
    pub(crate) fn end(self, out: &mut Out) {
        let ended = self.provider.shutdown_with_timeout(SHUTDOWN_TIMEOUT);
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*trouble, ended) {
            (Some(why), _) => warn_traces_not_sent(out, why),
            (None, Err(error)) => warn_traces_not_sent(out, &error.to_string()),
            (None, Ok(())) => {}
        }
    }
}

/// Sends over HTTP, on the exporter's own thread.
#[derive(Debug)]
struct Sender {
    client: reqwest::Client,
    /// The runtime in which the exporter's thread sends; that thread has no other one.
    runtime: Option<tokio::runtime::Runtime>,
    trouble: Trouble,
}

impl Drop for Sender {
    /// Shuts the runtime down without waiting, because waiting is not allowed within another
    /// runtime.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Sender {
    fn new(timeout: Duration, trouble: Trouble) -> Result<Self, String> {
        // Ignore the error: it means that a provider is already installed.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder()
            .timeout(timeout)
            .connect_timeout(timeout.min(Duration::from_secs(3)))
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("agon/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| error.without_url().to_string())?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self {
            client,
            runtime: Some(runtime),
            trouble,
        })
    }

    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let request = reqwest::Request::try_from(request)?;
        let mut answer = self.client.execute(request).await?;
        let status = answer.status();
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await? {
            if body.len() + part.len() > MAX_ANSWER_BYTES {
                return Err("the collector's answer is too large".into());
            }
            body.extend_from_slice(&part);
        }
        let mut response = Response::new(Bytes::from(body));
        *response.status_mut() = status;
        Ok(response)
    }

    fn record_first_failure(&self, why: String) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.get_or_insert(why);
    }
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let host = request.uri().host().unwrap_or_default().to_owned();
        let Some(runtime) = &self.runtime else {
            return Err("the sender has ended".into());
        };
        let sent = runtime.block_on(self.send(request));
        match &sent {
            Ok(answer) if answer.status().is_success() => {}
            Ok(answer) => self.record_first_failure(format!("{host} answered {}", answer.status())),
            Err(error) => {
                self.record_first_failure(format!("{host}: {}", innermost_cause(&**error)))
            }
        }
        sent
    }
}

/// Returns the innermost cause of an error; outer ones contain the URL, which may contain a secret.
fn innermost_cause(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.last().map(ToString::to_string).unwrap_or_default()
}
