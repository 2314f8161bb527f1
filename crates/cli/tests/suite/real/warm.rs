//! A duel of three rounds between the real agents over the Agent Client Protocol, beside the same
//! over cold command lines.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use agon_testkit::{Answer, FakeModels, Sandbox, Script, real_clis};
use serde_json::Value;

use crate::real::table::debate;
use crate::support::{Place, Ran, Running};

/// Tools that need another program to speak the protocol.
const ADAPTERS: [(&str, &str); 2] = [("claude", "claude-agent-acp"), ("codex", "codex-acp")];

/// A place with the real tools, each of which takes note of its starts.
struct Watched {
    models: FakeModels,
    place: Place,
}

impl Watched {
    /// These tools and their adapters; none if they are not on this machine.
    fn laid(tools: &[&str]) -> Option<Self> {
        let bins = real_clis()?.join("node_modules/.bin");
        let models = FakeModels::start(Script::job_store_three_rounds());
        let sandbox = Sandbox::new();
        let bin = sandbox.home().with_file_name("bin");
        fs::create_dir(&bin).unwrap();
        let mut env = sandbox.env_with_path(&bin);
        for tool in tools {
            env.extend(sandbox.point(tool, &models.url()));
            let adapter = ADAPTERS.iter().find(|(of, _)| of == tool);
            for program in [Some(*tool), adapter.map(|(_, adapter)| *adapter)]
                .into_iter()
                .flatten()
            {
                let real = bins.join(program);
                if !real.exists() {
                    eprintln!("skipped: there is no {program} in the folder of the real tools");
                    return None;
                }
                let (log, real) = (sandbox.home().join("starts"), real.display());
                let script = format!(
                    "#!/bin/sh\necho \"{program} $*\" >> '{}'\nexec '{real}' \"$@\"\n",
                    log.display()
                );
                fs::write(bin.join(program), script).unwrap();
                fs::set_permissions(bin.join(program), fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        let mut place = Place::new(sandbox, env);
        place.env.remove("AGON_TRANSPORT");
        Some(Self { place, models })
    }

    fn duel(&self, seats: [&str; 3], more: &[&str]) -> Ran {
        let more = [&["--rounds", "3", "--no-swap"], more].concat();
        self.place.run(&debate(seats, &more))
    }

    /// How often a tool was started to speak the protocol.
    fn starts(&self, tool: &str) -> usize {
        let program = ADAPTERS.iter().find(|(of, _)| *of == tool);
        let starts = fs::read_to_string(self.place.home().join("starts")).unwrap_or_default();
        let is = |line: &&str| match program {
            Some((_, adapter)) => line.split(' ').next() == Some(adapter),
            None => {
                line.split(' ').next() == Some(tool)
                    && line.split(' ').any(|arg| arg == "acp" || arg == "--acp")
            }
        };
        starts.lines().filter(is).count()
    }

    /// Bytes of the text that each turn of a side was asked with: some ask for a title of it too,
    /// with words of their own around it.
    fn bytes(&self) -> BTreeMap<String, usize> {
        let mut bytes = BTreeMap::new();
        for request in self.models.requests() {
            if let Some(turn) = request.turn.filter(|turn| turn.starts_with('r')) {
                let least = bytes.entry(turn).or_insert(usize::MAX);
                *least = request.prompt.len().min(*least);
            }
        }
        bytes
    }
}

/// Both debates, and what they took.
fn compared(seats: [&str; 3]) {
    let Some(warm) = Watched::laid(&seats) else {
        return;
    };
    let ran = warm.duel(seats, &["--transport", "acp"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for side in &seats[..2] {
        assert_eq!(warm.starts(side), 1, "{side}");
    }
    assert_eq!(warm.place.left(), Vec::<String>::new());
    let verdict = warm.place.verdict().unwrap();
    assert_eq!(verdict["seats"]["proposer"]["transport"], "acp");
    let cold = Watched::laid(&seats).unwrap();
    let cold_ran = cold.duel(seats, &["--transport", "cli"]);
    assert_eq!(cold_ran.code, Some(0), "{cold_ran:#?}");
    eprintln!(
        "{}: {:?} warm, {:?} cold",
        seats.join("+"),
        ran.took,
        cold_ran.took
    );
    let (told, whole) = (warm.bytes(), cold.bytes());
    assert!(told.keys().eq(whole.keys()), "{told:?} {whole:?}");
    for (turn, told) in &told {
        let whole = whole[turn];
        eprintln!("{turn}: {told} bytes warm, {whole} cold");
        // Some add words of their own to the first, and of round 1 nearly all is new.
        if !turn.starts_with("r0") && !turn.starts_with("r1") {
            assert!(*told < whole, "{turn}");
        }
    }
}

#[test]
fn the_adapters_of_claude_and_codex_are_started_once_each_and_told_less() {
    compared(["claude", "codex", "gemini"]);
}

/// Ends every process of this place whose command names the program.
fn kill_agents(table: &Watched, program: &str) {
    for left in table.place.left() {
        let Some((pid, command)) = left.split_once(' ') else {
            continue;
        };
        if command.contains(program) && !command.contains("debate") {
            let killed = std::process::Command::new("kill")
                .args(["-9", pid])
                .status();
            assert!(killed.unwrap().success() || !std::path::Path::new("/proc").join(pid).exists());
        }
    }
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn opencode_and_copilot_are_started_once_each_and_told_less() {
        compared(["opencode", "copilot", "gemini"]);
    }

    #[test]
    fn an_agent_killed_in_mid_turn_is_started_again() {
        let seats = ["claude", "codex", "gemini"];
        let Some(table) = Watched::laid(&seats) else {
            return;
        };
        table.models.set_first("r2.cha", 1, Answer::Hang);
        let more = ["--rounds", "3", "--no-swap", "--transport", "acp"];
        let running = Running::start(table.place.command(&debate(seats, &more)));
        let asked = || table.models.turns().iter().any(|turn| turn == "r2.cha");
        running.until("r2.cha", asked);
        let log = fs::read_to_string(table.place.folder().join(".agon/run")).unwrap_or_default();
        kill_agents(&table, "codex");
        let ran = running.end();
        assert_eq!(ran.code, Some(0), "{log}\n{ran:#?}");
        assert_eq!(table.starts("codex"), 2);
        assert!(
            ran.stderr.contains("in a new conversation"),
            "{}",
            ran.stderr
        );
        assert_eq!(table.place.left(), Vec::<String>::new());
    }

    #[test]
    fn a_key_refused_in_round_1_ends_with_4_over_the_protocol_too() {
        for (seats, turn) in [
            (["claude", "copilot", "codex"], "r1.cha"),
            (["claude", "codex", "copilot"], "r1.pro"),
        ] {
            let Some(table) = Watched::laid(&seats) else {
                return;
            };
            table.models.set(turn, Answer::Status(401));
            let ran = table.duel(seats, &["--transport", "acp"]);
            assert_eq!(ran.ended(), (Some(4), "logged_out".to_owned()), "{ran:#?}");
            assert_eq!(table.place.left(), Vec::<String>::new());
            table.models.set(turn, Answer::Ok);
            let resumed = table.place.run(&["resume", "s", "--json"]);
            assert_eq!(resumed.code, Some(0), "{resumed:#?}");
            assert_eq!(resumed.json()["authority"], Value::from("full"));
            assert_eq!(table.place.left(), Vec::<String>::new());
        }
    }
}
