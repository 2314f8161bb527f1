//! Supervision: what the signals of a session come to, and what is done about it.

mod health;
mod rung;

pub use self::health::{
    Health, LadderLimits, ProcessSignal, SessionEnd, SessionState, Signals, assess,
};
pub use self::rung::{History, Rung, next_rung};
