//! `agon ops` as its callers use it: the real program, one process a step.

mod hostile;
mod imported;
mod kill;
mod refused;
mod steps;
mod world;
