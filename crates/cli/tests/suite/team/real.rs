//! Members in the real AI tools, from the work tree to what they submit, with Agon's own server.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agon_testkit::{Answer, FakeModels, Sandbox, Script, git, key_variables, real_clis};
use serde_json::{Value, json};

use super::started::Team;
use crate::support::Place;

/// What the model of a tool calls: a file that is written, and a tool of Agon's server.
fn calls(host: &str, tree: &Path) -> (Vec<(String, Value)>, &'static str) {
    let path = tree.join("made.txt");
    let path = path.to_str().unwrap();
    let command = format!("echo made > '{path}'");
    let (write, server) = match host {
        "claude" => (
            ("Write", json!({"file_path": path, "content": "made\n"})),
            "mcp__team__task",
        ),
        "codex" => (("exec_command", json!({"cmd": command})), ""),
        "gemini" => (
            (
                "write_file",
                json!({"file_path": path, "content": "made\n"}),
            ),
            // It reads no settings below a folder that all may write, as that of the sandbox is.
            "",
        ),
        "opencode" => (
            ("write", json!({"filePath": path, "content": "made\n"})),
            "team_task",
        ),
        _ => (
            ("create", json!({"path": path, "file_text": "made\n"})),
            "team-task",
        ),
    };
    let mut calls = vec![(write.0.to_owned(), write.1)];
    if !server.is_empty() {
        calls.push((server.to_owned(), json!({"op": "list"})));
    }
    (calls, server)
}

fn works(host: &str) {
    let Some(clis) = real_clis() else {
        return;
    };
    let sandbox = Sandbox::new();
    let models = FakeModels::start(Script::new("Done: made.txt is there."));
    let env = sandbox.connect_all_tools(&models.url(), &clis);
    let team = Team::begin(Place::new(sandbox, env));
    let task = team.task("Make a file");
    let args = [
        "start", "worker", "--host", host, "--name", "ada", "--task", &task, "--wait",
    ];
    // It says that it is done, and has done nothing.
    let first = team.json(&args);
    assert_eq!(first["turn"]["state"], "failed_empty", "{first}");
    let tree = PathBuf::from(first["work_tree"].as_str().unwrap());
    let (calls, server) = calls(host, &tree);
    models.set("*", Answer::Calls(calls.clone()));
    let second = team.json(&args);
    let requests = models.requests();
    let results = requests.last().unwrap().results();
    assert_eq!(second["turn"]["state"], "finished", "{second} {results:#?}");
    assert_eq!(results.len(), calls.len(), "{results:#?}");
    assert_eq!(git(&tree, &["show", "HEAD:made.txt"]), "made\n");
    assert_eq!(second["turn"]["outside"], json!([]));
    if !server.is_empty() {
        assert!(results[1].contains("agon.team_board"), "{results:#?}");
        assert!(
            requests
                .iter()
                .any(|it| it.body.to_string().contains(server))
        );
    }
    // What reaches further than its tree is not offered to it.
    let offered = requests.iter().flat_map(|request| &request.tools);
    let ours = offered.filter(|name| {
        ["mcp__team__", "team_", "team-"]
            .iter()
            .any(|of| name.starts_with(of))
    });
    let ours: BTreeSet<_> = ours
        .map(|name| name.rsplit(['_', '-']).next().unwrap())
        .collect();
    eprintln!("{host} is offered {ours:?}");
    assert!(
        ours.is_subset(&["task", "mail", "lock", "gate"].into()),
        "{ours:?}"
    );
    // A prompt has the task and never the token.
    let prompt = requests.last().unwrap().body.to_string();
    assert!(prompt.contains("Make a file."), "{prompt}");
    assert!(!prompt.contains("AGON_TEAM_TOKEN"));
    let logs = fs::read_dir(team.place.project().join(".git/agon/sessions")).unwrap();
    assert_eq!(logs.count(), 2);
    assert_eq!(team.place.left(), Vec::<String>::new());
}

#[test]
fn claude_is_a_member() {
    works("claude");
}

#[test]
fn codex_is_a_member() {
    works("codex");
}

#[test]
fn the_shell_of_a_codex_member_sees_no_key() {
    let Some(clis) = real_clis() else {
        return;
    };
    let sandbox = Sandbox::new();
    let models = FakeModels::start(Script::new("Done."));
    let mut env = sandbox.connect_all_tools(&models.url(), &clis);
    for (name, value) in key_variables() {
        if !["AGON_TEAM_TOKEN", "OPENAI_API_KEY"].contains(&name) {
            env.insert(name.into(), value);
        }
    }
    let team = Team::begin(Place::new(sandbox, env));
    let task = team.task("Print it");
    let command = "env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; echo printed-all";
    let calls = vec![("exec_command".to_owned(), json!({"cmd": command}))];
    models.set("*", Answer::Calls(calls));
    team.json(&[
        "start", "worker", "--host", "codex", "--name", "ada", "--task", &task, "--wait",
    ]);
    let printed = models.requests().last().unwrap().results().join("\n");
    assert!(printed.contains("printed-all"), "{printed}");
    for mark in ["placeholder-", "sk-dummy", "AGON_TEAM_TOKEN="] {
        assert!(!printed.contains(mark), "{printed}");
    }
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn gemini_is_a_member() {
        works("gemini");
    }

    #[test]
    fn opencode_is_a_member() {
        works("opencode");
    }

    #[test]
    fn copilot_is_a_member() {
        works("copilot");
    }
}
