//! Tests the fake tools over real stdio.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::text;
use agon_testkit::behaviour::{FAKE_ANTHROPIC_KEY, FAKE_GITHUB_TOKEN};
use agon_testkit::{Behaviour, FakeTools, Script, TOOLS};

const PROMPT: &str = "You argue.\nTurn: r0.pro\nTurn: r1.pro\n";

fn args(tool: &str) -> &'static [&'static str] {
    match tool {
        "claude" => &[
            "-p",
            "--output-format",
            "json",
            "--tools",
            "",
            "--max-turns",
            "3",
        ],
        "codex" => &[
            "exec",
            "--json",
            "-s",
            "read-only",
            "-c",
            "model_reasoning_effort=low",
            "-",
        ],
        "gemini" => &["--output-format", "json", "--skip-trust", "-e", "none"],
        "opencode" => &["run", "--format", "json", "--pure", "--title", "t"],
        "copilot" => &[
            "--output-format",
            "json",
            "--no-ask-user",
            "--stream",
            "off",
        ],
        other => panic!("no arguments for {other}"),
    }
}

fn start(tools: &FakeTools, tool: &str, args: &[&str]) -> Command {
    let mut command = Command::new(tools.path(tool));
    command
        .args(args)
        .env_clear()
        .env("HOME", "/nowhere")
        .current_dir("/");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(tools: &FakeTools, tool: &str, args: &[&str], prompt: &str) -> Output {
    let mut child = start(tools, tool, args).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(prompt.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn ask(tools: &FakeTools, tool: &str) -> Output {
    run(tools, tool, args(tool), PROMPT)
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

#[test]
fn every_tool_gives_the_reply_of_the_last_turn_line_in_its_own_form() {
    let script = Script::new("default")
        .turn("r0.pro", ["blind"])
        .turn("r1.pro", ["open", "again"]);
    let tools = FakeTools::new().script(&script);
    for tool in TOOLS {
        let output = ask(&tools, tool);
        assert_eq!((tool, output.status.code()), (tool, Some(0)));
        assert_eq!((tool, text(tool, &output.stdout).as_str()), (tool, "open"));
        let asked_again = run(
            &tools,
            tool,
            args(tool),
            &format!("{PROMPT}Asked again: 1\n"),
        );
        assert_eq!(
            (tool, text(tool, &asked_again.stdout).as_str()),
            (tool, "again")
        );
        let auxiliary = run(&tools, tool, args(tool), "Name this session");
        assert_eq!(
            (tool, text(tool, &auxiliary.stdout).as_str()),
            (tool, "default")
        );
    }
}

#[test]
fn each_call_is_recorded_with_its_prompt() {
    let tools = FakeTools::new();
    run(&tools, "codex", &["--version"], "");
    let output = ask(&tools, "codex");
    assert!(output.status.success());

    let calls = tools.calls();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0].turn.as_deref(), Some("version"));
    let [call] = tools.asks().try_into().expect("one ask");
    assert_eq!(
        (call.tool.as_str(), call.turn.as_deref(), call.again),
        ("codex", Some("r1.pro"), 0)
    );
    assert_eq!(
        (call.args.as_slice(), call.prompt_bytes),
        (&owned(args("codex"))[..], PROMPT.len())
    );
    assert_eq!(
        (call.env.as_slice(), call.cwd.as_path()),
        (&["HOME".to_owned()][..], "/".as_ref())
    );
    assert_eq!(tools.prompt(call.prompt.unwrap()), PROMPT);
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn a_prompt_among_the_arguments_is_refused_loudly() {
    let tools = FakeTools::new();
    let misuses: &[(&str, &[&str])] = &[
        ("claude", &["-p", "--output-format", "json", "Why?"]),
        ("claude", &["-p", "-"]),
        ("claude", &["--output-format", "json"]),
        ("codex", &["exec", "--json", "Why?"]),
        ("gemini", &["-p", "Why?", "--output-format", "json"]),
        ("opencode", &["run", "--format", "json", "Why?"]),
        ("copilot", &["-p", "-", "--output-format", "json"]),
    ];
    for (tool, args) in misuses {
        let output = run(&tools, tool, args, PROMPT);
        assert_eq!(output.status.code(), Some(97), "{tool} {args:?}");
        assert_eq!(stdout(&output), "", "{tool} {args:?}");
    }
}

#[test]
fn versions_and_logins_answer_like_the_real_ones() {
    let tools = FakeTools::new().scenario("claude", "*", Behaviour::Hang);
    assert_eq!(
        stdout(&run(&tools, "claude", &["--version"], "")),
        "2.1.197 (Claude Code)\n"
    );
    assert_eq!(
        stdout(&run(&tools, "codex", &["--version"], "")),
        "codex-cli 0.169.0\n"
    );
    let login = |tool, args: &[&str]| run(&tools, tool, args, "").status.code();
    assert_eq!(login("claude", &["auth", "status"]), Some(0));
    assert_eq!(login("codex", &["login", "status"]), Some(0));
    tools.set_scenario("*", "login", Behaviour::LoggedOut);
    assert_eq!(login("claude", &["auth", "status"]), Some(1));
    assert_eq!(login("codex", &["login", "status"]), Some(1));
}

#[test]
fn replies_are_spoilt_as_the_scenario_says() {
    let script = Script::new("").turn(
        "r1.pro",
        ["Prose.\n\n```json\n{\"stance\": \"Yes.\"}\n```\n"],
    );
    let tools = FakeTools::new().script(&script);
    for tool in TOOLS {
        let reply = |behaviour, prompt: &str| {
            tools.set_scenario(tool, "r1.pro", behaviour);
            let output = run(&tools, tool, args(tool), prompt);
            assert_eq!(output.status.code(), Some(0), "{tool} {behaviour:?}");
            text(tool, &output.stdout)
        };
        let again = format!("{PROMPT}Asked again: 1\n");
        let wrong = "Prose.\n\n```json\n{\n  \"thoughts\": \"I will come back to this.\"\n}\n```\n";
        let right = script.turns["r1.pro"][0].as_str();
        assert_eq!(
            reply(Behaviour::Half, PROMPT),
            "Prose.\n\n```json\n{\"stanc"
        );
        assert_eq!(reply(Behaviour::WrongThenRight, PROMPT), wrong);
        assert_eq!(reply(Behaviour::WrongThenRight, &again), right);
        assert_eq!(reply(Behaviour::WrongAlways, &again), wrong);
        assert_eq!(reply(Behaviour::Empty, PROMPT), "");
        assert_eq!(reply(Behaviour::Slow(1), PROMPT), right);
        let secret = reply(Behaviour::Secret, PROMPT);
        assert!(secret.contains(FAKE_ANTHROPIC_KEY) && secret.contains(FAKE_GITHUB_TOKEN));
        let ansi = reply(Behaviour::Ansi, PROMPT);
        assert!(ansi.contains("\u{1b}[31m") && ansi.contains('\u{202e}'));
        assert!(
            ansi.contains(r#"{"stance": "\u001b[31m\u202eYes."}"#),
            "{ansi}"
        );
    }
}

#[test]
fn failures_come_back_as_the_real_tools_put_them() {
    let tools = FakeTools::new();
    let fail = |tool, behaviour| {
        tools.set_scenario(tool, "*", behaviour);
        let output = ask(&tools, tool);
        let stderr = String::from_utf8(output.stderr.clone()).unwrap();
        (
            output.status.code().unwrap(),
            format!("{}{stderr}", stdout(&output)),
        )
    };
    for (tool, auth, limit, sign) in [
        ("claude", 1, 1, r#""is_error":true"#),
        ("codex", 1, 1, r#""type":"turn.failed""#),
        ("gemini", 145, 173, r#""error": {"#),
        ("opencode", 1, 1, r#""type":"error""#),
        ("copilot", 1, 1, r#""type":"session.error""#),
    ] {
        for (behaviour, status, code) in [
            (Behaviour::Auth, "401", auth),
            (Behaviour::RateLimit, "429", limit),
            (Behaviour::ErrorText, "", 0),
        ] {
            let (rc, said) = fail(tool, behaviour);
            assert_eq!((tool, behaviour, rc), (tool, behaviour, code));
            assert!(
                said.contains(sign) && said.contains(status),
                "{tool} {behaviour:?}: {said}"
            );
        }
        assert_eq!(fail(tool, Behaviour::Rc1).0, 1);
        tools.set_scenario(tool, "*", Behaviour::Garbage);
        let garbage = ask(&tools, tool);
        assert!(garbage.status.success() && std::str::from_utf8(&garbage.stdout).is_err());
    }
}

#[test]
fn it_fails_the_first_times_then_is_good() {
    let script = Script::new("fine");
    let tools = FakeTools::new()
        .script(&script)
        .scenario("*", "*", Behaviour::FailFirst(2));
    let codes: Vec<_> = (0..4)
        .map(|_| ask(&tools, "gemini").status.code())
        .collect();
    assert_eq!(codes, [Some(1), Some(1), Some(0), Some(0)]);
    assert_eq!(ask(&tools, "claude").status.code(), Some(1));
}

#[test]
fn a_flood_is_a_gibibyte() {
    let tools = FakeTools::new().scenario("codex", "*", Behaviour::Flood);
    let mut child = start(&tools, "codex", args("codex")).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(PROMPT.as_bytes())
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut block = vec![0; 1 << 20];
    let mut total = 0;
    loop {
        match stdout.read(&mut block).unwrap() {
            0 => break,
            read => total += read,
        }
    }
    assert_eq!((total, child.wait().unwrap().code()), (1 << 30, Some(0)));
}

#[test]
fn a_grandchild_holds_the_pipe_after_the_tool_has_gone() {
    let tools = FakeTools::new().script(&Script::new("fine"));
    tools.set_scenario("claude", "*", Behaviour::Grandchild);
    let mut command = start(&tools, "claude", args("claude"));
    let mut child = std::os::unix::process::CommandExt::process_group(&mut command, 0)
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(PROMPT.as_bytes())
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    assert!(child.wait().unwrap().success());

    let group = child.id();
    let (sender, ended) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut all = String::new();
        stdout.read_to_string(&mut all).unwrap();
        sender.send(()).unwrap();
        all
    });
    assert!(
        ended.recv_timeout(Duration::from_millis(300)).is_err(),
        "the pipe is still held"
    );
    kill("KILL", group);
    assert!(reader.join().unwrap().contains(r#""result":"fine""#));
}

#[test]
fn a_deaf_tool_and_its_child_outlive_term_but_not_kill() {
    let tools = FakeTools::new().scenario("codex", "*", Behaviour::IgnoreTerm);
    let mut command = start(&tools, "codex", args("codex"));
    let mut child = std::os::unix::process::CommandExt::process_group(&mut command, 0)
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(PROMPT.as_bytes())
        .unwrap();
    until(|| sleepers(child.id()) == 1);
    kill("TERM", child.id());
    assert_eq!((child.try_wait().unwrap(), sleepers(child.id())), (None, 1));
    kill("KILL", child.id());
    assert!(!child.wait().unwrap().success());
    until(|| sleepers(child.id()) == 0);
}

#[test]
fn a_partial_output_is_cut_in_the_middle_and_hangs() {
    let tools = FakeTools::new();
    for tool in TOOLS {
        let whole = ask(&tools, tool).stdout;
        tools.set_scenario(tool, "*", Behaviour::PartialThenHang);
        let mut child = start(&tools, tool, args(tool)).spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(PROMPT.as_bytes())
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut part = vec![0; whole.len() / 2];
        stdout.read_exact(&mut part).unwrap();
        assert!(whole.starts_with(&part), "{tool}");

        let (sender, more) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || sender.send(stdout.read(&mut [0])).unwrap());
        assert!(
            more.recv_timeout(Duration::from_millis(300)).is_err(),
            "{tool} says no more"
        );
        child.kill().unwrap();
        child.wait().unwrap();
        reader.join().unwrap();
        assert_eq!(more.recv().unwrap().unwrap(), 0);
    }
}

/// Sends a signal to a process group.
fn kill(signal: &str, group: u32) {
    let status = Command::new("kill")
        .args([format!("-{signal}"), "--".into(), format!("-{group}")])
        .status();
    assert!(status.unwrap().success());
}

/// The running `sleep` processes of a group.
fn sleepers(group: u32) -> usize {
    let stats = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| std::fs::read_to_string(entry.ok()?.path().join("stat")).ok());
    stats
        .filter(|stat| {
            let (before, after) = stat.rsplit_once(')').unwrap();
            let fields: Vec<_> = after.split_whitespace().collect();
            before.ends_with("(sleep") && fields[0] != "Z" && fields[2] == group.to_string()
        })
        .count()
}

/// Waits for a condition that must become true.
fn until(mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "it never came true"
        );
        std::thread::yield_now();
    }
}
