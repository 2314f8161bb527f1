//! The judge asked again with the sides swapped, and panels, as the program runs them.

use agon_testkit::{Behaviour, FakeTools, Script, TOOLS};
use serde_json::{Value, json};

use crate::scenarios::place::Fakes;
use crate::support::Ran;
use crate::support::biased::for_the_first_shown;

/// What a person is told, without the line ends.
fn told(ran: &Ran) -> String {
    ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_steady_judge_is_asked_twice_at_once_and_says_the_same() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let expected = json!({ "swap": "same", "panel": null });
    assert_eq!(ran.json()["stability"], expected);
    let mut asks = fakes.asks();
    assert_eq!(asks.len(), 8, "{asks:?}");
    asks[6..].sort();
    assert_eq!(asks[6..], ["verdict.judge#0", "verdict.swap#0"]);
    let said = "judge gemini 0:00 the proposer (claude) wins · same winner with the sides swapped";
    assert!(told(&ran).contains(said), "{ran:#?}");
    let calls = fakes.tools.asks();
    let swap = calls
        .iter()
        .find(|call| call.turn.as_deref() == Some("verdict.swap"));
    let prompt = fakes.tools.prompt(swap.unwrap().prompt.unwrap());
    for name in ["claude", "codex", "gemini", "proposer", "challenger"] {
        assert!(!prompt.to_lowercase().contains(name), "{name}: {prompt}");
    }
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn a_judge_for_whoever_is_shown_first_is_shown_to_be_unstable() {
    let fakes = Fakes::new();
    fakes.tools.set_script(&for_the_first_shown());
    let ran = fakes.debate(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let result = ran.json();
    assert_eq!(result["stability"]["swap"], "flipped");
    assert_eq!(
        (&result["winner"], &result["authority"]),
        (&json!("proposer"), &json!("unstable"))
    );
    let verdict = fakes.place.verdict().unwrap();
    let swap = json!({ "winner": "challenger", "seat": "judge", "tool": "gemini" });
    assert_eq!(verdict["readings"]["swap"], swap);
    assert!(
        told(&ran).contains("with the sides swapped, the challenger (codex) wins"),
        "{ran:#?}"
    );
    let shown = fakes.place.run(&["show", "s"]);
    let head = shown.stdout.lines().nth(1).unwrap();
    assert!(
        head.contains(
            "the judge changed sides when they were swapped; its first ruling counts · unstable"
        ),
        "{head}"
    );
    for (args, code) in [
        (&["watch", "s"][..], 0),
        (&["watch", "s", "--exit-code"], 7),
        (&["watch", "s", "--require", "full"], 7),
        (&["wait", "s"], 0),
        (&["wait", "s", "--exit-code"], 7),
        (&["wait", "s", "--require", "full"], 7),
        (&["resume", "s"], 0),
        (&["resume", "s", "--exit-code"], 7),
    ] {
        assert_eq!(fakes.place.run(args).code, Some(code), "{args:?}");
    }
    let page = std::fs::read_to_string(fakes.place.folder().join("verdict.md")).unwrap();
    let line = "- swap: the judge changed sides when they were swapped; its first ruling counts\n";
    assert!(page.contains(line), "{page}");
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(0));
}

#[test]
fn a_lost_swap_changes_neither_the_verdict_nor_the_exit_code() {
    for (behaviour, reason) in [
        (Behaviour::WrongAlways, "no_moves"),
        (Behaviour::Auth, "logged_out"),
        (Behaviour::Empty, "empty"),
    ] {
        let fakes = Fakes::new();
        fakes
            .tools
            .set_scenario("gemini", "verdict.swap", behaviour);
        let ran = fakes.debate(&[]);
        assert_eq!(ran.code, Some(0), "{reason}: {ran:#?}");
        let result = ran.json();
        let expected = json!({ "swap": "not_run", "swap_reason": reason, "panel": null });
        assert_eq!(result["stability"], expected);
        assert_eq!(result["authority"], "full", "{reason}");
        assert_eq!(fakes.place.left(), Vec::<String>::new());
    }
}

#[test]
fn no_swap_and_quick_ask_the_judge_once() {
    for (flag, calls) in [("--no-swap", 7), ("--quick", 3)] {
        let fakes = Fakes::new();
        if flag == "--quick" {
            let mut script = Script::job_store();
            for verdict in script.turns.get_mut("verdict.judge").unwrap() {
                *verdict = verdict
                    .replace("pro_002a", "pro_001b")
                    .replace("pro_002b", "pro_001c");
            }
            fakes.tools.set_script(&script);
        }
        let ran = fakes.debate(&[flag]);
        assert_eq!(ran.code, Some(0), "{flag}: {ran:#?}");
        let expected = json!({ "swap": "not_run", "swap_reason": "off", "panel": null });
        assert_eq!(ran.json()["stability"], expected);
        assert_eq!(fakes.asks().len(), calls, "{flag}");
    }
}

#[test]
fn a_bound_that_leaves_one_call_leaves_it_to_the_judge() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&["--max-calls", "7"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(ran.json()["authority"], "full");
    assert_eq!(ran.json()["stability"]["swap_reason"], "cap:calls");
    assert_eq!(fakes.asks().last().unwrap(), "verdict.judge#0");
    let said = "judge gemini 0:00 the proposer (claude) wins; not asked with the sides swapped";
    assert!(told(&ran).contains(said), "{ran:#?}");
    // The short verdict tells it from one that was tried twice.
    let shown = fakes.place.run(&["show", "s"]).stdout;
    let head = "the second ruling, with the sides swapped, is missing";
    assert!(shown.contains(head), "{shown}");
}

#[test]
fn a_deep_debate_seats_a_panel_of_three_and_makes_twelve_calls() {
    let fakes = Fakes::with(FakeTools::with(&TOOLS));
    fakes.tools.set_script(&Script::job_store_three_rounds());
    let planned = fakes.debate(&["--deep", "--dry-run"]);
    let planned = planned.json();
    assert_eq!(
        (&planned["calls"], &planned["swap"]),
        (&json!(12), &json!(true))
    );
    let ran = fakes.debate(&["--deep"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let panel = json!({ "judges": 3, "for": 3, "leave_one_out": "same" });
    assert_eq!(
        ran.json()["stability"],
        json!({ "swap": "same", "panel": panel })
    );
    let mut asks = fakes.asks();
    assert_eq!(asks.len(), 12, "{asks:?}");
    asks[8..].sort();
    assert_eq!(
        asks[8..],
        [
            "verdict.judge#0",
            "verdict.judge-2#0",
            "verdict.judge-3#0",
            "verdict.swap#0"
        ]
    );
    let verdict = fakes.place.verdict().unwrap();
    let tool = |seat: &str| verdict["seats"][seat]["tool"].clone();
    // Copilot is not logged in, so a debater's tool is the third one.
    let panel = ["judge", "judge-2", "judge-3"].map(tool);
    assert_eq!(panel, ["gemini", "opencode", "codex"]);
    let rigor = verdict["rigor"].as_str().unwrap();
    assert!(
        rigor.contains("judge-3 is the challenger's tool, codex"),
        "{rigor}"
    );
    assert_eq!(verdict["readings"]["panel"].as_array().unwrap().len(), 3);
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn a_panel_that_is_named_goes_on_without_a_judge_that_is_lost() {
    let fakes = Fakes::with(FakeTools::with(&TOOLS));
    let lost = Behaviour::WrongAlways;
    fakes
        .tools
        .set_scenario("opencode", "verdict.judge-2", lost);
    let ran = fakes.debate(&["--judge", "opencode", "--judge", "codex"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let panel = json!({ "judges": 2, "for": 2, "leave_one_out": "same" });
    assert_eq!(ran.json()["stability"]["panel"], panel);
    let verdict = fakes.place.verdict().unwrap();
    let rigor = verdict["rigor"].as_str().unwrap();
    assert!(
        rigor.contains("judge-2, opencode, was a planned judge but did not rule (no_moves)"),
        "{rigor}"
    );
    assert_eq!(verdict["authority"], "full");
    assert_eq!(verdict["missing"], Value::Array(Vec::new()));
}
