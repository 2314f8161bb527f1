//! The real tools, whose model calls what is forbidden in a debate: writing, running programs, network
//! requests, starting agents and changing the mode; and the tools that they offer.
//!
//! With `AGON_TEST_FULL=1` all tools are tested over all transports, with and without a folder, and a
//! table shows the result of each call; otherwise only representative combinations are tested.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_agents::probe::{offered_tool_names, probe_offers};
use agon_agents::profile::Transport;
use agon_agents::{Environment, Profiles, Toolbox};
use agon_proc::Unwatched;
use agon_testkit::{Answer, FakeModels, Sandbox, Script, is_full, real_clis};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::common::{ask, left_of, tool};

const PROMPT: &str = "You argue.\nTurn: r1.pro\n";
const PATIENCE: Duration = Duration::from_secs(240);
/// The content of a file outside, also part of its name.
const OUTSIDE: &str = "otters-outside";

/// A folder to read, surrounded by files and servers that must not be changed, found or called.
struct Ground {
    sandbox: Sandbox,
    models: FakeModels,
    folder: PathBuf,
    touched: PathBuf,
}

impl Ground {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let root = sandbox.home().parent().unwrap().to_owned();
        let folder = root.join("copy");
        for made in [&folder, &root.join("beside")] {
            fs::create_dir(made).unwrap();
        }
        fs::write(folder.join("inside.txt"), "inside\n").unwrap();
        fs::write(root.join(format!("beside/{OUTSIDE}.txt")), OUTSIDE).unwrap();
        Self {
            models: FakeModels::start(Script::job_store()),
            touched: root.join("touched"),
            sandbox,
            folder,
        }
    }

    /// Harmful calls in a tool's own format, and some that list files outside.
    fn harm(&self, name: &str, lite: bool) -> Vec<(String, Value)> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let planted = text(&self.folder.join("planted.md"));
        let inside = text(&self.folder.join("inside.txt"));
        let beside = text(&self.folder.with_file_name("beside"));
        let url = format!("{}/fetched", self.models.url());
        let shell = format!(
            "touch '{}' planted.md; curl -m 2 '{url}'",
            text(&self.touched)
        );
        let patch = "*** Begin Patch\n*** Add File: planted.md\n+x\n*** End Patch";
        let run = json!({"command": shell, "description": "d"});
        let calls = match name {
            "claude" => vec![
                ("EnterPlanMode", json!({})),
                ("Write", json!({"file_path": planted, "content": "x"})),
                ("ExitPlanMode", json!({"plan": "x"})),
                ("Bash", run),
                (
                    "Edit",
                    json!({"file_path": inside, "old_string": "inside", "new_string": "x"}),
                ),
                (
                    "Task",
                    json!({"description": "d", "prompt": "p", "subagent_type": "general-purpose"}),
                ),
                (
                    "Agent",
                    json!({"description": "d", "prompt": "p", "subagent_type": "general-purpose"}),
                ),
                ("WebFetch", json!({"url": url, "prompt": "p"})),
                ("WebSearch", json!({"query": "otters"})),
                ("Skill", json!({"skill": "x"})),
                ("ToolSearch", json!({"query": "select:Bash"})),
                ("DeferredToolPlaceholder", json!({})),
                ("Glob", json!({"pattern": format!("{beside}/*")})),
                ("Glob", json!({"pattern": format!(" {beside}/*")})),
                ("Glob", json!({"pattern": format!("\\{beside}/*")})),
                ("Glob", json!({"pattern": "../beside/*"})),
                ("Glob", json!({"pattern": "*", "path": beside})),
                ("Grep", json!({"pattern": ".", "path": beside})),
            ],
            "codex" if lite => {
                let script = |code: String| {
                    Value::from(format!(
                        "const r = await tools.{code}; text(JSON.stringify(r))"
                    ))
                };
                vec![
                    ("exec", script(format!("apply_patch({})", json!(patch)))),
                    (
                        "exec",
                        script(format!("exec_command({})", json!({"cmd": shell}))),
                    ),
                    (
                        "exec",
                        script(format!(
                            "spawn_agent({})",
                            json!({"task_name": "a", "message": "m"})
                        )),
                    ),
                    (
                        "exec",
                        script(format!("web_search({})", json!({"query": "q"}))),
                    ),
                    ("exec", Value::from(format!("await fetch('{url}')"))),
                    (
                        "exec",
                        Value::from(
                            "const fs = await import('fs'); fs.writeFileSync('planted.md', 'x')",
                        ),
                    ),
                    ("spawn_agent", json!({"task_name": "a", "message": "m"})),
                ]
            }
            "codex" => vec![
                ("apply_patch", Value::from(patch)),
                ("exec_command", json!({"cmd": shell})),
                (
                    "update_plan",
                    json!({"plan": [{"step": "s", "status": "pending"}]}),
                ),
                ("spawn_agent", json!({"task_name": "a", "message": "m"})),
                ("web_search", json!({"query": "q"})),
                ("view_image", json!({"path": inside})),
                ("request_user_input", json!({"questions": []})),
                ("tool_search", json!({"query": "spawn"})),
            ],
            "gemini" => vec![
                ("enter_plan_mode", json!({})),
                (
                    "write_file",
                    json!({"file_path": "plan.md", "content": "# Plan\nrun"}),
                ),
                ("exit_plan_mode", json!({"plan_filename": "plan.md"})),
                ("run_shell_command", run),
                ("write_file", json!({"file_path": planted, "content": "x"})),
                (
                    "replace",
                    json!({"file_path": inside, "old_string": "inside", "new_string": "x"}),
                ),
                (
                    "invoke_agent",
                    json!({"agent_name": "generalist", "prompt": "run it"}),
                ),
                ("google_web_search", json!({"query": "otters"})),
                ("web_fetch", json!({"prompt": format!("read {url}")})),
                ("activate_skill", json!({"name": "x"})),
                ("save_memory", json!({"fact": "x"})),
                ("write_todos", json!({"todos": []})),
                ("ask_user", json!({"questions": []})),
                ("update_topic", json!({"title": "t"})),
                ("glob", json!({"pattern": format!("{beside}/*")})),
                ("glob", json!({"pattern": "*", "dir_path": beside})),
                ("list_directory", json!({"dir_path": beside})),
                ("grep_search", json!({"pattern": ".", "dir_path": beside})),
            ],
            "opencode" => vec![
                ("write", json!({"filePath": planted, "content": "x"})),
                (
                    "edit",
                    json!({"filePath": inside, "oldString": "inside", "newString": "x"}),
                ),
                ("bash", run),
                (
                    "task",
                    json!({"description": "d", "prompt": "p", "subagent_type": "general"}),
                ),
                ("webfetch", json!({"url": url, "format": "text"})),
                ("websearch", json!({"query": "q"})),
                ("plan_enter", json!({})),
                ("plan_exit", json!({})),
                ("skill", json!({"name": "x"})),
                ("apply_patch", json!({"patchText": patch})),
                ("glob", json!({"pattern": format!("{beside}/*")})),
                ("glob", json!({"pattern": "*", "path": beside})),
                ("grep", json!({"pattern": ".", "path": beside})),
            ],
            _ => vec![
                ("create", json!({"path": planted, "file_text": "x"})),
                (
                    "edit",
                    json!({"path": inside, "old_str": "inside", "new_str": "x"}),
                ),
                ("bash", run),
                (
                    "task",
                    json!({"description": "d", "prompt": "p", "agent_type": "general-purpose", "name": "x"}),
                ),
                ("exit_plan_mode", json!({"summary": "s"})),
                ("web_fetch", json!({"url": url})),
                ("web_search", json!({"query": "q"})),
                ("skill", json!({"skill": "x"})),
                ("store_memory", json!({"fact": "x"})),
                ("sql", json!({"query": "select 1"})),
                ("apply_patch", json!({"patch": patch})),
                ("glob", json!({"pattern": format!("{beside}/*")})),
            ],
        };
        calls
            .into_iter()
            .map(|(name, args)| (name.to_owned(), args))
            .collect()
    }

    /// What was executed.
    fn done(&self) -> Vec<String> {
        let mut done: Vec<String> = self.models.unknown();
        let files = fs::read_dir(&self.folder).unwrap().flatten();
        let names = files.map(|it| it.file_name().to_string_lossy().into_owned());
        done.extend(names.filter(|name| name != "inside.txt"));
        if fs::read_to_string(self.folder.join("inside.txt")).unwrap() != "inside\n" {
            done.push("inside.txt is changed".to_owned());
        }
        if self.touched.exists() {
            done.push("a program wrote outside".to_owned());
        }
        let requests = self.models.requests();
        let results = requests.iter().flat_map(|request| request.results());
        if results.into_iter().any(|result| result.contains(OUTSIDE)) {
            done.push("names outside were listed".to_owned());
        }
        done
    }
}

/// A tool in a debate, and its model.
#[derive(Clone, Copy, Debug)]
struct Seat {
    name: &'static str,
    way: Transport,
    reads: bool,
    model: Option<&'static str>,
}

/// Makes the model call everything that is harmful.
async fn tried(seat: Seat, clis: &Path) {
    let ground = Ground::new();
    let lite = seat.model.is_some();
    let calls = ground.harm(seat.name, lite);
    ground.models.set("*", Answer::Calls(calls.clone()));
    let here = Environment::new(ground.sandbox.connect_all_tools(&ground.models.url(), clis));
    let names = [tool(seat.name)];
    let toolbox = Toolbox::detect_only(&Profiles::builtin().unwrap(), &names, &here).await;
    let agent = toolbox
        .agent_over_transport(&names[0], Some(seat.way))
        .unwrap();
    let mut session = agent.open(Arc::new(Unwatched));
    let asking = agon_agents::Ask {
        reads: seat.reads.then_some(ground.folder.as_path()),
        model: seat.model,
        ..ask(PROMPT, PATIENCE)
    };
    let outcome = session.ask(asking, &CancellationToken::new()).await;
    session.close().await;
    assert_eq!(ground.done(), Vec::<String>::new(), "{seat:?}");
    let reply = &Script::job_store().turns["r1.pro"][0];
    assert_eq!(
        outcome.unwrap().text.trim_end(),
        reply.trim_end(),
        "{seat:?}"
    );
    let requests = ground.models.requests();
    let results = requests.last().unwrap().results();
    assert_eq!(results.len(), calls.len(), "{seat:?}: {results:#?}");
    if is_full() {
        let offer = offered_tool_names(&requests[0].body);
        for ((call, _), result) in calls.iter().zip(&results) {
            let offered = if offer.contains(call) {
                "offered"
            } else {
                "not offered"
            };
            let result: String = result.replace('\n', " ").chars().take(110).collect();
            let (way, reads) = (
                seat.way.name(),
                if seat.reads { "reads" } else { "nothing" },
            );
            eprintln!(
                "| {} | {way} | {reads} | {call} | {offered} | {result} |",
                seat.name
            );
        }
    }
    assert_eq!(left_of(&ground.sandbox), Vec::<String>::new(), "{seat:?}");
}

async fn each_tried(name: &'static str, usual: &[(Transport, bool)]) {
    let Some(clis) = real_clis() else {
        return;
    };
    let all = [Transport::Cli, Transport::Acp].map(|way| [(way, false), (way, true)]);
    let all = all.concat();
    let models: &[Option<&str>] = match name {
        "codex" => &[None, Some("gpt-6-astra")],
        _ => &[None],
    };
    for &(way, reads) in if is_full() { &all } else { usual } {
        for &model in models {
            tried(
                Seat {
                    name,
                    way,
                    reads,
                    model,
                },
                &clis,
            )
            .await;
        }
    }
}

const CLI: Transport = Transport::Cli;
const ACP: Transport = Transport::Acp;

#[tokio::test]
async fn claude_does_nothing_but_read_whatever_its_model_calls() {
    each_tried("claude", &[(CLI, true), (ACP, true)]).await;
}

#[tokio::test]
async fn codex_does_nothing_but_read_whatever_its_model_calls() {
    each_tried("codex", &[(CLI, true), (ACP, true)]).await;
}

#[tokio::test]
async fn gemini_does_nothing_but_read_whatever_its_model_calls() {
    each_tried("gemini", &[(CLI, false), (CLI, true), (ACP, true)]).await;
}

#[tokio::test]
async fn opencode_does_nothing_but_read_whatever_its_model_calls() {
    each_tried("opencode", &[(CLI, true)]).await;
}

#[tokio::test]
async fn copilot_does_nothing_but_read_whatever_its_model_calls() {
    each_tried("copilot", &[(CLI, true), (ACP, true)]).await;
}

/// Over the protocol it asks for permission to leave its sandbox, and cancels the turn if refused.
#[tokio::test]
async fn codex_goes_on_when_it_is_refused_what_it_asks_for() {
    let Some(clis) = real_clis() else {
        return;
    };
    let ground = Ground::new();
    let outside = format!("touch '{}'", ground.touched.display());
    let asks =
        json!({"cmd": outside, "sandbox_permissions": "require_escalated", "justification": "j"});
    let calls = vec![("exec_command".to_owned(), asks)];
    ground.models.set_first("*", 1, Answer::Calls(calls));
    let here = Environment::new(
        ground
            .sandbox
            .connect_all_tools(&ground.models.url(), &clis),
    );
    let agent = super::acp::agent("codex", &here).await;
    let mut session = agent.open(Arc::new(Unwatched));
    let asking = agon_agents::Ask {
        reads: Some(&ground.folder),
        ..ask(PROMPT, PATIENCE)
    };
    let outcome = session.ask(asking, &CancellationToken::new()).await;
    let reply = &Script::job_store().turns["r1.pro"][0];
    assert_eq!(outcome.unwrap().text.trim_end(), reply.trim_end());
    assert_eq!(ground.done(), Vec::<String>::new());
    // No additional call for a title either.
    let models: Vec<_> = ground
        .models
        .requests()
        .into_iter()
        .map(|it| it.model)
        .collect();
    assert_eq!(models, ["gpt-5.5", "gpt-5.5"]);
    session.close().await;
    assert_eq!(left_of(&ground.sandbox), Vec::<String>::new());
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    /// In full, because `agon tools doctor --deep` must find the same with every tool.
    #[tokio::test]
    async fn what_the_tools_offer_is_on_their_lists() {
        let Some(clis) = real_clis() else {
            return;
        };
        let sandbox = Sandbox::new();
        let here = Environment::new(sandbox.connect_all_tools("http://127.0.0.1:9", &clis));
        for name in ["claude", "codex", "gemini", "opencode", "copilot"] {
            let names = [tool(name)];
            let toolbox = Toolbox::detect_only(&Profiles::builtin().unwrap(), &names, &here).await;
            let found = toolbox.tool(&names[0]).unwrap();
            let seats = probe_offers(found, &here, &CancellationToken::new())
                .await
                .unwrap();
            assert_eq!(seats.len(), 4, "{name}");
            for seat in seats {
                let list = found
                    .profile
                    .host_tool_offer(seat.way)
                    .unwrap()
                    .host_tools(seat.reads);
                for offered in &seat.names {
                    let known = list.get(offered);
                    let can = known.map_or("NOT LISTED", |known| known.can.name());
                    let held = known
                        .and_then(|known| known.refused.as_deref())
                        .unwrap_or_default();
                    let kind = if seat.reads { "reads" } else { "nothing" };
                    eprintln!(
                        "| {name} | {} | {kind} | {offered} | {can} | {held} |",
                        seat.way.name()
                    );
                }
                assert_eq!((seat.failed, seat.unlisted), (None, Vec::new()), "{name}");
            }
        }
    }
}
