//! Configurations that another program writes at the same time.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{InstallPlan, Installation, Step, apply};
use crate::disk::{ATTEMPTS, DiskError, PAUSE};
use crate::edit::EditError;
use crate::host::Scope;
use crate::receipt::ReceiptError;

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

/// How long a file that another program is writing gets new plans. The last one may itself wait a
/// while for that file.
const REPLAN_FOR: Duration = Duration::from_secs(2);

/// Carries `plan` out like [`apply`]. While another program writes to one of the files, it asks for a
/// new plan and carries that out, for a few seconds.
///
/// # Errors
///
/// As [`apply`], and what `replan` returns.
pub fn apply_settled<E: From<ReceiptError>>(
    place: &Installation,
    plan: InstallPlan,
    replan: impl Fn() -> Result<InstallPlan, E>,
) -> Result<Vec<Step>, E> {
    let mut steps = apply(place, plan)?;
    let end = Instant::now() + REPLAN_FOR;
    while steps.iter().any(Step::is_busy) && Instant::now() < end {
        sleep(PAUSE);
        let now = apply(place, replan()?)?;
        for step in steps.iter_mut().filter(|step| step.is_refused()) {
            let mut now = now.iter();
            if let Some(now) = now.find(|now| now.part == step.part && now.path == step.path) {
                *step = now.clone();
            }
        }
    }
    Ok(steps)
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
