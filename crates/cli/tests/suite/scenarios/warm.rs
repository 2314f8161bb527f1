//! Debates whose sides are spoken to over the Agent Client Protocol: one conversation each.

use std::fs;

use agon_testkit::acp::{Act, FakeAgent};
use agon_testkit::{Behaviour, FakeTools, add, git};
use serde_json::{Value, json};

use crate::scenarios::place::Fakes;
use crate::support::{Ran, Running, TOPIC};

/// The programs that are started, by tool.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("claude", "claude-agent-acp", "default"),
    ("codex", "codex-acp", "read-only"),
    ("gemini", "gemini", "default"),
    ("copilot", "copilot", "agent"),
];

/// All four tools, with what speaks the protocol for them.
pub(crate) fn warm() -> Fakes {
    let names = [
        "claude",
        "codex",
        "gemini",
        "copilot",
        "claude-agent-acp",
        "codex-acp",
    ];
    let mut tools = FakeTools::with(&names);
    for (_, program, mode) in PROGRAMS {
        let agent = FakeAgent {
            modes: vec![mode.to_owned()],
            ..FakeAgent::default()
        };
        tools = tools.agent(program, &agent);
    }
    let mut fakes = Fakes::with(tools);
    fakes
        .place
        .env
        .insert("COPILOT_GITHUB_TOKEN".into(), "placeholder".into());
    // Each tool is spoken to as it is without a word of the user's.
    fakes.place.env.remove("AGON_TRANSPORT");
    fakes
}

/// Runs the debate `s` against this challenger over the protocol.
fn debate(fakes: &Fakes, challenger: &str, more: &[&str]) -> Ran {
    let args = [
        "debate",
        TOPIC,
        "--slug",
        "s",
        "--json",
        "--proposer",
        "claude",
        "--challenger",
        challenger,
        "--judge",
        "gemini",
    ];
    fakes.place.run(&[&args[..], more].concat())
}

/// How often each program was started to speak the protocol.
fn starts(fakes: &Fakes) -> Vec<(&'static str, usize)> {
    let notes = fakes.tools.notes();
    let count = |program| {
        let of_it = |note: &&agon_testkit::acp::Note| note.what == "start" && note.tool == program;
        notes.iter().filter(of_it).count()
    };
    let all = PROGRAMS.map(|(tool, program, _)| (tool, count(program)));
    all.into_iter().filter(|(_, count)| *count > 0).collect()
}

/// The conversation of each call for a turn, with how many parts it was told; none for all.
fn asked(fakes: &Fakes, turn: &str) -> Vec<(Value, Option<usize>)> {
    let key = format!("{turn}#");
    let of_it = |event: &&Value| {
        event["event"] == "asked" && event["key"].as_str().is_some_and(|it| it.starts_with(&key))
    };
    let told = |event: &Value| event["told"].as_array().map(Vec::len);
    let events = fakes.events();
    let all = events.iter().filter(of_it);
    all.map(|event| (event["session"].clone(), told(event)))
        .collect()
}

fn whole(fakes: &Fakes) {
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn each_side_is_started_once_and_told_only_what_is_new() {
    let fakes = warm();
    let ran = debate(&fakes, "codex", &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    // The judge has a fresh one, both times.
    assert_eq!(starts(&fakes), [("claude", 1), ("codex", 1), ("gemini", 2)]);
    for (seat, stages) in [("pro", ["r0", "r1", "r2"]), ("cha", ["r0", "r1", "r2"])] {
        for (at, stage) in stages.into_iter().enumerate() {
            let calls = asked(&fakes, &format!("{stage}.{seat}"));
            assert_eq!(calls.len(), 1, "{stage}.{seat}: {calls:?}");
            assert_eq!(calls[0].0, json!(format!("{seat}#1")));
            assert_eq!(calls[0].1.is_none(), at == 0, "{stage}.{seat}: {calls:?}");
        }
    }
    assert_eq!(asked(&fakes, "verdict.judge"), [(Value::Null, None)]);
    let verdict = fakes.place.verdict().unwrap();
    for seat in ["proposer", "challenger", "judge"] {
        assert_eq!(verdict["seats"][seat]["transport"], "acp", "{seat}");
    }
    let header = &ran.stderr;
    assert!(header.contains("claude sonnet (acp)"), "{header}");
    whole(&fakes);
}

#[test]
fn an_agent_that_dies_in_mid_turn_is_started_again_and_told_everything() {
    let fakes = warm();
    fakes
        .tools
        .set_scenario("codex", "r2.cha", Behaviour::FailFirst(1));
    let ran = debate(&fakes, "codex", &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(starts(&fakes), [("claude", 1), ("codex", 2), ("gemini", 2)]);
    let calls = asked(&fakes, "r2.cha");
    assert_eq!(calls[0].0, json!("cha#1"));
    assert_eq!(calls[1], (json!("cha#2"), None));
    for said in [
        "no reply: its tool failed (its process ended during the conversation); retrying",
        "new conversation; the whole prompt is sent again",
    ] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    whole(&fakes);
}

#[test]
fn one_that_always_dies_or_never_answers_loses_its_turn_and_leaves_nothing() {
    for (behaviour, cause, timeout) in [
        (Behaviour::Rc1, "failed", "60"),
        (Behaviour::Hang, "timeout", "2"),
        (Behaviour::IgnoreTerm, "timeout", "2"),
    ] {
        let fakes = warm();
        fakes.tools.set_scenario("codex", "r2.cha", behaviour);
        let ran = debate(&fakes, "codex", &["--timeout", timeout]);
        assert_eq!(ran.code, Some(0), "{behaviour:?}: {ran:#?}");
        let verdict = fakes.place.verdict().unwrap();
        assert_eq!(verdict["authority"], "partial", "{behaviour:?}");
        assert_eq!(verdict["missing"][0]["cause"], cause, "{behaviour:?}");
        whole(&fakes);
    }
}

#[test]
fn a_refused_key_ends_with_4_also_where_it_is_said_as_text_and_resume_goes_on() {
    for challenger in ["codex", "copilot"] {
        let fakes = warm();
        fakes
            .tools
            .set_scenario(challenger, "r1.cha", Behaviour::Auth);
        let ran = debate(&fakes, challenger, &[]);
        assert_eq!(ran.ended(), (Some(4), "logged_out".to_owned()), "{ran:#?}");
        let message = ran.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with(challenger), "{message}");
        whole(&fakes);
        fakes.tools.clear_scenario();
        let resumed = fakes.resume();
        assert_eq!(resumed.code, Some(0), "{resumed:#?}");
        assert_eq!(
            asked(&fakes, "r1.cha").last(),
            Some(&(json!("cha#2"), None))
        );
        whole(&fakes);
    }
}

#[test]
fn killed_in_mid_turn_it_ends_what_was_left_and_goes_on_in_new_conversations() {
    let fakes = warm();
    fakes.tools.set_scenario("codex", "r1.cha", Behaviour::Hang);
    let args = [
        "debate",
        TOPIC,
        "--slug",
        "s",
        "--json",
        "--transport",
        "acp",
        "--proposer",
        "claude",
        "--challenger",
        "codex",
        "--judge",
        "gemini",
    ];
    let running = Running::start(fakes.place.command(&args));
    running.until("r1.cha", || fakes.asks().contains(&"r1.cha#0".to_owned()));
    let pid = running.pid.to_string();
    let killed = std::process::Command::new("kill")
        .args(["-9", &pid])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(running.end().code, None);
    fakes.tools.clear_scenario();
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert_eq!(
        asked(&fakes, "r1.cha").last(),
        Some(&(json!("cha#2"), None))
    );
    assert_eq!(asked(&fakes, "r2.pro"), [(json!("pro#2"), None)]);
    let left = fakes.place.left();
    let left: Vec<_> = left.iter().filter(|one| !one.starts_with("agon")).collect();
    assert_eq!(
        left,
        Vec::<&String>::new(),
        "a killed run leaves folders, no process"
    );
}

#[test]
fn a_way_that_is_gone_is_said_and_the_other_one_taken() {
    let fakes = warm();
    fakes.tools.set_scenario("codex", "r1.cha", Behaviour::Auth);
    assert_eq!(debate(&fakes, "codex", &[]).code, Some(4));
    fakes.tools.clear_scenario();
    fs::remove_file(fakes.tools.path("claude-agent-acp")).unwrap();
    let forced = fakes
        .place
        .run(&["resume", "s", "--json", "--transport", "acp"]);
    assert_eq!(forced.ended(), (Some(4), "tool".to_owned()), "{forced:#?}");
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let said = "note: claude no longer supports the transport acp; using cli instead";
    assert!(resumed.stderr.contains(said), "{}", resumed.stderr);
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["seats"]["proposer"]["transport"], "cli");
    assert_eq!(verdict["seats"]["challenger"]["transport"], "acp");
    assert_eq!(asked(&fakes, "r2.pro"), [(Value::Null, None)]);
    whole(&fakes);
}

#[test]
fn a_tool_that_cannot_be_spoken_to_in_the_way_asked_for_is_refused_before_anything() {
    let fakes = Fakes::with(FakeTools::with(&["claude", "codex", "gemini"]));
    let ran = debate(&fakes, "codex", &["--transport", "acp"]);
    assert_eq!(
        ran.ended(),
        (Some(4), "no_transport".to_owned()),
        "{ran:#?}"
    );
    assert!(!fakes.place.folder().exists());
}

#[test]
fn a_side_whose_working_copy_was_changed_begins_anew_in_the_new_one() {
    let fakes = warm();
    let project = fakes.place.project();
    add(&project, "src/store.rs", "// a store\n");
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "--quiet", "-m", "first"]);
    fakes
        .tools
        .set_scenario("codex", "r1.cha", Behaviour::Meddle);
    let ran = debate(&fakes, "codex", &["--context", "repo"]);
    assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
    let touched = fakes
        .events()
        .into_iter()
        .filter(|event| event["event"] == "touched");
    let touched = touched.count();
    assert!(touched > 0);
    let last = |turn: &str| asked(&fakes, turn).pop().unwrap().0;
    assert_eq!(last("r2.cha"), json!(format!("cha#{}", touched + 1)));
    assert_eq!(last("r2.pro"), json!("pro#1"));
    whole(&fakes);
}

#[test]
fn a_question_later_goes_the_way_of_the_debate_and_a_broken_conversation_is_no_end_of_it() {
    let mut fakes = warm();
    let broken = FakeAgent {
        modes: vec!["agent".to_owned()],
        opening: vec![Act::Die(1)],
        ..FakeAgent::default()
    };
    fakes.tools = fakes.tools.agent("copilot", &broken);
    let ran = debate(&fakes, "codex", &["--quick", "--transport", "cli"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let ask = |more: &[&str]| {
        let args = ["ask", "s", "Why not plain files?", "--json"];
        fakes.place.run(&[&args[..], more].concat())
    };
    let told = |ran: &Ran| (ran.code, ran.json()["tool"].clone());
    assert_eq!(told(&ask(&[])), (Some(0), json!("gemini")));
    assert_eq!(starts(&fakes), []);
    let copilot = ["--tool", "copilot"];
    let other = ask(&copilot);
    assert_eq!(told(&other), (Some(0), json!("copilot")), "{other:#?}");
    assert_eq!(starts(&fakes), [("copilot", 1)]);
    let only = ask(&[&copilot[..], &["--transport", "acp"]].concat());
    let error = only.json()["error"]["message"].to_string();
    assert!(
        only.code != Some(0) && error.contains("copilot: "),
        "{only:#?}"
    );
    let judge = ask(&["--transport", "acp"]);
    assert_eq!(told(&judge), (Some(0), json!("gemini")));
    assert!(starts(&fakes).contains(&("gemini", 1)));
}
