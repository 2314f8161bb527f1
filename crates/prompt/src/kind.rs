//! The kinds of moves that a duel has.

use agon_record::moves::MovesKind;

/// What kind of moves a turn of a duel asks for.
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
    /// The kind as a duel knows it; none for those of other formats.
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
