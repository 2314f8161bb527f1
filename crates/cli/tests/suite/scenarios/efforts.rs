//! The effort chooses a model and a level, and the judge has the strong one.

use agon_testkit::{Behaviour, FakeTools};

use crate::scenarios::place::Fakes;
use crate::support::Ran;

/// What follows one of these switches in the calls of a tool, each once, in the order of the calls.
fn told(fakes: &Fakes, tool: &str, switches: &[&str]) -> Vec<String> {
    let calls = fakes
        .tools
        .asks()
        .into_iter()
        .filter(|call| call.tool == tool);
    let value = |args: Vec<String>| {
        let at = args.iter().position(|arg| switches.contains(&arg.as_str()));
        at.map_or_else(String::new, |at| args[at + 1].clone())
    };
    let mut told: Vec<_> = calls.map(|call| value(call.args)).collect();
    told.dedup();
    told
}

fn short(fakes: &Fakes, more: &[&str]) -> Ran {
    let ran = fakes.debate(&[&["--rounds", "1"], more].concat());
    assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
    ran
}

#[test]
fn the_effort_chooses_the_model_and_the_level_that_each_tool_is_asked_for() {
    for (effort, model, claude, codex, judge, line) in [
        (
            "low",
            "haiku",
            "low",
            "low",
            "pro",
            " · effort low, judge high · ",
        ),
        (
            "medium",
            "sonnet",
            "medium",
            "medium",
            "pro",
            " · effort medium, judge high · ",
        ),
        ("high", "opus", "high", "high", "pro", " · effort high · "),
        ("max", "opus", "max", "xhigh", "pro", " · effort max · "),
    ] {
        let fakes = Fakes::new();
        let ran = short(&fakes, &["--effort", effort]);
        assert_eq!(told(&fakes, "claude", &["--model"]), [model], "{effort}");
        assert_eq!(told(&fakes, "claude", &["--effort"]), [claude]);
        assert_eq!(told(&fakes, "codex", &["-m"]), [""]);
        let level = format!("model_reasoning_effort={codex}");
        let calls = fakes
            .tools
            .asks()
            .into_iter()
            .filter(|call| call.tool == "codex");
        let levels: Vec<_> = calls.map(|call| call.args.contains(&level)).collect();
        assert!(
            !levels.is_empty() && levels.iter().all(|has| *has),
            "{effort}"
        );
        assert_eq!(told(&fakes, "gemini", &["-m"]), [judge], "{effort}");
        assert!(ran.stderr.contains(line), "{}", ran.stderr);
    }
}

#[test]
fn the_judge_is_the_strong_one_unless_it_is_told_otherwise() {
    for (more, model) in [
        (&["--quick"][..], "flash"),
        (&["--effort-judge", "low"], "flash"),
        (&["--model-judge", "gemini-2.5-pro"], "gemini-2.5-pro"),
        (&["--model-judge", "omit"], ""),
    ] {
        let fakes = Fakes::new();
        short(&fakes, more);
        assert_eq!(told(&fakes, "gemini", &["-m"]), [model], "{more:?}");
    }
}

#[test]
fn where_the_effort_changes_nothing_it_is_said() {
    let fakes = Fakes::new();
    let ran = short(&fakes, &["--model-judge", "gemini-2.5-pro"]);
    let said = "  effort has no effect on gemini\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn a_model_that_the_effort_chose_and_the_tool_refuses_gives_way_with_a_word() {
    let fakes = Fakes::with(FakeTools::with(&["claude", "codex", "gemini"]));
    fakes
        .tools
        .set_scenario("claude", "*", Behaviour::OwnModelOnly);
    let ran = short(&fakes, &[]);
    let said = "claude refused the model sonnet; using its default model";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert_eq!(told(&fakes, "claude", &["--model"]), ["sonnet", ""]);
    let events = fakes.events();
    let refused: Vec<_> = events
        .iter()
        .filter(|it| it["event"] == "model_refused")
        .collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0]["model"], "sonnet");
    let rigor = fakes.place.verdict().unwrap()["rigor"].to_string();
    assert!(rigor.contains("claude refused the model sonnet"), "{rigor}");
    let replayed = fakes.place.run(&["replay", "s"]);
    assert_eq!(replayed.code, Some(0), "{replayed:#?}");

    let named = Fakes::new();
    named
        .tools
        .set_scenario("claude", "*", Behaviour::OwnModelOnly);
    let ran = named.debate(&["--model-proposer", "opus"]);
    assert_eq!(
        ran.ended(),
        (Some(3), "no_such_model".to_owned()),
        "{ran:#?}"
    );
}
