//! The interface to a tool: an agent, and a session (a conversation) with it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use agon_proc::{NoPlace, PrivatePlaces, StartError, Watch};
use agon_record::event::{Cause, CauseCode, Class, Usage};
use agon_record::spec::ToolName;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::ask::{Ask, SchemaUse};
use crate::breach::Breach;
use crate::conversation::SavedConversation;
use crate::dialect::DialectError;
use crate::profile::{ContextDegradation, Transport};

/// A handle to a tool. Cheap to share; all its sessions share the tool's limit on simultaneous
/// calls.
pub trait Agent: Send + Sync {
    /// Returns the tool's name.
    fn name(&self) -> &ToolName;

    /// Returns the transport that calls use.
    fn transport(&self) -> Transport;

    /// Returns the places of the private folders in which the tool runs; `None` if no program is
    /// run.
    fn private_places(&self) -> Option<PrivatePlaces> {
        None
    }

    /// Returns the context sizes, in tokens, above which the answers of this model get worse and
    /// much worse.
    fn context_degradation(&self, _model: Option<&str>) -> ContextDegradation {
        ContextDegradation::default()
    }

    /// Returns when the agent's answers are constrained to the JSON schema in `Ask::schema`.
    fn schema_constraint(&self) -> SchemaUse {
        SchemaUse::Never
    }

    /// Returns the context size in tokens, for prompt plus answer, if it is so small that the model
    /// gets the compact prompt; otherwise `None`.
    fn token_budget(&self, _model: Option<&str>) -> Option<u32> {
        None
    }

    /// Returns the context size in tokens, for prompt plus answer, if it is small, even for a model
    /// that never gets the compact prompt; otherwise `None`.
    fn context_tokens(&self, model: Option<&str>) -> Option<u32> {
        self.token_budget(model)
    }

    /// Opens a new conversation; `watch` is told of every process that is started for it.
    fn open(&self, watch: Arc<dyn Watch>) -> Box<dyn Session>;

    /// Opens or resumes a conversation that the tool saves; `None` if the tool cannot save one over
    /// this transport.
    fn open_saved(
        &self,
        _kept: SavedConversation,
        _watch: Arc<dyn Watch>,
    ) -> Option<Box<dyn Session>> {
        None
    }
}

/// One conversation with a tool.
#[async_trait]
pub trait Session: Send {
    /// Returns whether the tool still has the earlier prompts of this session, so that they need
    /// not be sent again.
    ///
    /// False before the first answer, and again once the conversation is lost.
    fn retains_context(&self) -> bool {
        false
    }

    /// Returns the conversation's ID, if the tool assigned one.
    fn id(&self) -> Option<&str> {
        None
    }

    /// Returns the data for resuming this conversation later; `None` if it cannot be resumed.
    fn saved_conversation(&self) -> Option<&SavedConversation> {
        None
    }

    /// Waits for a free call slot, sends one prompt and waits for the answer.
    ///
    /// The time in the queue does not count towards `ask.timeout`. On return, all processes of the
    /// tool have ended, unless the session [retains its context](Self::retains_context). Dropping
    /// the future also ends the call.
    ///
    /// # Errors
    ///
    /// If there is no answer; [`AgentError::class`] says how to handle it.
    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError>;

    /// Ends the conversation: on return, all processes of the tool have ended.
    ///
    /// A session that is dropped instead ends at once, without a message to the tool.
    async fn close(&mut self) {}
}

/// A tool's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentAnswer {
    /// The text as received: not redacted.
    pub text: String,
    /// Tokens and cost of the call.
    pub usage: Usage,
    /// The reason for stopping that the tool reported.
    pub stop_reason: Option<String>,
    /// The model that answered, if the tool reports one.
    pub model: Option<String>,
    /// The duration of the call, without the wait for a free slot.
    pub took: Duration,
}

/// A call that got no answer.
#[derive(Debug, thiserror::Error)]
#[error("{failure}")]
pub struct AgentError {
    /// The failure of the call.
    pub failure: CallFailure,
    /// Tokens and cost of the failed call, if known.
    pub usage: Option<Usage>,
    /// The duration of the call, without the wait for a free slot.
    pub took: Duration,
}

/// The reason why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum CallFailure {
    /// The program no longer exists.
    #[error("the program no longer exists")]
    Gone,
    /// The program could not be started.
    #[error("the program could not be started")]
    Start(#[source] StartError),
    /// There is no place for the private folder of the call.
    #[error(
        "cannot create a private folder for the tool; set XDG_CACHE_HOME to a folder that you can write to: {0}"
    )]
    NoPlace(NoPlace),
    /// The private folder cannot be created.
    #[error("cannot create a private folder for the tool")]
    Folder(#[source] io::Error),
    /// The name of the model is not valid as an argument.
    #[error("not a valid model name")]
    ModelName,
    /// No server answers at the configured address.
    #[error("no server answers at {address}")]
    Unreachable {
        /// The host and port of the URL.
        address: String,
    },
    /// There was no answer within the time limit.
    #[error("no reply within {}s; {heard} bytes were received", limit.as_secs_f32())]
    Timeout {
        /// The time limit.
        limit: Duration,
        /// The number of bytes of output received before the timeout.
        heard: usize,
    },
    /// The output is larger than the size limit.
    #[error("its output exceeds {limit} bytes")]
    Flooded {
        /// The size limit in bytes.
        limit: usize,
    },
    /// The output contains no reply.
    #[error(transparent)]
    Said(Box<DialectError>),
    /// The conversation cannot continue.
    #[error(transparent)]
    Broken(#[from] Breach),
    /// The tool no longer has the conversation that was to be resumed.
    #[error("the tool no longer has this conversation")]
    NoConversation,
    /// The agent is a person, who answers only as a participant in a debate.
    #[error("a person cannot be called; they can only answer as a participant in a debate")]
    Person,
    /// The call was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A bug in Agon: an invariant does not hold.
    #[error("{0}")]
    Bug(&'static str),
}

// The same wait as `PAUSE_MS` in `dialect/fault.rs`, because the transport does not affect how long
// a failure lasts.
/// The wait before a retry.
const PAUSE: Class = Class::Retry { after_ms: 2_000 };

impl AgentError {
    /// Returns whether only the conversation failed, so that a new process may still answer the
    /// prompt.
    pub fn is_broken_conversation(&self) -> bool {
        use CallFailure::{Broken, NoConversation};
        matches!(self.failure, Broken(_) | NoConversation)
    }

    /// Returns whether to retry, to ask the user, or to give up.
    pub fn class(&self) -> Class {
        match &self.failure {
            CallFailure::Gone | CallFailure::Start(_) | CallFailure::ModelName => Class::User,
            CallFailure::NoPlace(_) | CallFailure::Folder(_) => Class::User,
            CallFailure::Person => Class::User,
            CallFailure::Unreachable { .. } | CallFailure::Timeout { .. } => PAUSE,
            CallFailure::Flooded { .. } | CallFailure::NoConversation => Class::Tool,
            CallFailure::Said(error) => error.class,
            CallFailure::Broken(breach) => breach.class(),
            CallFailure::Cancelled => Class::Cancelled,
            CallFailure::Bug(_) => Class::Bug,
        }
    }

    /// Returns the cause, as recorded in the journal.
    pub fn cause(&self) -> Cause {
        let code = match &self.failure {
            CallFailure::Gone => CauseCode::NotInstalled,
            CallFailure::ModelName => CauseCode::NoSuchModel,
            CallFailure::Unreachable { .. } => CauseCode::Unavailable,
            CallFailure::Timeout { .. } => CauseCode::Timeout,
            CallFailure::Flooded { .. } => CauseCode::TooLarge,
            CallFailure::Said(error) => error.code,
            CallFailure::Broken(breach) => breach.code(),
            CallFailure::Cancelled => CauseCode::Cancelled,
            CallFailure::Bug(_) => CauseCode::Bug,
            _ => CauseCode::Failed,
        };
        let detail: String = self
            .failure
            .to_string()
            .chars()
            .filter(|c| !c.is_control())
            .take(200)
            .collect();
        Cause { code, detail }
    }
}
