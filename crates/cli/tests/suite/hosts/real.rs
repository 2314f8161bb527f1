//! The real tools, from an empty home: Agon is installed, their model holds a debate through it and
//! is given the verdict, and Agon is taken out again.
//!
//! Two of them each time; all with `AGON_TEST_FULL=1`, as `cargo xtask hosts --full` sets it.

use std::path::Path;
use std::process::{Command, Stdio};

use agon_testkit::{Answer, FakeModels, FakeTools, Sandbox, Script, add, real_clis};
use serde_json::{Value, json};

use crate::hosts::tree::tree;
use crate::scenarios::place::SEATED;
use crate::support::{Place, TOPIC};

/// A host, and how a debate is asked of it without a terminal.
pub(super) struct Host {
    pub(super) name: &'static str,
    pub(super) args: &'static [&'static str],
    /// What stands before the name of a tool, as its model is offered it.
    pub(super) prefix: &'static str,
    /// What it says of the server in its own list.
    server: &'static str,
}

pub(super) const CLAUDE: Host = Host {
    name: "claude",
    args: &["-p", "Hold a debate.", "--output-format", "json"],
    prefix: "mcp__agon__",
    server: "connected",
};

pub(super) const CODEX: Host = Host {
    name: "codex",
    // The default one is offered a search for tools instead of the tools.
    args: &[
        "exec",
        "--skip-git-repo-check",
        "-m",
        "gpt-5.3-codex",
        "Hold a debate.",
    ],
    prefix: "mcp__agon/",
    server: "connected",
};

pub(super) const COPILOT: Host = Host {
    name: "copilot",
    args: &["-p", "Hold a debate.", "--no-auto-update"],
    prefix: "agon-",
    server: "listed",
};

pub(super) const OPENCODE: Host = Host {
    name: "opencode",
    args: &["run", "Hold a debate."],
    prefix: "agon_",
    server: "connected",
};

pub(super) const GEMINI: Host = Host {
    name: "gemini",
    args: &["-p", "Hold a debate."],
    prefix: "mcp_agon_",
    // It starts no server in a folder that is not trusted, and nobody trusted this one.
    server: "off",
};

/// The real tool, pointed at a model server, and Agon.
pub(super) struct Desk {
    host: &'static Host,
    pub(super) models: FakeModels,
    fakes: FakeTools,
    pub(super) place: Place,
}

impl Desk {
    pub(super) fn new(host: &'static Host) -> Option<Self> {
        let clis = real_clis()?;
        let models = FakeModels::start(Script::job_store());
        let sandbox = Sandbox::new();
        let bins = clis.join("node_modules/.bin");
        let mut env = sandbox.env_with_path(&bins);
        env.extend(sandbox.point(host.name, &models.url()));
        // The judge's tool of the debate takes it for a sign that it is logged in.
        env.entry("GEMINI_API_KEY".into())
            .or_insert("placeholder".into());
        let program = Path::new(env!("CARGO_BIN_EXE_agon")).parent().unwrap();
        let path = format!("{}:{}", env["PATH"], program.display());
        env.insert("PATH".into(), path);
        // In a file, since not every host hands variables on.
        let settings = "transport = \"cli\"\nfallback = \"none\"\n";
        add(&sandbox.home(), ".config/agon/config.toml", settings);
        Some(Self {
            host,
            models,
            fakes: FakeTools::with(&SEATED),
            place: Place::new(sandbox, env),
        })
    }

    /// Runs the host, whose model starts a debate, waits for it and reads its verdict.
    pub(super) fn hold_debate(&self, flags: &[String]) {
        let name = |tool: &str| format!("{}{tool}", self.host.prefix);
        let seats =
            json!({"topic": TOPIC, "proposer": "claude", "challenger": "codex", "judge": "gemini"});
        self.models.set(
            "*",
            Answer::Calls(vec![
                (name("debate_start"), seats),
                (name("debate_wait"), json!({"cursor": 0})),
                // Past all turns: it waits for the end.
                (name("debate_wait"), json!({"cursor": 99})),
                (name("debate_result"), json!({})),
            ]),
        );
        let bins = real_clis().unwrap().join("node_modules/.bin");
        let mut command = Command::new(bins.join(self.host.name));
        command.args(self.host.args).args(flags);
        command.current_dir(self.place.project()).env_clear();
        command.envs(&self.place.env).stdin(Stdio::null());
        // The tools of the debate are fakes; the host is started by its path.
        let path = format!("{}:{}", self.fakes.dir().display(), self.place.env["PATH"]);
        let output = command.env("PATH", path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let wrong = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}\n{wrong}");
    }
}

/// What the output of the installation tells to give where there is no terminal.
pub(super) fn flags(installed: &Value) -> Vec<String> {
    let next = installed["hosts"][0]["next"].as_array().unwrap();
    let lines = next.iter().map(|line| line.as_str().unwrap());
    let flags = lines.filter_map(|line| line.split('`').nth(1));
    flags
        .flat_map(|flags| flags.split_whitespace().map(str::to_owned))
        .collect()
}

fn holds(host: &'static Host) {
    let Some(desk) = Desk::new(host) else { return };
    let before = tree(&desk.place.home());
    // Where nothing runs in between, all is to the byte as before.
    for command in ["install", "uninstall"] {
        let ran = desk.place.run(&[command, host.name]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
    }
    assert_eq!(tree(&desk.place.home()), before);
    let installed = desk.place.run(&["install", host.name, "--json"]).json();
    let steps = installed["hosts"][0]["steps"].as_array().unwrap();
    assert!(
        steps.iter().all(|step| step["action"] == "add"),
        "{installed}"
    );

    // The host's own lists.
    let listed = desk.place.run(&["hosts", "--json"]).json();
    let hosts = listed["hosts"].as_array().unwrap();
    let seen = hosts.iter().find(|seen| seen["host"] == host.name).unwrap();
    eprintln!("{} {}", host.name, seen["version"]);
    assert_eq!(seen["installed"]["server"], host.server, "{seen}");
    assert_eq!(seen["installed"]["unlisted"], json!([]), "{seen}");
    if host.name != "claude" {
        let skills = seen["installed"]["skills"].as_array().unwrap();
        assert!(skills.contains(&json!("debate")), "{seen}");
    }

    desk.hold_debate(&flags(&installed));
    let requests = desk.models.requests();
    let offered = requests.iter().find(|request| !request.tools.is_empty());
    let offered = &offered.unwrap().tools;
    for tool in [
        "debate_start",
        "debate_wait",
        "debate_result",
        "debate_steer",
        "debate_ask",
        "consult",
        "recall",
        "status",
    ] {
        let name = format!("{}{tool}", host.prefix);
        assert!(offered.contains(&name), "{name} of {offered:?}");
    }
    // The skills that a model is offered, in whatever form the host has for that.
    let has_skill = |request: &agon_testkit::models::Request| {
        let body = request.body.to_string();
        body.contains("Let AI tools argue a decision with Agon")
    };
    assert!(requests.iter().any(has_skill), "no skill reaches the model");
    let results = requests.iter().map(agon_testkit::models::Request::results);
    let results = results.max_by_key(Vec::len).unwrap();
    let [started, heard, _, verdict] = results.as_slice() else {
        panic!("{results:#?}");
    };
    assert!(started.contains("agon.started/1"), "{started}");
    assert!(
        heard.contains("agon.heard/1") && heard.contains("proposer"),
        "{heard}"
    );
    assert!(
        verdict.contains("Use SQLite for the job store"),
        "{verdict}"
    );

    let taken = desk.place.run(&["uninstall", host.name, "--json"]).json();
    let steps = taken["hosts"][0]["steps"].as_array().unwrap();
    assert!(
        steps.iter().all(|step| step["action"] == "remove"),
        "{taken}"
    );
    let after = tree(&desk.place.home());
    for path in before.keys() {
        // The tool writes into its files whenever it runs: the server alone must be gone.
        let text = String::from_utf8_lossy(&after[path]);
        assert!(!text.contains("\"mcp\""), "{path}: {text}");
    }
    let names = [
        "skills/debate",
        "commands/verdict",
        "agents/judge",
        "agon/hosts",
    ];
    let left: Vec<_> = after
        .keys()
        .filter(|path| names.iter().any(|name| path.contains(name)))
        .collect();
    assert_eq!(left, Vec::<&String>::new());
    let listed = desk.place.run(&["hosts", "--json"]).json();
    let hosts = listed["hosts"].as_array().unwrap();
    let seen = hosts.iter().find(|seen| seen["host"] == host.name).unwrap();
    assert!(seen.get("installed").is_none(), "{seen}");
}

#[test]
fn claude_holds_a_debate_through_agon_from_an_empty_home() {
    holds(&CLAUDE);
}

#[test]
fn copilot_holds_a_debate_through_agon_from_an_empty_home() {
    holds(&COPILOT);
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn codex_holds_a_debate_through_agon_from_an_empty_home() {
        holds(&CODEX);
    }

    #[test]
    fn opencode_holds_a_debate_through_agon_from_an_empty_home() {
        holds(&OPENCODE);
    }

    #[test]
    fn gemini_holds_a_debate_through_agon_from_an_empty_home() {
        holds(&GEMINI);
    }
}
