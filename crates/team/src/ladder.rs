//! Supervision of sessions: judges their signals and decides what to do.

mod health;
mod rung;

pub use self::health::{
    Health, LadderLimits, ProcessSignal, SessionEnd, SessionState, Signals, assess,
};
pub use self::rung::{History, Rung, next_rung};
