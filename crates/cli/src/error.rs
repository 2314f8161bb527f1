//! Exit codes and failures.

pub(crate) use agon_caller::{Code, Failure, FailureKind};

/// The result of a command, as an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// A judge ruled on the debate, or another command succeeded.
    Done,
    /// A verdict below the required authority, or a partial success.
    Lesser,
    /// `check` found errors.
    Findings,
    /// Some debates of a batch failed, or answers of a trial.
    SomeFailed,
    /// A failure.
    Failed(FailureKind),
}

impl Exit {
    /// Returns the exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed(FailureKind::NoVerdict) => 1,
            Self::Failed(FailureKind::Usage) => 2,
            Self::Failed(FailureKind::Config) => 3,
            Self::Failed(FailureKind::Tool) => 4,
            Self::Failed(FailureKind::Limit) => 5,
            Self::Failed(FailureKind::Store) => 6,
            Self::Lesser => 7,
            Self::Findings => 8,
            Self::SomeFailed => 9,
            Self::Failed(FailureKind::Bug) => 70,
            Self::Failed(FailureKind::Cancelled) => 130,
        }
    }
}

impl From<FailureKind> for Exit {
    fn from(kind: FailureKind) -> Self {
        Self::Failed(kind)
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
