//! Retries while another program is writing to a configuration.

use std::thread::sleep;

use super::{Action, Installation, InstalledPart, Step};
use crate::disk::{self, ATTEMPTS, DiskError, PAUSE};
use crate::edit::{EditError, Splice, is_blank};
use crate::host::Scope;

/// The reason why a part could not be installed or removed.
#[derive(Debug, thiserror::Error)]
pub(super) enum PartError {
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl PartError {
    /// Returns whether another program was writing to the file.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Self::Disk(DiskError::Changed))
    }
}

/// Removes Agon's text from the file of `step`. `reads` tells whether a text is complete. `rest` returns
/// the text without Agon's part, and whether a part that a person changed remains.
pub(super) fn remove_from_file(
    mut step: Step,
    is_file_ours: bool,
    is_dry: bool,
    reads: impl Fn(&str) -> bool,
    rest: impl Fn(&str) -> Result<(String, bool), EditError>,
) -> Step {
    // The text removed in an earlier attempt, after which another program wrote the file again.
    let mut taken = None;
    let done = retry_while_busy(|| {
        let Some(text) = disk::read_when_complete(&step.path, &reads)? else {
            return Ok((taken.take(), false));
        };
        let (after, has_changed) = rest(&text)?;
        if after == text {
            return Ok((taken.take(), has_changed));
        }
        let change = Splice::describe(&after, &text);
        if !is_dry {
            taken = Some(change.clone());
            let is_nothing_left = is_file_ours && is_blank(&after);
            disk::replace_or_remove(&step.path, &text, (!is_nothing_left).then_some(&after))?;
        }
        Ok((Some(change), has_changed))
    });
    match done {
        Ok((Some(change), has_changed)) => {
            let reason =
                has_changed.then(|| "you changed some of it, so that part is kept".to_owned());
            step.change = Some(change);
            Step { reason, ..step }
        }
        Ok((None, true)) => step.with_action(Action::Keep, "you changed it, so it is kept"),
        Ok((None, false)) => {
            let are_many = matches!(step.part, InstalledPart::Hooks | InstalledPart::Permissions);
            let gone = match are_many {
                true => "already gone",
                false => "already gone",
            };
            step.with_action(Action::Same, gone)
        }
        Err(error) => {
            step.refuse(&error);
            step
        }
    }
}

/// Repeats `attempt` for about two seconds while another program is writing to the file.
fn retry_while_busy<T>(mut attempt: impl FnMut() -> Result<T, PartError>) -> Result<T, PartError> {
    for _ in 0..ATTEMPTS {
        match attempt() {
            Err(error) if error.is_busy() => sleep(PAUSE),
            result => return result,
        }
    }
    attempt()
}

/// Adds a hint to a step that failed because another program was writing.
pub(super) fn add_busy_hint(step: &mut Step, place: &Installation, command: &str) {
    if !step.is_busy() {
        return;
    }
    let scope = match place.scope {
        Scope::User => "",
        Scope::Project(_) => " --scope project",
    };
    let (title, name) = (place.host.title, place.host.name);
    step.reason = Some(format!(
        "{}: quit {title} and run \"agon {command} {name}{scope}\" again",
        DiskError::Changed
    ));
}
