//! How much of a turn a screen shows.

use agon_record::finding::{Finding, Severity};

/// How much of a turn a screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The claim of each point and the results of its citation checks.
    #[default]
    Claims,
    /// Each complete point: its grounds, its warrant and its concessions.
    Whole,
}

impl Detail {
    /// Returns whether a finding is shown. The short form shows only errors that no citation stamp
    /// shows already.
    pub(super) fn shows_finding(self, finding: &Finding) -> bool {
        match self {
            Self::Whole => true,
            Self::Claims => {
                finding.severity != Severity::Warning && !finding.code.starts_with("evidence-")
            }
        }
    }
}
