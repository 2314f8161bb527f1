//! What Agon put into a host, taken out of it.

use std::fs;
use std::path::Path;

use super::lists::{self, take_lists};
use super::plan::part_of;
use super::retry::{PartError, explain_busy, while_busy};
use super::server::{Entries, ServerRemoval, take_out};
use super::{Action, Installation, InstalledPart, Step};
use crate::disk;
use crate::host::SERVER;
use crate::receipt::{self, Receipt, ReceiptError, ServerReceipt};

/// Takes out of the host what Agon put there; nothing is written where `is_dry`. What a user
/// changed since stays, and is no longer Agon's.
///
/// # Errors
///
/// If what was installed cannot be read.
pub fn take_back(place: &Installation, is_dry: bool) -> Result<Vec<Step>, ReceiptError> {
    let Some(receipt) = Receipt::read(&place.receipt)? else {
        if !is_dry {
            disk::clear_attempt(&place.receipt);
        }
        return Ok(Vec::new());
    };
    place.refuse_outside(receipt.paths())?;
    if !is_dry {
        receipt
            .paths()
            .chain([&place.receipt])
            .for_each(|path| disk::clear_attempt(path));
    }
    let mut steps = Vec::new();
    let mut left = receipt.clone();
    // The last that was put there first: so each is taken back to the byte.
    let keys = Entries::permissions(place);
    for (name, key) in receipt.permission_keys.iter().rev() {
        let step = take_entry(&keys, name, key, is_dry);
        if step.action != Action::Refuse {
            left.permission_keys.remove(name);
        }
        steps.push(step);
    }
    if let Some(rules) = &receipt.permissions {
        let step = take_lists(
            InstalledPart::Permissions,
            lists::PERMISSIONS,
            rules,
            is_dry,
        );
        if step.action != Action::Refuse {
            left.permissions = None;
        }
        steps.push(step);
    }
    if let Some(hooks) = &receipt.hooks {
        let step = take_lists(InstalledPart::Hooks, lists::HOOKS, hooks, is_dry);
        if step.action != Action::Refuse {
            left.hooks = None;
        }
        steps.push(step);
    }
    let servers = Entries::servers(place);
    for (name, server) in receipt.others.iter().rev() {
        let step = take_entry(&servers, name, server, is_dry);
        if step.action != Action::Refuse {
            left.others.remove(name);
        }
        steps.push(step);
    }
    if let Some(server) = &receipt.server {
        let step = take_entry(&servers, SERVER, server, is_dry);
        if step.action != Action::Refuse {
            left.server = None;
        }
        steps.push(step);
    }
    for (path, hashes) in &receipt.files {
        let step = take_file(path, hashes, is_dry);
        if step.action != Action::Refuse {
            left.files.remove(path);
        }
        steps.push(step);
    }
    for step in &mut steps {
        explain_busy(step, place, "uninstall");
    }
    if is_dry {
        return Ok(steps);
    }
    // What was refused is still Agon's, for the next attempt.
    let has_servers = left.server.is_some() || !left.others.is_empty();
    let has_permissions = left.permissions.is_some() || !left.permission_keys.is_empty();
    if has_servers || has_permissions || left.hooks.is_some() || !left.files.is_empty() {
        left.write(&place.receipt)?;
        return Ok(steps);
    }
    disk::remove(&place.receipt).map_err(|error| ReceiptError::Disk {
        path: place.receipt.clone(),
        error,
    })?;
    for folder in receipt.folders.iter().rev() {
        // One with something else in it stays.
        fs::remove_dir(folder).ok();
    }
    Ok(steps)
}

fn take_file(path: &Path, hashes: &[String], is_dry: bool) -> Step {
    let step = Step::new(part_of(path), path.to_owned(), Action::Remove);
    match disk::read(path) {
        Ok(None) => Step {
            action: Action::Same,
            ..step
        }
        .because("it is gone already"),
        Err(error) => Step {
            action: Action::Refuse,
            ..step
        }
        .because(error.to_string()),
        Ok(Some(found)) if !hashes.contains(&receipt::hash(&found)) => Step {
            action: Action::Keep,
            ..step
        }
        .because("you changed it: it is yours now"),
        Ok(Some(_)) if is_dry => step,
        Ok(Some(_)) => match disk::remove(path) {
            Ok(()) => {
                disk::remove_empty_parent(path);
                step
            }
            Err(error) => Step {
                action: Action::Refuse,
                ..step
            }
            .because(error.to_string()),
        },
    }
}

fn take_entry(entries: &Entries<'_>, name: &str, server: &ServerReceipt, is_dry: bool) -> Step {
    let part = (entries.part)(name.to_owned());
    let mut step = Step::new(part, server.path.clone(), Action::Remove);
    let mut taken = None;
    match while_busy(|| edit_out(entries, (name, server), &mut taken, is_dry)) {
        Ok(ServerOutcome::Removed(change)) => Step {
            change: Some(change),
            ..step
        },
        Ok(ServerOutcome::Gone) => Step {
            action: Action::Same,
            ..step
        }
        .because("it is gone already"),
        Ok(ServerOutcome::Changed) => Step {
            action: Action::Keep,
            ..step
        }
        .because("you changed it: it is yours now"),
        Err(error) => {
            step.refuse(&error);
            step
        }
    }
}

enum ServerOutcome {
    /// It was taken out: what went with it.
    Removed(String),
    Gone,
    Changed,
}

/// Takes the entry out. `taken` is what an earlier attempt took out and another program put back.
fn edit_out(
    entries: &Entries<'_>,
    (name, server): (&str, &ServerReceipt),
    taken: &mut Option<String>,
    is_dry: bool,
) -> Result<ServerOutcome, PartError> {
    let format = entries.format;
    let gone = |taken: &mut Option<String>| {
        taken
            .take()
            .map_or(ServerOutcome::Gone, ServerOutcome::Removed)
    };
    let text = disk::read_settled(&server.path, |text| format.reads(text))?;
    let Some(text) = text else {
        return Ok(gone(taken));
    };
    let after = match take_out(format, name, &text, server)? {
        ServerRemoval::Out(after) => after,
        ServerRemoval::Gone => return Ok(gone(taken)),
        ServerRemoval::Changed => return Ok(ServerOutcome::Changed),
    };
    let change = crate::edit::Splice::describe(&after, &text);
    if is_dry {
        return Ok(ServerOutcome::Removed(change));
    }
    *taken = Some(change.clone());
    let is_nothing_left = server.is_file_ours && crate::edit::is_blank(&after);
    disk::write_rest(&server.path, &text, (!is_nothing_left).then_some(&after))?;
    Ok(ServerOutcome::Removed(change))
}
