//! What a team brings, in the real tools: what they list of it, and what their models are offered
//! and can do when a role runs.
//!
//! Two of the tools each time; all with `AGON_TEST_FULL=1`, as `cargo xtask hosts --full` sets it.

mod codex;
mod compacted;
mod desk;
mod driver;
mod lists;
mod locks;
mod members;
mod permissions;
mod piece;
mod reminder;
mod roles;
mod servers;
mod suggest;
