//! What can go wrong with a debate, and what to do about it.

use agon_caller::hint::flag;
use agon_caller::{Code, Failure, FailureKind, Hint, write_failure};
use agon_engine::host::FolderError;
use agon_engine::run::RunError;
use agon_folder::ProjectError;
use agon_record::state::State;
use agon_rules::steer::{CommandRefusal, RefusalCode};

/// The failure of a run, and what to do about it.
pub(crate) fn run_failure(error: RunError<FolderError>) -> Failure {
    match &error {
        RunError::Host(_) => store_failure(&error),
        RunError::EmptySeat(_) => {
            Failure::from_error(Code::Tool, &error).hint("agon tools shows what is here")
        }
        RunError::Refused(why) => wish_refusal(why.clone()),
        RunError::Stale { .. } => Failure::from_error(Code::StaleReply, &error)
            .hint(flag("ask-again").text(" discards the stored reply and asks again")),
        RunError::NoSeat { .. } | RunError::LookUp { .. } => Failure::from_error(Code::Bug, &error),
    }
}

/// The user stopped the debate.
pub(crate) fn stopped_failure(state: &State) -> Failure {
    let hint = format!("agon resume {} goes on", state.command_name());
    Failure::new(Code::Cancelled, "stopped; nothing is lost").hint(hint)
}

/// The failure for a folder that cannot be written, and what to do about it.
pub(crate) fn store_failure(error: &(dyn std::error::Error + 'static)) -> Failure {
    let mut cause = Some(error);
    while let Some(inner) = cause {
        if let Some(ProjectError::ForeignEdit { .. }) = inner.downcast_ref() {
            return Failure::from_error(Code::ForeignEdit, error)
                .hint("undo the edit or move the file away, then `agon resume`");
        }
        cause = inner.source();
    }
    write_failure(error)
}

/// The failure for a wish that makes no sense in a debate.
pub(crate) fn wish_refusal(why: CommandRefusal) -> Failure {
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

/// Refuses a request in which a parameter is not given, where nothing is taken by default; `hint`
/// says how the parameter of a name is given.
///
/// # Errors
///
/// If there is one.
pub(crate) fn require_given(
    given: &[(&str, bool)],
    hint: impl Fn(&str) -> Hint,
) -> Result<(), Failure> {
    match given.iter().find(|(_, given)| !given) {
        None => Ok(()),
        Some((missing, _)) => {
            let message = format!("`{missing}` is not given");
            let every = Hint::new("with ").flag("strict");
            let every = every.text(" every parameter is given: ");
            Err(Failure::new(Code::MissingParameter, message)
                .parameter(*missing)
                .hint(every.append(hint(missing))))
        }
    }
}
