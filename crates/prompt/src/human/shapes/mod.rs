//! The forms of every kind of moves.

mod common;
mod duel;
mod formal;
mod verdict;

use super::shape::Shape;
use agon_record::moves::MovesKind;
use duel::{BLIND, CHALLENGE, FOLLOW_UP, OPENING, PLEA};
use formal::{CASE, CONTENTION, SCORES, THESES};
use verdict::VERDICT;

/// The form of moves of `kind`.
pub(super) fn shape(kind: MovesKind) -> &'static Shape {
    match kind {
        MovesKind::Blind => &BLIND,
        MovesKind::Opening => &OPENING,
        MovesKind::Challenge => &CHALLENGE,
        MovesKind::Defense => &PLEA,
        MovesKind::FollowUp => &FOLLOW_UP,
        MovesKind::Verdict => &VERDICT,
        MovesKind::Theses => &THESES,
        MovesKind::Case => &CASE,
        MovesKind::Rebuttal => &CONTENTION,
        MovesKind::Scores => &SCORES,
    }
}
