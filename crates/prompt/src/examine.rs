//! The prompt for a model that examines the context of a session.

use agon_wording::{Wording, fence, values};

use crate::template::EXAMINE;

/// Returns the prompt for an examiner; `session` is a part of a session as numbered lines.
pub fn examine_prompt(salt: &str, session: &str) -> Wording {
    EXAMINE.fill(values! {
        session => fence(salt, "examine-session", &"session", session),
    })
}
