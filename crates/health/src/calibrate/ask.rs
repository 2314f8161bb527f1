//! One call.

use std::sync::Arc;
use std::time::Duration;

use agon_agents::profile::Transport;
use agon_agents::{Agent, AgentAnswer, AgentError, Ask};
use agon_caller::guard::with_guard;
use agon_caller::{Caller, Failure, settings};
use agon_proc::Unwatched;
use agon_record::event::{CauseCode, Class};
use agon_record::spec::Effort;
use agon_redact::{Redactor, unescape_printable};
use agon_seats::tools;
use agon_seats::tools::Tools;
use tokio_util::sync::CancellationToken;

use super::request::CalibrationRequest;

/// Times that a call is tried whose failure may pass.
const ATTEMPTS: u32 = 4;
/// The longest that is waited before a call is tried again.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The tool that is measured.
pub(super) struct MeasuredTool {
    caller: Caller,
    agent: Arc<dyn Agent>,
    model: Option<String>,
    effort: Effort,
    timeout: Duration,
}

impl MeasuredTool {
    /// Looks for the tool, as a consult does.
    pub(super) async fn detect(
        caller: &Caller,
        request: &CalibrationRequest,
        effort: Effort,
    ) -> Result<Self, Failure> {
        let settings = settings::read_settings(caller)?;
        let names = std::slice::from_ref(&request.tool);
        let tools = Tools::detect_requested(caller, &settings, names, names, &[]).await?;
        let mut detected = tools.detected();
        let detected = detected.find(|it| it.profile.name == request.tool);
        let by_start =
            detected.is_some_and(|it| it.available_transports().contains(&Transport::Cli));
        let by = request.transport.or(by_start.then_some(Transport::Cli));
        let agent = tools.agent_by(&request.tool, by);
        Ok(Self {
            agent: agent.map_err(|error| tools::refusal(&error))?,
            caller: caller.clone(),
            model: request.model.clone(),
            effort,
            timeout: Duration::from_secs(request.timeout),
        })
    }

    /// Asks in a fresh session, and again where a failure may pass.
    pub(super) async fn ask(
        &self,
        prompt: &str,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError> {
        let mut attempt = 1;
        loop {
            let error = match self.ask_once(prompt, cancel).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let after = match error.class() {
                Class::Retry { after_ms } => Duration::from_millis(after_ms),
                Class::User | Class::Tool | Class::Cancelled | Class::Bug => return Err(error),
            };
            // A day is not waited for: the same command goes on when it has passed.
            let is_long = after > MAX_PAUSE;
            let is_empty = error.cause().code == CauseCode::Empty;
            if attempt == ATTEMPTS || is_long || is_empty {
                return Err(error);
            }
            let pause = after.max(Duration::from_secs(1 << attempt)).min(MAX_PAUSE);
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = cancel.cancelled() => {}
            }
            attempt += 1;
        }
    }

    async fn ask_once(
        &self,
        prompt: &str,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError> {
        let ask = Ask {
            prompt,
            model: self.model.as_deref(),
            effort: self.effort,
            timeout: self.timeout,
            reads: None,
            hears: None,
            schema: None,
            interview: None,
        };
        let mut session = self
            .agent
            .open(with_guard(&self.caller, Arc::new(Unwatched)));
        let answer = session.ask(ask, cancel).await;
        session.close().await;
        answer
    }
}

/// An answer without secrets; the values that are asked for are none.
pub(super) fn redacted(answer: &str) -> String {
    Redactor::new()
        .redact(&unescape_printable(answer))
        .text
        .into_owned()
}
