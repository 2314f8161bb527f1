//! The plan of an installation: its steps and writes.

use std::path::{Path, PathBuf};

use super::{Action, Step};
use crate::content::ContentSet;
use crate::disk::{self, DiskError};
use crate::hook::HookEvent;
use crate::receipt::Receipt;

/// The changes of an installation, in order.
#[derive(Clone, Debug)]
pub struct InstallPlan {
    /// The action on each part.
    pub steps: Vec<Step>,
    /// The writes of steps that write.
    pub(super) writes: Vec<Write>,
    /// The receipt to store.
    pub(super) receipt: Receipt,
}

/// A file to write, or to remove if `after` is `None`.
#[derive(Clone, Debug)]
pub(super) struct Write {
    /// Index of its step.
    pub(super) step: usize,
    pub(super) path: PathBuf,
    pub(super) before: Option<Vec<u8>>,
    pub(super) after: Option<Vec<u8>>,
    pub(super) mode: u32,
    /// Whether the file needs Agon's server to be of use.
    pub(super) needs_server: bool,
    /// How many of the recorded entries of its step, counted from the first, exist once the file is
    /// written.
    pub(super) put: usize,
}

impl InstallPlan {
    /// Returns the plan with these waivers stored for the next time.
    pub fn with_waivers(mut self, waived: Vec<String>) -> Self {
        self.receipt.waived = waived;
        self
    }

    /// Returns the plan with this content set, and which of `events` are not a team's, stored for the
    /// next time.
    pub fn with_content_set(mut self, what: ContentSet, events: &[HookEvent]) -> Self {
        self.receipt.what = what;
        self.receipt.plan_review = events.contains(&HookEvent::PlanEnd);
        self.receipt.suggest = events.contains(&HookEvent::Prompt);
        self
    }

    /// Returns the text of the configuration at `path` after the writes planned so far. `is_whole` tells
    /// whether a text is complete.
    pub(super) fn planned_text(
        &self,
        path: &Path,
        is_whole: impl Fn(&str) -> bool,
    ) -> Result<Option<String>, DiskError> {
        match self.last_write(path) {
            Some(Write { after, .. }) => after
                .clone()
                .map(|bytes| String::from_utf8(bytes).map_err(|_| DiskError::NotText))
                .transpose(),
            None => disk::read_when_complete(path, is_whole),
        }
    }

    /// Returns the last planned write of the file at `path`.
    pub(super) fn last_write(&self, path: &Path) -> Option<&Write> {
        self.writes.iter().rev().find(|write| write.path == path)
    }

    /// Returns whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Returns whether a part that should change is kept or refused.
    pub fn is_partial(&self) -> bool {
        let left = |step: &Step| matches!(step.action, Action::Keep | Action::Refuse);
        self.steps.iter().any(left)
    }
}
