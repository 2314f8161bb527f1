//! `agon ops` as its callers use it: the real program, one process a step.

#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(clippy::disallowed_types, reason = "the suite runs the real program")]

mod hostile;
mod inputs;
mod kill;
mod malformed;
mod steps;
mod strict;
mod world;
