//! `agon ops` as its callers use it: the real program, one process a step.

mod hostile;
mod imported;
mod inputs;
mod kill;
mod malformed;
mod steps;
mod strict;
mod world;
