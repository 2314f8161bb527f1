//! Plans an installation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::changes::{InstallPlan, Write};
use super::lists::{self, ListPart, plan_lists};
use super::server::{plan_permission_keys, plan_servers};
use super::{Action, Installation, InstalledPart, Step};
use crate::compile::Compiled;
use crate::disk;
use crate::hook::HookSetup;
use crate::host::{Host, SERVER};
use crate::permit::PermissionSetup;
use crate::permit::form::PermissionPlace;
use crate::receipt::{self, Receipt, ReceiptError};

/// Plans the changes that install `compiled`, the server `entry` and `hooks`.
///
/// # Errors
///
/// If the receipt of the earlier installation cannot be read.
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
    plan_servers(place, entry, compiled, &earlier, &mut plan);
    let has_server = has_server(place, &earlier, &plan);
    let mut wanted = BTreeSet::new();
    for file in &compiled.files {
        if let Some(folder) = place.folder(file.kind) {
            let path = folder.join(&file.path);
            let part = InstalledPart::File(file.kind, file.name.clone());
            wanted.insert(path.clone());
            let at = plan.steps.len();
            plan_file(
                part,
                path.clone(),
                file.text.as_bytes(),
                &earlier,
                &mut plan,
            );
            if file.needs_server {
                require_server(at, &path, has_server, &mut plan);
            }
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
    let hooks = ListPart {
        part: InstalledPart::Hooks,
        lists: lists::HOOKS,
        path: &place.places.hooks,
    };
    plan.receipt.hooks = plan_lists(&hooks, entries, earlier.hooks.as_ref(), &mut plan);
    plan_permissions(place, compiled, &earlier, &mut wanted, &mut plan);
    for (path, hashes) in &earlier.files {
        if !wanted.contains(path) {
            plan_file_removal(place, path.clone(), hashes, &mut plan);
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
    place.refuse_links_outside_project(plan.writes.iter().map(|write| &write.path))?;
    Ok(plan)
}

/// Returns whether the host will have Agon's server after `plan`, including an entry that the user
/// wrote.
fn has_server(place: &Installation, earlier: &Receipt, plan: &InstallPlan) -> bool {
    let is_it = |step: &&Step| step.part == InstalledPart::Server(SERVER.to_owned());
    let Some(step) = plan.steps.iter().find(is_it) else {
        return false;
    };
    match step.action {
        Action::Add | Action::Update | Action::Same => true,
        Action::Keep if earlier.server.is_some() => true,
        Action::Keep => {
            let format = place.host.server.format;
            let text = disk::read_text(&step.path).ok().flatten();
            let found = text.and_then(|text| format.find(&text, SERVER).ok().flatten());
            found.is_some_and(|server| runs_agon_server(&server))
        }
        Action::Refuse | Action::Remove => false,
    }
}

/// Returns whether `server` runs `agon mcp`, whatever its path and other arguments.
fn runs_agon_server(server: &Value) -> bool {
    let words = [server.get("command"), server.get("args")];
    let words = words.into_iter().flatten().flat_map(|value| match value {
        Value::Array(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    });
    let words: Vec<&str> = words.filter_map(Value::as_str).collect();
    let mut after = words.iter().skip_while(|word| {
        let name = word.rsplit('/').next();
        name != Some("agon")
    });
    after.next().is_some() && after.any(|word| *word == "mcp")
}

/// Removes the write of step `at` if the server is missing. Marks the write as dependent on the
/// server if writing the server may still fail.
fn require_server(at: usize, path: &Path, has_server: bool, plan: &mut InstallPlan) {
    let Some(step) = plan.steps.get_mut(at) else {
        return;
    };
    if step.action != Action::Add {
        return;
    }
    if has_server {
        let own = plan.writes.iter_mut().filter(|write| write.step == at);
        own.for_each(|write| write.needs_server = true);
    } else {
        step.refuse_without_server();
        plan.writes.retain(|write| write.step != at);
        plan.receipt.files.remove(path);
    }
}

/// Plans the policy's prohibitions in the host's format.
fn plan_permissions(
    place: &Installation,
    compiled: &Compiled,
    earlier: &Receipt,
    wanted: &mut BTreeSet<PathBuf>,
    plan: &mut InstallPlan,
) {
    let path = place.places.permissions.as_ref();
    let setup = compiled.permissions.as_ref();
    if let (Some(text), Some(path)) = (own_file(place.host, compiled), path) {
        wanted.insert(path.clone());
        let part = InstalledPart::Permissions;
        plan_file(part, path.clone(), text.as_bytes(), earlier, plan);
    }
    let entries = match setup {
        Some(PermissionSetup::Lists(entries)) if path.is_some() => Some(entries.as_slice()),
        _ => None,
    };
    let list = ListPart {
        part: InstalledPart::Permissions,
        lists: lists::permission_lists(place),
        path: path.unwrap_or(&place.places.hooks),
    };
    let old = earlier.permissions.as_ref();
    plan.receipt.permissions = plan_lists(&list, entries, old, plan);
    let keys = match setup {
        Some(PermissionSetup::Map(keys)) => keys.as_slice(),
        _ => &[],
    };
    plan_permission_keys(place, keys, earlier, plan);
}

/// Returns Agon's own permission file: the policy's prohibitions and the limits on agents' edits. `None`
/// if there are neither, or the host has no such file.
fn own_file(host: &Host, compiled: &Compiled) -> Option<String> {
    let PermissionPlace::OwnFile(head) = host.permissions.place else {
        return None;
    };
    let of_policy = match &compiled.permissions {
        Some(PermissionSetup::OwnFile(text)) => Some(text.as_str()),
        _ => None,
    };
    if of_policy.is_none() && compiled.agent_rules.is_empty() {
        return None;
    }
    let mut text = of_policy.unwrap_or(head).to_owned();
    for rules in &compiled.agent_rules {
        let gap = if text.ends_with("\n\n") { "" } else { "\n" };
        text.push_str(&format!("{gap}{rules}"));
    }
    Some(text)
}

/// Plans a skill, command or agent: replaces what Agon wrote, keeps what the user wrote or changed.
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
                    true => "yours, left alone; to get Agon's, rename yours and install again",
                    false => {
                        "you changed it; to get the new version, move yours away and install again"
                    }
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
                needs_server: false,
                put: 0,
            });
            hashes.insert(0, new);
        }
        // A file without earlier hashes is the user's, even if identical, and stays after an
        // uninstall.
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

/// Plans the removal of a file that was installed before but no longer belongs to the installation.
fn plan_file_removal(
    place: &Installation,
    path: PathBuf,
    hashes: &[String],
    plan: &mut InstallPlan,
) {
    let Ok(Some(found)) = disk::read(&path) else {
        return;
    };
    let part = part_at_path(place, &path);
    if !hashes.contains(&receipt::hash(&found)) {
        let step = Step::new(part, path, Action::Keep);
        let why = "you changed it, so it is kept although it is no longer installed";
        plan.steps.push(step.with_action(Action::Keep, why));
        return;
    }
    plan.writes.push(Write {
        step: plan.steps.len(),
        path: path.clone(),
        before: Some(found),
        after: None,
        mode: 0o644,
        needs_server: false,
        put: 0,
    });
    plan.receipt.files.insert(path.clone(), hashes.to_vec());
    plan.steps.push(Step::new(part, path, Action::Remove));
}

/// Returns the installed part that a file belongs to, by its path.
pub(super) fn part_at_path(place: &Installation, path: &Path) -> InstalledPart {
    // Compare folder names only, because the host may have used another parent folder back then.
    let is_like = |own: &Path| {
        let folder = |path: &Path| {
            path.parent()
                .and_then(Path::file_name)
                .map(ToOwned::to_owned)
        };
        own.file_name() == path.file_name() && folder(own) == folder(path)
    };
    let permissions = place.places.permissions.as_deref();
    if is_like(&place.places.hooks) {
        InstalledPart::Hooks
    } else if permissions.is_some_and(is_like) {
        InstalledPart::Permissions
    } else {
        InstalledPart::File(kind_of(path), name_of(path))
    }
}

/// Returns the kind of an installed file, by its path.
fn kind_of(path: &Path) -> crate::compile::Kind {
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

/// Returns the name of an installed part, by its path.
fn name_of(path: &Path) -> String {
    let named = match path.file_name().is_some_and(|name| name == "SKILL.md") {
        true => path.parent().and_then(|folder| folder.file_name()),
        false => path.file_name(),
    };
    let name = named.unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}
