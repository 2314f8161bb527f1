//! An agent that answers from a function, for tests of code that uses agents.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_proc::Watch;
use agon_record::event::{CauseCode, Class, Usage};
use agon_record::spec::{Effort, ToolName};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::agent::{Agent, AgentAnswer, AgentError, CallFailure, Session};
use crate::ask::Ask;
use crate::dialect::DialectError;
use crate::profile::{ContextDegradation, Transport};

/// A call to a [`Scripted`] agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptedAsk {
    /// The prompt.
    pub prompt: String,
    /// The requested model.
    pub model: Option<String>,
    /// The requested effort.
    pub effort: Effort,
    /// The number of the conversation, from 1 in the order of opening.
    pub session: usize,
    /// The number of earlier calls in this conversation.
    pub before: usize,
}

/// What a [`Scripted`] agent does when it is called.
#[derive(Clone, Debug)]
pub enum Act {
    /// Answers; usage is one token per four bytes.
    Say(String),
    /// Answers after this time; cancelling the call ends the wait.
    SayAfter(Duration, String),
    /// Answers, but forgets the context before the next call.
    SayAndForget(String),
    /// Fails with this cause and class.
    Fail(CauseCode, Class),
    /// Does not answer until the timeout, or until the call is cancelled.
    Hang,
}

/// Counts of a [`Scripted`] agent's conversations, for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    /// The number of conversations that were opened.
    pub opened: usize,
    /// The number of conversations that were closed.
    pub closed: usize,
    /// The number of conversations that still exist.
    pub left: usize,
    /// The number of calls made while another was in progress in the same conversation.
    pub at_once: usize,
}

type Script = dyn Fn(&ScriptedAsk) -> Act + Send + Sync;

/// An agent that answers from a function.
#[derive(Clone)]
pub struct Scripted {
    name: ToolName,
    transport: Transport,
    degrades: ContextDegradation,
    script: Arc<Script>,
    sessions: Arc<Mutex<Sessions>>,
}

impl Scripted {
    /// Creates an agent that follows `script` and gets the complete prompt each time.
    pub fn new(
        name: ToolName,
        script: impl Fn(&ScriptedAsk) -> Act + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            transport: Transport::Cli,
            degrades: ContextDegradation::default(),
            script: Arc::new(script),
            sessions: Arc::default(),
        }
    }

    /// Makes the agent's conversations retain their context.
    #[must_use]
    pub fn with_retained_context(mut self) -> Self {
        self.transport = Transport::Acp;
        self
    }

    /// Sets the context sizes above which the model's answers get worse.
    #[must_use]
    pub fn with_context_degradation(mut self, degrades: ContextDegradation) -> Self {
        self.degrades = degrades;
        self
    }

    /// Returns the counts of the conversations so far.
    pub fn sessions(&self) -> Sessions {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Agent for Scripted {
    fn name(&self) -> &ToolName {
        &self.name
    }

    fn transport(&self) -> Transport {
        self.transport
    }

    fn context_degradation(&self, _model: Option<&str>) -> ContextDegradation {
        self.degrades
    }

    fn open(&self, _watch: Arc<dyn Watch>) -> Box<dyn Session> {
        let mut seen = self.lock();
        seen.opened += 1;
        seen.left += 1;
        let number = seen.opened;
        drop(seen);
        Box::new(Conversation {
            agent: self.clone(),
            number,
            id: format!("{}-{number}", self.name),
            asked: 0,
            asking: false,
            remembers: false,
        })
    }
}

/// One conversation with a [`Scripted`] agent.
struct Conversation {
    agent: Scripted,
    number: usize,
    id: String,
    asked: usize,
    asking: bool,
    remembers: bool,
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.agent.lock().left -= 1;
    }
}

#[async_trait]
impl Session for Conversation {
    fn retains_context(&self) -> bool {
        self.remembers
    }

    fn id(&self) -> Option<&str> {
        self.remembers.then_some(self.id.as_str())
    }

    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError> {
        let asked = ScriptedAsk {
            prompt: ask.prompt.to_owned(),
            model: ask.model.map(str::to_owned),
            effort: ask.effort,
            session: self.number,
            before: self.asked,
        };
        if std::mem::replace(&mut self.asking, true) {
            self.agent.lock().at_once += 1;
        }
        self.asked += 1;
        self.remembers = false;
        let act = (self.agent.script)(&asked);
        let remembers =
            self.agent.transport.retains_context() && !matches!(act, Act::SayAndForget(_));
        let came = play_act(act, ask, cancel).await;
        self.asking = false;
        self.remembers = came.is_ok() && remembers;
        came
    }

    async fn close(&mut self) {
        self.agent.lock().closed += 1;
    }
}

async fn play_act(
    act: Act,
    ask: Ask<'_>,
    cancel: &CancellationToken,
) -> Result<AgentAnswer, AgentError> {
    let (wait, said) = match act {
        Act::Say(text) | Act::SayAndForget(text) => (Duration::ZERO, Ok(text)),
        Act::SayAfter(wait, text) => (wait, Ok(text)),
        Act::Fail(code, class) => (
            Duration::ZERO,
            Err(CallFailure::Said(Box::new(DialectError {
                code,
                class,
                detail: "as scripted".to_owned(),
                usage: None,
                asked_wait_ms: None,
            }))),
        ),
        Act::Hang => (Duration::MAX, Ok(String::new())),
    };
    if let (Ok(text), Some(hears)) = (&said, ask.hears) {
        // Send the text word by word, like a tool that streams its output.
        for piece in text.split_inclusive(' ') {
            hears.receive_chunk(piece);
        }
    }
    let limit = ask.timeout;
    let failure = tokio::select! {
        biased;
        () = cancel.cancelled() => CallFailure::Cancelled,
        () = tokio::time::sleep(wait), if wait <= limit => match said {
            Ok(text) => return Ok(estimated_answer(ask.prompt, text, wait)),
            Err(failure) => failure,
        },
        () = tokio::time::sleep(limit) => CallFailure::Timeout { limit, heard: 0 },
    };
    Err(AgentError {
        failure,
        usage: None,
        took: wait.min(limit),
    })
}

fn estimated_answer(prompt: &str, text: String, took: Duration) -> AgentAnswer {
    let tokens = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX) / 4;
    AgentAnswer {
        usage: Usage {
            input: tokens(prompt.len()),
            output: tokens(text.len()),
            estimated: true,
            ..Usage::default()
        },
        text,
        stop_reason: None,
        model: None,
        took,
    }
}
