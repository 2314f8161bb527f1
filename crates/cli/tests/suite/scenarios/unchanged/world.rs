//! A home and a project with fake tools, in which debates are recorded, laid out and read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agon_testkit::acp::FakeAgent;
use agon_testkit::{Behaviour, FakeTools, Script, TOOLS, add};

use super::bundle::{self, Files};
use super::project;
use crate::scenarios::place::Fakes;
use crate::support::{Ran, Running, TOPIC};

/// Programs that speak the Agent Client Protocol for a tool, with the mode each offers.
const AGENTS: [(&str, &str); 2] = [("claude-agent-acp", "default"), ("codex-acp", "read-only")];

/// The seats of a duel.
const DUEL: [&str; 6] = [
    "--proposer",
    "claude",
    "--challenger",
    "codex",
    "--judge",
    "gemini",
];

/// That place, and the program that is run in it.
pub(super) struct World {
    pub(super) fakes: Fakes,
    program: PathBuf,
}

impl World {
    /// A place for the program under test.
    pub(super) fn new() -> Self {
        Self::of(Path::new(env!("CARGO_BIN_EXE_agon")))
    }

    /// A place for another build of the program.
    pub(super) fn of(program: &Path) -> Self {
        let names = [&TOOLS[..], &AGENTS.map(|(name, _)| name)].concat();
        let mut tools = FakeTools::with(&names);
        for (name, mode) in AGENTS {
            let agent = FakeAgent {
                modes: vec![mode.to_owned()],
                ..FakeAgent::default()
            };
            tools = tools.agent(name, &agent);
        }
        let mut fakes = Fakes::with(tools);
        fakes
            .place
            .env
            .insert("COPILOT_GITHUB_TOKEN".into(), "placeholder".into());
        project::make(&fakes.place.project());
        Self {
            fakes,
            program: program.to_owned(),
        }
    }

    /// The project.
    pub(super) fn project(&self) -> PathBuf {
        self.fakes.place.project()
    }

    /// The folder of a debate.
    pub(super) fn folder(&self, name: &str) -> PathBuf {
        self.project().join("debates").join(name)
    }

    /// Puts a debate's folder in place.
    pub(super) fn lay_out(&self, name: &str, files: &Files) {
        bundle::write(files, &self.folder(name));
    }

    /// What the tools answer from now on.
    pub(super) fn script(&self, script: &Script) {
        self.fakes.tools.set_script(script);
    }

    /// The program with these arguments, ready to be started.
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(self.project());
        command.env_clear().envs(&self.fakes.place.env);
        command.stdin(Stdio::null());
        command
    }

    /// Runs it to its end.
    pub(super) fn run(&self, args: &[&str]) -> Ran {
        Running::start(self.command(args)).end()
    }

    /// Runs it to its end, which is to be this one.
    pub(super) fn ends(&self, code: i32, args: &[&str]) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:#?}");
        ran
    }

    /// Holds a duel, which is to end with this code.
    pub(super) fn duel(&self, name: &str, code: i32, more: &[&str]) {
        self.ends(code, &duel(name, more));
    }

    /// Starts the program and interrupts it when `turn` is asked for.
    pub(super) fn stopped_in(&self, turn: &str, args: &[&str]) {
        let tools = &self.fakes.tools;
        tools.set_scenario("*", turn, Behaviour::Slow(100_000));
        let running = Running::start(self.command(args));
        let asked = format!("{turn}#0");
        running.until(&asked, || self.fakes.asks().contains(&asked));
        // Both sides answer at the same time: the recorded debate has the first side's answer.
        let first = match turn {
            "r0.cha" => Some("\"event\":\"admitted\",\"key\":\"r0.pro#0\""),
            "r0.opp" => Some("\"event\":\"given\",\"key\":\"r0.prop#0\""),
            _ => None,
        };
        if let Some(first) = first {
            running.until(first, || self.journals().contains(first));
        }
        running.interrupt();
        let ran = running.end();
        assert_eq!(ran.code, Some(130), "{args:?}: {ran:#?}");
        tools.clear_scenario();
    }

    /// Returns the text of the journals of all debates.
    fn journals(&self) -> String {
        let debates = fs::read_dir(self.project().join("debates"))
            .into_iter()
            .flatten();
        debates
            .flatten()
            .filter_map(|debate| fs::read_to_string(debate.path().join(".agon/journal.jsonl")).ok())
            .collect()
    }

    /// Runs the program, which is killed outright after so many lines of the journal.
    pub(super) fn killed_after(&self, lines: usize, args: &[&str]) {
        let mut command = self.command(args);
        command.env("AGON_FAILPOINT", format!("journal-append-after:{lines}"));
        let ran = Running::start(command).end();
        assert_eq!(ran.code, None, "{args:?}: {ran:#?}");
    }

    /// Writes a file beside the debates; its name.
    pub(super) fn beside<'a>(&self, name: &'a str, text: &str) -> &'a str {
        fs::write(self.project().join(name), text).unwrap();
        name
    }

    /// Puts the user's own configuration in place.
    pub(super) fn configure(&self, text: &str) {
        add(&self.fakes.place.home(), ".config/agon/config.toml", text);
    }

    /// A text without what differs from place to place: the folders of this one.
    pub(super) fn without_places(&self, text: &str) -> String {
        let place = |path: PathBuf| path.display().to_string();
        text.replace(&place(self.project()), "[PROJECT]")
            .replace(&place(self.fakes.place.home()), "[HOME]")
            .replace(&self.fakes.place.env["TMPDIR"], "[TEMPORARY]")
            .replace(&place(self.fakes.tools.dir().to_owned()), "[TOOLS]")
    }
}

/// The arguments of a duel.
pub(super) fn duel<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let seated = |word: &&str| more.contains(word);
    let seats = DUEL.chunks(2).filter(|pair| !seated(&pair[0]));
    let seats: Vec<_> = seats.flatten().copied().collect();
    [
        &["debate", TOPIC, "--slug", name, "--json"],
        &seats[..],
        more,
    ]
    .concat()
}
