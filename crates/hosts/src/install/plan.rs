//! What an installation would change.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use super::changes::{InstallPlan, Write};
use super::hooks::plan_hooks;
use super::{Action, Installation, InstalledPart, Step};
use crate::compile::Compiled;
use crate::disk::{self, DiskError};
use crate::edit::Splice;
use crate::hook::HookSetup;
use crate::host::SERVER;
use crate::receipt::{self, Receipt, ReceiptError, ServerReceipt};

/// What it would change to have all of `compiled`, the server as `entry`, and `hooks` in their place.
///
/// # Errors
///
/// If what was installed before cannot be read.
pub fn plan(
    place: &Installation,
    compiled: &Compiled,
    entry: &Value,
    hooks: Option<&HookSetup>,
    version: &str,
) -> Result<InstallPlan, ReceiptError> {
    let project = match &place.scope {
        crate::host::Scope::User => None,
        crate::host::Scope::Project(project) => Some(project.clone()),
    };
    let earlier = Receipt::read(&place.receipt)?;
    let earlier = earlier.unwrap_or_else(|| Receipt::new(place.host.name, project));
    let mut plan = InstallPlan {
        steps: Vec::new(),
        writes: Vec::new(),
        receipt: earlier.clone(),
    };
    plan.receipt.version = version.to_owned();
    plan.receipt.files.clear();
    plan_server(place, entry, &earlier, &mut plan);
    let mut wanted = BTreeSet::new();
    for file in &compiled.files {
        if let Some(folder) = place.folder(file.kind) {
            let path = folder.join(&file.path);
            let part = InstalledPart::File(file.kind, file.name.clone());
            wanted.insert(path.clone());
            plan_file(part, path, file.text.as_bytes(), &earlier, &mut plan);
        }
    }
    let entries = match hooks {
        Some(HookSetup::OwnFile(text)) => {
            let path = place.places.hooks.clone();
            wanted.insert(path.clone());
            plan_file(
                InstalledPart::Hooks,
                path,
                text.as_bytes(),
                &earlier,
                &mut plan,
            );
            None
        }
        Some(HookSetup::Lists(entries)) => Some(entries.as_slice()),
        None => None,
    };
    plan_hooks(place, entries, &earlier, &mut plan);
    for (path, hashes) in &earlier.files {
        if !wanted.contains(path) {
            plan_old_file(path.clone(), hashes, &mut plan);
        }
    }
    let mut folders: Vec<_> = earlier.folders.clone();
    let receipt = std::iter::once(place.receipt.as_path());
    for path in plan
        .writes
        .iter()
        .map(|write| write.path.as_path())
        .chain(receipt)
    {
        for folder in disk::missing_folders(path) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    plan.receipt.folders = folders;
    Ok(plan)
}

/// A skill, a command or an agent: what Agon wrote is replaced, what a user wrote or changed stays.
fn plan_file(
    part: InstalledPart,
    path: PathBuf,
    wanted: &[u8],
    earlier: &Receipt,
    plan: &mut InstallPlan,
) {
    let ours = earlier.files.get(&path).cloned().unwrap_or_default();
    let new = receipt::hash(wanted);
    let (action, reason, before) = match disk::read(&path) {
        Err(error) => (Action::Refuse, Some(error.to_string()), None),
        Ok(None) => (Action::Add, None, None),
        Ok(Some(found)) => {
            let hash = receipt::hash(&found);
            if hash == new {
                (Action::Same, None, Some(found))
            } else if !ours.contains(&hash) {
                let reason = match ours.is_empty() {
                    true => "it is not Agon's: rename it or remove it, then install again",
                    false => "you changed it: move it away to get the new one",
                };
                (Action::Keep, Some(reason.to_owned()), Some(found))
            } else if let Err(error) = disk::check_writable(&path) {
                (Action::Refuse, Some(error.to_string()), Some(found))
            } else {
                (Action::Update, None, Some(found))
            }
        }
    };
    let mut hashes = ours;
    match action {
        Action::Add | Action::Update => {
            plan.writes.push(Write {
                step: plan.steps.len(),
                path: path.clone(),
                before,
                after: Some(wanted.to_vec()),
                mode: 0o644,
            });
            hashes.insert(0, new);
        }
        // Where it is the same and was not Agon's, it is the user's and stays when Agon goes.
        Action::Same if !hashes.is_empty() => hashes = vec![new],
        Action::Same | Action::Keep | Action::Refuse | Action::Remove => {}
    }
    hashes.dedup();
    if !hashes.is_empty() {
        plan.receipt.files.insert(path.clone(), hashes);
    }
    let step = Step::new(part, path, action);
    plan.steps.push(Step { reason, ..step });
}

/// A file of what was installed before that is not in what is to be installed.
fn plan_old_file(path: PathBuf, hashes: &[String], plan: &mut InstallPlan) {
    let Ok(Some(found)) = disk::read(&path) else {
        return;
    };
    let part = part_of(&path);
    if !hashes.contains(&receipt::hash(&found)) {
        let step = Step::new(part, path, Action::Keep);
        plan.steps
            .push(step.because("you changed it, and it is not in what is installed now"));
        return;
    }
    plan.writes.push(Write {
        step: plan.steps.len(),
        path: path.clone(),
        before: Some(found),
        after: None,
        mode: 0o644,
    });
    plan.receipt.files.insert(path.clone(), hashes.to_vec());
    plan.steps.push(Step::new(part, path, Action::Remove));
}

/// The installed part of a file, by its path.
pub(super) fn part_of(path: &std::path::Path) -> InstalledPart {
    let folder = path.parent().and_then(|folder| folder.file_name());
    match folder.is_some_and(|folder| folder == "hooks" || folder == "plugins") {
        true => InstalledPart::Hooks,
        false => InstalledPart::File(kind_of(path), name_of(path)),
    }
}

/// What the file of an installed part is, by its path.
fn kind_of(path: &std::path::Path) -> crate::compile::Kind {
    use crate::compile::Kind;
    let folder = path.parent().and_then(|folder| folder.file_name());
    if path.file_name().is_some_and(|name| name == "SKILL.md") {
        Kind::Skill
    } else if folder.is_some_and(|folder| folder == "agents") {
        Kind::Agent
    } else {
        Kind::Command
    }
}

/// What an installed part is called, by its path.
fn name_of(path: &std::path::Path) -> String {
    let named = match path.file_name().is_some_and(|name| name == "SKILL.md") {
        true => path.parent().and_then(|folder| folder.file_name()),
        false => path.file_name(),
    };
    let name = named.unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// The server in the host's configuration.
fn plan_server(place: &Installation, entry: &Value, earlier: &Receipt, plan: &mut InstallPlan) {
    let old = earlier.server.as_ref();
    let path = match old {
        Some(old) if old.path.exists() => old.path.clone(),
        Some(_) | None => match place.places.server_file() {
            Some(path) => path.to_owned(),
            None => return,
        },
    };
    let step = Step::new(InstalledPart::Server, path.clone(), Action::Same);
    match edit_server(place, &path, entry, old) {
        Ok(None) => {
            plan.receipt.server = old.cloned();
            plan.steps.push(step);
        }
        Ok(Some(edit)) => {
            let action = match edit.is_update {
                true => Action::Update,
                false => Action::Add,
            };
            plan.writes.push(Write {
                step: plan.steps.len(),
                path: path.clone(),
                before: edit.before.map(String::into_bytes),
                after: Some(edit.after.into_bytes()),
                // The host keeps what is private in some of them.
                mode: 0o600,
            });
            plan.steps.push(Step {
                action,
                change: edit
                    .receipt
                    .splices
                    .first()
                    .map(|splice| splice.inserted.clone()),
                ..step
            });
            plan.receipt.server = Some(edit.receipt);
        }
        Err((action, reason)) => {
            plan.receipt.server = old.cloned();
            plan.steps.push(Step { action, ..step }.because(reason));
        }
    }
}

struct ServerEdit {
    before: Option<String>,
    after: String,
    is_update: bool,
    receipt: ServerReceipt,
}

/// Whether both start the same server: a host's own command writes an `env` with nothing in it.
fn is_same_server(found: &Value, entry: &Value) -> bool {
    let told = |server: &Value| {
        let mut server = server.clone();
        if let Some(keys) = server.as_object_mut() {
            keys.retain(|key, value| key != "env" || *value != serde_json::json!({}));
        }
        server
    };
    told(found) == told(entry)
}

/// The edit that brings the server to `entry`; none where it is that.
fn edit_server(
    place: &Installation,
    path: &std::path::Path,
    entry: &Value,
    old: Option<&ServerReceipt>,
) -> Result<Option<ServerEdit>, (Action, String)> {
    let refuse = |error: DiskError| (Action::Refuse, error.to_string());
    let format = place.host.server_format;
    let before = disk::read_text(path).map_err(refuse)?;
    let text = before.clone().unwrap_or_default();
    let edit_failed = |error: crate::edit::EditError| (Action::Refuse, error.to_string());
    let found = format.find(&text, SERVER).map_err(edit_failed)?;
    let old = old.filter(|old| old.path == path);
    let base = match &found {
        Some(found) if is_same_server(found, entry) => return Ok(None),
        Some(found) => {
            let old = old.filter(|old| old.entries.contains(found));
            let Some(old) = old else {
                let reason = format!(
                    "another server is called `{SERVER}`: rename it or remove it, then install again"
                );
                return Err((Action::Keep, reason));
            };
            without_server(format, &text, old).map_err(edit_failed)?
        }
        None => text,
    };
    disk::check_writable(path).map_err(refuse)?;
    let after = format.insert(&base, SERVER, entry).map_err(edit_failed)?;
    let made_map = !format.has_map(&base);
    let is_update = found.is_some();
    // Of an earlier edit that is still in the file more is known than can be seen now.
    let (is_file_ours, is_map_ours) = match old.filter(|_| is_update) {
        Some(old) => (old.is_file_ours, old.is_map_ours),
        None => (before.is_none(), made_map),
    };
    let mut splices = vec![Splice::between(&base, &after)];
    let mut entries = vec![entry.clone()];
    if let Some(old) = old {
        splices.extend(old.splices.clone());
        entries.extend(old.entries.clone());
    }
    Ok(Some(ServerEdit {
        before,
        after,
        is_update,
        receipt: ServerReceipt {
            path: path.to_owned(),
            entries,
            splices,
            is_file_ours,
            is_map_ours,
        },
    }))
}

/// `text` without the server, to the byte where it is as it was written.
pub(super) fn without_server(
    format: crate::edit::ServerFormat,
    text: &str,
    receipt: &ServerReceipt,
) -> Result<String, crate::edit::EditError> {
    let owns_map = receipt.is_map_ours;
    let mut splices = receipt.splices.iter();
    let undone = splices.find_map(|splice| format.undo(text, SERVER, splice, owns_map));
    match undone {
        Some(undone) => Ok(undone),
        None => format.remove(text, SERVER, owns_map),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_environment_makes_no_other_server() {
        let entry = json!({"type": "stdio", "command": "agon", "args": ["mcp"]});
        let with =
            |env: Value| json!({"type": "stdio", "command": "agon", "args": ["mcp"], "env": env});
        assert!(is_same_server(&with(json!({})), &entry));
        assert!(!is_same_server(&with(json!({"A": "b"})), &entry));
        assert!(!is_same_server(
            &json!({"command": "agon", "args": []}),
            &entry
        ));
    }
}
