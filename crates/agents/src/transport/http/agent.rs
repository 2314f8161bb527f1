//! An agent for a model server.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use agon_proc::Watch;
use agon_record::event::Usage;
use agon_record::spec::ToolName;
use async_trait::async_trait;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::extras::RefusedExtras;
use super::meter::StreamMeter;
use super::question::written_text_bytes;
use crate::agent::{Agent, AgentAnswer, AgentError, CallFailure, Session};
use crate::ask::{Ask, SchemaUse};
use crate::environment::Environment;
use crate::profile::{ContextDegradation, Http, Profile, Transport};
use crate::transport::CallSlots;
use crate::transport::call::{error_without_usage, estimate};

/// A model server that is called over HTTP.
#[derive(Clone, Debug)]
pub struct HttpAgent(Arc<Service>);

/// A model server, shared by all its sessions.
pub(super) struct Service {
    pub(super) profile: Profile,
    pub(super) http: Http,
    pub(super) here: Environment,
    places: CallSlots,
    /// The clients, created for the first call.
    pub(super) client: OnceLock<(genai::Client, reqwest::Client)>,
    pub(super) refused: RefusedExtras,
}

impl std::fmt::Debug for Service {
    /// Omits the environment, because it contains the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let http = &self.http;
        f.debug_struct("Service")
            .field("http", http)
            .finish_non_exhaustive()
    }
}

impl HttpAgent {
    /// Creates an agent for a profile; `None` if the profile is not for a model server.
    pub(crate) fn new(profile: Profile, here: Environment, places: CallSlots) -> Option<Self> {
        let http = profile.http.clone()?;
        Some(Self(Arc::new(Service {
            profile,
            http,
            here,
            places,
            client: OnceLock::new(),
            refused: RefusedExtras::default(),
        })))
    }
}

impl Agent for HttpAgent {
    fn name(&self) -> &ToolName {
        &self.0.profile.name
    }

    fn transport(&self) -> Transport {
        Transport::Http
    }

    fn context_degradation(&self, model: Option<&str>) -> ContextDegradation {
        let own = Some(self.0.http.model.as_str());
        self.0
            .profile
            .context_degradation(crate::profile::explicit_model(model).or(own))
    }

    fn schema_constraint(&self) -> SchemaUse {
        self.0.http.schema_constraint()
    }

    fn token_budget(&self, _model: Option<&str>) -> Option<u32> {
        self.0.http.small_token_budget()
    }

    fn open(&self, _watch: Arc<dyn Watch>) -> Box<dyn Session> {
        Box::new(HttpSession(Arc::clone(&self.0)))
    }
}

/// A conversation in which every prompt must be complete. It does not start a process.
struct HttpSession(Arc<Service>);

#[async_trait]
impl Session for HttpSession {
    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError> {
        let service = &self.0;
        let _place = service
            .places
            .take(cancel)
            .await
            .map_err(error_without_usage)?;
        let begun = Instant::now();
        let meter = Arc::new(StreamMeter::new());
        let said = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(CallFailure::Cancelled),
            said = timeout(ask.timeout, service.ask(ask, &meter)) => said.unwrap_or_else(|_| {
                let heard = meter.bytes_received();
                Err(CallFailure::Timeout { limit: ask.timeout, heard })
            }),
        };
        let took = begun.elapsed();
        match said {
            Ok(said) => Ok(AgentAnswer {
                text: said.text,
                usage: said.usage,
                stop_reason: said.stop_reason.map(str::to_owned),
                // `genai` does not report which model answered, and the requested one is already
                // recorded.
                model: None,
                took,
            }),
            Err(failure) => Err(AgentError {
                usage: failed_usage(&failure, ask, &meter),
                failure,
                took,
            }),
        }
    }
}

/// Returns the usage of a failed call. The prompt counts once the server has begun to answer.
fn failed_usage(failure: &CallFailure, ask: Ask<'_>, meter: &StreamMeter) -> Option<Usage> {
    if let CallFailure::Said(error) = failure
        && error.usage.is_some()
    {
        return error.usage;
    }
    if matches!(failure, CallFailure::Flooded { .. }) {
        return Some(estimate(ask.prompt, 0));
    }
    let waited = matches!(
        failure,
        CallFailure::Timeout { .. } | CallFailure::Cancelled
    );
    (waited || meter.text_bytes() > 0).then(|| estimate(ask.prompt, written_text_bytes(meter)))
}
