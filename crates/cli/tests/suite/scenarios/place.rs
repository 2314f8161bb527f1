//! A place with fake tools.

use agon_testkit::{FakeTools, Sandbox};
use serde_json::Value;

use crate::support::{Place, Ran, TOPIC, seat_flags};

/// The three tools of the debate that the fakes know by heart.
pub(crate) const SEATED: [&str; 3] = ["claude", "codex", "gemini"];

/// Fake tools, and a place in which they are installed and logged in.
pub(crate) struct Fakes {
    pub(crate) tools: FakeTools,
    pub(crate) place: Place,
}

impl Fakes {
    /// The three tools that sit at the table, and no other.
    pub(crate) fn new() -> Self {
        Self::with(FakeTools::with(&SEATED))
    }

    /// These tools.
    pub(crate) fn with(tools: FakeTools) -> Self {
        let sandbox = Sandbox::new();
        let mut env = sandbox.env_with_path(tools.dir());
        env.insert("GEMINI_API_KEY".into(), "placeholder".into());
        Self {
            place: Place::new(sandbox, env),
            tools,
        }
    }

    /// Runs the debate `s` with further arguments, and prints one document.
    pub(crate) fn debate(&self, more: &[&str]) -> Ran {
        self.place.run(&debate(more))
    }

    /// Resumes the debate `s`, and prints one document.
    pub(crate) fn resume(&self) -> Ran {
        self.place.run(&["resume", "s", "--json"])
    }

    /// Every event in the journal of the debate `s`.
    pub(crate) fn events(&self) -> Vec<Value> {
        let journal = self.place.folder().join(".agon/journal.jsonl");
        let journal = std::fs::read_to_string(journal).unwrap_or_default();
        let lines = journal
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .flat_map(|line| line["events"].as_array().unwrap().clone())
            .collect()
    }

    /// The turns the tools were asked for, in order; `#1` marks one asked for again.
    pub(crate) fn asks(&self) -> Vec<String> {
        let asks = self.tools.asks().into_iter();
        asks.map(|call| format!("{}#{}", call.turn.unwrap_or_default(), call.again))
            .collect()
    }
}

/// The arguments of the debate `s`.
pub(crate) fn debate<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let seats = seat_flags(SEATED);
    let args = [
        &["debate", TOPIC, "--slug", "s", "--json"],
        &seats[..],
        more,
    ];
    args.concat()
}
