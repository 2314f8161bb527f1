//! Argument-graph algorithms.

mod af;
mod components;
mod csr;
mod dung;
pub mod format;
mod gradual;
mod grounded;
mod id;
mod qbaf;
mod rows;

pub use af::Af;
pub use dung::{
    Answer, Batsat, Extensions, LimitHit, Limits, Lit, Mode, NoSuchSemantics, Reasoner, Sat,
    Semantics, Var,
};
pub use gradual::{
    Contributions, FlipLimits, FlipSets, Gradual, Measure, Model, NoFlip, NoSuchGradual, Options,
    Scheme, ShapleyOptions, Status, Strengths,
};
pub use grounded::Label;
pub use id::{ArgId, GraphError, MAX_ARGUMENTS};
pub use qbaf::{Edge, Polarity, Qbaf};
