//! Agon put into AI tools, and taken out of them: killed at every step, and with the real tools.

mod at_once;
mod homeless;
mod kill;
mod nested;
mod older;
mod packages;
mod plan_review;
mod real;
mod roster;
mod same_start;
mod skills;
mod team;
mod told;
mod tree;
