//! Failures of debates, with hints.

use agon_caller::{Code, Failure, FailureKind, Hint, write_failure};
use agon_engine::host::FolderError;
use agon_engine::run::RunError;
use agon_folder::ProjectError;
use agon_record::state::State;
use agon_rules::steer::{CommandRefusal, RefusalCode};

/// Returns the failure of a run, with a hint.
pub(crate) fn run_failure(error: RunError<FolderError>) -> Failure {
    match &error {
        RunError::Host(_) => store_failure(&error),
        RunError::EmptySeat(_) => Failure::from_error(Code::Tool, &error)
            .hint("run `agon tools` to see which tools are ready"),
        RunError::Refused(why) => request_refusal(why.clone()),
        RunError::Stale { .. } => Failure::from_error(Code::StaleReply, &error)
            .hint(Hint::new("discard the stored reply and ask again with ").flag("ask-again")),
        RunError::NoSeat { .. } | RunError::LookUp { .. } => Failure::from_error(Code::Bug, &error),
    }
}

/// Returns the failure for a debate that the user stopped.
pub(crate) fn stopped_failure(state: &State) -> Failure {
    let hint = format!("run `agon resume {}` to continue", state.command_name());
    Failure::new(Code::Cancelled, "stopped; nothing is lost").hint(hint)
}

/// Returns the failure for a folder that cannot be written, with a hint.
pub(crate) fn store_failure(error: &(dyn std::error::Error + 'static)) -> Failure {
    let mut cause = Some(error);
    while let Some(inner) = cause {
        if let Some(ProjectError::ForeignEdit { .. }) = inner.downcast_ref() {
            return Failure::from_error(Code::ForeignEdit, error)
                .hint("undo the edit or move the file away, then run `agon resume`");
        }
        cause = inner.source();
    }
    write_failure(error)
}

/// Returns the failure for a request that does not apply to the debate.
pub(crate) fn request_refusal(why: CommandRefusal) -> Failure {
    let failure = Failure::new(refusal_code(why.code), why.message).kind(FailureKind::Usage);
    if why.hint.is_empty() {
        failure
    } else {
        failure.hint(why.hint)
    }
}

fn refusal_code(code: RefusalCode) -> Code {
    match code {
        RefusalCode::Closed => Code::Closed,
        RefusalCode::Empty => Code::Empty,
        RefusalCode::Formal => Code::Formal,
        RefusalCode::Judging => Code::Judging,
        RefusalCode::Limit => Code::Limit,
        RefusalCode::Rounds => Code::Rounds,
        RefusalCode::TooLarge => Code::TooLarge,
        RefusalCode::Unfinished => Code::Unfinished,
    }
}

/// Rejects a request with a missing parameter if defaults are not allowed. `hint` says how to give
/// the parameter of that name.
///
/// # Errors
///
/// If a parameter is missing.
pub(crate) fn require_given(
    given: &[(&str, bool)],
    hint: impl Fn(&str) -> Hint,
) -> Result<(), Failure> {
    match given.iter().find(|(_, given)| !given) {
        None => Ok(()),
        Some((missing, _)) => {
            let message = format!("missing parameter `{missing}`");
            let every = Hint::new("with ").flag("strict");
            let every = every.text(" every parameter is required: ");
            Err(Failure::new(Code::MissingParameter, message)
                .parameter(*missing)
                .hint(every.append(hint(missing))))
        }
    }
}
