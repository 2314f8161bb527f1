//! Asks one tool a question, outside the turns of a debate.

use std::sync::Arc;
use std::time::Duration;

use agon_agents::profile::Transport;
use agon_agents::{Agent, AgentAnswer, AgentError, Ask, SeatError};
use agon_caller::guard::with_guard;
use agon_caller::{Caller, Failure, FailureKind, Hint, settings};
use agon_proc::Unwatched;
use agon_record::event::{CauseCode, Class, Usage};
use agon_record::spec::{Effort, ToolName};
use agon_redact::{Redactor, unescape_printable};
use tokio_util::sync::CancellationToken;

use crate::tools::{self, Tools};

/// A tool that is ready to be asked.
pub struct Speaker {
    caller: Caller,
    agent: Arc<dyn Agent>,
    /// The tool with the transport for a single answer, if its usual transport is another one and
    /// the user requested none.
    for_one_answer: Option<Arc<dyn Agent>>,
    model: Option<String>,
    effort: Effort,
    timeout: Duration,
}

/// The transports that a tool may be called with.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpeakerTransports {
    /// The requested transport.
    pub asked: Option<Transport>,
    /// The previous transport.
    pub usual: Option<Transport>,
}

/// The reply of a tool.
pub struct ToolReply {
    /// Its text, redacted.
    pub text: String,
    /// Its usage.
    pub usage: Usage,
    /// The duration.
    pub took: Duration,
}

impl Speaker {
    /// Prepares `tool` with the first of `ways` that is set and supported, else with the configured
    /// or a supported one. Calls a URL in its name only if the tool is in `granted` or configured.
    ///
    /// # Errors
    ///
    /// If it is not installed or logged in, or the requested transport is not supported.
    pub async fn detect(
        caller: &Caller,
        tool: &ToolName,
        SpeakerTransports { asked, usual }: SpeakerTransports,
        model: Option<String>,
        effort: Effort,
        timeout: Duration,
        granted: &[ToolName],
    ) -> Result<Self, Failure> {
        let settings = settings::read_settings(caller)?;
        let tools =
            Tools::detect_recorded(caller, &settings, std::slice::from_ref(tool), granted).await?;
        let by = asked.or(usual).or(settings.transport);
        let agent = match tools.agent_with_transport(tool, by) {
            Err(SeatError::NoTransport { .. }) if asked.is_none() => tools.agent(tool)?,
            found => found.map_err(|error| tools::refusal(&error))?,
        };
        let is_other = asked.is_none() && agent.transport() != Transport::Cli;
        let for_one_answer =
            is_other.then(|| tools.agent_with_transport(tool, Some(Transport::Cli)).ok());
        Ok(Self {
            caller: caller.clone(),
            agent,
            for_one_answer: for_one_answer.flatten(),
            model,
            effort,
            timeout,
        })
    }

    /// Returns the context window of its model, in tokens, if it is small.
    pub fn context_tokens(&self) -> Option<u32> {
        self.agent.context_tokens(self.model.as_deref())
    }

    /// Asks once, in a new session. `parameter` is the name of the parameter that named the tool.
    /// If a conversation breaks, starts the tool for this one answer instead.
    ///
    /// # Errors
    ///
    /// If there is no answer, or it is cancelled.
    pub async fn ask(
        &self,
        prompt: &str,
        parameter: &str,
        cancel: &CancellationToken,
    ) -> Result<ToolReply, Failure> {
        let answer = match self.ask_agent(&self.agent, prompt, cancel).await {
            Err(error) if error.is_broken_conversation() => match &self.for_one_answer {
                Some(other) => self.ask_agent(other, prompt, cancel).await,
                None => Err(error),
            },
            answer => answer,
        };
        let answer = answer.map_err(|error| {
            let failure = failure(&error).parameter(parameter);
            let message = format!("{}: {}", self.agent.name(), failure.message);
            Failure { message, ..failure }
        })?;
        let text = Redactor::new()
            .redact(&unescape_printable(&answer.text))
            .text
            .into_owned();
        Ok(ToolReply {
            text,
            usage: answer.usage,
            took: answer.took,
        })
    }

    async fn ask_agent(
        &self,
        agent: &Arc<dyn Agent>,
        prompt: &str,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError> {
        let ask = Ask {
            reads: None,
            hears: None,
            schema: None,
            interview: None,
            prompt,
            model: self.model.as_deref(),
            effort: self.effort,
            timeout: self.timeout,
        };
        let mut session = agent.open(with_guard(&self.caller, Arc::new(Unwatched)));
        let answer = session.ask(ask, cancel).await;
        session.close().await;
        answer
    }
}

/// Returns the failure for a call without an answer.
pub fn failure(error: &AgentError) -> Failure {
    let code = error.cause().code;
    let class = error.class();
    let exit = match class {
        Class::User if code == CauseCode::NoSuchModel => FailureKind::Config,
        Class::User => FailureKind::Tool,
        Class::Retry { .. } | Class::Tool => FailureKind::NoVerdict,
        Class::Cancelled => FailureKind::Cancelled,
        Class::Bug => FailureKind::Bug,
    };
    let failure = Failure::from_error(code.into(), error).kind(exit);
    match class {
        Class::Retry { after_ms } => failure
            .retry_after(after_ms.div_ceil(1_000).max(1))
            .hint(Hint::new("try again").or(Hint::new("ask another tool with ").flag("tool"))),
        Class::User => failure.hint("run `agon tools` to see what each tool needs"),
        Class::Tool | Class::Cancelled | Class::Bug => failure,
    }
}
