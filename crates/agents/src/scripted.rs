//! An agent that answers from a function, for tests of what stands above.

use std::sync::Arc;
use std::time::Duration;

use agon_debate::event::{CauseCode, Class, Usage};
use agon_debate::spec::{Effort, ToolName};
use agon_proc::Watch;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::agent::{Agent, AgentError, Answer, Ask, Failure, Session};
use crate::dialect::DialectError;
use crate::profile::Transport;

/// What a [`Scripted`] agent is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The whole prompt.
    pub prompt: String,
    /// The model.
    pub model: Option<String>,
    /// The effort.
    pub effort: Effort,
}

/// What a [`Scripted`] agent does when it is asked.
#[derive(Clone, Debug)]
pub enum Act {
    /// Answers, at the cost of a quarter of the bytes.
    Say(String),
    /// Answers after a while; cancelling ends the wait.
    SayAfter(Duration, String),
    /// Fails with this cause and class.
    Fail(CauseCode, Class),
    /// Says nothing until the time is over or the call is cancelled.
    Hang,
}

type Script = dyn Fn(&Asked) -> Act + Send + Sync;

/// An agent that answers from a function.
#[derive(Clone)]
pub struct Scripted {
    name: ToolName,
    script: Arc<Script>,
}

impl Scripted {
    /// An agent that does what `script` says.
    pub fn new(name: ToolName, script: impl Fn(&Asked) -> Act + Send + Sync + 'static) -> Self {
        Self {
            name,
            script: Arc::new(script),
        }
    }
}

impl Agent for Scripted {
    fn name(&self) -> &ToolName {
        &self.name
    }

    fn transport(&self) -> Transport {
        Transport::Cli
    }

    fn open(&self, _watch: Arc<dyn Watch>) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

#[async_trait]
impl Session for Scripted {
    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<Answer, AgentError> {
        let asked = Asked {
            prompt: ask.prompt.to_owned(),
            model: ask.model.map(str::to_owned),
            effort: ask.effort,
        };
        let (wait, said) = match (self.script)(&asked) {
            Act::Say(text) => (Duration::ZERO, Ok(text)),
            Act::SayAfter(wait, text) => (wait, Ok(text)),
            Act::Fail(code, class) => (
                Duration::ZERO,
                Err(Failure::Said(Box::new(DialectError {
                    code,
                    class,
                    detail: "as scripted".to_owned(),
                    usage: None,
                }))),
            ),
            Act::Hang => (Duration::MAX, Ok(String::new())),
        };
        let limit = ask.timeout;
        let failure = tokio::select! {
            biased;
            () = cancel.cancelled() => Failure::Cancelled,
            () = tokio::time::sleep(wait), if wait <= limit => match said {
                Ok(text) => return Ok(answer(ask.prompt, text, wait)),
                Err(failure) => failure,
            },
            () = tokio::time::sleep(limit) => Failure::Timeout { limit, heard: 0 },
        };
        Err(AgentError {
            failure,
            usage: None,
            took: wait.min(limit),
        })
    }
}

fn answer(prompt: &str, text: String, took: Duration) -> Answer {
    let tokens = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX) / 4;
    Answer {
        usage: Usage {
            input: tokens(prompt.len()),
            output: tokens(text.len()),
            estimated: true,
            ..Usage::default()
        },
        text,
        stop_reason: None,
        took,
    }
}
