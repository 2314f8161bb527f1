//! The roster and the settings of a team, through this crate alone.
#![expect(clippy::unwrap_used, reason = "tests")]

mod place;
mod plan_review;
mod roster;
mod skills;
mod team_settings;
