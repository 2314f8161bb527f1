//! Why the store did not do what was asked of it.

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

/// What a caller may do about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreErrorClass {
    /// The rules say no; the answer says why.
    Refused,
    /// Others hold the file; the same again may succeed.
    Busy,
    /// The user can fix it: a disk, a file, a folder.
    User,
    /// What is in the file is not what the program wrote.
    Damaged,
}

/// Why the store did not do what was asked of it; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The rules of tasks.
    #[error(transparent)]
    Task(#[from] TaskRefusal),
    /// The rules of needs.
    #[error(transparent)]
    Need(#[from] NeedRefusal),
    /// The rules of mail.
    #[error(transparent)]
    Mail(#[from] MailRefusal),
    /// The rules of deliveries.
    #[error(transparent)]
    Delivery(#[from] DeliveryRefusal),
    /// A glob.
    #[error(transparent)]
    Glob(#[from] GlobError),
    /// The evidence of a task is not complete.
    #[error("{task} is not done: it lacks {}", list(missing))]
    Incomplete {
        /// The task.
        task: TaskId,
        /// Its epoch.
        epoch: Epoch,
        /// What it lacks.
        missing: Vec<MissingEvidence>,
    },
    /// To wait for this lock would close a circle, and this task is the youngest in it.
    #[error("to wait for this lock would never end: {} wait for each other", circle(.0))]
    Deadlock(Vec<TaskId>),
    /// The task has as many locks as it may.
    #[error("{task} has {max} locks, the most that are allowed")]
    TooManyLocks {
        /// The task.
        task: TaskId,
        /// The limit.
        max: usize,
    },
    /// There is no such task.
    #[error("there is no task {0}")]
    NoTask(TaskId),
    /// There is no such lock, or it is another task's.
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
    /// The member has a session that is not over.
    #[error("{member} has the session {session}, which is not over")]
    HasSession {
        /// The member.
        member: MemberName,
        /// Its session.
        session: SessionId,
    },
    /// Another member has the name.
    #[error("the name {0} is taken")]
    NameTaken(MemberName),
    /// The token is of no member.
    #[error("the token is not that of a member")]
    NotMember,
    /// A member wants to lead a team that has a lead.
    #[error("{0} cannot join as lead: the team has one")]
    SecondLead(MemberName),
    /// The caller may not do this.
    #[error("{actor} may not {act}")]
    NotAllowed {
        /// Who.
        actor: String,
        /// What.
        act: &'static str,
    },
    /// Who worked on a task does not review it.
    #[error("{actor} may not {act}")]
    WorkedOn {
        /// Who.
        actor: String,
        /// What.
        act: &'static str,
        /// The members who may.
        may: Vec<MemberName>,
    },
    /// A text is longer than its limit.
    #[error("the {what} has {bytes} bytes, 1 to {max} are allowed")]
    Length {
        /// Which text.
        what: &'static str,
        /// Its bytes.
        bytes: usize,
        /// The limit.
        max: usize,
    },
    /// The folder is in no repository.
    #[error("{} is in no git repository that can be read", .0.display())]
    NoRepository(PathBuf),
    /// The repository of the folder is none that a team can have.
    #[error(transparent)]
    Repository(DiscoverError),
    /// The repository has no team.
    #[error("this repository has no team")]
    NoTeam(PathBuf),
    /// The file system is shared by machines.
    #[error("{} is on {kind}, where several machines may write at once", path.display())]
    NetworkFileSystem {
        /// The folder.
        path: PathBuf,
        /// Which file system.
        kind: &'static str,
    },
    /// A newer version of the program made the file.
    #[error("the team's file is of version {found}, this program knows {known}")]
    Newer {
        /// Its version.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// Another program made the file.
    #[error("{} is not a file of a team", .0.display())]
    Foreign(PathBuf),
    /// What is in the file is not what was written.
    #[error("the team's file is damaged: {0}")]
    Damaged(String),
    /// Others hold the file for longer than a call takes.
    #[error("others are writing to the team's file")]
    Busy,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file may not be written.
    #[error("the team's file may not be written")]
    ReadOnly,
    /// The file system failed.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
    /// The system has no entropy for a token.
    #[error("the system has no entropy")]
    Entropy,
    /// SQLite failed otherwise.
    #[error("the team's file cannot be used: {0}")]
    Sqlite(String),
    /// A line of an import is not one.
    #[error("line {line} of the import: {cause}")]
    Import {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        cause: String,
    },
    /// An import goes into an empty team only.
    #[error("the team is not empty")]
    NotEmpty,
}

fn list(missing: &[MissingEvidence]) -> String {
    let words: Vec<String> = missing.iter().map(MissingEvidence::to_string).collect();
    words.join("; ")
}

fn circle(tasks: &[TaskId]) -> String {
    let words: Vec<String> = tasks.iter().map(TaskId::to_string).collect();
    words.join(", ")
}

fn who_may_review(may: &[MemberName]) -> Hint {
    let names: Vec<String> = may.iter().map(MemberName::to_string).collect();
    match names.is_empty() {
        true => Hint::new("have a member join who did not work on it, or review it at a terminal"),
        false => Hint::new(format!("{} may review it", names.join(" or "))),
    }
}

impl StoreError {
    /// What a caller may do about it.
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

    /// What to do about it.
    pub fn hint(&self) -> Hint {
        let see = |what: &str| Hint::new(format!("see {what} with "));
        let text = match self {
            Self::Task(refusal) => return refusal.hint(),
            Self::Mail(refusal) => return refusal.hint(),
            Self::Need(_) | Self::NoTask(_) => return see("the tasks").quoted("team status"),
            Self::NoLock(_) => return see("the locks").quoted("team status"),
            Self::NothingReady => return see("what tasks wait for").quoted("team status"),
            Self::NoMember(_) => return see("who is there").quoted("team status"),
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
                "give up a lock that another of them waits for, or work without this one"
            }
            Self::TooManyLocks { .. } => "lock a folder in place of many files",
            Self::NameTaken(_) => "join under another name, or let that member leave first",
            Self::NoRun(_) => "begin one with `agon team run`",
            Self::NotMember => "join with `agon team join`",
            Self::NotAllowed { .. } => "ask the lead or a person",
            Self::SecondLead(_) => {
                "join as `worker`, or let a person join you from a terminal outside of any AI tool"
            }
            Self::Length { .. } => "write it shorter, or name a file that has it",
            Self::NoRepository(_) => "go into the repository, or begin one with `git init`",
            Self::Repository(error) => error.hint(),
            Self::NoTeam(_) => "begin one with `agon team init`",
            Self::NetworkFileSystem { .. } => "clone the repository onto a disk of this machine",
            Self::Newer { .. } => "update agon",
            Self::Foreign(_) => "move that file away",
            Self::Damaged(_) => {
                "keep a copy, then see `agon team doctor`; an export can be imported"
            }
            Self::Busy => "try again",
            Self::Full => "make room, then try again",
            Self::ReadOnly => "give yourself the right to write it",
            Self::Io { .. } | Self::Entropy | Self::Sqlite(_) => "see what the system says",
            Self::Import { .. } => "export again with this version",
            Self::NotEmpty => "begin a team in a repository without one",
        };
        text.into()
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let extended = error.sqlite_error().map(|error| error.extended_code);
        // The index beside the file found no room, which SQLite calls an error of the disk.
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
            // A value that is not of the type that the column has.
            None => Self::Damaged(error.to_string()),
        }
    }
}
