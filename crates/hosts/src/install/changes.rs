//! What an installation would change, and what it would write for that.

use std::path::PathBuf;

use super::{Action, Step};
use crate::content::ContentSet;
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
