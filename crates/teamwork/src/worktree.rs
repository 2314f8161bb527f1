//! Sets up members' new work trees: copies and links ignored files, and runs a setup command.

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
pub use self::missing::missing_files_note;
