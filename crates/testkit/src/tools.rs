//! A folder of fake tools.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::acp::{FakeAgent, Note};
use crate::behaviour::Behaviour;
use crate::script::Script;

/// The tools that the fake imitates.
pub const TOOLS: [&str; 5] = ["claude", "codex", "gemini", "opencode", "copilot"];

/// One call of a fake tool, as it recorded itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The tool name under which it was called.
    pub tool: String,
    /// The requested turn; `version` or `login` for these probes.
    pub turn: Option<String>,
    /// How many times the turn had been asked for before.
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
    /// Parses the calls of a log, in order. Ignores a line that is still being written.
    ///
    /// # Panics
    ///
    /// If a complete line is not a call.
    pub fn all(log: &str) -> Vec<Self> {
        let whole = log.split_inclusive('\n').filter(|it| it.ends_with('\n'));
        whole
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// A temporary folder with the fake tools under their own names, for use on `PATH`.
///
/// The tools run with an empty environment, so they read the script and the scenario from this
/// folder and record their calls in it. The folder is removed when this is dropped.
#[derive(Debug)]
pub struct FakeTools {
    dir: TempDir,
}

impl FakeTools {
    /// Creates all five tools, answering from [`Script::job_store`].
    ///
    /// # Panics
    ///
    /// If the binary `agon-fake-tool` is not built.
    pub fn new() -> Self {
        Self::with(&TOOLS)
    }

    /// Creates only the named tools, answering from [`Script::job_store`].
    ///
    /// # Panics
    ///
    /// If the binary `agon-fake-tool` is not built.
    pub fn with(names: &[&str]) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("agon-fakes-")
            .tempdir()
            .unwrap();
        let binary = fake_tool_program();
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

    /// Makes a tool misbehave in a turn; `*` means any tool or any turn.
    ///
    /// The most specific entry wins: tool and turn, tool, turn, neither; then the script's own.
    /// Besides turns there are `version` and `login`, which `*` does not include.
    #[must_use]
    pub fn scenario(self, tool: &str, turn: &str, behaviour: Behaviour) -> Self {
        self.set_scenario(tool, turn, behaviour);
        self
    }

    /// Replaces the script for later calls.
    pub fn set_script(&self, script: &Script) {
        self.write("script.json", &serde_json::to_vec_pretty(script).unwrap());
    }

    /// Like [`FakeTools::scenario`], for later calls.
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
        self.renew_links();
    }

    /// Replaces the links to the fake program, because Agon asks a program for its version and
    /// login only if it changed.
    fn renew_links(&self) {
        let new = self.dir().join(".link");
        for name in TOOLS {
            let path = self.path(name);
            if let Ok(target) = fs::read_link(&path) {
                std::os::unix::fs::symlink(target, &new).unwrap();
                fs::rename(&new, path).unwrap();
            }
        }
    }

    /// Clears the scenario: every tool behaves well again, unless the script says otherwise.
    pub fn clear_scenario(&self) {
        self.write("scenario.json", b"{}");
        self.renew_links();
    }

    /// Sets the options and actions of a tool as an agent, by the name of the program.
    #[must_use]
    pub fn agent(self, program: &str, agent: &FakeAgent) -> Self {
        self.set_agent(program, agent);
        self
    }

    /// Like [`FakeTools::agent`], for later starts.
    pub fn set_agent(&self, program: &str, agent: &FakeAgent) {
        let name = format!("{program}.agent.json");
        self.write(&name, &serde_json::to_vec_pretty(agent).unwrap());
    }

    /// The events recorded by the agents, in order.
    pub fn notes(&self) -> Vec<Note> {
        let lines = fs::read_to_string(self.dir().join("notes.jsonl")).unwrap_or_default();
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The number of recorded events of this kind, such as `start`.
    pub fn count_notes(&self, what: &str) -> usize {
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

    /// A value for `PATH`: this folder, then the system's folders.
    pub fn path_var(&self) -> String {
        format!("{}:/usr/bin:/bin", self.dir().display())
    }

    /// Every call so far, in the order of their starts.
    pub fn calls(&self) -> Vec<Call> {
        let lines = fs::read_to_string(self.dir().join("calls.jsonl")).unwrap_or_default();
        Call::all(&lines)
    }

    /// The calls for a turn of a debate, without version and login probes.
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
fn fake_tool_program() -> PathBuf {
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

/// The target directory that contains a test executable, for the hint.
fn target_dir(test: &Path) -> &Path {
    let deps = test.ancestors().find(|dir| dir.ends_with("deps"));
    deps.and_then(|dir| dir.ancestors().nth(2)).unwrap_or(test)
}
