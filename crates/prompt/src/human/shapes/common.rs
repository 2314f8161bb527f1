//! What points have in either format.

use crate::human::shape::{Field, Slot, slot};

pub(super) const GROUNDS: Slot = slot(
    "grounds",
    "grounds",
    Field::Grounds,
    "one to three, such as: src/a.rs:10-20 \"words copied from there\" — what it says — why it matters",
)
.also(&["ground", "evidence", "rests_on"]);

pub(super) const TITLE: Slot = slot("title", "title", Field::Text, "5 to 7 words");
pub(super) const CLAIM: Slot = slot("claim", "claim", Field::Text, "at most 25 words");
pub(super) const WARRANT: Slot = slot(
    "warrant",
    "warrant",
    Field::Text,
    "why the grounds carry it, at most 50 words",
);
pub(super) const BACKING: Slot = slot(
    "backing",
    "backing",
    Field::Text,
    "may stay empty, at most 50 words",
)
.optional();
pub(super) const QUALIFIER: Slot = slot(
    "qualifier",
    "qualifier",
    Field::Text,
    "may stay empty, at most 10 words",
)
.optional();
