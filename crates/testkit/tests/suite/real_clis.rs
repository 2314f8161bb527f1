//! Runs each real tool once against the fake model server, only over loopback.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::common::text;
use agon_testkit::models::{Api, CACHED_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS};
use agon_testkit::{Answer, FakeModels, Sandbox, Script, real_cli};

/// Long enough that a tool would compress or split it, if it ever did.
fn prompt() -> String {
    format!(
        "You argue.\n{}\nTurn: r1.pro\n",
        "Earlier text. ".repeat(20_000)
    )
}

fn args(tool: &str) -> Vec<&'static str> {
    let line = match tool {
        "claude" => {
            "-p --output-format json --effort low --setting-sources= --strict-mcp-config \
             --disable-slash-commands --no-session-persistence --max-turns 3 --tools Read,Glob,Grep"
        }
        "codex" => {
            "exec --json --ephemeral --ignore-rules --skip-git-repo-check -s read-only \
             -c model_reasoning_effort=low -"
        }
        "gemini" => "--output-format json --skip-trust -e none",
        "opencode" => "run --format json --pure --title t --variant high",
        "copilot" => {
            "--output-format json --no-auto-update --disable-builtin-mcps --no-custom-instructions \
             --no-ask-user --stream off --log-level none --available-tools none"
        }
        other => panic!("no arguments for {other}"),
    };
    line.split_whitespace().collect()
}

fn run(tool: &str, models: &FakeModels) -> Option<Output> {
    let program = real_cli(tool)?;
    let sandbox = Sandbox::new();
    let mut command = Command::new(program);
    command.args(args(tool)).current_dir(sandbox.project());
    command
        .env_clear()
        .envs(sandbox.command_env())
        .envs(sandbox.point(tool, &models.url()));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(prompt().as_bytes())
        .unwrap();
    Some(child.wait_with_output().unwrap())
}

fn answers(tool: &str, api: Api, effort: &str) {
    let script = Script::job_store();
    let models = FakeModels::start(script.clone());
    let Some(output) = run(tool, &models) else {
        return;
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(
        text(tool, &output.stdout).trim_end(),
        script.turns["r1.pro"][0].trim_end()
    );
    let stdout = String::from_utf8(output.stdout).unwrap();

    let requests = models.requests();
    let [ask] = requests.as_slice() else {
        panic!("one request, not {:?}", models.turns());
    };
    assert_eq!(
        (ask.api, ask.turn.as_deref(), ask.again),
        (api, Some("r1.pro"), 0)
    );
    assert_eq!(
        ask.effort.as_deref(),
        Some(effort).filter(|effort| !effort.is_empty())
    );
    assert!(
        ask.prompt.contains(prompt().trim_end()),
        "the prompt arrives whole"
    );
    // Copilot's JSON does not report tokens.
    let total = [INPUT_TOKENS, INPUT_TOKENS - CACHED_TOKENS].map(|tokens| tokens.to_string());
    let counted = total.iter().any(|tokens| stdout.contains(tokens));
    assert!(
        tool == "copilot" || counted && stdout.contains(&OUTPUT_TOKENS.to_string()),
        "{stdout}"
    );
    assert_eq!(models.unknown(), Vec::<String>::new());
}

#[test]
fn claude_answers_from_the_script() {
    answers("claude", Api::Anthropic, "low");
}

#[test]
fn codex_answers_from_the_script() {
    answers("codex", Api::Responses, "low");
}

#[test]
fn gemini_answers_from_the_script() {
    answers("gemini", Api::Gemini, "HIGH");
}

#[test]
fn opencode_answers_from_the_script() {
    answers("opencode", Api::Chat, "high");
}

#[test]
fn copilot_answers_from_the_script() {
    answers("copilot", Api::Chat, "");
}

#[test]
fn a_refused_key_reaches_the_tools_as_401() {
    for (tool, code, sign) in [
        ("claude", 1, "\"api_error_status\":401"),
        ("codex", 1, "unexpected status 401 Unauthorized"),
        ("gemini", 145, "\"code\": 401"),
        ("copilot", 1, "\"errorType\":\"authentication\""),
    ] {
        let models = FakeModels::start(Script::job_store());
        models.set("*", Answer::Status(401));
        let Some(output) = run(tool, &models) else {
            return;
        };
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(output.status.code(), Some(code), "{tool}: {said:?}");
        assert!(said.concat().contains(sign), "{tool}: {said:?}");
    }
}
