//! What each process that Agon starts finds in its environment, as it prints it itself, where the keys
//! of some seventy services are set.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use agon_testkit::acp::FakeAgent;
use agon_testkit::{
    Behaviour, FakeTools, OWN_KEYS, Sandbox, TOOLS, Terminal, add, git, key_variables,
};

use serde_json::Value;

use crate::scenarios::place::{Fakes, debate};
use crate::support::{Place, Ran, TOPIC};

/// Programs that write down their environment and become the real ones.
struct Printers {
    dir: PathBuf,
    /// Every key that was printed, by the program.
    all: BTreeMap<String, (usize, BTreeSet<String>)>,
}

impl Printers {
    fn new(dir: PathBuf) -> Self {
        fs::create_dir_all(dir.join("bin")).unwrap();
        fs::create_dir_all(dir.join("printed")).unwrap();
        let all = BTreeMap::new();
        Self { dir, all }
    }

    fn bin(&self) -> PathBuf {
        self.dir.join("bin")
    }

    /// Puts one of this name before `real`.
    fn put(&self, name: &str, real: &Path) -> PathBuf {
        let path = self.bin().join(name);
        let script = format!(
            "#!/bin/sh\n\
             /usr/bin/cp /proc/self/environ \"$(/usr/bin/mktemp '{}/{name}.XXXXXXXX')\"\n\
             exec '{}' \"$@\"\n",
            self.dir.join("printed").display(),
            real.display()
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The placeholders that were printed since the last time: the program, and what it had.
    fn take(&mut self) -> Vec<(String, BTreeSet<String>)> {
        let mut taken = Vec::new();
        for entry in fs::read_dir(self.dir.join("printed")).unwrap() {
            let path = entry.unwrap().path();
            let printed = fs::read(&path).unwrap();
            let printed = String::from_utf8_lossy(&printed);
            let lines = printed
                .split('\0')
                .filter(|line| line.contains("placeholder-"));
            let keys: BTreeSet<String> = lines
                .map(|line| line.split_once('=').unwrap().0.to_owned())
                .collect();
            let program = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let (count, all) = self.all.entry(program.clone()).or_default();
            *count += 1;
            all.extend(keys.iter().cloned());
            taken.push((program, keys));
            fs::remove_file(path).unwrap();
        }
        taken
    }
}

/// Fake tools behind printers, in a place with every key but a member's token.
fn place() -> (Fakes, Printers) {
    let adapters = ["claude-agent-acp", "codex-acp"];
    let names: Vec<&str> = TOOLS.into_iter().chain(adapters).collect();
    let modes = [
        "default",
        "read-only",
        "agent",
        "agon",
        "agon-reads",
        "plan",
    ];
    let agent = FakeAgent {
        modes: modes.map(str::to_owned).to_vec(),
        ..FakeAgent::default()
    };
    let mut tools = FakeTools::with(&names);
    for name in &names {
        tools = tools.agent(name, &agent);
    }
    let sandbox = Sandbox::new();
    let printers = Printers::new(sandbox.home().with_file_name("printers"));
    for name in &names {
        printers.put(name, &tools.path(name));
    }
    let path = std::env::var_os("PATH").unwrap();
    let real_git = std::env::split_paths(&path).map(|dir| dir.join("git"));
    printers.put(
        "git",
        &real_git.into_iter().find(|it| it.is_file()).unwrap(),
    );
    let mut env = sandbox.env_with_path(&printers.bin());
    for (name, value) in key_variables() {
        if name != "AGON_TEAM_TOKEN" {
            env.insert(name.to_owned(), value);
        }
    }
    let place = Place::new(sandbox, env);
    let project = place.project();
    add(&project, "a.rs", "fn main() {}\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "begin"]);
    add(&project, "a.rs", "fn main() { run() }\n");
    (Fakes { tools, place }, printers)
}

/// What no tool may have but its own, and git nothing; the tools that were started.
fn check(printers: &mut Printers, ran: &Ran, what: &str) -> BTreeSet<String> {
    let taken = printers.take();
    for (program, keys) in &taken {
        let tool = OWN_KEYS.iter().find(|(tool, _)| program.starts_with(tool));
        let own: &[&str] = tool.map_or(&[], |(_, own)| own);
        let own: BTreeSet<String> = own.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(keys, &own, "{what}: {program}: {ran:#?}");
    }
    taken.into_iter().map(|(program, _)| program).collect()
}

fn has_all(started: &BTreeSet<String>, wanted: &[&str], what: &str) {
    for name in wanted {
        assert!(started.contains(*name), "{what}: {name}: {started:?}");
    }
}

#[test]
fn seats_and_asked_tools_have_the_keys_of_their_own_service_over_both_transports() {
    let (fakes, mut printers) = place();
    let (claude, codex) = ("claude-agent-acp", "codex-acp");
    for (transport, seats, programs) in [
        (
            "cli",
            ["claude", "codex", "gemini"],
            ["claude", "codex", "gemini"],
        ),
        (
            "cli",
            ["opencode", "copilot", "claude"],
            ["opencode", "copilot", "claude"],
        ),
        (
            "acp",
            ["claude", "codex", "gemini"],
            [claude, codex, "gemini"],
        ),
        (
            "acp",
            ["opencode", "copilot", "claude"],
            // Each ruling of a judge is a call of its own.
            ["opencode", "copilot", claude],
        ),
    ] {
        let ran = fakes.place.run(&[
            "debate",
            TOPIC,
            "--json",
            "--quick",
            "--again",
            "--context",
            "diff",
            "--transport",
            transport,
            "--proposer",
            seats[0],
            "--challenger",
            seats[1],
            "--judge",
            seats[2],
        ]);
        assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
        let started = check(&mut printers, &ran, &format!("{transport} {seats:?}"));
        has_all(&started, &programs, transport);
        has_all(&started, &["git"], transport);
    }
    for transport in ["cli", "acp"] {
        let mut args = vec!["consult", "Why?", "--json", "--transport", transport];
        args.extend(TOOLS.iter().flat_map(|tool| ["--tool", tool]));
        let ran = fakes.place.run(&args);
        let started = check(&mut printers, &ran, &format!("consult {transport}"));
        let programs: &[&str] = match transport {
            "cli" => &TOOLS,
            _ => &[claude, codex, "gemini", "opencode", "copilot"],
        };
        has_all(&started, programs, "consult");
    }
    for args in [
        &["tools", "doctor", "--json"][..],
        &["tools", "--json"],
        &["hosts", "--json"],
        &["install", "--json"],
    ] {
        let ran = fakes.place.run(args);
        let started = check(&mut printers, &ran, &args.join(" "));
        eprintln!("{args:?} {:?}: {started:?}", ran.code);
    }
    for (program, (count, keys)) in &printers.all {
        eprintln!("{program}: {count} starts, {keys:?}");
    }
}

#[test]
fn members_and_reviewers_have_the_keys_of_their_service_and_gates_none() {
    let (fakes, mut printers) = place();
    let team = |args: &[&str]| fakes.place.run(&[&["team"], args, &["--json"]].concat());
    team(&["init"]);
    team(&["join", "lea", "--role", "lead", "--host", "claude"]);
    let printing_gate = printers.put("gate", Path::new("/bin/true"));
    let gate = printing_gate.to_str().unwrap();
    for role in ["worker", "reviewer"] {
        for host in TOOLS {
            let added = team(&["task", "add", "One", "--spec", "Make a file."]);
            let task = added.json()["task"]["id"].as_str().unwrap().to_owned();
            let name = format!("{role}-{host}");
            let ran = team(&[
                "start", role, "--host", host, "--name", &name, "--task", &task, "--wait",
            ]);
            let started = check(&mut printers, &ran, &name);
            has_all(&started, &[host, "git"], &name);
        }
    }
    let ran = fakes
        .place
        .run(&["team", "gate", "add", "whole", "--json", "--", gate]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let ran = team(&["gate", "run", "whole", "--task", "t1"]);
    let started = check(&mut printers, &ran, "gate run");
    has_all(&started, &["gate", "git"], "gate run");
    for (program, (count, keys)) in &printers.all {
        eprintln!("{program}: {count} starts, {keys:?}");
    }
}

/// Runs a command in a terminal: `program` was started, without a key.
fn starts_without_keys(fakes: &Fakes, printers: &mut Printers, args: &[&str], program: &str) {
    let agon = Path::new(env!("CARGO_BIN_EXE_agon"));
    let (project, env) = (fakes.place.project(), &fakes.place.env);
    let (code, screen) = Terminal::start(agon, args, &project, env).end();
    let started = printers.take();
    let own = started.iter().find(|(name, _)| name == program);
    assert_eq!(
        own.map(|(_, keys)| keys.len()),
        Some(0),
        "{program}: {code:?} {screen} {started:?}"
    );
}

#[test]
fn an_editor_and_what_opens_a_page_have_no_key() {
    let (mut fakes, mut printers) = place();
    for name in ["editor", "xdg-open"] {
        printers.put(name, Path::new("/bin/true"));
    }
    fakes.place.env.insert("EDITOR".into(), "editor".into());
    let debated = fakes.debate(&["--quick"]);
    assert_eq!(debated.code, Some(0), "{debated:#?}");
    check(&mut printers, &debated, "debate");
    starts_without_keys(&fakes, &mut printers, &["config", "edit"], "editor");
    starts_without_keys(&fakes, &mut printers, &["open", "s"], "xdg-open");
}

#[test]
fn agon_in_the_background_has_the_keys_of_its_tools_and_a_command_in_a_debate_none() {
    let (fakes, mut printers) = place();
    let slow = Behaviour::Slow(60_000);
    fakes.tools.set_scenario("claude", "r1.pro", slow);
    let started = fakes.place.run(&debate(&["--detach"]));
    assert_eq!(started.code, Some(0), "{started:#?}");
    let command = printers.put("command", Path::new("/bin/true"));
    let say = ["say", "s", "--run", command.to_str().unwrap()];
    starts_without_keys(&fakes, &mut printers, &say, "command");
    let lock = fs::read(fakes.place.folder().join(".agon/lock")).unwrap();
    let holder: Value = serde_json::from_slice(&lock).unwrap();
    let printed = fs::read(format!("/proc/{}/environ", holder["pid"])).unwrap();
    assert_eq!(fakes.place.run(&["stop", "s"]).code, Some(0));
    let printed = String::from_utf8_lossy(&printed).into_owned();
    let keys = printed
        .split('\0')
        .filter(|line| line.contains("placeholder-"));
    let keys: BTreeSet<&str> = keys.map(|line| line.split_once('=').unwrap().0).collect();
    eprintln!("{keys:?}");
    for name in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"] {
        assert!(keys.contains(name), "{name}: {keys:?}");
    }
    for name in [
        "DATABASE_URL",
        "STRIPE_SECRET_KEY",
        "NPM_TOKEN",
        "VAULT_TOKEN",
        "KUBECONFIG",
        "SERVICE_OF_OURS_KEY",
    ] {
        assert!(!keys.contains(name), "{name}: {keys:?}");
    }
}
