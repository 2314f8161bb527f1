//! How much of a turn a screen shows.

use agon_record::finding::{Finding, Severity};

/// How much of a turn a screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// What each point claims, and what was found at the places it cites.
    #[default]
    Claims,
    /// Each point whole: its grounds, why they support it, and what it concedes.
    Whole,
}

impl Detail {
    /// Whether a broken rule is shown: in short only an error that no stamp of a citation shows.
    pub(super) fn shows_finding(self, finding: &Finding) -> bool {
        match self {
            Self::Whole => true,
            Self::Claims => {
                finding.severity != Severity::Warning && !finding.code.starts_with("evidence-")
            }
        }
    }
}
