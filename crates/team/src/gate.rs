//! Gates: checks whose results count for exactly one tree.

mod definition;
mod file;
mod standing;

pub use self::definition::{
    CommandGate, ContextGate, ContextLevel, DebateGate, EvidenceGate, GateDefinition, GateFault,
    SwapWanted, WantedAuthority,
};
pub use self::file::{GATES_SCHEMA, GateFile, GateFileFault};
pub use self::standing::{GateRun, GateStanding};
