//! The end of plan mode in the real tools: other real tools debate the plan, and the model that
//! made it is given their findings once.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use agon_testkit::{Answer, add, real_clis};
use serde_json::{Value, json};

use crate::real::table::{Table, one_round};

const TURN: &str = "cell.plan";
const PROMPT: &str = "Plan it.\nTurn: cell.plan\n";
const PLAN: &str = "# Plan\n1. Move the job store to SQLite.\n";
/// The findings, as the model of the host reads them.
const FINDING: &str = "> answer: Use SQLite for the job store";

/// The host with the hook, and the tools that debate; `settings` are the user's.
fn table(host: &str, others: [&str; 2], settings: &str) -> Option<Table> {
    let mut table = Table::laid(&[host, others[0], others[1]])?;
    table.models.set_script(one_round());
    let program = Path::new(env!("CARGO_BIN_EXE_agon")).parent().unwrap();
    let path = format!("{}:{}", table.place.env["PATH"], program.display());
    table.place.env.insert("PATH".into(), path);
    let settings = format!("transport = \"cli\"\nfallback = \"none\"\n{settings}");
    add(&table.place.home(), ".config/agon/config.toml", &settings);
    let installed = table.place.run(&["install", host, "--what", "plan-review"]);
    assert_eq!(installed.code, Some(0), "{installed:#?}");
    Some(table)
}

/// Runs the host with this input; returns what it printed.
fn run(table: &Table, host: &str, args: &[&str], input: &str) -> String {
    let bins = real_clis().unwrap().join("node_modules/.bin");
    let mut command = Command::new(bins.join(host));
    command.args(args).current_dir(table.place.project());
    command.env_clear().envs(&table.place.env);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let wrong = String::from_utf8_lossy(&output.stderr);
    format!("{said}\n{wrong}")
}

/// What the host's model got for its calls in the last request.
fn results(table: &Table) -> Vec<String> {
    let requests = table.models.requests();
    let own = requests
        .iter()
        .filter(|it| it.turn.as_deref() == Some(TURN));
    own.map(agon_testkit::models::Request::results)
        .max_by_key(Vec::len)
        .unwrap_or_default()
}

/// The turns of debates that were asked for.
fn debated(table: &Table) -> Vec<String> {
    let mut turns = table.turns();
    turns.retain(|turn| turn != TURN);
    turns
}

/// Lets Claude Code end plan mode with each of these plans.
fn end_plan_mode(table: &Table, plans: &[&str]) -> Vec<String> {
    let calls = plans.iter();
    let calls = calls.map(|plan| ("ExitPlanMode".to_owned(), json!({"plan": plan})));
    table.models.set(TURN, Answer::Calls(calls.collect()));
    // Only a session with a permission prompt has a plan mode that ends. Nothing answers the prompt.
    let args = [
        "-p",
        "--verbose",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--permission-prompt-tool",
        "stdio",
        "--permission-mode",
        "plan",
    ];
    let message = json!({"type": "user", "message": {"role": "user", "content": PROMPT}});
    let printed = run(table, "claude", &args, &format!("{message}\n"));
    let results = results(table);
    assert_eq!(results.len(), plans.len(), "{printed}");
    results
}

#[test]
fn claude_gets_the_findings_of_two_other_tools_once() {
    let settings = "plan_review = \"auto\"\nplan_review_time = \"5m\"\n";
    let Some(table) = table("claude", ["codex", "gemini"], settings) else {
        return;
    };
    let results = end_plan_mode(&table, &[PLAN, "# Plan\n1. Keep the files.\n", PLAN]);
    assert!(results[0].contains(FINDING), "{results:#?}");
    assert!(results[0].contains("`debate_result`"), "{results:#?}");
    for later in &results[1..] {
        assert!(!later.contains(FINDING), "{results:#?}");
        assert!(later.contains("permission"), "{results:#?}");
    }
    // One debate, in which the host has no seat and every seat read the plan.
    assert_eq!(debated(&table), ["r1.pro", "r1.cha", "verdict.judge"]);
    let debates = fs::read_dir(table.place.project().join("debates")).unwrap();
    let debates = debates.flatten().map(|it| it.path());
    let debates: Vec<_> = debates.filter(|it| it.is_dir()).collect();
    let reviewed = debates.iter().find(|it| {
        let name = it.file_name().unwrap().to_string_lossy();
        name.starts_with("plan-review-")
    });
    let verdict = fs::read(reviewed.unwrap().join("verdict.json")).unwrap();
    let verdict: Value = serde_json::from_slice(&verdict).unwrap();
    let seats = verdict["seats"].as_object().unwrap().values();
    let tools: Vec<_> = seats.map(|seat| seat["tool"].as_str().unwrap()).collect();
    assert!(!tools.contains(&"claude"), "{tools:?}");
    let requests = table.models.requests();
    let first = requests
        .iter()
        .find(|it| it.turn.as_deref() == Some("r1.pro"));
    assert!(
        first
            .unwrap()
            .prompt
            .contains("Move the job store to SQLite.")
    );
    assert_eq!(table.place.left(), Vec::<String>::new());
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn a_seat_that_hangs_is_ended_and_the_plan_passes() {
        let settings = "plan_review = \"auto\"\nplan_review_time = \"20s\"\n";
        let Some(table) = table("claude", ["codex", "gemini"], settings) else {
            return;
        };
        table.models.set("r1.cha", Answer::Hang);
        let results = end_plan_mode(&table, &[PLAN]);
        assert!(results[0].contains("permission"), "{results:#?}");
        assert_eq!(table.place.left(), Vec::<String>::new());
    }

    #[test]
    fn gemini_gets_the_findings_of_two_other_tools() {
        let settings = "plan_review = \"auto\"\nplan_review_time = \"5m\"\n";
        let Some(table) = table("gemini", ["codex", "claude"], settings) else {
            return;
        };
        // Its plan is a file in a folder whose name only the request has.
        table.models.set_responder(|request| {
            let body = request.body.to_string();
            let at = body
                .find("/plans/`")
                .filter(|_| request.turn.as_deref() == Some(TURN))?;
            let folder = body.get(..at)?.rsplit('`').next()?;
            let path = format!("{folder}/plans/plan.md");
            let write = json!({"file_path": path, "content": PLAN});
            let end = json!({"plan_filename": "plan.md"});
            let calls = [("write_file", write), ("exit_plan_mode", end)];
            let calls = calls.map(|(name, args)| (name.to_owned(), args));
            Some((Answer::Calls(calls.into()), "It is done.".to_owned()))
        });
        let args = ["-p", PROMPT, "--skip-trust", "--approval-mode", "plan"];
        let printed = run(&table, "gemini", &args, "");
        let results = results(&table);
        assert_eq!(results.len(), 2, "{printed}");
        assert!(results[1].contains(FINDING), "{results:#?}");
        assert_eq!(debated(&table), ["r1.pro", "r1.cha", "verdict.judge"]);
    }

    #[test]
    fn copilot_gets_the_findings_of_another_tool() {
        let settings = "plan_review = \"auto\"\nplan_review_time = \"5m\"\n";
        // It passes no API keys to a hook, so Gemini CLI is not ready.
        let Some(table) = table("copilot", ["opencode", "gemini"], settings) else {
            return;
        };
        let end =
            json!({"summary": PLAN, "actions": ["exit_only"], "recommendedAction": "exit_only"});
        let calls = vec![("exit_plan_mode".to_owned(), end)];
        table.models.set(TURN, Answer::Calls(calls));
        let args = [
            "-p",
            PROMPT,
            "--no-auto-update",
            "--allow-all-tools",
            "--plan",
        ];
        let printed = run(&table, "copilot", &args, "");
        let results = results(&table);
        assert_eq!(results.len(), 1, "{printed}");
        assert!(results[0].contains(FINDING), "{results:#?}");
        assert_eq!(debated(&table), ["r1.pro", "r1.cha", "verdict.judge"]);
    }
}
