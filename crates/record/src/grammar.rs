//! The grammar of moves: one table for each of their parts.
//!
//! A [`MovePart`] is an object of a reply, and a [`Field`] is one of its keys. A field has a kind
//! of value, a request for the author, limits on words and items, and captions for each document.
//! The shapes in prompts, the word limits, the counts in schemas and the bodies of points in
//! documents are generated from these tables. People are asked for less, through tables of their
//! own in `prompt`.
//!
//! To add a field, add it to its type in [`moves`](crate::moves), to the table here, and to the
//! list of values beside the table.

mod argument;
mod duel;
mod field;
mod filled;
mod formal_turns;
mod points;
mod verdict;

pub use argument::{ARGUMENT, CITATION, GROUND};
pub use duel::{BLIND, CHALLENGE, DEFENSE, FIRST_ANSWERS, FOLLOW_UP, NOTHING_FOUND, OPENING};
pub use field::{Bounds, Captions, Field, FieldKind, MovePart, Swapped};
pub use filled::{Filled, Value};
pub use formal_turns::{ATTACK, CASE, CONTENTION, DEFEND, RESCORING, SCORES, SCORING, THESES};
pub use points::{AGREEMENT, ASSESSMENT, NONE_FOUND, OBJECTION, RESPONSE};
pub use verdict::{AGREED_POINT, VERDICT};

use crate::moves::MovesKind;

/// Returns the top-level part of a reply of `kind`; its fields may refer to further parts.
pub fn root_part(kind: MovesKind) -> &'static MovePart {
    match kind {
        MovesKind::Blind => &BLIND,
        MovesKind::Opening => &OPENING,
        MovesKind::Challenge => &CHALLENGE,
        MovesKind::Defense => &DEFENSE,
        MovesKind::FollowUp => &FOLLOW_UP,
        MovesKind::Verdict => &VERDICT,
        MovesKind::Theses => &THESES,
        MovesKind::Case => &CASE,
        MovesKind::Rebuttal => &CONTENTION,
        MovesKind::Scores => &SCORES,
    }
}

/// Returns every part in moves of `kind`, without duplicates, the top-level part first.
pub fn root_and_nested_parts(kind: MovesKind) -> Vec<&'static MovePart> {
    let mut parts = Vec::new();
    let mut waiting = vec![root_part(kind)];
    while let Some(part) = waiting.pop() {
        if parts
            .iter()
            .any(|known: &&MovePart| known.name == part.name)
        {
            continue;
        }
        parts.push(part);
        waiting.extend(
            part.fields
                .iter()
                .filter_map(|field| field.kind.nested_part()),
        );
    }
    parts
}
