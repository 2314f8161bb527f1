//! Configurations that another program writes at the same time.

use std::thread::sleep;

use super::{Installation, Step};
use crate::disk::{ATTEMPTS, DiskError, PAUSE};
use crate::edit::EditError;
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

/// The result of `attempt`, which is made again for about two seconds while another program writes to
/// the file.
pub(super) fn while_busy<T>(
    mut attempt: impl FnMut() -> Result<T, PartError>,
) -> Result<T, PartError> {
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
