//! One tool that is asked something outside a debate's turns.

use std::sync::Arc;
use std::time::Duration;

use agon_agents::{Agent, AgentError, Ask};
use agon_config::Settings;
use agon_proc::Unwatched;
use agon_record::event::{CauseCode, Class, Usage};
use agon_record::spec::{Effort, ToolName};
use agon_redact::{Redactor, unescaped};
use tokio_util::sync::CancellationToken;

use crate::args::Global;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::guard::guarded;
use crate::settings;
use crate::stop;
use crate::tools::Tools;

/// A tool, ready to be asked.
pub(crate) struct Speaker {
    agent: Arc<dyn Agent>,
    model: Option<String>,
    effort: Effort,
    timeout: Duration,
}

/// What a tool said.
pub(crate) struct Said {
    /// Its text, redacted.
    pub(crate) text: String,
    /// What it cost.
    pub(crate) usage: Usage,
    /// How long it took.
    pub(crate) took: Duration,
}

impl Speaker {
    /// Looks for `tool`.
    ///
    /// # Errors
    ///
    /// If it is not there, or nobody is logged in to it.
    pub(crate) async fn seat(
        edge: &Edge,
        global: &Global,
        tool: &ToolName,
        (model, effort, timeout): (Option<String>, Effort, Duration),
    ) -> Result<Self, Failure> {
        let settings = settings::resolve(edge, global, &Settings::default())?.settings;
        let tools = Tools::detect_named(edge, &settings, std::slice::from_ref(tool)).await?;
        let agent = tools.agent(tool)?;
        Ok(Self {
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
    /// If there is no answer, or the user stops it.
    pub(crate) async fn ask(&self, prompt: &str, parameter: &str) -> Result<Said, Failure> {
        let cancel = CancellationToken::new();
        let stopping = stop::on_signal(cancel.clone());
        let ask = Ask {
            reads: None,
            hears: None,
            schema: None,
            prompt,
            model: self.model.as_deref(),
            effort: self.effort,
            timeout: self.timeout,
        };
        let mut session = self.agent.open(guarded(Arc::new(Unwatched)));
        let answer = session.ask(ask, &cancel).await;
        session.close().await;
        stopping.abort();
        let answer = answer.map_err(|error| failure(&error).parameter(parameter))?;
        let text = Redactor::new()
            .redact(&unescaped(&answer.text))
            .text
            .into_owned();
        Ok(Said {
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
        Class::User if code == CauseCode::NoSuchModel => Exit::Config,
        Class::User => Exit::Tool,
        Class::Retry { .. } | Class::Tool => Exit::NoVerdict,
        Class::Cancelled => Exit::Cancelled,
        Class::Bug => Exit::Bug,
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
