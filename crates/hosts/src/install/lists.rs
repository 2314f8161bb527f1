//! Plans list entries in a host's configuration: the hooks and permissions of a team.

use std::path::Path;

use super::changes::{InstallPlan, Write};
use super::retry::remove_from_file;
use super::{Action, Installation, InstalledPart, Step};
use crate::disk;
use crate::edit::hooks::{self, HookEntry, Lists, PutHook};
use crate::edit::{EditError, Splice, is_blank};
use crate::json::Dialect;
use crate::receipt::HooksReceipt;

// Allows comments, as Gemini CLI does. Hosts that do not allow them report them themselves.
/// The lists of a host's hooks.
pub(super) const HOOKS: Lists = Lists {
    key: hooks::HOOKS,
    dialect: Dialect::Comments,
};

/// Returns the lists of a host's permission rules.
pub(super) fn permission_lists(place: &Installation) -> Lists {
    Lists {
        key: place.host.permissions.place.key(),
        dialect: Dialect::Comments,
    }
}

/// A part that consists of list entries, and its file.
pub(super) struct ListPart<'a> {
    pub(super) part: InstalledPart,
    pub(super) lists: Lists,
    /// The file, unless an earlier installation used another one.
    pub(super) path: &'a Path,
}

/// Plans list entries, or their removal if `entries` is `None`. Entries of an earlier version are removed
/// first. Returns the new receipt.
pub(super) fn plan_lists(
    wanted: &ListPart<'_>,
    entries: Option<&[HookEntry]>,
    old: Option<&HooksReceipt>,
    plan: &mut InstallPlan,
) -> Option<HooksReceipt> {
    if entries.is_none() && old.is_none() {
        return None;
    }
    let path = match old {
        Some(old) if entries.is_none() || old.path.exists() => old.path.as_path(),
        Some(_) | None => wanted.path,
    };
    let step = Step::new(wanted.part.clone(), path.to_owned(), Action::Same);
    match edit(path, wanted.lists, entries, old, plan) {
        Ok(edit) => push_edit(edit, entries.is_some(), old, step, plan),
        Err(reason) => {
            plan.steps.push(step.with_action(Action::Refuse, reason));
            old.cloned()
        }
    }
}

fn push_edit(
    edit: HooksEdit,
    is_installing: bool,
    old: Option<&HooksReceipt>,
    step: Step,
    plan: &mut InstallPlan,
) -> Option<HooksReceipt> {
    let before = edit.before.clone().unwrap_or_default();
    let is_written = edit.after != before;
    let action = match (is_written, is_installing, old.is_some()) {
        (false, ..) if edit.has_changed => Action::Keep,
        (false, ..) => Action::Same,
        (true, false, _) => Action::Remove,
        (true, true, true) => Action::Update,
        (true, true, false) => Action::Add,
    };
    let reason = edit.has_changed.then(|| match is_installing {
        true => "you have your own entry for the same hook: remove it to get Agon's".to_owned(),
        false => "you changed some of it, so that part is kept".to_owned(),
    });
    // Keep the old receipt until the write is done, because old and new entries may both exist.
    let known = match (edit.receipt, is_installing || is_written) {
        (Some(receipt), _) => Some(receipt),
        (None, true) => old.cloned(),
        (None, false) => None,
    };
    let mut change = None;
    if is_written {
        let is_nothing_left =
            !is_installing && old.is_some_and(|old| old.is_file_ours) && is_blank(&edit.after);
        let inserted = Splice::describe(&before, &edit.after);
        change = Some(inserted).filter(|text| !text.is_empty());
        plan.writes.push(Write {
            step: plan.steps.len(),
            path: step.path.clone(),
            before: edit.before.map(String::into_bytes),
            after: (!is_nothing_left).then(|| edit.after.into_bytes()),
            mode: 0o600,
            needs_server: false,
            put: edit.put,
        });
    }
    plan.steps.push(Step {
        action,
        change,
        reason,
        ..step
    });
    known
}

/// Planned change of a file with lists.
struct HooksEdit {
    before: Option<String>,
    after: String,
    /// The new receipt, if anything is installed.
    receipt: Option<HooksReceipt>,
    /// Number of entries in the receipt that the written file contains; the rest are from earlier
    /// edits.
    put: usize,
    /// Whether the file has an entry of Agon's that a person changed.
    has_changed: bool,
}

fn edit(
    path: &Path,
    lists: Lists,
    entries: Option<&[HookEntry]>,
    old: Option<&HooksReceipt>,
    plan: &InstallPlan,
) -> Result<HooksEdit, String> {
    let failed = |error: EditError| error.to_string();
    // Starts from the planned text, because the same file may also get the server.
    let is_whole = |text: &str| lists.can_parse(text);
    let before = plan
        .planned_text(path, is_whole)
        .map_err(|error| error.to_string())?;
    let text = before.clone().unwrap_or_default();
    // If the file is gone, so are its old entries.
    let old = old.filter(|old| before.is_some() && old.path == path);
    let known = old.map_or(&[][..], |old| old.entries.as_slice());
    let base = match old {
        Some(old) => take_out(&text, lists, old).map_err(failed)?,
        None => text.clone(),
    };
    let Some(entries) = entries else {
        let has_changed = has_changed(&base, lists, known).map_err(failed)?;
        if base != text {
            disk::check_writable(path).map_err(|error| error.to_string())?;
        }
        return Ok(HooksEdit {
            before,
            after: base,
            receipt: None,
            put: 0,
            has_changed,
        });
    };
    // Keep the originals of entries that a person changed, so that these are recognised next time.
    let made = hooks::has_other_entry_for(&base, lists, known, known).map_err(failed)?;
    let of_edited = known.iter().zip(made).filter(|(_, made)| *made);
    let of_edited: Vec<PutHook> = of_edited.map(|(known, _)| known.clone()).collect();
    if let Some(has_changed) =
        user_changes_if_current(&text, lists, entries, known).map_err(failed)?
    {
        let is_wanted = |put: &PutHook| {
            let mut entries = entries.iter();
            entries.any(|it| it.event == put.event && it.entry == put.entry)
        };
        return Ok(HooksEdit {
            receipt: old.map(|old| {
                receipt_with_entries(old, |known| is_wanted(known) || of_edited.contains(known))
            }),
            put: 0,
            after: text,
            before,
            has_changed,
        });
    }
    let (mut put, makes_map) = hooks::entries_to_insert(&base, lists, entries).map_err(failed)?;
    for it in &mut put {
        // A list that Agon created for an old entry still counts as created by Agon.
        let mut known = known.iter().filter(|known| known.event == it.event);
        it.is_list_ours |= known.any(|known| known.is_list_ours);
    }
    // If the user already has an identical entry, Agon adds none and later removes none. Next to an
    // edited entry Agon adds none either, because the hook would run twice.
    let held = hooks::contains_entries(&base, lists, &put).map_err(failed)?;
    let changed = hooks::has_other_entry_for(&base, lists, &put, known).map_err(failed)?;
    let has_changed = changed.contains(&true);
    let put: Vec<PutHook> = put
        .into_iter()
        .zip(held.into_iter().zip(changed))
        .filter(|(_, (held, changed))| !held && !changed)
        .map(|(put, _)| put)
        .collect();
    let mut ours = put.clone();
    ours.extend(of_edited.into_iter().filter(|it| !put.contains(it)));
    let after = hooks::insert(&base, lists, &put).map_err(failed)?;
    if after == text {
        return Ok(HooksEdit {
            receipt: old.map(|old| {
                receipt_with_entries(old, |known| {
                    let mut ours = ours.iter();
                    ours.any(|it| it.event == known.event && it.entry == known.entry)
                })
            }),
            put: 0,
            before,
            after,
            has_changed,
        });
    }
    disk::check_writable(path).map_err(|error| error.to_string())?;
    let written = plan.last_write(path);
    let is_new = before.is_none() || written.is_some_and(|write| write.before.is_none());
    let mut splices = vec![Splice::between(&base, &after)];
    // Record the earlier entries too, because they remain if the process is killed now.
    let count = ours.len();
    let mut all = ours;
    if let Some(old) = old {
        splices.extend(old.splices.clone());
        let older = old.entries.iter().filter(|entry| !all.contains(entry));
        let older: Vec<PutHook> = older.cloned().collect();
        all.extend(older);
    }
    Ok(HooksEdit {
        receipt: Some(HooksReceipt {
            path: path.to_owned(),
            entries: all,
            splices,
            is_file_ours: old.map_or(is_new, |old| old.is_file_ours),
            is_map_ours: makes_map || old.is_some_and(|old| old.is_map_ours),
        }),
        put: count,
        before,
        after,
        has_changed,
    })
}

/// Returns the receipt without entries that are gone, because a person may write them again later.
fn receipt_with_entries(old: &HooksReceipt, is_there: impl Fn(&PutHook) -> bool) -> HooksReceipt {
    let mut known = old.clone();
    known.entries.retain(is_there);
    known
}

/// Returns whether a person changed a wanted entry, or `None` if `text` is not current: a wanted
/// entry is missing or an outdated entry is still there.
fn user_changes_if_current(
    text: &str,
    lists: Lists,
    entries: &[HookEntry],
    known: &[PutHook],
) -> Result<Option<bool>, EditError> {
    let (wanted, _) = hooks::entries_to_insert(text, lists, entries)?;
    let held = hooks::contains_entries(text, lists, &wanted)?;
    let changed = hooks::has_other_entry_for(text, lists, &wanted, known)?;
    let is_wanted = |old: &PutHook| {
        let mut all = wanted.iter();
        all.any(|it| it.event == old.event && it.entry == old.entry)
    };
    let old: Vec<PutHook> = known.iter().filter(|it| !is_wanted(it)).cloned().collect();
    let is_stale = hooks::contains_entries(text, lists, &old)?.contains(&true);
    let are_all_there = held
        .iter()
        .zip(&changed)
        .all(|(held, changed)| *held || *changed);
    Ok((are_all_there && !is_stale).then(|| changed.contains(&true)))
}

/// Returns whether `base`, the text without `known`, still has an entry that a person changed.
fn has_changed(base: &str, lists: Lists, known: &[PutHook]) -> Result<bool, EditError> {
    Ok(hooks::has_other_entry_for(base, lists, known, known)?.contains(&true))
}

fn take_out(text: &str, lists: Lists, old: &HooksReceipt) -> Result<String, EditError> {
    hooks::remove(text, lists, &old.entries, old.is_map_ours, &old.splices)
}

/// Removes the entries from their file.
pub(super) fn remove_lists(
    part: InstalledPart,
    lists: Lists,
    receipt: &HooksReceipt,
    is_dry: bool,
) -> Step {
    let step = Step::new(part, receipt.path.clone(), Action::Remove);
    let reads = |text: &str| lists.can_parse(text);
    let rest = |text: &str| {
        let after = take_out(text, lists, receipt)?;
        let has_changed = has_changed(&after, lists, &receipt.entries)?;
        Ok((after, has_changed))
    };
    remove_from_file(step, receipt.is_file_ours, is_dry, reads, rest)
}
