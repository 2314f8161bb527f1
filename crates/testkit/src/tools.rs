//! A folder of fake tools.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::acp::{FakeAgent, Note};
use crate::behaviour::Behaviour;
use crate::script::Script;

/// The tools whose dialects the fake speaks.
pub const TOOLS: [&str; 5] = ["claude", "codex", "gemini", "opencode", "copilot"];

/// One start of a fake tool, as it recorded itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The tool it was called as.
    pub tool: String,
    /// The turn asked for; `version` or `login` for those probes.
    pub turn: Option<String>,
    /// How often the turn had been asked before.
    pub again: usize,
    /// Its arguments, without the program.
    pub args: Vec<String>,
    /// Length of the prompt, in bytes.
    pub prompt_bytes: usize,
    /// Number of the saved prompt, for [`FakeTools::prompt`].
    pub prompt: Option<usize>,
    /// Its process id.
    pub pid: u32,
    /// Its working directory.
    pub cwd: PathBuf,
    /// Names of its environment variables, sorted.
    pub env: Vec<String>,
    /// The files below its working directory, sorted; at most a thousand.
    #[serde(default)]
    pub files: Vec<String>,
}

impl Call {
    /// The calls of a log, in order. A line that is still being written is none yet.
    ///
    /// # Panics
    ///
    /// If a whole line is none.
    pub fn all(log: &str) -> Vec<Self> {
        let whole = log.split_inclusive('\n').filter(|it| it.ends_with('\n'));
        whole
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// A temporary folder in which each fake tool stands under its own name, to be put on `PATH`.
///
/// The tools read the script and the scenario from this folder and record their calls in it,
/// since they are run with a cleaned environment. The folder goes away when this is dropped.
#[derive(Debug)]
pub struct FakeTools {
    dir: TempDir,
}

impl FakeTools {
    /// All five tools, answering [`Script::job_store`].
    ///
    /// # Panics
    ///
    /// If the binary `agon-fake-tool` is not built.
    pub fn new() -> Self {
        Self::with(&TOOLS)
    }

    /// Only the named tools, answering [`Script::job_store`].
    ///
    /// # Panics
    ///
    /// If the binary `agon-fake-tool` is not built.
    pub fn with(names: &[&str]) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("agon-fakes-")
            .tempdir()
            .unwrap();
        let binary = fake_tool();
        for name in names {
            std::os::unix::fs::symlink(&binary, dir.path().join(name)).unwrap();
        }
        fs::create_dir(dir.path().join("prompts")).unwrap();
        let tools = Self { dir };
        tools.set_script(&Script::job_store());
        tools
    }

    /// Replaces the script.
    #[must_use]
    pub fn script(self, script: &Script) -> Self {
        self.set_script(script);
        self
    }

    /// Makes a tool misbehave in a turn; `*` stands for any tool or any turn.
    ///
    /// The most exact entry counts: tool and turn, tool, turn, neither; then the script's own.
    /// Besides turns there are `version` and `login`, which `*` does not cover.
    #[must_use]
    pub fn scenario(self, tool: &str, turn: &str, behaviour: Behaviour) -> Self {
        self.set_scenario(tool, turn, behaviour);
        self
    }

    /// Replaces the script for the calls to come.
    pub fn set_script(&self, script: &Script) {
        self.write("script.json", &serde_json::to_vec_pretty(script).unwrap());
    }

    /// Like [`FakeTools::scenario`], for the calls to come.
    pub fn set_scenario(&self, tool: &str, turn: &str, behaviour: Behaviour) {
        let mut all: BTreeMap<String, BTreeMap<String, Behaviour>> =
            match fs::read(self.dir().join("scenario.json")) {
                Ok(bytes) => serde_json::from_slice(&bytes).unwrap(),
                Err(_) => BTreeMap::new(),
            };
        all.entry(tool.into())
            .or_default()
            .insert(turn.into(), behaviour);
        self.write("scenario.json", &serde_json::to_vec_pretty(&all).unwrap());
    }

    /// Forgets the scenario: every tool is good again, unless the script says otherwise.
    pub fn clear_scenario(&self) {
        self.write("scenario.json", b"{}");
    }

    /// Says what a tool offers and does as an agent, by the name of the program.
    #[must_use]
    pub fn agent(self, program: &str, agent: &FakeAgent) -> Self {
        self.set_agent(program, agent);
        self
    }

    /// Like [`FakeTools::agent`], for the starts to come.
    pub fn set_agent(&self, program: &str, agent: &FakeAgent) {
        let name = format!("{program}.agent.json");
        self.write(&name, &serde_json::to_vec_pretty(agent).unwrap());
    }

    /// What the agents took note of, in the order in which it happened.
    pub fn notes(&self) -> Vec<Note> {
        let lines = fs::read_to_string(self.dir().join("notes.jsonl")).unwrap_or_default();
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// How often something of this kind was taken note of, such as `start`.
    pub fn noted(&self, what: &str) -> usize {
        self.notes().iter().filter(|note| note.what == what).count()
    }

    /// The folder with the tools.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The path of one tool.
    pub fn path(&self, tool: &str) -> PathBuf {
        self.dir().join(tool)
    }

    /// A value for `PATH`: this folder, then the system's own.
    pub fn path_var(&self) -> String {
        format!("{}:/usr/bin:/bin", self.dir().display())
    }

    /// Every call so far, in the order in which they began.
    pub fn calls(&self) -> Vec<Call> {
        let lines = fs::read_to_string(self.dir().join("calls.jsonl")).unwrap_or_default();
        Call::all(&lines)
    }

    /// The calls that asked for a turn of a debate, without version and login probes.
    pub fn asks(&self) -> Vec<Call> {
        let probe = |call: &Call| matches!(call.turn.as_deref(), Some("version" | "login"));
        self.calls()
            .into_iter()
            .filter(|call| !probe(call))
            .collect()
    }

    /// The prompt of a call, by [`Call::prompt`].
    ///
    /// # Panics
    ///
    /// If there is no such prompt.
    pub fn prompt(&self, number: usize) -> String {
        fs::read_to_string(self.dir().join(format!("prompts/{number}.txt"))).unwrap()
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let mut file = tempfile::NamedTempFile::new_in(self.dir()).unwrap();
        std::io::Write::write_all(&mut file, bytes).unwrap();
        file.persist(self.dir().join(name)).unwrap();
    }
}

impl Default for FakeTools {
    fn default() -> Self {
        Self::new()
    }
}

/// The built `agon-fake-tool`, found beside the running test.
fn fake_tool() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let found = test
        .ancestors()
        .skip(1)
        .take(3)
        .map(|dir| dir.join("agon-fake-tool"));
    let found = found.into_iter().find(|path| path.is_file());
    found.unwrap_or_else(|| {
        panic!(
            "no agon-fake-tool beside {}: run cargo build -p agon-testkit --target-dir {}",
            test.display(),
            target_dir(&test).display()
        )
    })
}

/// The target directory a test executable stands in, for the hint.
fn target_dir(test: &Path) -> &Path {
    let deps = test.ancestors().find(|dir| dir.ends_with("deps"));
    deps.and_then(|dir| dir.ancestors().nth(2)).unwrap_or(test)
}
