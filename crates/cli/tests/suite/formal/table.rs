//! A place with fake tools and a formal debate that nobody has spoken in.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agon_testkit::{FakeTools, Sandbox, Script};
use serde_json::Value;

use crate::support::{Place, Ran, TOPIC};

/// The motion of the debate that the fakes know by heart.
pub(crate) const MOTION: &str = "This house would read every change before it is merged";

/// The seats of a run with one judge.
pub(crate) const SEATS: &[&str] = &[
    "--proposition",
    "claude",
    "--opposition",
    "codex",
    "--judge",
    "gemini",
];

/// Fake tools, and a place in which three of them are installed and logged in.
pub(crate) struct Table {
    pub(crate) tools: FakeTools,
    pub(crate) place: Place,
}

impl Table {
    /// Nothing is debated yet.
    pub(crate) fn bare() -> Self {
        let tools = FakeTools::with(&["claude", "codex", "gemini"]).script(&Script::formal());
        let sandbox = Sandbox::new();
        let mut env = sandbox.env_with_path(tools.dir());
        env.insert("GEMINI_API_KEY".into(), "placeholder".into());
        let place = Place::new(sandbox, env);
        Self { tools, place }
    }

    /// The debate `s` is open.
    pub(crate) fn laid() -> Self {
        let table = Self::bare();
        let ran = table.place.run(&["new", "s", "--motion", MOTION]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        table
    }

    /// The debate `s` has been played for so many rebuttals.
    pub(crate) fn after(rebuttals: &str) -> Self {
        let table = Self::laid();
        let ran = table.run(rebuttals, SEATS);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        table
    }

    /// Runs `s` for so many rebuttals, and prints one document.
    pub(crate) fn run(&self, rebuttals: &str, more: &[&str]) -> Ran {
        let args = [&["run", "s", rebuttals, "--json"], more].concat();
        self.place.run(&args)
    }

    /// A duel, `duel`, of one round.
    pub(crate) fn duel(&self) {
        self.tools.set_script(&Script::job_store());
        let args = ["debate", TOPIC, "--slug", "duel", "--quick"];
        let ran = self.place.run(&args);
        assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
        self.tools.set_script(&Script::formal());
    }

    /// The turns the tools were asked for, in order; `#1` marks one asked for again.
    pub(crate) fn asks(&self) -> Vec<String> {
        let asks = self.tools.asks().into_iter();
        asks.map(|call| format!("{}#{}", call.turn.unwrap_or_default(), call.again))
            .collect()
    }

    /// The turns asked for since there were so many, in the order of their names.
    pub(crate) fn asks_since(&self, before: usize) -> Vec<String> {
        let mut asks = self.asks().split_off(before);
        asks.sort();
        asks
    }

    /// Everything in the debate's folder but `.agon`.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.place.folder(), "", &mut found);
        found
    }

    /// The front matter of `debate.md`.
    pub(crate) fn front(&self) -> Value {
        let text = fs::read_to_string(self.place.folder().join("debate.md")).unwrap();
        let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        values.next().unwrap().unwrap()
    }

    /// The scores of every argument, oldest first, in thousandths.
    pub(crate) fn scores(&self) -> BTreeMap<String, Vec<i64>> {
        let text = fs::read(self.place.folder().join("scores.json")).unwrap();
        let scores: BTreeMap<String, Value> = serde_json::from_slice(&text).unwrap();
        let history = |entry: &Value| {
            let history = entry["history"].as_array().unwrap();
            history
                .iter()
                .map(|one| (one["score"].as_f64().unwrap() * 1_000.0).round() as i64)
                .collect()
        };
        let scores = scores.iter();
        scores
            .map(|(id, entry)| (id.clone(), history(entry)))
            .collect()
    }
}

fn collect(root: &Path, below: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(root.join(below)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            _ if name == ".agon" => {}
            true => collect(root, &format!("{name}/"), found),
            false => {
                found.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
}
