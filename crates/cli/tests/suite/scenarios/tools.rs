//! Tools that are not there or not logged in, and bounds on how often they are asked.

use agon_testkit::{Behaviour, FakeTools};
use serde_json::Value;

use crate::scenarios::place::Fakes;
use crate::support::Ran;

fn refused(fakes: &Fakes, more: &[&str], code: &str) -> Ran {
    let ran = fakes.debate(more);
    assert_eq!(ran.ended(), (Some(4), code.to_owned()), "{ran:#?}");
    assert_eq!(fakes.asks(), Vec::<String>::new());
    assert!(!fakes.place.project().join("debates").exists());
    assert_eq!(fakes.place.left(), Vec::<String>::new());
    ran
}

/// A hint says what mends the tool, then the command that gives its seat to another.
fn assert_substitute_after(hint: &Value, mends: &str) {
    let hint = hint.as_str().unwrap();
    let way = hint.strip_prefix(mends).unwrap();
    assert!(
        way.starts_with("; or let another tool take the seat: agon debate '")
            && way.ends_with(" --substitute"),
        "{hint}"
    );
}

#[test]
fn a_missing_tool_is_named_with_what_installs_it() {
    let fakes = Fakes::with(FakeTools::with(&["claude", "gemini"]));
    let error = &refused(&fakes, &[], "tool_missing").json()["error"];
    assert_eq!(error["parameter"], "challenger");
    assert_eq!(error["message"], "codex is not installed");
    assert_substitute_after(&error["hint"], "npm install -g @openai/codex");
}

#[test]
fn a_tool_that_is_logged_out_is_named_with_the_command_that_logs_in() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "login", Behaviour::LoggedOut);
    let error = &refused(&fakes, &[], "tool_logged_out").json()["error"];
    assert_eq!(error["parameter"], "proposer");
    assert_eq!(error["message"], "claude is installed but not logged in");
    assert_substitute_after(&error["hint"], "log in with: claude auth login");
}

#[test]
fn without_two_tools_there_is_no_debate() {
    for installed in [&[][..], &["codex"]] {
        let fakes = Fakes::with(FakeTools::with(installed));
        let ran = fakes.place.run(&["debate", "tabs or spaces?", "--json"]);
        assert_eq!(
            ran.ended(),
            (Some(4), "too_few_tools".to_owned()),
            "{ran:#?}"
        );
        let hint = ran.json()["error"]["hint"].as_str().unwrap().to_owned();
        assert!(
            hint.contains("npm install -g @anthropic-ai/claude-code"),
            "{hint}"
        );
        assert!(!fakes.place.project().join("debates").exists());
        // What it says to do with the one there is does it.
        let two = hint.split_once("let two models of it debate: ");
        assert_eq!(two.is_some(), !installed.is_empty(), "{hint}");
        if let Some((_, two)) = two {
            let args = ["debate", "tabs or spaces?", "--json"].into_iter();
            let two = two.lines().next().unwrap_or_default();
            let args: Vec<_> = args.chain(two.split_whitespace()).collect();
            let ran = fakes.place.run(&args);
            assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
        }
    }
}

#[test]
fn an_empty_seat_goes_to_a_tool_that_can_speak() {
    let fakes = Fakes::with(FakeTools::with(&["claude", "codex", "gemini"]));
    fakes
        .tools
        .set_scenario("codex", "login", Behaviour::LoggedOut);
    let ran = fakes.place.run(&[
        "debate",
        "tabs or spaces?",
        "--slug",
        "s",
        "--quick",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let verdict = fakes.place.verdict().unwrap();
    let tool = |seat: &str| verdict["seats"][seat]["tool"].as_str().unwrap().to_owned();
    let seated = ["proposer", "challenger", "judge"].map(tool);
    assert!(seated.iter().all(|tool| tool != "codex"), "{seated:?}");
    assert_ne!(seated[0], seated[1]);
}

#[test]
fn a_version_probe_that_hangs_does_not_hang_us() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("gemini", "version", Behaviour::Hang);
    let ran = fakes.place.run(&["tools", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.took.as_secs() < 60, "{:?}", ran.took);
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn calls_that_run_out_go_straight_to_the_judge() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&["--max-calls", "5"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(ran.json()["authority"], "partial");
    let asks = fakes.asks();
    assert_eq!(asks.len(), 5, "{asks:?}");
    assert_eq!(asks.last().unwrap(), "verdict.judge#0");
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn tokens_that_allow_no_verdict_end_with_5_and_go_on_with_more() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&["--max-tokens", "2500"]);
    assert_eq!(ran.ended(), (Some(5), "limit".to_owned()), "{ran:#?}");
    assert!(fakes.asks().len() <= 3);
    let hint = ran.json()["error"]["hint"].as_str().unwrap().to_owned();
    let (_, offered) = hint.split_once("agon resume s --max-tokens ").unwrap();
    let offered = offered.split(' ').next().unwrap();
    let resume = |flag: &str, value: &str| fakes.place.run(&["resume", "s", "--json", flag, value]);
    // What is spent already, or leaves no room for a call, would end it for good.
    let journal = fakes.place.folder().join(".agon/journal.jsonl");
    let before = std::fs::read(&journal).unwrap();
    for (flag, value) in [
        ("--max-tokens", "100"),
        ("--max-tokens", "2501"),
        ("--max-calls", "1"),
    ] {
        let ran = resume(flag, value);
        assert_eq!(
            ran.ended(),
            (Some(2), "impossible_bound".to_owned()),
            "{ran:#?}"
        );
        let hint = ran.json()["error"]["hint"].as_str().unwrap().to_owned();
        assert!(hint.starts_with(&format!("{flag} ")), "{hint}");
        assert_eq!(std::fs::read(&journal).unwrap(), before, "{flag} {value}");
    }
    let asked = fakes.asks().len();
    let some = resume("--max-tokens", offered);
    assert!(
        fakes.asks().len() > asked,
        "{offered} lets it go on: {some:#?}"
    );
}

#[test]
fn a_debate_that_was_cut_short_goes_on_with_more_tokens() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&["--max-tokens", "2500"]);
    assert_eq!(ran.ended(), (Some(5), "limit".to_owned()), "{ran:#?}");
    let more = fakes
        .place
        .run(&["resume", "s", "--json", "--max-tokens", "250k"]);
    assert_eq!(more.code, Some(0), "{more:#?}");
    assert_eq!(more.json()["authority"], "full");
}
