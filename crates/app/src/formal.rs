//! A formal debate: opened without calling anybody, then played exchange by exchange.

mod motion;
mod new;
mod play;
mod seats;

pub use motion::{definition, suggested};
pub use new::{NewFormalDebate, check, open, refuse_taken};
pub use play::{Remaining, play, remaining};
