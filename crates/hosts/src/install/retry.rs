//! Configurations that another program writes at the same time.

use std::thread::sleep;

use super::{Action, Installation, InstalledPart, Step};
use crate::disk::{self, ATTEMPTS, DiskError, PAUSE};
use crate::edit::{EditError, Splice, is_blank};
use crate::host::Scope;

/// Why a part is not put in or taken out.
#[derive(Debug, thiserror::Error)]
pub(super) enum PartError {
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl PartError {
    /// Whether another program was writing to the file.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Self::Disk(DiskError::Changed))
    }
}

/// Takes what is Agon's out of the file of `step`, which is whole by `reads`. `rest` gives the text without
/// it, and whether something is left that a person made of it.
pub(super) fn take_from_file(
    mut step: Step,
    is_file_ours: bool,
    is_dry: bool,
    reads: impl Fn(&str) -> bool,
    rest: impl Fn(&str) -> Result<(String, bool), EditError>,
) -> Step {
    // What an earlier attempt took out and another program put back.
    let mut taken = None;
    let done = while_busy(|| {
        let Some(text) = disk::read_settled(&step.path, &reads)? else {
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
            disk::write_rest(&step.path, &text, (!is_nothing_left).then_some(&after))?;
        }
        Ok((Some(change), has_changed))
    });
    match done {
        Ok((Some(change), has_changed)) => {
            let reason =
                has_changed.then(|| "you changed some of it: that is yours now".to_owned());
            step.change = Some(change);
            Step { reason, ..step }
        }
        Ok((None, true)) => step.ended(Action::Keep, "you changed it: it is yours now"),
        Ok((None, false)) => {
            let are_many = matches!(step.part, InstalledPart::Hooks | InstalledPart::Permissions);
            let gone = match are_many {
                true => "they are gone already",
                false => "it is gone already",
            };
            step.ended(Action::Same, gone)
        }
        Err(error) => {
            step.refuse(&error);
            step
        }
    }
}

/// The result of `attempt`, which is made again for about two seconds while another program writes to
/// the file.
fn while_busy<T>(mut attempt: impl FnMut() -> Result<T, PartError>) -> Result<T, PartError> {
    for _ in 0..ATTEMPTS {
        match attempt() {
            Err(error) if error.is_busy() => sleep(PAUSE),
            result => return result,
        }
    }
    attempt()
}

/// Says what to do about a step that another program was in the way of.
pub(super) fn explain_busy(step: &mut Step, place: &Installation, command: &str) {
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
