//! Finds writes that no hook saw, such as those of a shell command.

use agon_hosts::hook::{HookEvent, HookReply};

use super::HookSession;
use crate::broken_locks::{
    BrokenLock, LocksOfOthers, describe_broken, notify_holders, take_unreported,
};
use crate::trees;

impl HookSession<'_> {
    /// Adds the locks of other members that the session broke to a reply, unless they were reported
    /// already. Also notifies the holders by mail.
    pub(super) async fn with_broken_locks(
        &mut self,
        reply: HookReply,
        event: HookEvent,
    ) -> HookReply {
        match (self.broken_locks().await, reply) {
            (Ok(broken), reply) if broken.is_empty() => reply,
            (Ok(broken), HookReply::GoOn(said)) => {
                HookReply::GoOn(format!("{said}\n{}", describe_broken(&broken)))
            }
            (Ok(broken), HookReply::Note(said)) => {
                HookReply::Note(format!("{said}\n{}", describe_broken(&broken)))
            }
            (Ok(broken), _) if event == HookEvent::Stop => {
                HookReply::GoOn(describe_broken(&broken))
            }
            (Ok(broken), _) => HookReply::Note(describe_broken(&broken)),
            (Err(error), HookReply::Pass) => HookReply::Warn(format!(
                "Agon's team hook could not check for broken locks: {error}"
            )),
            (Err(_), reply) => reply,
        }
    }

    async fn broken_locks(&mut self) -> Result<Vec<BrokenLock>, String> {
        let locks = LocksOfOthers::read(&mut self.team, &self.actor);
        let locks = locks.map_err(|error| error.to_string())?;
        // Git is not run if no other member has a lock.
        let Some(root) = self
            .location
            .work_tree
            .clone()
            .filter(|_| !locks.is_empty())
        else {
            return Ok(Vec::new());
        };
        let changed = trees::uncommitted_paths(self.caller, &self.location).await;
        let changed = changed.map_err(|error| error.message)?;
        let news = take_unreported(&self.location, locks.find_broken_locks(&root, &changed));
        notify_holders(&mut self.team, &self.actor, &news);
        Ok(news)
    }
}
