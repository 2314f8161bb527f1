//! One tool that is asked something outside a debate's turns.

use std::sync::Arc;
use std::time::Duration;

use agon_agents::{Agent, AgentError, Ask};
use agon_proc::Unwatched;
use agon_record::event::{CauseCode, Class, Usage};
use agon_record::spec::{Effort, ToolName};
use agon_redact::{Redactor, unescape_printable};
use tokio_util::sync::CancellationToken;

use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};
use crate::guard::with_guard;
use crate::settings;
use crate::tools::Tools;

/// A tool, ready to be asked.
pub(crate) struct Speaker {
    caller: Caller,
    agent: Arc<dyn Agent>,
    model: Option<String>,
    effort: Effort,
    timeout: Duration,
}

/// What a tool said.
pub(crate) struct ToolReply {
    /// Its text, redacted.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
    /// How long it took.
    pub took: Duration,
}

impl Speaker {
    /// Looks for `tool`.
    ///
    /// # Errors
    ///
    /// If it is not there, or the user is not logged in to it.
    pub(crate) async fn detect(
        caller: &Caller,
        tool: &ToolName,
        model: Option<String>,
        effort: Effort,
        timeout: Duration,
    ) -> Result<Self, Failure> {
        let settings = settings::read_settings(caller)?;
        let tools = Tools::detect_recorded(caller, &settings, std::slice::from_ref(tool)).await?;
        let agent = tools.agent(tool)?;
        Ok(Self {
            caller: caller.clone(),
            agent,
            model,
            effort,
            timeout,
        })
    }

    /// Asks once, in a fresh session; `parameter` is what named the tool.
    ///
    /// # Errors
    ///
    /// If there is no answer, or it is cancelled.
    pub(crate) async fn ask(
        &self,
        prompt: &str,
        parameter: &str,
        cancel: &CancellationToken,
    ) -> Result<ToolReply, Failure> {
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
        let mut session = self
            .agent
            .open(with_guard(&self.caller, Arc::new(Unwatched)));
        let answer = session.ask(ask, cancel).await;
        session.close().await;
        let answer = answer.map_err(|error| failure(&error).parameter(parameter))?;
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
}

/// The failure that a call without an answer is.
pub(crate) fn failure(error: &AgentError) -> Failure {
    let code = error.cause().code;
    let class = error.class();
    let exit = match class {
        Class::User if code == CauseCode::NoSuchModel => FailureKind::Config,
        Class::User => FailureKind::Tool,
        Class::Retry { .. } | Class::Tool => FailureKind::NoVerdict,
        Class::Cancelled => FailureKind::Cancelled,
        Class::Bug => FailureKind::Bug,
    };
    let failure = Failure::from_error(exit, code.name(), error);
    match class {
        Class::Retry { after_ms } => failure
            .retry_after(after_ms.div_ceil(1_000).max(1))
            .hint("try again, or ask another tool with --tool"),
        Class::User => failure.hint("agon tools says what each tool lacks"),
        Class::Tool | Class::Cancelled | Class::Bug => failure,
    }
}
