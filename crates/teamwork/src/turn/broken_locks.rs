//! Reports other members' locks that a turn broke.

use agon_caller::Failure;

use super::setup::TurnSetup;
use super::{RunningTurn, TeamTurn};
use crate::broken_locks::{BrokenLock, LocksOfOthers, notify_holders};
use crate::open_team::failure;
use crate::trees;

impl RunningTurn<'_> {
    /// Finds the locks of other members that a turn's change broke, adds them to the turn's report,
    /// and notifies the holders. A tool's own edits are refused beforehand; edits by a command are
    /// not.
    pub(super) async fn report_broken_locks(
        &self,
        setup: &TurnSetup,
        turn: &mut TeamTurn,
    ) -> Result<(), Failure> {
        let locks = LocksOfOthers::read(&mut self.team(), &self.actor).map_err(failure)?;
        if locks.is_empty() || !setup.may_write() {
            return Ok(());
        }
        let merging = setup.merging.as_deref();
        let changed = trees::changed_paths(self.caller, &setup.tree, &setup.base, merging).await;
        // A tree that cannot be read was already refused, with the reason.
        let Ok(changed) = changed else {
            return Ok(());
        };
        let paths: Vec<String> = changed.into_iter().map(|it| it.path).collect();
        turn.broken_locks = locks.find_broken_locks(&setup.tree, &paths);
        if !turn.broken_locks.is_empty() {
            let words = turn.broken_locks.iter().map(BrokenLock::describe_lock);
            let words: Vec<String> = words.collect();
            turn.said
                .push_str(&format!("; it wrote to locked files: {}", words.join("; ")));
            notify_holders(&mut self.team(), &self.actor, &turn.broken_locks);
        }
        Ok(())
    }
}
