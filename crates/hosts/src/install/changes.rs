//! What an installation would change, and what it would write for that.

use std::path::{Path, PathBuf};

use super::{Action, Step};
use crate::content::ContentSet;
use crate::disk::{self, DiskError};
use crate::receipt::Receipt;

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
    /// Whether it is of no use without Agon's server.
    pub(super) needs_server: bool,
    /// How many of the entries that are known of its step, from the first on, are there once it is done.
    pub(super) put: usize,
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

    /// What will be in the configuration at `path`, which is whole by `is_whole`, when what is planned
    /// so far is done.
    pub(super) fn text_after(
        &self,
        path: &Path,
        is_whole: impl Fn(&str) -> bool,
    ) -> Result<Option<String>, DiskError> {
        match self.planned(path) {
            Some(Write { after, .. }) => after
                .clone()
                .map(|bytes| String::from_utf8(bytes).map_err(|_| DiskError::NotText))
                .transpose(),
            None => disk::read_settled(path, is_whole),
        }
    }

    /// The last write of the file at `path` that is planned.
    pub(super) fn planned(&self, path: &Path) -> Option<&Write> {
        self.writes.iter().rev().find(|write| write.path == path)
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
