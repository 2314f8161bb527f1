//! Uninstalls Agon from a host.

use std::fs;
use std::path::Path;

use super::lists::{self, remove_lists};
use super::plan::part_at_path;
use super::retry::{add_busy_hint, remove_from_file};
use super::server::{Entries, ServerRemoval, take_out};
use super::{Action, Installation, InstalledPart, Step};
use crate::disk;
use crate::host::SERVER;
use crate::receipt::{self, Receipt, ReceiptError, ServerReceipt};

/// Removes everything that Agon installed in a host, or only reports it if `is_dry`. Parts that the user
/// changed are kept and belong to the user from then on.
///
/// # Errors
///
/// If the receipt cannot be read.
pub fn uninstall(place: &Installation, is_dry: bool) -> Result<Vec<Step>, ReceiptError> {
    let Some(receipt) = Receipt::read(&place.receipt)? else {
        if !is_dry {
            disk::remove_temporary_file(&place.receipt);
        }
        return Ok(Vec::new());
    };
    place.refuse_links_outside_project(receipt.paths())?;
    if !is_dry {
        receipt
            .paths()
            .chain([&place.receipt])
            .for_each(|path| disk::remove_temporary_file(path));
    }
    let mut steps = Vec::new();
    // Reverse order of insertion, so that each edit can be undone byte for byte.
    let keys = Entries::permissions(place);
    for (name, key) in receipt.permission_keys.iter().rev() {
        steps.push(uninstall_entry(&keys, name, key, is_dry));
    }
    if let Some(rules) = &receipt.permissions {
        let lists = lists::permission_lists(place);
        steps.push(remove_lists(
            InstalledPart::Permissions,
            lists,
            rules,
            is_dry,
        ));
    }
    if let Some(hooks) = &receipt.hooks {
        let lists = lists::HOOKS;
        steps.push(remove_lists(InstalledPart::Hooks, lists, hooks, is_dry));
    }
    let servers = Entries::servers(place);
    for (name, server) in receipt.others.iter().rev() {
        steps.push(uninstall_entry(&servers, name, server, is_dry));
    }
    if let Some(server) = &receipt.server {
        steps.push(uninstall_entry(&servers, SERVER, server, is_dry));
    }
    // Keep refused parts in the receipt, so that the next attempt can remove them.
    let mut left = receipt.clone();
    for step in steps.iter().filter(|step| !step.is_refused()) {
        left.forget(&step.part);
    }
    for (path, hashes) in &receipt.files {
        let step = uninstall_file(place, path, hashes, is_dry);
        if !step.is_refused() {
            left.files.remove(path);
        }
        steps.push(step);
    }
    for step in &mut steps {
        add_busy_hint(step, place, "uninstall");
    }
    if is_dry {
        return Ok(steps);
    }
    if left.paths().next().is_some() {
        left.write(&place.receipt)?;
        return Ok(steps);
    }
    disk::remove(&place.receipt).map_err(|error| ReceiptError::Disk {
        path: place.receipt.clone(),
        error,
    })?;
    for folder in receipt.folders.iter().rev() {
        // Fails if the folder is not empty.
        fs::remove_dir(folder).ok();
    }
    Ok(steps)
}

fn uninstall_file(place: &Installation, path: &Path, hashes: &[String], is_dry: bool) -> Step {
    let step = Step::new(part_at_path(place, path), path.to_owned(), Action::Remove);
    match disk::read(path) {
        Ok(None) => step.with_action(Action::Same, "already gone"),
        Err(error) => step.with_action(Action::Refuse, error.to_string()),
        Ok(Some(found)) if !hashes.contains(&receipt::hash(&found)) => {
            step.with_action(Action::Keep, "you changed it, so it is kept")
        }
        Ok(Some(_)) if is_dry => step,
        Ok(Some(_)) => match disk::remove(path) {
            Ok(()) => {
                disk::remove_empty_parent(path);
                step
            }
            Err(error) => step.with_action(Action::Refuse, error.to_string()),
        },
    }
}

fn uninstall_entry(
    entries: &Entries<'_>,
    name: &str,
    server: &ServerReceipt,
    is_dry: bool,
) -> Step {
    let part = (entries.part)(name.to_owned());
    let step = Step::new(part, server.path.clone(), Action::Remove);
    let reads = |text: &str| entries.format.can_parse(text);
    let rest = |text: &str| {
        Ok(match take_out(entries.format, name, text, server)? {
            ServerRemoval::Out(after) => (after, false),
            ServerRemoval::Gone => (text.to_owned(), false),
            ServerRemoval::Changed => (text.to_owned(), true),
        })
    };
    remove_from_file(step, server.is_file_ours, is_dry, reads, rest)
}
