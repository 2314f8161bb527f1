//! Errors of the store.

use std::io;
use std::path::PathBuf;

use agon_git::DiscoverError;
use agon_hint::Hint;
use rusqlite::ErrorCode;

use crate::glob::GlobError;
use crate::id::{Epoch, LockId, MemberName, RunId, SessionId, TaskId};
use crate::mail::{DeliveryRefusal, MailRefusal};
use crate::needs::NeedRefusal;
use crate::task::{MissingEvidence, TaskRefusal};

/// The kind of an error, which tells a caller what it can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreErrorClass {
    /// The rules refuse the request; the message says why.
    Refused,
    /// Another process has locked the file; a retry may succeed.
    Busy,
    /// The user can fix it, for example a full disk or missing permissions.
    User,
    /// The file contains something that Agon did not write.
    Damaged,
}

/// Why a request failed; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A rule about tasks.
    #[error(transparent)]
    Task(#[from] TaskRefusal),
    /// A rule about needs.
    #[error(transparent)]
    Need(#[from] NeedRefusal),
    /// A rule about mail.
    #[error(transparent)]
    Mail(#[from] MailRefusal),
    /// A rule about deliveries.
    #[error(transparent)]
    Delivery(#[from] DeliveryRefusal),
    /// An invalid glob.
    #[error(transparent)]
    Glob(#[from] GlobError),
    /// The evidence of a task is incomplete.
    #[error(
        "{task} cannot be marked as done: it lacks {}",
        joined_evidence(missing)
    )]
    Incomplete {
        /// The task.
        task: TaskId,
        /// Its epoch.
        epoch: Epoch,
        /// What is missing.
        missing: Vec<MissingEvidence>,
    },
    /// Waiting for this lock would create a cycle, in which this task was claimed last.
    #[error("waiting for this lock would never end: {} wait for each other", cycle(.0))]
    Deadlock(Vec<TaskId>),
    /// The task has reached its limit of locks.
    #[error("{task} already has {max} locks, the limit per task")]
    TooManyLocks {
        /// The task.
        task: TaskId,
        /// The limit.
        max: usize,
    },
    /// There is no such task.
    #[error("there is no task {0}")]
    NoTask(TaskId),
    /// There is no such lock, or it belongs to another task.
    #[error("this task has no lock {0}")]
    NoLock(LockId),
    /// No task can be claimed.
    #[error("no task is ready to be claimed")]
    NothingReady,
    /// There is no such member.
    #[error("there is no member {0}")]
    NoMember(MemberName),
    /// There is no such session, or it is closed.
    #[error("there is no open session {0}")]
    NoSession(SessionId),
    /// There is no such run.
    #[error("there is no run {0}")]
    NoRun(RunId),
    /// The member has a session that has not ended.
    #[error("{member} is still working in session {session}")]
    HasSession {
        /// The member.
        member: MemberName,
        /// Its session.
        session: SessionId,
    },
    /// Another member has the name.
    #[error("the name {0} is taken")]
    NameTaken(MemberName),
    /// The token belongs to no member.
    #[error("this token does not belong to a member")]
    NotMember,
    /// A member wants to lead a team that already has a lead.
    #[error("{0} cannot join as lead: the team already has a lead")]
    SecondLead(MemberName),
    /// The caller may not do this.
    #[error("{actor} may not {act}")]
    NotAllowed {
        /// The caller.
        actor: String,
        /// The action.
        act: &'static str,
    },
    /// A member that worked on a task may not review it.
    #[error("{actor} may not {act}")]
    WorkedOn {
        /// The caller.
        actor: String,
        /// The action.
        act: &'static str,
        /// The members who may review it.
        may: Vec<MemberName>,
    },
    /// A text is longer than its limit.
    #[error("the {what} has {bytes} bytes, but must have 1 to {max}")]
    Length {
        /// The name of the text.
        what: &'static str,
        /// Its bytes.
        bytes: usize,
        /// The limit.
        max: usize,
    },
    /// The folder is in no git repository.
    #[error("{} is not in a readable git repository", .0.display())]
    NoRepository(PathBuf),
    /// The folder's repository cannot have a team.
    #[error(transparent)]
    Repository(DiscoverError),
    /// The repository has no team.
    #[error("this repository has no team")]
    NoTeam(PathBuf),
    /// The file system is shared by several machines.
    #[error("{} is on {kind}, where several machines could write at once", path.display())]
    NetworkFileSystem {
        /// The folder.
        path: PathBuf,
        /// The kind of file system.
        kind: &'static str,
    },
    /// A newer version of Agon wrote the file.
    #[error("the team's file has version {found}, but this program supports only {known}")]
    Newer {
        /// Its version.
        found: i64,
        /// The newest supported version.
        known: i64,
    },
    /// Another program wrote the file.
    #[error("{} is not a team's file", .0.display())]
    Foreign(PathBuf),
    /// The file contains something that Agon did not write.
    #[error("the team's file is damaged: {0}")]
    Damaged(String),
    /// Another process kept the file locked for too long.
    #[error("another process is writing to the team's file")]
    Busy,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file is not writable.
    #[error("the team's file is not writable")]
    ReadOnly,
    /// The file system failed.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// The attempted operation.
        doing: &'static str,
        /// The path.
        path: PathBuf,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
    /// The system has no entropy for a token.
    #[error("the system cannot provide random numbers")]
    Entropy,
    /// SQLite failed for another reason.
    #[error("the team's file cannot be used: {0}")]
    Sqlite(String),
    /// A line of an import is invalid.
    #[error("line {line} of the import: {cause}")]
    Import {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        cause: String,
    },
    /// Only an empty team can be the target of an import.
    #[error("this repository already has a team that is not empty")]
    NotEmpty,
}

fn joined_evidence(missing: &[MissingEvidence]) -> String {
    let words: Vec<String> = missing.iter().map(MissingEvidence::to_string).collect();
    words.join("; ")
}

fn cycle(tasks: &[TaskId]) -> String {
    let words: Vec<String> = tasks.iter().map(TaskId::to_string).collect();
    words.join(", ")
}

fn who_may_review(may: &[MemberName]) -> Hint {
    let names: Vec<String> = may.iter().map(MemberName::to_string).collect();
    match names.is_empty() {
        true => Hint::new(
            "let a member that did not work on it review it, or review it yourself at a terminal",
        ),
        false => Hint::new(format!("{} may review it", names.join(" or "))),
    }
}

impl StoreError {
    /// Returns the kind of the error.
    pub const fn class(&self) -> StoreErrorClass {
        match self {
            Self::Task(_)
            | Self::Need(_)
            | Self::Mail(_)
            | Self::Delivery(_)
            | Self::Glob(_)
            | Self::Incomplete { .. }
            | Self::Deadlock(_)
            | Self::TooManyLocks { .. }
            | Self::NoTask(_)
            | Self::NoLock(_)
            | Self::NothingReady
            | Self::NoMember(_)
            | Self::NameTaken(_)
            | Self::NoSession(_)
            | Self::NoRun(_)
            | Self::HasSession { .. }
            | Self::NotMember
            | Self::NotAllowed { .. }
            | Self::WorkedOn { .. }
            | Self::SecondLead(_)
            | Self::Length { .. }
            | Self::Import { .. }
            | Self::NotEmpty => StoreErrorClass::Refused,
            Self::Busy => StoreErrorClass::Busy,
            Self::NoRepository(_)
            | Self::Repository(_)
            | Self::NoTeam(_)
            | Self::NetworkFileSystem { .. }
            | Self::Newer { .. }
            | Self::Foreign(_)
            | Self::Full
            | Self::ReadOnly
            | Self::Io { .. }
            | Self::Entropy
            | Self::Sqlite(_) => StoreErrorClass::User,
            Self::Damaged(_) => StoreErrorClass::Damaged,
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> Hint {
        let see = |what: &str| Hint::new(format!("see {what} with "));
        let text = match self {
            Self::Task(refusal) => return refusal.hint(),
            Self::Mail(refusal) => return refusal.hint(),
            Self::Need(_) | Self::NoTask(_) => return see("the tasks").quoted("team status"),
            Self::NoLock(_) => return see("the locks").quoted("team status"),
            Self::NothingReady => return see("what tasks wait for").quoted("team status"),
            Self::NoMember(_) => return see("the members").quoted("team status"),
            Self::NoSession(_) => return see("the sessions").quoted("team status --json"),
            Self::HasSession { .. } => {
                let watch = Hint::new("see ").quoted("team watch --once");
                return Hint::new("wait until it ends").or(watch);
            }
            Self::WorkedOn { may, .. } => return who_may_review(may),
            Self::Incomplete {
                task,
                epoch,
                missing,
            } => return MissingEvidence::hint(missing, *task, *epoch),
            Self::Delivery(_) => "fetch your mail again",
            Self::Glob(_) => "write paths as they are in the repository, such as `src/**/*.rs`",
            Self::Deadlock(_) => {
                "release a lock that another of them waits for, or work without this one"
            }
            Self::TooManyLocks { .. } => "lock a folder instead of many files",
            Self::NameTaken(_) => "choose another name, or let that member leave first",
            Self::NoRun(_) => "start one with `agon team run`",
            Self::NotMember => "join with `agon team join`",
            Self::NotAllowed { .. } => "ask the lead or a person",
            Self::SecondLead(_) => {
                "join as `worker`, or let a person run this command in a terminal outside any AI tool"
            }
            Self::Length { .. } => "shorten it, or put it in a file and name the file",
            Self::NoRepository(_) => {
                "run the command in a repository, or create one with `git init`"
            }
            Self::Repository(error) => error.hint(),
            Self::NoTeam(_) => "create one with `agon team init`",
            Self::NetworkFileSystem { .. } => "clone the repository onto a disk of this machine",
            Self::Newer { .. } => "update agon",
            Self::Foreign(_) => "move that file away",
            Self::Damaged(_) => {
                "copy the file, then run `agon team doctor`; you can also import an export"
            }
            Self::Busy => "try again",
            Self::Full => "free some space, then try again",
            Self::ReadOnly => "make it writable for you",
            Self::Io { .. } | Self::Entropy | Self::Sqlite(_) => {
                "fix the cause that the system reports"
            }
            Self::Import { .. } => "export the team again with this version",
            Self::NotEmpty => "import into a repository without a team",
        };
        text.into()
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let extended = error.sqlite_error().map(|error| error.extended_code);
        // There was no space for the index file beside the database; SQLite reports this as an I/O
        // error.
        if extended == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) {
            return Self::Full;
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged(error.to_string())
            }
            Some(_) => Self::Sqlite(error.to_string()),
            // The value does not have the column's type.
            None => Self::Damaged(error.to_string()),
        }
    }
}
