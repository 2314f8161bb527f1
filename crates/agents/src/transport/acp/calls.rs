//! The calls that an agent makes of its own tools, and which of them end a conversation.

use std::collections::BTreeMap;

use super::breach::Breach;
use super::heard::Call;

/// Calls whose kind is remembered at a time.
const MAX_CALLS: usize = 10_000;

/// The calls an agent has begun, by its names for them.
#[derive(Debug, Default)]
pub(super) struct Calls {
    kinds: BTreeMap<String, &'static str>,
    /// Whether programs run in a sandbox that keeps them from writing.
    sandboxed: bool,
}

impl Calls {
    /// No call yet.
    pub(super) fn new(sandboxed: bool) -> Self {
        Self {
            sandboxed,
            ..Self::default()
        }
    }

    /// Takes in how a call stands.
    ///
    /// # Errors
    ///
    /// If a tool that does more than read was used: nothing of the kind is ever permitted, so it
    /// was not asked for.
    pub(super) fn take(&mut self, call: &Call) -> Result<(), Breach> {
        let told = call.kind.as_deref().map(does);
        if let Some(does) = told.flatten()
            && (self.kinds.len() < MAX_CALLS || self.kinds.contains_key(&call.id))
        {
            self.kinds.insert(call.id.clone(), does);
        }
        if !call.done {
            return Ok(());
        }
        let before = self.kinds.remove(&call.id);
        match told.flatten().or(before) {
            Some(does) if !(self.sandboxed && does == RUNS) => Err(Breach::Acted { does }),
            Some(_) | None => Ok(()),
        }
    }
}

/// What a tool that runs programs does.
const RUNS: &str = "runs programs";

/// What a tool of a kind does, if it is more than to read, to search and to think.
fn does(kind: &str) -> Option<&'static str> {
    match kind {
        "edit" => Some("writes"),
        "delete" => Some("deletes"),
        "move" => Some("moves files"),
        "execute" => Some(RUNS),
        "fetch" => Some("asks other machines"),
        "switch_mode" => Some("changes what it may do"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str, kind: &str, done: bool) -> Call {
        Call {
            id: id.to_owned(),
            begins: true,
            kind: (!kind.is_empty()).then(|| kind.to_owned()),
            done,
        }
    }

    #[test]
    fn a_call_that_did_more_than_read_is_told_whenever_it_says_its_kind() {
        for (kind, does) in [
            ("edit", "writes"),
            ("delete", "deletes"),
            ("move", "moves files"),
            ("execute", "runs programs"),
            ("fetch", "asks other machines"),
            ("switch_mode", "changes what it may do"),
        ] {
            let told = Err(Breach::Acted { does });
            assert_eq!(Calls::new(false).take(&call("a", kind, true)), told);
            let mut calls = Calls::new(false);
            assert_eq!(calls.take(&call("a", kind, false)), Ok(()));
            assert_eq!(calls.take(&call("b", "", true)), Ok(()));
            assert_eq!(calls.take(&call("a", "", true)), told);
        }
        for kind in ["read", "search", "think", "other", "unheard_of", ""] {
            assert_eq!(
                Calls::new(false).take(&call("a", kind, true)),
                Ok(()),
                "{kind}"
            );
        }
    }

    #[test]
    fn a_sandbox_excuses_programs_and_nothing_else() {
        let mut calls = Calls::new(true);
        assert_eq!(calls.take(&call("a", "execute", true)), Ok(()));
        let told = Err(Breach::Acted { does: "writes" });
        assert_eq!(calls.take(&call("a", "edit", true)), told);
    }
}
