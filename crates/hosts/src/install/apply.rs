//! Carries out an installation plan.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::retry::add_busy_hint;
use super::{Action, InstallPlan, Installation, InstalledPart, Step};
use crate::disk::{self, PAUSE};
use crate::host::SERVER;
use crate::receipt::{Receipt, ReceiptError};

/// Carries out `plan` and returns the result of each part. The receipt is written first, so that a kill
/// at any moment leaves nothing unrecorded.
///
/// # Errors
///
/// If the receipt cannot be written; then nothing else is.
pub fn apply(place: &Installation, plan: InstallPlan) -> Result<Vec<Step>, ReceiptError> {
    let InstallPlan {
        mut steps,
        writes,
        mut receipt,
    } = plan;
    disk::remove_temporary_file(&place.receipt);
    if writes.is_empty() {
        // Without writes, the receipt may still be outdated: the process was killed after its last
        // file, or another version wrote the same files.
        let known = Receipt::read(&place.receipt)?;
        if known.is_some_and(|known| known != receipt) {
            receipt.write(&place.receipt)?;
        }
        return Ok(steps);
    }
    // Checked again, because a link may have been created since the plan was made.
    place.refuse_links_outside_project(writes.iter().map(|write| &write.path))?;
    receipt.write(&place.receipt)?;
    let mut lacks_server = false;
    for write in writes {
        if lacks_server && write.needs_server {
            if let Some(step) = steps.get_mut(write.step) {
                step.refuse_without_server();
            }
            receipt.files.remove(&write.path);
            continue;
        }
        let done = match &write.after {
            Some(after) => disk::create_folders(&write.path).and_then(|()| {
                disk::replace(&write.path, write.before.as_deref(), after, write.mode)
            }),
            None => disk::remove(&write.path),
        };
        if done.is_ok()
            && let Some(step) = steps.get(write.step)
        {
            match step.action {
                Action::Remove => receipt.forget(&step.part),
                _ => forget_earlier_entries(&step.part, write.put, &mut receipt),
            }
        }
        match (done, &write.after) {
            (Ok(()), Some(after)) => {
                if let Some(hashes) = receipt.files.get_mut(&write.path) {
                    *hashes = vec![crate::receipt::hash(after)];
                }
            }
            (Ok(()), None) => {
                receipt.files.remove(&write.path);
                disk::remove_empty_parent(&write.path);
            }
            (Err(error), _) => {
                if let Some(step) = steps.get_mut(write.step) {
                    step.refuse(&error.into());
                    add_busy_hint(step, place, "install");
                    lacks_server |= step.part == InstalledPart::Server(SERVER.to_owned());
                }
            }
        }
    }
    receipt.write(&place.receipt)?;
    Ok(steps)
}

/// Time limit for new plans while another program is writing to a file. The last attempt may also
/// wait for that file.
const REPLAN_FOR: Duration = Duration::from_secs(2);

/// Carries out `plan` like [`apply`]. While another program is writing to one of the files, it makes
/// new plans and carries them out, for a few seconds.
///
/// # Errors
///
/// Those of [`apply`] and `replan`.
pub fn apply_with_retries<E: From<ReceiptError>>(
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

/// Removes earlier entries from the receipt after a write: if they appear again, the user wrote
/// them.
fn forget_earlier_entries(part: &InstalledPart, put: usize, receipt: &mut Receipt) {
    let (server, lists) = match part {
        InstalledPart::Server(name) if name == SERVER => (receipt.server.as_mut(), None),
        InstalledPart::Server(name) => (receipt.others.get_mut(name), None),
        InstalledPart::Permission(key) => (receipt.permission_keys.get_mut(key), None),
        InstalledPart::Hooks => (None, receipt.hooks.as_mut()),
        InstalledPart::Permissions => (None, receipt.permissions.as_mut()),
        InstalledPart::File(..) => (None, None),
    };
    if let Some(server) = server {
        server.entries.truncate(put);
        server.splices.truncate(1);
    }
    if let Some(lists) = lists {
        lists.entries.truncate(put);
        lists.splices.truncate(1);
    }
}
