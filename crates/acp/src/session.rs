//! The sessions of a connection.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::v1::schema::SessionId;
use agon_caller::{Caller, Code, Failure, FailureKind, find};
use agon_debates::request::{Ulid, new_debate_id};
use tokio_util::sync::CancellationToken;

use crate::options::{BoundsChoice, DebateMode};

/// The open sessions of a connection, for one caller.
#[derive(Clone, Debug)]
pub(crate) struct OpenSessions {
    caller: Arc<Caller>,
    /// Cancelled when the client disconnects, which ends all waiting.
    pub(crate) closing: CancellationToken,
    open: Arc<Mutex<HashMap<String, Session>>>,
}

/// A session, with its debate once it has started.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The id of the session and of its debate.
    pub(crate) id: Ulid,
    /// The caller, in the session's folder.
    pub(crate) caller: Caller,
    /// The mode of the debate.
    pub(crate) mode: DebateMode,
    /// The limits of the debate.
    pub(crate) bounds: BoundsChoice,
    /// The folder of the debate, once it has started.
    pub(crate) debate: Option<PathBuf>,
    /// The number of turns sent to the client.
    pub(crate) cursor: u64,
    /// Cancels the running prompt.
    prompt: Option<CancellationToken>,
}

impl OpenSessions {
    /// Returns an empty list of sessions.
    pub(crate) fn new(caller: Caller) -> Self {
        Self {
            caller: Arc::new(Caller {
                is_relayed: true,
                ..caller
            }),
            closing: CancellationToken::new(),
            open: Arc::default(),
        }
    }

    /// Creates a session in the folder `cwd`, without a debate.
    ///
    /// # Errors
    ///
    /// Returns an error if this runs inside a debate, or the folder cannot be used.
    pub(crate) fn create(&self, cwd: &Path) -> Result<Session, Failure> {
        let session = self.session(new_debate_id(), cwd)?;
        self.keep(&session);
        Ok(session)
    }

    /// Opens the session of an existing debate in the folder of debates for `cwd`.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`OpenSessions::create`], or if there is no such
    /// debate.
    pub(crate) fn reopen(&self, id: &SessionId, cwd: &Path) -> Result<Session, Failure> {
        let unknown = || {
            let message = format!("no debate in {} belongs to the session {id}", cwd.display());
            Failure::new(Code::UnknownSession, message)
                .hint("a session has a debate only after its first prompt; start a new session")
        };
        let ulid: Ulid = id.0.parse().map_err(|_| unknown())?;
        let mut session = self.session(ulid, cwd)?;
        let found = find::find_debate_folder(&session.caller, &ulid.to_string());
        let path = found.map_err(|failure| match failure.code {
            Code::UnknownDebate => unknown(),
            _ => failure,
        })?;
        session.debate = Some(cwd.join(path));
        if self.find(id).is_ok_and(|open| open.prompt.is_some()) {
            return Err(busy());
        }
        self.keep(&session);
        Ok(session)
    }

    fn session(&self, id: Ulid, cwd: &Path) -> Result<Session, Failure> {
        Ok(Session {
            id,
            caller: self.caller_in(cwd)?,
            mode: DebateMode::default(),
            bounds: BoundsChoice::default(),
            debate: None,
            cursor: 0,
            prompt: None,
        })
    }

    /// Returns the caller in the folder `cwd`.
    ///
    /// # Errors
    ///
    /// Returns an error if this runs inside a debate, or the folder cannot be used.
    pub(crate) fn caller_in(&self, cwd: &Path) -> Result<Caller, Failure> {
        if self.caller.nesting_depth() > 0 {
            let message = "a debate cannot start another debate";
            return Err(
                Failure::new(Code::Depth, message).hint("answer in the running debate instead")
            );
        }
        if !cwd.is_absolute() || !cwd.is_dir() {
            let message = format!("{} is not the absolute path of a folder", cwd.display());
            return Err(Failure::new(Code::InvalidParameter, message).parameter("cwd"));
        }
        Ok(Caller {
            cwd: cwd.to_owned(),
            ..Caller::clone(&self.caller)
        })
    }

    /// Returns the folder that this process runs in.
    pub(crate) fn default_cwd(&self) -> PathBuf {
        self.caller.cwd.clone()
    }

    /// Returns the session with this id.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none.
    pub(crate) fn find(&self, id: &SessionId) -> Result<Session, Failure> {
        let found = self.lock().get(&*id.0).cloned();
        found.ok_or_else(|| unknown_session(id))
    }

    /// Changes the settings of a session that has no debate yet.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such session, or its debate has started.
    pub(crate) fn set(
        &self,
        id: &SessionId,
        change: impl FnOnce(&mut Session),
    ) -> Result<Session, Failure> {
        let session = self.find(id)?;
        if session.debate.is_some() || session.prompt.is_some() {
            let message = "the debate of this session has started, so its settings cannot change";
            return Err(Failure::new(Code::Begun, message).hint("set it in a new session"));
        }
        let mut open = self.lock();
        let session = open.entry(id.0.to_string()).or_insert(session);
        change(session);
        Ok(session.clone())
    }

    /// Starts a prompt; returns its session, and the token that cancels it.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such session, or another prompt of it is running.
    pub(crate) fn begin_prompt(
        &self,
        id: &SessionId,
    ) -> Result<(Session, CancellationToken), Failure> {
        let mut open = self.lock();
        let session = open.get_mut(&*id.0).ok_or_else(|| unknown_session(id))?;
        if session.prompt.is_some() {
            return Err(busy());
        }
        let cancel = CancellationToken::new();
        session.prompt = Some(cancel.clone());
        Ok((session.clone(), cancel))
    }

    /// Stores the folder of a session's debate and the number of sent turns.
    pub(crate) fn note_progress(&self, session: &Session) {
        if let Some(open) = self.lock().get_mut(&session.id.to_string()) {
            open.debate.clone_from(&session.debate);
            open.cursor = session.cursor;
        }
    }

    /// Ends the prompt of a session.
    pub(crate) fn end_prompt(&self, session: &Session) {
        if let Some(open) = self.lock().get_mut(&session.id.to_string()) {
            open.prompt = None;
        }
    }

    /// Cancels the running prompt of a session, if there is one.
    pub(crate) fn cancel_prompt(&self, id: &SessionId) {
        if let Some(Session {
            prompt: Some(prompt),
            ..
        }) = self.lock().get(&*id.0)
        {
            prompt.cancel();
        }
    }

    /// Forgets a session, without changing its debate.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such session.
    pub(crate) fn close(&self, id: &SessionId) -> Result<(), Failure> {
        self.find(id)?;
        self.lock().remove(&*id.0);
        Ok(())
    }

    fn keep(&self, session: &Session) {
        self.lock().insert(session.id.to_string(), session.clone());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        // Ignores poisoning, because no code that holds the lock can leave the map inconsistent.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown_session(id: &SessionId) -> Failure {
    Failure::new(Code::UnknownSession, format!("unknown session {id}"))
        .hint("create one with session/new, or reopen one with session/load")
}

fn busy() -> Failure {
    Failure::new(Code::Busy, "a prompt of this session is still running")
        .kind(FailureKind::Usage)
        .hint("wait for its end, or cancel it; you can continue the debate later")
}
