//! What the rest of the program sees of a tool: an agent, and a conversation with it.

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

/// Our handle on a tool. Cheap to share; all its sessions share the tool's
/// bound on calls at once.
pub trait Agent: Send + Sync {
    /// The tool.
    fn name(&self) -> &ToolName;

    /// How it is spoken to.
    fn transport(&self) -> Transport;

    /// Where the folders lie that it runs in; none where nothing is run.
    fn private_places(&self) -> Option<PrivatePlaces> {
        None
    }

    /// Context sizes, in tokens, from which this model's answers get worse and much worse.
    fn context_degradation(&self, _model: Option<&str>) -> ContextDegradation {
        ContextDegradation::default()
    }

    /// When its answers are constrained to the JSON schema in `Ask::schema`.
    fn schema_constraint(&self) -> SchemaUse {
        SchemaUse::Never
    }

    /// Context size in tokens for prompt plus answer, if this model's context is small; it then
    /// gets the compact prompt. None: not small.
    fn token_budget(&self, _model: Option<&str>) -> Option<u32> {
        None
    }

    /// Context size in tokens for prompt plus answer, if it is small, also of a model that is never
    /// given a compact prompt. None: not small.
    fn context_tokens(&self, model: Option<&str>) -> Option<u32> {
        self.token_budget(model)
    }

    /// Opens a fresh conversation; `watch` is told of every process it starts.
    fn open(&self, watch: Arc<dyn Watch>) -> Box<dyn Session>;

    /// Opens a conversation that the tool keeps, or takes one up again; none where the tool
    /// cannot over this transport.
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
    /// Whether the tool still remembers what was sent in this session, so that it need not be sent
    /// again.
    ///
    /// False before the first answer, and again once the conversation is lost.
    fn retains_context(&self) -> bool {
        false
    }

    /// The name of the conversation, where the tool gave it one.
    fn id(&self) -> Option<&str> {
        None
    }

    /// The conversation as it can be taken up again later; none where it cannot.
    fn saved_conversation(&self) -> Option<&SavedConversation> {
        None
    }

    /// Asks once and waits for the answer, for a free place first.
    ///
    /// The time for waiting in line does not count against `ask.timeout`.
    /// On return nothing of the tool runs any more, unless the session
    /// [retains its context](Self::retains_context); dropping the future ends the call too.
    ///
    /// # Errors
    ///
    /// If there is no answer; [`AgentError::class`] says what may be done.
    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError>;

    /// Ends the conversation: on return nothing of the tool runs any more.
    ///
    /// A session that is dropped instead ends at once, without a word to the tool.
    async fn close(&mut self) {}
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentAnswer {
    /// The text, as it came: not redacted.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
    /// Why the tool stopped, in its own word.
    pub stop_reason: Option<String>,
    /// The model that answered, where the tool says so.
    pub model: Option<String>,
    /// How long it took, without waiting in line.
    pub took: Duration,
}

/// A question that got no answer.
#[derive(Debug, thiserror::Error)]
#[error("{failure}")]
pub struct AgentError {
    /// What went wrong.
    pub failure: CallFailure,
    /// What it cost all the same.
    pub usage: Option<Usage>,
    /// How long it took, without waiting in line.
    pub took: Duration,
}

/// What went wrong with a question.
#[derive(Debug, thiserror::Error)]
pub enum CallFailure {
    /// The program is gone.
    #[error("the program is not there any more")]
    Gone,
    /// The program could not be started.
    #[error("the program could not be started")]
    Start(#[source] StartError),
    /// There is no private folder to run it in.
    #[error(
        "cannot make a private folder for it; set XDG_CACHE_HOME to a folder of yours that can be written: {0}"
    )]
    NoPlace(NoPlace),
    /// The private folder cannot be written.
    #[error("cannot make a private folder for it")]
    Folder(#[source] io::Error),
    /// The model's name cannot stand in an argument.
    #[error("this cannot be the name of a model")]
    ModelName,
    /// The address it is set to does not answer.
    #[error("nothing answers at {address}")]
    Unreachable {
        /// Host and port.
        address: String,
    },
    /// No answer in time.
    #[error("no reply within {}s; {heard} bytes had come", limit.as_secs_f32())]
    Timeout {
        /// The time it had.
        limit: Duration,
        /// Bytes of output until then.
        heard: usize,
    },
    /// More output than is read.
    #[error("more than {limit} bytes of output")]
    Flooded {
        /// The bound.
        limit: usize,
    },
    /// The output holds no reply.
    #[error(transparent)]
    Said(Box<DialectError>),
    /// The conversation cannot go on.
    #[error(transparent)]
    Broken(#[from] Breach),
    /// The tool does not know the conversation that was to be taken up.
    #[error("it knows no such conversation any more")]
    NoConversation,
    /// A person takes a seat in a debate and is not called.
    #[error("a person is not called: they take a seat in a debate and answer there")]
    Person,
    /// The call was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// We broke an invariant.
    #[error("{0}")]
    Bug(&'static str),
}

// The wait of `PAUSE_MS` in `dialect/fault.rs`: how a failure was noticed says nothing of when it
// passes.
/// Before another attempt.
const PAUSE: Class = Class::Retry { after_ms: 2_000 };

impl AgentError {
    /// Whether a conversation broke, which a start for one answer does not need.
    pub fn is_broken_conversation(&self) -> bool {
        use CallFailure::{Broken, NoConversation};
        matches!(self.failure, Broken(_) | NoConversation)
    }

    /// What may be done about it.
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

    /// What happened, for people and for the record.
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
