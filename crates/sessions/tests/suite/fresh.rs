//! The real tools hold sessions with a model that is scripted, and what their records say of tokens,
//! calls, failures, sub-agents, forks and compactions is what was served and done.
//!
//! By default two of the tools. With `AGON_RECORD_SESSIONS=1` the records are kept as fixtures, scrubbed.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use agon_sessions::{EntryKind, Origin, SessionHost, SessionProfile};
use agon_testkit::models::Counts;
use agon_testkit::{Answer, Env, FakeModels, Sandbox, Script, add, git, real_clis};
use serde_json::{Value, json};

use crate::golden::fixtures;
use crate::held::{Read, assert_order, read_all};
use crate::scrub;

/// Input tokens by which each answer has more than the one before, so that each is unmistakable.
const STEP: u64 = 7;

/// A tool with a home of its own.
struct Desk {
    host: SessionHost,
    program: PathBuf,
    sandbox: Sandbox,
    models: FakeModels,
    env: Env,
}

impl Desk {
    fn new(host: SessionHost) -> Option<Self> {
        let clis = real_clis()?;
        let sandbox = Sandbox::new();
        let models = FakeModels::start(Script::new("The summary of it all."));
        models.set_counts(counts(1000), STEP);
        let mut env = sandbox.env_with_path(&clis.join("node_modules/.bin"));
        env.extend(sandbox.point(host.as_str(), &models.url()));
        for name in ["GEMINI_CLI_TRUST_WORKSPACE", "GEMINI_CLI_NO_RELAUNCH"] {
            env.insert(name.into(), "true".into());
        }
        // A plugin that it would install.
        for name in ["npm_config_registry", "HTTPS_PROXY", "HTTP_PROXY"] {
            env.insert(name.into(), "http://127.0.0.1:9".into());
        }
        env.insert("NO_PROXY".into(), "127.0.0.1,localhost".into());
        let lines: Vec<String> = (1..=3).map(|it| format!("LINE-A {it}\n")).collect();
        add(&sandbox.project(), "a.txt", &lines.concat());
        git(&sandbox.project(), &["add", "-A"]);
        git(&sandbox.project(), &["commit", "-qm", "one"]);
        let desk = Self {
            host,
            program: clis.join("node_modules/.bin").join(host.as_str()),
            sandbox,
            models,
            env,
        };
        if host == SessionHost::Opencode {
            desk.configure("opencode.json", |it| {
                it["permission"] = json!({"edit": "allow", "bash": "allow"});
            });
        }
        Some(desk)
    }

    /// Changes a file of the tool's configuration.
    fn configure(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let path = self.sandbox.home().join(name);
        let text = fs::read_to_string(&path).unwrap();
        let mut value = serde_json::from_str(&text).unwrap();
        change(&mut value);
        fs::write(path, value.to_string()).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.sandbox
            .project()
            .join(name)
            .to_string_lossy()
            .into_owned()
    }

    fn run(&self, args: &[&str]) {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(self.sandbox.project());
        command.env_clear().envs(&self.env).stdin(Stdio::null());
        let output = command.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let wrong = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}\n{printed}\n{wrong}");
    }

    fn plan(&self, turn: &str, calls: &[(&str, Value)]) {
        let calls = calls
            .iter()
            .map(|(name, args)| ((*name).to_owned(), args.clone()));
        self.models.set(turn, Answer::Calls(calls.collect()));
    }

    /// Reads everything, checks what holds for every host, and keeps it if that is wanted; so many
    /// requests are ones that the tool records nowhere.
    fn read(&self, unrecorded: usize) -> Vec<Read> {
        let read = read_all(self.host, &self.sandbox.home());
        let served: Vec<Counts> = self.models.requests().iter().map(|it| it.counts).collect();
        let mut is_recorded = vec![false; served.len()];
        for session in &read {
            assert_order(session);
            assert_eq!(session.problems, [], "{:?}", session.found);
            for call in session.calls() {
                let at = served.iter().position(|it| it.input == call.input);
                let at = at.unwrap_or_else(|| panic!("never served: {call:?}"));
                assert!(!is_recorded[at], "counted twice: {call:?}");
                is_recorded[at] = true;
                let expected = (served[at].cached, served[at].output);
                assert_eq!((call.cached, call.output), expected, "{call:?}");
            }
        }
        if std::env::var_os("AGON_RECORD_SESSIONS").is_some_and(|it| it == "1") {
            self.keep(&served, &is_recorded);
        }
        let missing: Vec<_> = is_recorded
            .iter()
            .zip(self.models.requests())
            .filter(|(is_recorded, _)| !**is_recorded)
            .map(|(_, request)| {
                let start = request.prompt.chars().take(80).collect::<String>();
                (request.counts.input, request.tools.len(), start)
            })
            .collect();
        assert_eq!(missing.len(), unrecorded, "{missing:#?}");
        read
    }

    fn keep(&self, served: &[Counts], is_recorded: &[bool]) {
        let folder = fixtures().join(self.host.as_str());
        drop(fs::remove_dir_all(&folder));
        let root = self.sandbox.project();
        let root = root.parent().unwrap().to_string_lossy().into_owned();
        let slug: String = root
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let secret = [
            (root, "/sandbox"),
            (slug, "-sandbox"),
            (self.models.url(), "http://127.0.0.1:1"),
        ];
        scrub::keep(&self.sandbox.home(), &folder, &secret);
        let rows: Vec<Value> = served
            .iter()
            .zip(is_recorded)
            .map(|(it, recorded)| {
                json!({"input": it.input, "cached": it.cached, "output": it.output, "recorded": recorded})
            })
            .collect();
        fs::write(folder.join("served.json"), json!(rows).to_string()).unwrap();
        let version = SessionProfile::for_host(self.host)
            .unwrap()
            .measured
            .clone();
        fs::write(folder.join("version"), version).unwrap();
    }
}

fn counts(input: u64) -> Counts {
    Counts {
        input,
        cached: 300,
        output: 50,
    }
}

/// What the first prompt's turn has to show: failures, hidden ones, tool calls, sub-agents.
fn assert_counts(read: &Read, calls: u64, failures: u64, hidden: u64, sub_agents: usize) {
    let measures = &read.measures;
    assert_eq!(
        (
            measures.tool_calls,
            measures.failures,
            measures.hidden_failures,
            measures.sub_agents.len()
        ),
        (calls, failures, hidden, sub_agents)
    );
}

fn compactions(read: &[Read]) -> usize {
    let entries = read.iter().flat_map(|it| &it.entries);
    let compactions =
        entries.filter(|it| matches!(it.kind, EntryKind::Compaction(_)) && !it.copied);
    compactions.count()
}

fn fork(read: &[Read]) -> &Read {
    let mut forks = read
        .iter()
        .filter(|it| matches!(it.origin, Origin::Fork { .. }));
    let fork = forks.next().expect("there is a fork");
    assert!(forks.next().is_none(), "there is one fork");
    fork
}

#[test]
fn claude_records_what_was_served_and_done() {
    let Some(desk) = Desk::new(SessionHost::Claude) else {
        return;
    };
    let read_a = ("Read", json!({"file_path": desk.path("a.txt")}));
    desk.plan(
        "host.one",
        &[
            read_a.clone(),
            ("Read", json!({"file_path": desk.path("missing.txt")})),
            ("Bash", json!({"command": "ls nothere; exit 3", "description": "fail"})),
            (
                "TaskCreate",
                json!({"subject": "step one", "description": "d", "activeForm": "doing"}),
            ),
            ("TaskUpdate", json!({"taskId": "1", "status": "in_progress"})),
            (
                "Agent",
                json!({"description": "sub", "prompt": "Look.\nTurn: host.sub\n", "subagent_type": "Explore"}),
            ),
        ],
    );
    desk.plan("host.sub", &[read_a]);
    let allowed = "Read,Bash,Agent,Task,TaskCreate,TaskUpdate";
    desk.run(&["-p", "Do it.\nTurn: host.one\n", "--allowedTools", allowed]);
    desk.run(&["-p", "--continue", "More.\nTurn: host.two\n"]);
    desk.run(&[
        "-p",
        "--continue",
        "--fork-session",
        "Aside.\nTurn: host.three\n",
    ]);
    // The fork was written last.
    desk.run(&["-p", "--continue", "/compact keep the rule"]);
    desk.run(&["-p", "--continue", "After.\nTurn: host.four\n"]);
    // The request for the summary.
    let read = desk.read(1);
    let main = &read[0];
    assert_counts(main, 6, 2, 0, 1);
    assert_eq!(main.measures.turns, 2);
    assert_eq!(main.plan, ["step one InProgress"]);
    assert_eq!(compactions(&read), 1);
    let fork = fork(&read);
    assert_eq!(
        fork.found.origin,
        Origin::Fork {
            parent: Some(main.found.id.clone())
        }
    );
    assert_eq!(fork.measures.copied, main.measures.tokens);
    assert_eq!(fork.measures.turns, 4);
    let sub_agents: Vec<_> = read.iter().filter(|it| !it.is_main()).collect();
    assert_eq!(sub_agents.len(), 1);
    assert_eq!(sub_agents[0].found.parent(), Some(main.found.id.as_str()));
    assert_counts(sub_agents[0], 1, 0, 0, 0);
}

#[test]
fn codex_records_what_was_served_and_done() {
    let Some(desk) = Desk::new(SessionHost::Codex) else {
        return;
    };
    let spawn = json!({"agent_type": "explorer", "message": "Look.\nTurn: host.sub\n"});
    desk.plan(
        "host.one",
        &[
            ("exec_command", json!({"cmd": "cat a.txt"})),
            ("exec_command", json!({"cmd": "ls nothere; exit 3"})),
            (
                "update_plan",
                json!({"plan": [{"step": "one", "status": "in_progress"}]}),
            ),
            ("multi_agent_v1/spawn_agent", spawn),
        ],
    );
    desk.plan("host.sub", &[("exec_command", json!({"cmd": "cat a.txt"}))]);
    let all = ["exec", "--skip-git-repo-check", "-s", "danger-full-access"];
    desk.run(&[&all[..], &["Do it.\nTurn: host.one\n"]].concat());
    desk.plan("host.two", &[("exec_command", json!({"cmd": "cat a.txt"}))]);
    desk.models.set_counts_of("host.two", counts(9000));
    let limit = "model_auto_compact_token_limit=5000";
    desk.run(&[&all[..], &["-c", limit, "Do it.\nTurn: host.two\n"]].concat());
    let read = read_all(SessionHost::Codex, &desk.sandbox.home());
    // A sub-agent that is not waited for is broken off with its parent, and the answer that it was
    // waiting for is served and counted nowhere.
    let served = desk.models.requests().len();
    let recorded: usize = read.iter().map(|it| it.calls().len()).sum();
    assert!(
        served - recorded <= 1,
        "{served} served, {recorded} recorded"
    );
    let read = desk.read(served - recorded);
    let mains: Vec<_> = read.iter().filter(|it| it.is_main()).collect();
    assert_eq!(mains.len(), 2);
    // The refused list of things to do is in the words of its result only.
    assert_counts(mains[0], 4, 2, 1, 1);
    // After the compaction the model has no result before it, and calls again.
    assert_counts(mains[1], 2, 0, 0, 0);
    assert_eq!(compactions(&read), 1);
    let sub_agents: Vec<_> = read.iter().filter(|it| !it.is_main()).collect();
    assert_eq!(sub_agents.len(), 1);
    assert_eq!(
        sub_agents[0].found.parent(),
        Some(mains[0].found.id.as_str())
    );
    assert_eq!(
        mains[0].measures.sub_agents,
        [sub_agents[0].found.id.clone()]
    );
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn gemini_records_what_was_served_and_done() {
        let Some(desk) = Desk::new(SessionHost::Gemini) else {
            return;
        };
        let agent =
            json!({"agent_name": "codebase_investigator", "prompt": "Look.\nTurn: host.sub\n"});
        desk.plan(
            "host.one",
            &[
                ("read_file", json!({"file_path": "a.txt"})),
                ("read_file", json!({"file_path": "missing.txt"})),
                (
                    "run_shell_command",
                    json!({"command": "ls nothere; exit 3", "description": "fail"}),
                ),
                ("invoke_agent", agent),
            ],
        );
        desk.plan("host.sub", &[("read_file", json!({"file_path": "a.txt"}))]);
        let all = ["--skip-trust", "--approval-mode", "yolo"];
        desk.run(&[&["-p", "Do it.\nTurn: host.one\n"], &all[..]].concat());
        // The threshold below is in tokens of the last request before it.
        desk.models.set_counts_of("host.two", counts(5000));
        desk.run(
            &[
                &["--resume", "latest", "-p", "More.\nTurn: host.two\n"],
                &all[..],
            ]
            .concat(),
        );
        desk.configure(".gemini/settings.json", |it| {
            it["model"]["compressionThreshold"] = json!(0.00001);
        });
        desk.models.set_script(Script::new(
            "<state_snapshot>The summary of it all.</state_snapshot>",
        ));
        desk.run(
            &[
                &["--resume", "latest", "-p", "After.\nTurn: host.three\n"],
                &all[..],
            ]
            .concat(),
        );
        // Two requests a compaction: the snapshot, and whether it is good.
        let read = desk.read(2);
        let main = read.iter().find(|it| it.is_main()).unwrap();
        assert_counts(main, 4, 2, 1, 1);
        assert_eq!(main.measures.turns, 3);
        assert_eq!(compactions(&read), 1);
        let sub_agents: Vec<_> = read.iter().filter(|it| !it.is_main()).collect();
        assert_eq!(sub_agents.len(), 1);
        assert_eq!(sub_agents[0].found.parent(), Some(main.found.id.as_str()));
        assert_eq!(main.measures.sub_agents, [sub_agents[0].found.id.clone()]);
    }

    #[test]
    fn opencode_records_what_was_served_and_done() {
        let Some(desk) = Desk::new(SessionHost::Opencode) else {
            return;
        };
        let read_a = ("read", json!({"filePath": desk.path("a.txt")}));
        let todos = json!({"todos": [{"content": "step one", "status": "in_progress", "priority": "high", "id": "1"}]});
        let sub = json!({"description": "sub", "prompt": "Look.\nTurn: host.sub\n", "subagent_type": "explore"});
        desk.plan(
            "host.one",
            &[
                read_a.clone(),
                ("read", json!({"filePath": desk.path("missing.txt")})),
                (
                    "bash",
                    json!({"command": "ls nothere; exit 3", "description": "fail"}),
                ),
                ("todowrite", todos),
                ("task", sub),
            ],
        );
        desk.plan("host.sub", std::slice::from_ref(&read_a));
        desk.run(&["run", "Do it.\nTurn: host.one\n"]);
        desk.run(&["run", "--continue", "--fork", "Aside.\nTurn: host.two\n"]);
        // For the title, and for the work: the request for a summary is not answered by a call.
        let call = (read_a.0.to_owned(), read_a.1);
        desk.models
            .set_first("host.three", 2, Answer::Calls(vec![call]));
        desk.models.set_counts_of("host.three", counts(95_000));
        desk.run(&["run", "Do it.\nTurn: host.three\n"]);
        // A title for each session that is not a fork.
        let titles = desk
            .models
            .requests()
            .iter()
            .filter(|it| it.tools.is_empty() && it.body.to_string().contains("title"))
            .count();
        let read = desk.read(titles);
        let mains: Vec<_> = read.iter().filter(|it| it.is_main()).collect();
        let main = mains[0];
        assert_counts(main, 5, 2, 1, 1);
        assert_eq!(main.plan, ["step one InProgress"]);
        let fork = fork(&read);
        assert_eq!(
            fork.origin,
            Origin::Fork {
                parent: Some(main.found.id.clone())
            }
        );
        assert_eq!(fork.measures.copied, main.measures.tokens);
        assert_eq!(fork.calls().len(), 1);
        assert!(compactions(&read) >= 1);
        let sub_agents: Vec<_> = read.iter().filter(|it| !it.is_main()).collect();
        assert_eq!(sub_agents.len(), 1);
        assert_eq!(sub_agents[0].found.parent(), Some(main.found.id.as_str()));
    }

    #[test]
    fn copilot_records_what_was_served_and_done() {
        let Some(desk) = Desk::new(SessionHost::Copilot) else {
            return;
        };
        let read_a = ("view", json!({"path": desk.path("a.txt")}));
        let todo = "INSERT INTO todos (id,title,description,status) VALUES ('one','step one','d','pending')";
        let sub = json!({"description": "sub", "name": "sub-one", "prompt": "Look.\nTurn: host.sub\n", "agent_type": "explore", "mode": "sync"});
        desk.plan(
            "host.one",
            &[
                read_a.clone(),
                ("view", json!({"path": desk.path("missing.txt")})),
                (
                    "bash",
                    json!({"command": "ls nothere; exit 3", "description": "fail"}),
                ),
                ("sql", json!({"description": "todos", "query": todo})),
                ("task", sub),
            ],
        );
        desk.plan("host.sub", &[read_a]);
        let all = ["--allow-all-tools", "--no-auto-update"];
        desk.run(&[&["-p", "Do it.\nTurn: host.one\n"], &all[..]].concat());
        desk.run(&[&["--continue", "-p", "More.\nTurn: host.two\n"], &all[..]].concat());
        desk.run(&[&["--continue", "-p", "/compact"], &all[..]].concat());
        desk.run(
            &[
                &["--continue", "-p", "After.\nTurn: host.three\n"],
                &all[..],
            ]
            .concat(),
        );
        let read = desk.read(0);
        assert_eq!(read.len(), 1);
        assert_counts(&read[0], 5, 2, 1, 1);
        assert_eq!(read[0].measures.turns, 3);
        assert_eq!(read[0].measures.agents.len(), 1);
        assert_eq!(read[0].plan, ["step one Pending"]);
        assert_eq!(compactions(&read), 1);
    }
}
