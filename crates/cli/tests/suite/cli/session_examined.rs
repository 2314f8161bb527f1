//! `agon context --examine`: a tool is asked, and what it proposes is verified.

use std::path::Path;

use agon_testkit::{Behaviour, Env, FakeTools, Script, Terminal};
use serde_json::{Value, json};

use crate::cli::harness::Agon;
use crate::cli::record::{RULE, SICK, sick};
use crate::support::Running;

fn with_answer(findings: &Value) -> Agon {
    let agon = Agon::with(FakeTools::with(&["claude", "codex"]));
    let answer = format!("Here it is:\n{}", json!({"findings": findings}));
    agon.tools().set_script(&Script::new(answer));
    sick(&agon.project()).write(&agon.claude_sessions());
    agon
}

fn claim(quote: &str) -> Value {
    json!({"pattern": "poisoning", "subject": "cargo test", "why": "The test never passed.",
        "cure": "Run it again.", "evidence": [
            {"line": 5, "role": "failed", "quote": "1 failed"},
            {"line": 6, "role": "claim", "quote": quote}]})
}

#[test]
fn a_session_is_examined_once_and_what_is_verified_is_shown() {
    let agon = with_answer(&json!([
        claim("All tests pass now"),
        claim("All is well now")
    ]));
    let first = agon.run(&["context", SICK, "--examine", "claude", "--json"]);
    assert!(
        first
            .stderr
            .contains("asking claude (haiku) about 1 part of the session: about"),
        "{}",
        first.stderr
    );
    let document = first.json();
    let schema = agon.run(&["schema", "context", "--json"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    let examined = &document["sessions"][0]["examined"];
    assert_eq!(
        [
            &examined["tool"],
            &examined["model"],
            &examined["count"],
            &examined["asked"]
        ],
        [&json!("claude"), &json!("haiku"), &json!(1), &json!(1)]
    );
    assert_eq!(examined["dropped"][0]["reason"], "no_such_quote");
    let asks = agon.tools().asks();
    let prompt = agon.tools().prompt(asks[0].prompt.unwrap());
    assert!(
        prompt.contains(RULE) && prompt.contains("<<<data"),
        "{prompt}"
    );
    let second = agon.run(&["context", SICK, "--examine", "claude"]);
    assert_eq!(agon.tools().asks().len(), 1, "it was asked again");
    let screen = second.stdout;
    assert!(
        screen.contains("Examined   by claude (haiku): 1 finding verified, 1 dropped; 0 tokens"),
        "{screen}"
    );
    assert!(
        screen.contains("poisoning: The test never passed."),
        "{screen}"
    );
}

#[test]
fn without_a_name_a_tool_that_is_logged_in_is_asked_for_its_fast_model() {
    let agon = with_answer(&json!([]));
    let document = agon.run(&["context", SICK, "--examine", "--json"]).json();
    let examined = &document["sessions"][0]["examined"];
    assert_eq!(
        (&examined["tool"], &examined["model"]),
        (&json!("claude"), &json!("haiku"))
    );
    let refused = agon.run(&["context", "--self-test"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
}

#[test]
fn an_answer_without_findings_is_an_error_and_is_not_kept() {
    let agon = with_answer(&json!([]));
    agon.tools().set_script(&Script::new("All is well."));
    let failed = agon.run(&["context", SICK, "--examine", "claude", "--json"]);
    assert_eq!(
        failed.json()["error"]["code"],
        "unreadable",
        "{}",
        failed.stdout
    );
    agon.tools().set_script(&Script::new("{\"findings\": []}"));
    let again = agon.run(&["context", SICK, "--examine", "claude", "--json"]);
    assert_eq!(again.json()["sessions"][0]["examined"]["asked"], 1);
}

#[test]
fn the_self_test_prints_recall_and_precision_with_intervals() {
    let planted = json!({"pattern": "poisoning", "subject": "pytest", "why": "w", "evidence": [
        {"line": 4, "role": "failed", "quote": "1 failed"},
        {"line": 6, "role": "claim", "quote": "suite passes"}]});
    let agon = with_answer(&json!([planted]));
    let args = ["context", "--examine", "codex", "--self-test"];
    let screen = agon.run(&args).stdout;
    for words in [
        "codex (gpt-6-luna) on 12 sessions with a planted finding and 12 healthy ones",
        "Recall     8% (95% interval",
        "Precision  100% (95% interval",
        "Alarms     in 0 of 12 healthy sessions",
        "in 24 calls",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    let document = agon.run(&[&args[..], &["--json"]].concat()).json();
    let schema = agon.run(&["schema", "examiner_test", "--json"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
}

/// The examined part of the document after an examination with no options.
fn examine_again(agon: &Agon) -> Value {
    let again = agon.run(&["context", SICK, "--examine", "claude", "--json"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    again.json()["sessions"][0]["examined"].clone()
}

#[test]
fn ctrl_c_stops_an_examination_and_keeps_nothing_of_the_open_part() {
    let agon = with_answer(&json!([claim("All tests pass now")]));
    agon.tools()
        .set_scenario("claude", "*", Behaviour::PartialThenHang);
    let args = ["context", SICK, "--examine", "claude", "--json"];
    let running = Running::start(agon.command(&args));
    running.until("the question to claude", || agon.tools().asks().len() == 1);
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.ended(), (Some(130), "cancelled".to_owned()), "{ran:#?}");
    let kept = agon.home().join(".local/state/agon/examined");
    let files = std::fs::read_dir(kept).into_iter().flatten().count();
    assert_eq!(files, 0);
    agon.tools().clear_scenario();
    let examined = examine_again(&agon);
    assert_eq!(
        [
            &examined["asked"],
            &examined["from_before"],
            &examined["count"]
        ],
        [1, 0, 1]
    );
}

#[test]
fn a_person_on_the_terminal_is_asked_before_the_session_is_sent() {
    for (answer, code, asks) in [("n\n", 130, 0), ("\n", 0, 1)] {
        let agon = with_answer(&json!([claim("All tests pass now")]));
        let args = ["context", SICK, "--examine", "claude"];
        let command = agon.command(&args);
        let env: Env = command
            .get_envs()
            .filter_map(|(name, value)| {
                let text = |it: &std::ffi::OsStr| it.to_str().map(str::to_owned);
                Some((text(name)?, text(value?)?))
            })
            .collect();
        let program = Path::new(env!("CARGO_BIN_EXE_agon"));
        let mut terminal = Terminal::start(program, &args, &agon.project(), &env);
        terminal.until("Ask? [Y/n] ");
        assert_eq!(agon.tools().asks().len(), 0, "asked without consent");
        let before = terminal.screen();
        assert!(
            before.contains("asking claude (haiku) about 1 part"),
            "{before}"
        );
        terminal.press(answer);
        let (ended, screen) = terminal.end();
        assert_eq!(ended, Some(code), "{screen}");
        assert_eq!(agon.tools().asks().len(), asks, "{screen}");
        assert_eq!(screen.contains("1 finding verified"), asks == 1, "{screen}");
    }
}

#[test]
fn a_tool_that_refuses_its_fast_model_is_asked_for_its_default_model() {
    let agon = with_answer(&json!([claim("All tests pass now")]));
    agon.tools()
        .set_scenario("claude", "*", Behaviour::OwnModelOnly);
    let ran = agon.run(&["context", SICK, "--examine", "claude", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let note = "claude does not offer its fast model (haiku); asking its default model instead";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let document = ran.json();
    let examined = &document["sessions"][0]["examined"];
    assert_eq!(
        (&examined["model"], &examined["count"]),
        (&Value::Null, &json!(1))
    );
    let named: Vec<bool> = agon
        .tools()
        .asks()
        .iter()
        .map(|it| it.args.iter().any(|arg| arg == "--model"))
        .collect();
    assert_eq!(named, [true, false]);
    // A model that the user names is not replaced.
    let args = [
        "context",
        SICK,
        "--examine",
        "claude",
        "--model",
        "opus",
        "--json",
    ];
    let refused = agon.run(&args);
    assert_eq!(refused.json()["error"]["code"], "no_such_model");
    assert_eq!(agon.tools().asks().len(), 3);
}
