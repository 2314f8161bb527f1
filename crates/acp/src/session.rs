//! The sessions of a connection.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::v1::schema::SessionId;
use agon_caller::{Caller, Code, Failure, FailureKind, find};
use agon_debates::request::{Ulid, new_debate_id};
use tokio_util::sync::CancellationToken;

use crate::options::{BoundsChoice, DebateMode};

/// The sessions of a connection, for one caller.
#[derive(Clone, Debug)]
pub(crate) struct OpenSessions {
    caller: Arc<Caller>,
    /// Cancelled once the client has gone: what waits for it ends.
    pub(crate) closing: CancellationToken,
    open: Arc<Mutex<HashMap<String, Session>>>,
}

/// A session: a debate, or one that is to begin.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The id, which its debate has too.
    pub(crate) id: Ulid,
    /// Who asks, in the session's folder.
    pub(crate) caller: Caller,
    /// How it debates.
    pub(crate) mode: DebateMode,
    /// Within which bounds.
    pub(crate) bounds: BoundsChoice,
    /// The folder of its debate, once there is one.
    pub(crate) debate: Option<PathBuf>,
    /// How many turns were told.
    pub(crate) cursor: u64,
    /// What ends the prompt that is under way.
    prompt: Option<CancellationToken>,
}

impl OpenSessions {
    /// No session yet.
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

    /// A session in the folder `cwd`, without a debate.
    ///
    /// # Errors
    ///
    /// If this runs inside a debate, or the folder cannot be used.
    pub(crate) fn begin(&self, cwd: &Path) -> Result<Session, Failure> {
        let session = self.session(new_debate_id(), cwd)?;
        self.keep(&session);
        Ok(session)
    }

    /// The session of a debate in a folder of debates that holds for `cwd`.
    ///
    /// # Errors
    ///
    /// As [`OpenSessions::begin`], or if there is no such debate.
    pub(crate) fn take_up(&self, id: &SessionId, cwd: &Path) -> Result<Session, Failure> {
        let unknown = || {
            let message = format!("no debate in {} is the session {id}", cwd.display());
            Failure::new(Code::UnknownSession, message)
                .hint("a session has a debate once its first prompt was taken; begin a new session")
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

    /// The caller in the folder `cwd`.
    ///
    /// # Errors
    ///
    /// If this runs inside a debate, or the folder cannot be used.
    pub(crate) fn caller_in(&self, cwd: &Path) -> Result<Caller, Failure> {
        if self.caller.nesting_depth() > 0 {
            let message = "this runs inside a debate, which cannot open another";
            return Err(Failure::new(Code::Depth, message).hint("answer in the debate instead"));
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

    /// The folder that this process runs in.
    pub(crate) fn default_cwd(&self) -> PathBuf {
        self.caller.cwd.clone()
    }

    /// The session as it stands.
    ///
    /// # Errors
    ///
    /// If there is none of that id.
    pub(crate) fn find(&self, id: &SessionId) -> Result<Session, Failure> {
        let found = self.lock().get(&*id.0).cloned();
        found.ok_or_else(|| unknown_session(id))
    }

    /// Changes a session that has no debate yet.
    ///
    /// # Errors
    ///
    /// If there is none of that id, or its debate has begun.
    pub(crate) fn set(
        &self,
        id: &SessionId,
        change: impl FnOnce(&mut Session),
    ) -> Result<Session, Failure> {
        let session = self.find(id)?;
        if session.debate.is_some() || session.prompt.is_some() {
            let message = "the debate of this session has begun, and stays as it is";
            return Err(Failure::new(Code::Begun, message).hint("set it in a new session"));
        }
        let mut open = self.lock();
        let session = open.entry(id.0.to_string()).or_insert(session);
        change(session);
        Ok(session.clone())
    }

    /// The session for a prompt, and what ends that prompt: a wish of the client, or its end.
    ///
    /// # Errors
    ///
    /// If there is none of that id, or another prompt of it is under way.
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

    /// Notes where the debate of a session is, and how much of it was told.
    pub(crate) fn note_progress(&self, session: &Session) {
        if let Some(open) = self.lock().get_mut(&session.id.to_string()) {
            open.debate.clone_from(&session.debate);
            open.cursor = session.cursor;
        }
    }

    /// The prompt of a session has ended.
    pub(crate) fn end_prompt(&self, session: &Session) {
        if let Some(open) = self.lock().get_mut(&session.id.to_string()) {
            open.prompt = None;
        }
    }

    /// Ends the prompt of a session that is under way, if there is one.
    pub(crate) fn cancel_prompt(&self, id: &SessionId) {
        if let Some(Session {
            prompt: Some(prompt),
            ..
        }) = self.lock().get(&*id.0)
        {
            prompt.cancel();
        }
    }

    /// Forgets a session; its debate stays as it is.
    ///
    /// # Errors
    ///
    /// If there is none of that id.
    pub(crate) fn close(&self, id: &SessionId) -> Result<(), Failure> {
        self.find(id)?;
        self.lock().remove(&*id.0);
        Ok(())
    }

    fn keep(&self, session: &Session) {
        self.lock().insert(session.id.to_string(), session.clone());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        // Nothing that holds it can leave it half changed.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown_session(id: &SessionId) -> Failure {
    Failure::new(Code::UnknownSession, format!("there is no session {id}"))
        .hint("session/new begins one, session/load takes one up again")
}

fn busy() -> Failure {
    Failure::new(Code::Busy, "a prompt of this session is under way")
        .kind(FailureKind::Usage)
        .hint("wait for its end, or cancel it: the debate can be taken up again")
}
