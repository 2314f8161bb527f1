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
    /// The tool.
    fn name(&self) -> &ToolName;

    /// The transport that calls use.
    fn transport(&self) -> Transport;

    /// Where its private working folders are created; `None` if no program is run.
    fn private_places(&self) -> Option<PrivatePlaces> {
        None
    }

    /// The context sizes, in tokens, above which this model's answers get worse and much worse.
    fn context_degradation(&self, _model: Option<&str>) -> ContextDegradation {
        ContextDegradation::default()
    }

    /// When its answers are constrained to the JSON schema in `Ask::schema`.
    fn schema_constraint(&self) -> SchemaUse {
        SchemaUse::Never
    }

    /// Context size in tokens for prompt plus answer, if this model's context is small; the model
    /// then gets the compact prompt. `None`: not small.
    fn token_budget(&self, _model: Option<&str>) -> Option<u32> {
        None
    }

    /// Context size in tokens for prompt plus answer, if it is small. Unlike [`Self::token_budget`],
    /// also for a model that never gets the compact prompt. `None`: not small.
    fn context_tokens(&self, model: Option<&str>) -> Option<u32> {
        self.token_budget(model)
    }

    /// Opens a new conversation; `watch` is notified of every process that it starts.
    fn open(&self, watch: Arc<dyn Watch>) -> Box<dyn Session>;

    /// Opens or resumes a conversation that the tool saves; `None` if the tool cannot do this over
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
    /// Whether the tool still has what was sent in this session, so that it need not be sent again.
    ///
    /// False before the first answer, and again once the conversation is lost.
    fn retains_context(&self) -> bool {
        false
    }

    /// The conversation's ID, if the tool assigned one.
    fn id(&self) -> Option<&str> {
        None
    }

    /// The data for resuming this conversation later; `None` if it cannot be resumed.
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

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentAnswer {
    /// The text as received: not redacted.
    pub text: String,
    /// Tokens and cost.
    pub usage: Usage,
    /// Why the tool stopped, as reported by the tool.
    pub stop_reason: Option<String>,
    /// The model that answered, if the tool reports it.
    pub model: Option<String>,
    /// How long it took, without the time in the queue.
    pub took: Duration,
}

/// A call that got no answer.
#[derive(Debug, thiserror::Error)]
#[error("{failure}")]
pub struct AgentError {
    /// What went wrong.
    pub failure: CallFailure,
    /// Tokens and cost of the failed call, if known.
    pub usage: Option<Usage>,
    /// How long it took, without the time in the queue.
    pub took: Duration,
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum CallFailure {
    /// The program no longer exists.
    #[error("the program no longer exists")]
    Gone,
    /// The program could not be started.
    #[error("the program could not be started")]
    Start(#[source] StartError),
    /// There is no place for a private folder to run it in.
    #[error(
        "cannot create a private folder for it; set XDG_CACHE_HOME to a folder that you can write to: {0}"
    )]
    NoPlace(NoPlace),
    /// The private folder cannot be created.
    #[error("cannot create a private folder for it")]
    Folder(#[source] io::Error),
    /// The model's name cannot be passed as an argument.
    #[error("not a valid model name")]
    ModelName,
    /// No server answers at the configured address.
    #[error("no server answers at {address}")]
    Unreachable {
        /// Host and port.
        address: String,
    },
    /// No answer in time.
    #[error("no reply within {}s; {heard} bytes were received", limit.as_secs_f32())]
    Timeout {
        /// The time limit.
        limit: Duration,
        /// Bytes of output received until then.
        heard: usize,
    },
    /// The output exceeds the size limit.
    #[error("more than {limit} bytes of output")]
    Flooded {
        /// The limit.
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
    /// The agent is a person, who answers only as a participant of a debate.
    #[error("a person cannot be called; they can only answer as a participant of a debate")]
    Person,
    /// The call was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A bug: an invariant does not hold.
    #[error("{0}")]
    Bug(&'static str),
}

// The same wait as `PAUSE_MS` in `dialect/fault.rs`: how a failure was noticed does not tell how
// long it will last.
/// The wait before another attempt.
const PAUSE: Class = Class::Retry { after_ms: 2_000 };

impl AgentError {
    /// Whether only the conversation failed; a new process for one answer may still work.
    pub fn is_broken_conversation(&self) -> bool {
        use CallFailure::{Broken, NoConversation};
        matches!(self.failure, Broken(_) | NoConversation)
    }

    /// How to handle it.
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

    /// The cause, for people and for the record.
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
