//! The rules and the store of a team: tasks, locks, gates, policies, mail and sessions.

pub mod change;
mod cycle;
pub mod gate;
pub mod glob;
pub mod id;
pub mod ladder;
pub mod lock;
pub mod mail;
pub mod needs;
pub mod policy;
pub mod run_policy;
pub mod store;
pub mod task;
pub mod time;
pub mod why;
pub mod worktree;
