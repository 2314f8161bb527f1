//! Agon put into AI tools, and taken out of them: killed at every step, and with the real tools.

mod kill;
mod packages;
mod real;
mod roster;
mod told;
mod tree;
