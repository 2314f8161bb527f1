//! What an installation would change.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use super::server::plan_servers;
use super::{Action, Installation, InstalledPart, Step};
use crate::compile::Compiled;
use crate::content::ContentSet;
use crate::disk;
use crate::receipt::{self, Receipt, ReceiptError};

/// What an installation would change, in the order in which it is done.
#[derive(Clone, Debug)]
pub struct InstallPlan {
    /// What happens to each part.
    pub steps: Vec<Step>,
    /// What is written, for those steps that write.
    pub(super) writes: Vec<Write>,
    /// What is kept of it.
    pub(super) receipt: Receipt,
}

/// A file that is written, or removed where there is no `after`.
#[derive(Clone, Debug)]
pub(super) struct Write {
    /// The step that it belongs to.
    pub(super) step: usize,
    pub(super) path: PathBuf,
    pub(super) before: Option<Vec<u8>>,
    pub(super) after: Option<Vec<u8>>,
    pub(super) mode: u32,
}

impl InstallPlan {
    /// The same, with these waivers kept for the next time.
    pub fn waiving(mut self, waived: Vec<String>) -> Self {
        self.receipt.waived = waived;
        self
    }

    /// The same, with this set of the content kept for the next time.
    pub fn installing(mut self, what: ContentSet) -> Self {
        self.receipt.what = what;
        self
    }

    /// Whether anything is to be written.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Whether something is left as it is that should be otherwise.
    pub fn is_partial(&self) -> bool {
        let left = |step: &Step| matches!(step.action, Action::Keep | Action::Refuse);
        self.steps.iter().any(left)
    }
}

/// What it would change to have all of `compiled`, and the server as `entry`, in its place.
///
/// # Errors
///
/// If what was installed before cannot be read.
pub fn plan(
    place: &Installation,
    compiled: &Compiled,
    entry: &Value,
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
    let mut wanted = BTreeSet::new();
    for file in &compiled.files {
        if let Some(folder) = place.folder(file.kind) {
            let path = folder.join(&file.path);
            let part = InstalledPart::File(file.kind, file.name.clone());
            wanted.insert(path.clone());
            plan_file(part, path, file.text.as_bytes(), &earlier, &mut plan);
        }
    }
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
    let part = InstalledPart::File(kind_of(&path), name_of(&path));
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

/// What the file of an installed part is, by its path.
pub(super) fn kind_of(path: &std::path::Path) -> crate::compile::Kind {
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
pub(super) fn name_of(path: &std::path::Path) -> String {
    let named = match path.file_name().is_some_and(|name| name == "SKILL.md") {
        true => path.parent().and_then(|folder| folder.file_name()),
        false => path.file_name(),
    };
    let name = named.unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}
