//! Entries of lists in a host's configuration, put in and taken out: the hooks of a team, its permissions.

use std::path::Path;

use super::changes::{InstallPlan, Write};
use super::retry::take_from_file;
use super::{Action, Installation, InstalledPart, Step};
use crate::disk;
use crate::edit::hooks::{self, HookEntry, Lists, PutHook};
use crate::edit::{EditError, Splice, is_blank};
use crate::json::Dialect;
use crate::receipt::HooksReceipt;

// Gemini CLI takes comments in its file; in that of another host a comment is what that host says.
/// Where a host's hooks are.
pub(super) const HOOKS: Lists = Lists {
    key: hooks::HOOKS,
    dialect: Dialect::Comments,
};

/// Where the rules of a host's permissions are that stand in lists.
pub(super) fn permission_lists(place: &Installation) -> Lists {
    Lists {
        key: place.host.permissions.place.key(),
        dialect: Dialect::Comments,
    }
}

/// What stands in lists, and which file is to have it.
pub(super) struct ListPart<'a> {
    pub(super) part: InstalledPart,
    pub(super) lists: Lists,
    /// The file, where there is none of an earlier installation.
    pub(super) path: &'a Path,
}

/// Plans the entries of lists; none where they are not wanted. What an earlier version put in is taken
/// out first. Gives what is known of it then.
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
            plan.steps.push(step.ended(Action::Refuse, reason));
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
        true => "an entry of yours asks the same: move it away to get Agon's".to_owned(),
        false => "you changed some of it: that is yours now".to_owned(),
    });
    // Until it is done both may be there.
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

/// What a file of lists would become.
struct HooksEdit {
    before: Option<String>,
    after: String,
    /// What is known of it then, where something new is.
    receipt: Option<HooksReceipt>,
    /// How many entries of the receipt are Agon's once it is written; those after them are of before.
    put: usize,
    /// Whether an entry is there that is Agon's but for what a person changed in it.
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
    // The server may be in the same file: it is there by then.
    let is_whole = |text: &str| lists.reads(text);
    let before = plan
        .text_after(path, is_whole)
        .map_err(|error| error.to_string())?;
    let text = before.clone().unwrap_or_default();
    // Of a file that is gone nothing is known but that.
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
    // Of what a person made another of, it stays known what it was.
    let made = hooks::variants(&base, lists, known, known).map_err(failed)?;
    let of_edited = known.iter().zip(made).filter(|(_, made)| *made);
    let of_edited: Vec<PutHook> = of_edited.map(|(known, _)| known.clone()).collect();
    if let Some(has_changed) = is_as_wanted(&text, lists, entries, known).map_err(failed)? {
        let is_wanted = |put: &PutHook| {
            let mut entries = entries.iter();
            entries.any(|it| it.event == put.event && it.entry == put.entry)
        };
        return Ok(HooksEdit {
            receipt: old.map(|old| {
                with_entries(old, |known| is_wanted(known) || of_edited.contains(known))
            }),
            put: 0,
            after: text,
            before,
            has_changed,
        });
    }
    let (mut put, makes_map) = hooks::wanted(&base, lists, entries).map_err(failed)?;
    for it in &mut put {
        // Of what is forgotten once this is written it takes over the list.
        let mut known = known.iter().filter(|known| known.event == it.event);
        it.is_list_ours |= known.any(|known| known.is_list_ours);
    }
    // One that a person wrote word for word is not put in twice, and stays when Agon goes; one that a
    // person changed is theirs, and would act twice beside another.
    let held = hooks::holds(&base, lists, &put).map_err(failed)?;
    let changed = hooks::variants(&base, lists, &put, known).map_err(failed)?;
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
                with_entries(old, |known| {
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
    let written = plan.planned(path);
    let is_new = before.is_none() || written.is_some_and(|write| write.before.is_none());
    let mut splices = vec![Splice::between(&base, &after)];
    // A kill may leave what was there before: that is known, too.
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

/// The same, of whose entries those are forgotten that are not there: a person may write one of them.
fn with_entries(old: &HooksReceipt, is_there: impl Fn(&PutHook) -> bool) -> HooksReceipt {
    let mut known = old.clone();
    known.entries.retain(is_there);
    known
}

/// Where every entry is in `text`, wherever it stands, and none that is not wanted: whether one of them is
/// there as a person changed it.
fn is_as_wanted(
    text: &str,
    lists: Lists,
    entries: &[HookEntry],
    known: &[PutHook],
) -> Result<Option<bool>, EditError> {
    let (wanted, _) = hooks::wanted(text, lists, entries)?;
    let held = hooks::holds(text, lists, &wanted)?;
    let changed = hooks::variants(text, lists, &wanted, known)?;
    let is_wanted = |old: &PutHook| {
        let mut all = wanted.iter();
        all.any(|it| it.event == old.event && it.entry == old.entry)
    };
    let old: Vec<PutHook> = known.iter().filter(|it| !is_wanted(it)).cloned().collect();
    let is_stale = hooks::holds(text, lists, &old)?.contains(&true);
    let are_all_there = held
        .iter()
        .zip(&changed)
        .all(|(held, changed)| *held || *changed);
    Ok((are_all_there && !is_stale).then(|| changed.contains(&true)))
}

/// Whether something is in `base`, out of which `known` was taken, that a person made of one of them.
fn has_changed(base: &str, lists: Lists, known: &[PutHook]) -> Result<bool, EditError> {
    Ok(hooks::variants(base, lists, known, known)?.contains(&true))
}

fn take_out(text: &str, lists: Lists, old: &HooksReceipt) -> Result<String, EditError> {
    hooks::remove(text, lists, &old.entries, old.is_map_ours, &old.splices)
}

/// Takes the entries out of the file that they were put into.
pub(super) fn take_lists(
    part: InstalledPart,
    lists: Lists,
    receipt: &HooksReceipt,
    is_dry: bool,
) -> Step {
    let step = Step::new(part, receipt.path.clone(), Action::Remove);
    let reads = |text: &str| lists.reads(text);
    let rest = |text: &str| {
        let after = take_out(text, lists, receipt)?;
        let has_changed = has_changed(&after, lists, &receipt.entries)?;
        Ok((after, has_changed))
    };
    take_from_file(step, receipt.is_file_ours, is_dry, reads, rest)
}
