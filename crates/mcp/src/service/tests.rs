//! A client that names folders of its choice, and the server that a web server mounts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::{Context, Waker};

use agon_caller::host_sign::project_variables;
use agon_teamwork::JoinRequest;
use agon_testkit::git;
use rmcp::ServiceExt as _;
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use super::*;

/// A home with a project, in whose team `lea` works, and a folder elsewhere.
struct World {
    home: TempDir,
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let world = Self { home };
        fs::create_dir_all(world.project().join("part")).unwrap();
        fs::create_dir_all(world.elsewhere()).unwrap();
        git(&world.project(), &["init", "-q", "-b", "main"]);
        let caller = world.caller();
        agon_teamwork::init(&caller).unwrap();
        let lead = JoinRequest {
            name: "lea".parse().unwrap(),
            role: "lead".parse().unwrap(),
            host: "claude".to_owned(),
        };
        agon_teamwork::join(&caller, &lead).unwrap();
        std::os::unix::fs::symlink(world.elsewhere(), world.project().join("link")).unwrap();
        world
    }

    fn project(&self) -> PathBuf {
        self.home.path().join("project")
    }

    fn elsewhere(&self) -> PathBuf {
        self.home.path().join("elsewhere")
    }

    /// Returns a caller whose environment names the folder elsewhere as the project.
    fn caller(&self) -> Caller {
        let elsewhere = self.elsewhere();
        let named = project_variables().map(|name| (name.into(), elsewhere.clone().into()));
        let home = ("HOME".into(), self.home.path().into());
        let vars: BTreeMap<_, _> = named.chain([home]).collect();
        Caller::new(vars, self.project())
    }
}

/// Returns the answers to `requests` of a client that has `root` open.
fn ask(service: McpService, root: &Path, requests: &[(&str, Value)]) -> Vec<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (ours, theirs) = tokio::io::duplex(1024 * 1024);
        let server = tokio::spawn(async move { service.serve(theirs).await.unwrap() });
        let (read, mut write) = tokio::io::split(ours);
        let mut lines = BufReader::new(read).lines();
        let opening = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"roots": {}},
            "clientInfo": {"name": "t", "version": "0"},
        });
        let opening = [("initialize", opening)];
        let mut answers = Vec::new();
        for (id, (method, params)) in opening.iter().chain(requests).enumerate() {
            let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            let mut text = format!("{request}\n");
            if id == 1 {
                text.insert_str(
                    0,
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
                );
            }
            write.write_all(text.as_bytes()).await.unwrap();
            loop {
                let line = lines.next_line().await.unwrap().unwrap();
                let message: Value = serde_json::from_str(&line).unwrap();
                if message["method"] == "roots/list" {
                    let roots = json!([{"uri": format!("file://{}", root.display())}]);
                    let answer =
                        json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}});
                    let text = format!("{answer}\n");
                    write.write_all(text.as_bytes()).await.unwrap();
                } else if message["id"] == id {
                    answers.push(message);
                    break;
                }
            }
        }
        drop((lines, write));
        drop(server.await.unwrap());
        answers.split_off(1)
    })
}

fn call(tool: &str, arguments: Value) -> (&'static str, Value) {
    ("tools/call", json!({"name": tool, "arguments": arguments}))
}

#[test]
fn a_client_of_a_web_server_reaches_the_project_of_the_server_only() {
    let world = World::new();
    let (project, elsewhere) = (world.project(), world.elsewhere());
    let usage = |project: &Path| call("status", json!({"op": "usage", "project": project}));
    let own = [
        usage(&project),
        usage(&project.join("part")),
        call("status", json!({"op": "usage"})),
    ];
    let foreign = [
        usage(&elsewhere),
        usage(Path::new("/etc")),
        usage(Path::new("/")),
        usage(world.home.path()),
        usage(&project.join("link")),
        usage(&project.join("../elsewhere")),
    ];
    for root in [&elsewhere, Path::new("/etc"), Path::new("/"), &project] {
        let service = || McpService::in_one_project(world.caller());
        for answer in ask(service(), root, &own) {
            assert_ne!(answer["result"]["isError"], true, "{answer}");
        }
        for answer in ask(service(), root, &foreign) {
            assert_eq!(answer["result"]["isError"], true, "{answer}");
            assert!(
                answer.to_string().contains("not in the project"),
                "{answer}"
            );
        }
    }
}

#[test]
fn a_client_of_a_web_server_is_no_member_of_a_team() {
    let world = World::new();
    let requests = [
        ("tools/list", json!({})),
        call("task", json!({"op": "board"})),
    ];
    let names = |answer: &Value| -> Vec<String> {
        let tools = answer["result"]["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let service = McpService::in_one_project(world.caller());
    let answers = ask(service, &world.project(), &requests);
    let offered: Vec<&str> = tool::TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(names(&answers[0]), offered);
    assert!(answers[1].get("error").is_some(), "{}", answers[1]);
    // A host on this computer acts as the member in whose folder it is.
    let answers = ask(McpService::new(world.caller()), &world.project(), &requests);
    assert!(names(&answers[0]).len() > offered.len());
}

#[test]
fn a_call_of_a_web_server_waits_for_a_place() {
    let world = World::new();
    let service = McpService::in_one_project(world.caller());
    let Scope::Project { calls, .. } = &service.scope else {
        unreachable!("it has one project");
    };
    // Another client shares the places.
    let other = service.clone();
    let all = u32::try_from(MAX_CALLS).unwrap();
    let taken = calls.try_acquire_many(all).unwrap();
    let mut waiting = pin!(other.place_for_call());
    let mut context = Context::from_waker(Waker::noop());
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    drop(taken);
    assert!(waiting.as_mut().poll(&mut context).is_ready());
    // A call gives its place back.
    let usage = [call("status", json!({"op": "usage"}))];
    let answers = ask(service.clone(), &world.project(), &usage);
    assert_ne!(answers[0]["result"]["isError"], true, "{}", answers[0]);
    assert_eq!(calls.available_permits(), MAX_CALLS);
}
