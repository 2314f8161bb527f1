//! What a new work tree of a member gets besides its commit: copies and links of ignored files, and a
//! command that sets it up.

mod bring;
mod definition;
mod destination;
mod missing;
mod setup;
mod source;

#[cfg(test)]
mod tests;

pub(super) use self::bring::{bring_for_checks, bring_for_member};
pub use agon_team::worktree::SetupCommand;

pub use self::definition::{TEAM_WORKTREE_SCHEMA, TeamWorktreeDoc, remove, set, show};
pub use self::missing::missing_here;
