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

use crate::consent::MissingConsent;
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
    /// The consent that is missing, and the failure of a question without it.
    missing: Option<(MissingConsent, Failure)>,
}

/// The transports that a tool may be called with.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpeakerTransports {
    /// The requested transport.
    pub asked: Option<Transport>,
    /// The previous transport.
    pub usual: Option<Transport>,
}

/// The tools that the user chose.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowedTools<'a> {
    /// The tools that the request names.
    pub named: &'a [ToolName],
    /// The tools that were allowed when the debate was opened.
    pub granted: &'a [ToolName],
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
    /// or a supported one. Calls a URL in its name only if it is allowed or configured.
    ///
    /// # Errors
    ///
    /// If it is not installed or logged in, the requested transport is not supported, or the user
    /// may not name it.
    pub async fn detect(
        caller: &Caller,
        tool: &ToolName,
        SpeakerTransports { asked, usual }: SpeakerTransports,
        model: Option<String>,
        effort: Effort,
        timeout: Duration,
        AllowedTools { named, granted }: AllowedTools<'_>,
    ) -> Result<Self, Failure> {
        let settings = settings::read_settings(caller)?;
        let only = std::slice::from_ref(tool);
        let tools = Tools::detect_requested(caller, &settings, only, named, granted).await?;
        let tools = tools.with_named(named.iter().cloned());
        let missing = tools.missing_consent(tool).map(|vendor| {
            let missing = (tool.clone(), vendor);
            let failure = tools.consent_failure(std::slice::from_ref(&missing));
            (missing, failure)
        });
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
            missing,
        })
    }

    /// Returns the consent that is missing before the tool is asked, and the failure without it.
    pub fn missing_consent(&self) -> Option<&(MissingConsent, Failure)> {
        self.missing.as_ref()
    }

    /// Lets the tool be asked: the user agreed, or nothing of a project is sent.
    pub fn allow(&mut self) {
        self.missing = None;
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
    /// If there is no answer, it is cancelled, or the user has not allowed the tool's vendor.
    pub async fn ask(
        &self,
        prompt: &str,
        parameter: &str,
        cancel: &CancellationToken,
    ) -> Result<ToolReply, Failure> {
        if let Some((_, failure)) = &self.missing {
            return Err(failure.clone());
        }
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
