//! The hooks of a team in a host's configuration, put in and taken out.

use std::path::Path;

use super::changes::{InstallPlan, Write};
use super::{Action, Installation, InstalledPart, Step};
use crate::disk;
use crate::edit::hooks::{self, HookEntry, PutHook};
use crate::edit::{EditError, Splice};
use crate::json::Dialect;
use crate::receipt::{HooksReceipt, Receipt};

/// Plans the entries of lists; none where the team is not installed. What an earlier version put in is
/// taken out first.
pub(super) fn plan_hooks(
    place: &Installation,
    entries: Option<&[HookEntry]>,
    earlier: &Receipt,
    plan: &mut InstallPlan,
) {
    let old = earlier.hooks.as_ref();
    if entries.is_none() && old.is_none() {
        return;
    }
    let path = old.map_or(place.places.hooks.as_path(), |old| old.path.as_path());
    let step = Step::new(InstalledPart::Hooks, path.to_owned(), Action::Same);
    match edit(path, entries, old, plan) {
        Ok(None) => {
            plan.receipt.hooks = old.cloned();
            plan.steps.push(step);
        }
        Ok(Some(edit)) => {
            let action = match (entries.is_some(), old.is_some()) {
                (false, _) => Action::Remove,
                (true, true) => Action::Update,
                (true, false) => Action::Add,
            };
            let change = Splice::between(&edit.before.clone().unwrap_or_default(), &edit.after);
            let change = Some(change.inserted).filter(|text| !text.is_empty());
            let is_nothing_left = action == Action::Remove
                && old.is_some_and(|old| old.is_file_ours)
                && is_blank(&edit.after);
            plan.writes.push(Write {
                step: plan.steps.len(),
                path: path.to_owned(),
                before: edit.before.map(String::into_bytes),
                after: (!is_nothing_left).then(|| edit.after.into_bytes()),
                mode: 0o600,
            });
            // Until it is done both may be there.
            plan.receipt.hooks = edit.receipt.or_else(|| old.cloned());
            plan.steps.push(Step {
                action,
                change,
                ..step
            });
        }
        Err(reason) => {
            plan.receipt.hooks = old.cloned();
            let step = Step {
                action: Action::Refuse,
                ..step
            };
            plan.steps.push(step.because(reason));
        }
    }
}

struct HooksEdit {
    before: Option<String>,
    after: String,
    receipt: Option<HooksReceipt>,
}

fn edit(
    path: &Path,
    entries: Option<&[HookEntry]>,
    old: Option<&HooksReceipt>,
    plan: &InstallPlan,
) -> Result<Option<HooksEdit>, String> {
    let failed = |error: EditError| error.to_string();
    // The server may be in the same file: it is there by then.
    let written = plan.writes.iter().rev().find(|write| write.path == path);
    let before = match written {
        Some(write) => write
            .after
            .clone()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        None => disk::read_text(path).map_err(|error| error.to_string())?,
    };
    let text = before.clone().unwrap_or_default();
    let base = match old {
        Some(old) => take_out(&text, old).map_err(failed)?,
        None => text.clone(),
    };
    let Some(entries) = entries else {
        disk::check_writable(path).map_err(|error| error.to_string())?;
        return Ok(Some(HooksEdit {
            before,
            after: base,
            receipt: None,
        }));
    };
    let (put, makes_map) = hooks::wanted(&base, DIALECT, entries).map_err(failed)?;
    // One that a person wrote word for word is not put in twice, and stays when Agon goes.
    let held = hooks::holds(&base, DIALECT, &put).map_err(failed)?;
    let put: Vec<PutHook> = put
        .into_iter()
        .zip(held)
        .filter(|(_, held)| !held)
        .map(|(put, _)| put)
        .collect();
    let after = hooks::insert(&base, DIALECT, &put).map_err(failed)?;
    if after == text {
        return Ok(None);
    }
    disk::check_writable(path).map_err(|error| error.to_string())?;
    let is_new = before.is_none() || written.is_some_and(|write| write.before.is_none());
    let mut splices = vec![Splice::between(&base, &after)];
    // A kill may leave what was there before: that is known, too.
    let mut known = put;
    if let Some(old) = old {
        splices.extend(old.splices.clone());
        let older = old
            .entries
            .iter()
            .filter(|entry| !known.contains(entry))
            .cloned();
        let older: Vec<PutHook> = older.collect();
        known.extend(older);
    }
    Ok(Some(HooksEdit {
        receipt: Some(HooksReceipt {
            path: path.to_owned(),
            entries: known,
            splices,
            is_file_ours: old.map_or(is_new, |old| old.is_file_ours),
            is_map_ours: makes_map,
        }),
        before,
        after,
    }))
}

// Gemini CLI takes comments in its file; in that of another host a comment is what that host says.
/// How the files are read.
const DIALECT: Dialect = Dialect::Comments;

fn take_out(text: &str, old: &HooksReceipt) -> Result<String, EditError> {
    hooks::remove(text, DIALECT, &old.entries, old.is_map_ours, &old.splices)
}

fn is_blank(text: &str) -> bool {
    let rest: String = text
        .trim_start_matches('\u{feff}')
        .split_whitespace()
        .collect();
    rest.is_empty() || rest == "{}"
}

/// Takes the entries out of the file that they were put into.
pub(super) fn take_hooks(receipt: &HooksReceipt, is_dry: bool) -> Step {
    let step = Step::new(InstalledPart::Hooks, receipt.path.clone(), Action::Remove);
    match edit_out(receipt, is_dry) {
        Ok(Some(change)) => Step {
            change: Some(change),
            ..step
        },
        Ok(None) => Step {
            action: Action::Same,
            ..step
        }
        .because("they are gone already"),
        Err(reason) => Step {
            action: Action::Refuse,
            ..step
        }
        .because(reason),
    }
}

fn edit_out(receipt: &HooksReceipt, is_dry: bool) -> Result<Option<String>, String> {
    let failed = |error: disk::DiskError| error.to_string();
    let Some(text) = disk::read_text(&receipt.path).map_err(failed)? else {
        return Ok(None);
    };
    let after = take_out(&text, receipt).map_err(|error| error.to_string())?;
    if after == text {
        return Ok(None);
    }
    let change = Splice::between(&after, &text).inserted;
    if is_dry {
        return Ok(Some(change));
    }
    if receipt.is_file_ours && is_blank(&after) {
        disk::check_writable(&receipt.path).map_err(failed)?;
        disk::remove(&receipt.path).map_err(failed)?;
    } else {
        disk::replace(
            &receipt.path,
            Some(text.as_bytes()),
            after.as_bytes(),
            0o600,
        )
        .map_err(failed)?;
    }
    Ok(Some(change))
}
