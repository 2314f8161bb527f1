//! Plans map entries in a host's configuration: servers and permissions.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::changes::{InstallPlan, Write};
use super::merged::file_with_stricter_rule;
use super::{Action, Installation, InstalledPart, Step};
use crate::compile::Compiled;
use crate::disk::{self, DiskError};
use crate::edit::{EditError, ServerFormat, Splice};
use crate::host::SERVER;
use crate::json::Dialect;
use crate::receipt::{Receipt, ServerReceipt};

/// Plans to add `entry` as Agon's server, and the servers that the roles in `compiled` need.
pub(super) fn plan_servers(
    place: &Installation,
    entry: &Value,
    compiled: &Compiled,
    earlier: &Receipt,
    plan: &mut InstallPlan,
) {
    let target = Entries::servers(place);
    plan.receipt.server = plan_entry(&target, SERVER, entry, earlier.server.as_ref(), plan);
    plan.receipt.others.clear();
    // Reverse order of insertion, so that each edit can be undone byte for byte.
    for (name, old) in earlier.others.iter().rev() {
        if !compiled.servers.contains_key(name)
            && let Some(left) = plan_entry_removal(&target, name, old, plan)
        {
            plan.receipt.others.insert(name.clone(), left);
        }
    }
    for (name, entry) in &compiled.servers {
        let old = earlier.others.get(name);
        if let Some(receipt) = plan_entry(&target, name, entry, old, plan) {
            plan.receipt.others.insert(name.clone(), receipt);
        }
    }
}

/// Plans `keys` in the host's map of permissions.
pub(super) fn plan_permission_keys(
    place: &Installation,
    keys: &[(String, Value)],
    earlier: &Receipt,
    plan: &mut InstallPlan,
) {
    let target = Entries::permissions(place);
    plan.receipt.permission_keys.clear();
    let files = place.places.merged_permissions.as_slice();
    let map = place.host.permissions.place.key();
    let path = place.places.permissions.clone().unwrap_or_default();
    // Insert in the order of names, so that removal in reverse order undoes each edit exactly.
    let mut keys: Vec<_> = keys.iter().collect();
    keys.sort_by_key(|(key, _)| key);
    let (held, keys): (Vec<_>, Vec<_>) = keys
        .into_iter()
        .map(|(key, entry)| {
            (
                key,
                entry,
                file_with_stricter_rule(files, &path, map, (key, entry)),
            )
        })
        .partition(|(.., theirs)| theirs.is_some());
    // Reverse order, as for servers above.
    for (name, old) in earlier.permission_keys.iter().rev() {
        if !keys.iter().any(|(key, ..)| *key == name)
            && let Some(left) = plan_entry_removal(&target, name, old, plan)
        {
            plan.receipt.permission_keys.insert(name.clone(), left);
        }
    }
    for (name, _, theirs) in held {
        let step = Step::new((target.part)(name.clone()), path.clone(), Action::Keep);
        let theirs = theirs.unwrap_or(&path).display();
        let why = format!(
            "your permissions in {theirs} may be stricter, so only hooks enforce the policy"
        );
        plan.steps.push(step.with_action(Action::Keep, why));
    }
    for (name, entry, _) in keys {
        let old = earlier.permission_keys.get(name);
        if let Some(receipt) = plan_entry(&target, name, entry, old, plan) {
            plan.receipt.permission_keys.insert(name.clone(), receipt);
        }
    }
    // Mark all entries, because whichever is removed last must remove the map and the file too.
    let known = plan.receipt.permission_keys.values();
    let owns_map = known.clone().any(|known| known.is_map_ours);
    let owns_file = known.clone().any(|known| known.is_file_ours);
    for known in plan.receipt.permission_keys.values_mut() {
        known.is_map_ours = owns_map;
        known.is_file_ours = owns_file;
    }
}

/// A map in a configuration that contains entries of Agon's.
pub(super) struct Entries<'a> {
    pub(super) format: ServerFormat,
    /// The file, unless an earlier installation used another one.
    path: Option<&'a Path>,
    /// Returns the part for an entry with a given name.
    pub(super) part: fn(String) -> InstalledPart,
    /// Returns the message for an entry whose name is taken.
    taken: fn(&str) -> String,
}

impl<'a> Entries<'a> {
    /// Returns the servers of a host.
    pub(super) fn servers(place: &'a Installation) -> Self {
        Self {
            format: place.host.server.format,
            path: place.places.server_file(),
            part: InstalledPart::Server,
            taken: |name| {
                format!(
                    "you have another server called `{name}`: rename or remove it, then install again"
                )
            },
        }
    }

    /// Returns the permissions of a host that stores them in a map.
    pub(super) fn permissions(place: &'a Installation) -> Self {
        Self {
            format: ServerFormat::Json {
                dialect: Dialect::Comments,
                key: place.host.permissions.place.key(),
            },
            path: place.places.permissions.as_deref(),
            part: InstalledPart::Permission,
            taken: |name| {
                format!(
                    "you have your own permission `{name}`, so only hooks enforce the policy there; \
                     to use Agon's, remove yours and install again"
                )
            },
        }
    }
}

/// Plans the entry called `name` and returns its new receipt.
fn plan_entry(
    target: &Entries<'_>,
    name: &str,
    entry: &Value,
    old: Option<&ServerReceipt>,
    plan: &mut InstallPlan,
) -> Option<ServerReceipt> {
    let path = match old {
        Some(old) if old.path.exists() => old.path.clone(),
        Some(_) | None => target.path?.to_owned(),
    };
    let part = (target.part)(name.to_owned());
    let step = Step::new(part, path.clone(), Action::Same);
    let edit = plan
        .planned_text(&path, |text| target.format.can_parse(text))
        .map_err(refuse)
        .and_then(|before| edit_entry(target, (name, entry), before, &path, old));
    match edit {
        Ok(None) => {
            plan.steps.push(step);
            old.and_then(|old| receipt_if_current(old, entry))
        }
        Ok(Some(edit)) => {
            let action = match edit.is_update {
                true => Action::Update,
                false => Action::Add,
            };
            let change = Some(edit.shown);
            push_write(plan, path, edit.before, Some(edit.after));
            plan.steps.push(Step {
                action,
                change,
                ..step
            });
            Some(edit.receipt)
        }
        Err((action, reason)) => {
            // Forget the receipt: the user changed this entry, so a later value is the user's too,
            // even one that Agon wrote before.
            let is_theirs =
                action == Action::Keep && matches!(step.part, InstalledPart::Permission(_));
            plan.steps.push(step.with_action(action, reason));
            old.filter(|_| !is_theirs).cloned()
        }
    }
}

/// Returns the receipt of an entry that is up to date, or `None` if the user wrote it.
fn receipt_if_current(old: &ServerReceipt, entry: &Value) -> Option<ServerReceipt> {
    let mut known = old.clone();
    known.entries.retain(|known| is_same_server(known, entry));
    (!known.entries.is_empty()).then_some(known)
}

/// Plans the removal of an entry from an earlier installation. Returns its receipt until it is gone.
fn plan_entry_removal(
    target: &Entries<'_>,
    name: &str,
    old: &ServerReceipt,
    plan: &mut InstallPlan,
) -> Option<ServerReceipt> {
    let format = target.format;
    let part = (target.part)(name.to_owned());
    let step = Step::new(part, old.path.clone(), Action::Remove);
    let refused = |reason: String| step.clone().with_action(Action::Refuse, reason);
    let text = match plan.planned_text(&old.path, |text| format.can_parse(text)) {
        Ok(Some(text)) => text,
        Ok(None) => return None,
        Err(error) => {
            plan.steps.push(refused(error.to_string()));
            return Some(old.clone());
        }
    };
    match take_out(format, name, &text, old) {
        Ok(ServerRemoval::Out(after)) => {
            let change = Some(Splice::describe(&after, &text));
            push_write(plan, old.path.clone(), Some(text), Some(after));
            plan.steps.push(Step { change, ..step });
            // Keep the receipt until the write is done, because the entry still exists.
            Some(old.clone())
        }
        Ok(ServerRemoval::Gone) => None,
        Ok(ServerRemoval::Changed) => {
            let why = "you changed it, so it is kept although it is no longer installed";
            plan.steps.push(step.with_action(Action::Keep, why));
            None
        }
        Err(error) => {
            plan.steps.push(refused(error.to_string()));
            Some(old.clone())
        }
    }
}

fn push_write(
    plan: &mut InstallPlan,
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
) {
    plan.writes.push(Write {
        step: plan.steps.len(),
        path,
        before: before.map(String::into_bytes),
        after: after.map(String::into_bytes),
        // A new file is readable only for the user, because such files can contain private data.
        mode: 0o600,
        needs_server: false,
        put: 1,
    });
}

struct ServerEdit {
    before: Option<String>,
    after: String,
    is_update: bool,
    /// The change, as shown to a person.
    shown: String,
    receipt: ServerReceipt,
}

/// Returns whether both entries start the same server. A host's own command also writes an empty `env`.
fn is_same_server(found: &Value, entry: &Value) -> bool {
    let without_empty_env = |server: &Value| {
        let mut server = server.clone();
        if let Some(keys) = server.as_object_mut() {
            keys.retain(|key, value| key != "env" || *value != serde_json::json!({}));
        }
        server
    };
    without_empty_env(found) == without_empty_env(entry)
}

fn refuse(error: DiskError) -> (Action, String) {
    (Action::Refuse, error.to_string())
}

/// Returns the edit that sets the entry called `name` to `entry`, or `None` if it is up to date.
fn edit_entry(
    target: &Entries<'_>,
    (name, entry): (&str, &Value),
    before: Option<String>,
    path: &Path,
    old: Option<&ServerReceipt>,
) -> Result<Option<ServerEdit>, (Action, String)> {
    let format = target.format;
    let text = before.clone().unwrap_or_default();
    let edit_failed = |error: EditError| (Action::Refuse, error.to_string());
    let found = format.find(&text, name).map_err(edit_failed)?;
    let old = old.filter(|old| old.path == path);
    let base = match &found {
        Some(found) if is_same_server(found, entry) => return Ok(None),
        Some(found) => {
            let old = old.filter(|old| old.entries.contains(found));
            let Some(old) = old else {
                return Err((Action::Keep, (target.taken)(name)));
            };
            without_server(format, name, &text, old).map_err(edit_failed)?
        }
        None => text,
    };
    disk::check_writable(path).map_err(refuse)?;
    let after = format.insert(&base, name, entry).map_err(edit_failed)?;
    let made_map = !format.has_map(&base);
    let is_update = found.is_some();
    // On an update, only the earlier receipt knows whether Agon created the file and the map.
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
        shown: Splice::describe(&base, &after),
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

/// Result of removing a server.
pub(super) enum ServerRemoval {
    /// The text without it.
    Out(String),
    /// It does not exist.
    Gone,
    /// It differs from what Agon wrote.
    Changed,
}

/// Returns `text` without the server `name`, if that is as recorded in `receipt`.
pub(super) fn take_out(
    format: ServerFormat,
    name: &str,
    text: &str,
    receipt: &ServerReceipt,
) -> Result<ServerRemoval, EditError> {
    match format.find(text, name)? {
        None => Ok(ServerRemoval::Gone),
        Some(found) if !receipt.entries.contains(&found) => Ok(ServerRemoval::Changed),
        Some(_) => without_server(format, name, text, receipt).map(ServerRemoval::Out),
    }
}

/// Returns `text` without the server; byte for byte as before if its text is unchanged.
fn without_server(
    format: ServerFormat,
    name: &str,
    text: &str,
    receipt: &ServerReceipt,
) -> Result<String, EditError> {
    let owns_map = receipt.is_map_ours;
    let mut splices = receipt.splices.iter();
    let undone = splices.find_map(|splice| format.undo(text, name, splice, owns_map));
    match undone {
        Some(undone) => Ok(undone),
        None => format.remove(text, name, owns_map),
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
