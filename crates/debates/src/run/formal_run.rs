//! Formal debates: opened without calling any tool, then played exchange by exchange.

mod motion;
mod new;
mod play;

pub use motion::{check_definition, suggest_slug};
pub use new::{NewFormalDebate, check, open, refuse_taken_name};
pub use play::{Remaining, play, remaining_if_unspecified};
