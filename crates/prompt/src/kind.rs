//! The kinds of moves in a duel.

use agon_record::moves::MovesKind;

/// The kind of moves of a duel's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DuelKind {
    Blind,
    Opening,
    Challenge,
    Defense,
    FollowUp,
    Verdict,
}

impl DuelKind {
    /// Returns the kind in a duel; `None` for kinds of other formats.
    pub(super) fn of(kind: MovesKind) -> Option<Self> {
        match kind {
            MovesKind::Blind => Some(Self::Blind),
            MovesKind::Opening => Some(Self::Opening),
            MovesKind::Challenge => Some(Self::Challenge),
            MovesKind::Defense => Some(Self::Defense),
            MovesKind::FollowUp => Some(Self::FollowUp),
            MovesKind::Verdict => Some(Self::Verdict),
            MovesKind::Theses | MovesKind::Case | MovesKind::Rebuttal | MovesKind::Scores => None,
        }
    }
}
