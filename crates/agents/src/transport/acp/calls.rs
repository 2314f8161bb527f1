//! Tracks an agent's calls to its own tools, and detects forbidden ones, which end the
//! conversation.

use std::collections::{BTreeMap, BTreeSet};

use super::message::{Stage, ToolCall};
use crate::breach::Breach;

// Limits the memory if an agent reports calls endlessly; normal turns have far fewer.
/// The maximum number of tracked calls to tools that do more than read.
const MAX_CALLS: usize = 10_000;

/// The calls that an agent has started, by ID.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Calls to tools that do more than read, and whether they are running.
    harmful: BTreeMap<String, (&'static str, bool)>,
    /// Calls for which permission was requested and not granted.
    refused: BTreeSet<String>,
    /// Whether programs run in a sandbox that prevents writing.
    sandboxed: bool,
}

impl Calls {
    /// Creates a tracker without calls.
    pub(super) fn new(sandboxed: bool) -> Self {
        Self {
            sandboxed,
            ..Self::default()
        }
    }

    /// Records that the permission for a call was refused.
    pub(super) fn mark_refused(&mut self, id: &str) {
        if self.refused.len() < MAX_CALLS {
            self.refused.insert(id.to_owned());
        }
    }

    /// Records the state of a call.
    ///
    /// A failed call counts as executed only if it reports a program's exit code: agents also report
    /// calls as failed that they did not execute.
    ///
    /// # Errors
    ///
    /// If a tool that does more than read was used: such calls are never permitted, so the agent did
    /// not ask. If there are more such calls than can be tracked.
    pub(super) fn track_call(&mut self, call: &ToolCall) -> Result<(), Breach> {
        let before = self.harmful.get(&call.id).copied();
        let said = call.kind.as_deref().and_then(harmful_action);
        let Some(does) = said.or(before.map(|(does, _)| does)) else {
            return Ok(());
        };
        if self.sandboxed && does == RUNS {
            return Ok(());
        }
        let acted = Err(Breach::Acted { does });
        match call.stage {
            Some(Stage::Done) => return acted,
            Some(Stage::Failed { exited }) => {
                self.harmful.remove(&call.id);
                let refused = self.refused.contains(&call.id);
                return if exited && !refused { acted } else { Ok(()) };
            }
            Some(Stage::Running) | None => {}
        }
        if before.is_none() && self.harmful.len() >= MAX_CALLS {
            return Err(Breach::TooManyCalls { limit: MAX_CALLS });
        }
        let ran = before.is_some_and(|(_, ran)| ran);
        let runs = ran || call.stage == Some(Stage::Running);
        self.harmful.insert(call.id.clone(), (does, runs));
        Ok(())
    }

    /// Checks that no harmful call is still running when the agent has answered.
    ///
    /// # Errors
    ///
    /// If a call that does more than read is running and was not refused.
    pub(super) fn check_none_running(&self) -> Result<(), Breach> {
        let mut running = self.harmful.iter().filter(|(_, (_, runs))| *runs);
        let acted = running.find(|(id, _)| !self.refused.contains(*id));
        acted.map_or(Ok(()), |(_, &(does, _))| Err(Breach::Acted { does }))
    }
}

/// The action of a tool that runs programs.
const RUNS: &str = "runs programs";

/// Returns what a tool of this kind does, if it does more than read, search and think.
fn harmful_action(kind: &str) -> Option<&'static str> {
    match kind {
        "edit" => Some("writes files"),
        "delete" => Some("deletes files"),
        "move" => Some("moves files"),
        "execute" => Some(RUNS),
        "fetch" => Some("accesses other machines"),
        "switch_mode" => Some("changes its permissions"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAILED: Stage = Stage::Failed { exited: false };
    const EXITED: Stage = Stage::Failed { exited: true };

    fn at(id: &str, kind: &str, stage: Stage) -> ToolCall {
        ToolCall {
            stage: Some(stage),
            ..call(id, kind, false)
        }
    }

    fn call(id: &str, kind: &str, done: bool) -> ToolCall {
        ToolCall {
            id: id.to_owned(),
            begins: true,
            kind: (!kind.is_empty()).then(|| kind.to_owned()),
            stage: done.then_some(Stage::Done),
        }
    }

    #[test]
    fn a_call_that_did_more_than_read_is_told_whenever_it_says_its_kind() {
        for (kind, does) in [
            ("edit", "writes files"),
            ("delete", "deletes files"),
            ("move", "moves files"),
            ("execute", "runs programs"),
            ("fetch", "accesses other machines"),
            ("switch_mode", "changes its permissions"),
        ] {
            let told = Err(Breach::Acted { does });
            assert_eq!(Calls::new(false).track_call(&call("a", kind, true)), told);
            let mut calls = Calls::new(false);
            assert_eq!(calls.track_call(&call("a", kind, false)), Ok(()));
            assert_eq!(calls.track_call(&call("b", "", true)), Ok(()));
            assert_eq!(calls.track_call(&call("a", "", true)), told);
        }
        for kind in ["read", "search", "think", "other", "unheard_of", ""] {
            assert_eq!(
                Calls::new(false).track_call(&call("a", kind, true)),
                Ok(()),
                "{kind}"
            );
        }
    }

    #[test]
    fn a_sandbox_excuses_programs_and_nothing_else() {
        let mut calls = Calls::new(true);
        assert_eq!(calls.track_call(&call("a", "execute", true)), Ok(()));
        let told = Err(Breach::Acted {
            does: "writes files",
        });
        assert_eq!(calls.track_call(&call("a", "edit", true)), told);
    }

    #[test]
    fn a_program_that_ran_and_ended_badly_was_run() {
        let acted = Err(Breach::Acted { does: RUNS });
        assert_eq!(
            Calls::new(false).track_call(&at("a", "execute", EXITED)),
            acted
        );
        let mut refused = Calls::new(false);
        refused.mark_refused("a");
        assert_eq!(refused.track_call(&at("a", "execute", EXITED)), Ok(()));
        assert_eq!(refused.track_call(&at("b", "execute", EXITED)), acted);
        assert_eq!(
            Calls::new(true).track_call(&at("a", "execute", EXITED)),
            Ok(())
        );
        assert_eq!(
            Calls::new(false).track_call(&at("a", "execute", FAILED)),
            Ok(())
        );
    }

    #[test]
    fn what_still_runs_when_the_agent_has_answered_counts() {
        let acted = Err(Breach::Acted {
            does: "writes files",
        });
        let mut calls = Calls::new(false);
        assert_eq!(calls.track_call(&at("a", "edit", Stage::Running)), Ok(()));
        assert_eq!(calls.track_call(&call("a", "", false)), Ok(()));
        assert_eq!(calls.check_none_running(), acted);
        calls.mark_refused("a");
        assert_eq!(calls.check_none_running(), Ok(()));
        let mut calls = Calls::new(false);
        assert_eq!(calls.track_call(&at("a", "edit", Stage::Running)), Ok(()));
        assert_eq!(calls.track_call(&at("a", "", FAILED)), Ok(()));
        assert_eq!(calls.check_none_running(), Ok(()));
    }

    #[test]
    fn more_calls_than_can_be_watched_are_too_many() {
        let mut calls = Calls::new(false);
        for id in 0..MAX_CALLS {
            assert_eq!(
                calls.track_call(&call(&id.to_string(), "edit", false)),
                Ok(())
            );
        }
        let limit = MAX_CALLS;
        let more = calls.track_call(&call("more", "edit", false));
        assert_eq!(more, Err(Breach::TooManyCalls { limit }));
    }
}
