//! A debater whose tool cannot be used: another tool takes the seat.

use std::path::Path;

use agon_testkit::{Behaviour, FakeTools, Terminal};
use serde_json::Value;

use crate::scenarios::place::Fakes;
use crate::support::{Ran, Running, TOPIC};

/// Four tools, in the order in which they are seated.
fn four() -> Fakes {
    Fakes::with(FakeTools::with(&["claude", "codex", "gemini", "opencode"]))
}

/// The arguments of the debate `s` whose seats are chosen, but for these.
fn chosen<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["debate", TOPIC, "--slug", "s", "--json"], more].concat()
}

fn start(fakes: &Fakes, more: &[&str]) -> Ran {
    fakes.place.run(&chosen(more))
}

fn hint(ran: &Ran) -> String {
    ran.json()["error"]["hint"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

fn seat(verdict: &Value, seat: &str) -> String {
    verdict["seats"][seat]["tool"].as_str().unwrap().to_owned()
}

/// The record plays again as it was, and the documents are those of the record.
fn is_sound(fakes: &Fakes) {
    let replayed = fakes.place.run(&["replay", "s", "--json"]);
    assert_eq!(replayed.code, Some(0), "{replayed:#?}");
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn a_proposer_that_is_logged_out_gives_its_seat_to_a_tool_without_one() {
    let fakes = four();
    fakes.tools.set_scenario("claude", "*", Behaviour::Auth);
    let ran = start(&fakes, &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let told = "opencode proposes in place of claude (its tool is not logged in)";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let result = ran.json();
    assert!(
        result["headline"].as_str().unwrap().contains(told),
        "{result}"
    );
    assert_eq!(result["replaced"][0]["cause"], "logged_out");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(seat(&verdict, "proposer"), "opencode");
    assert_eq!(seat(&verdict, "judge"), "gemini");
    assert_eq!(verdict["authority"], "full");
    let document = std::fs::read_to_string(fakes.place.folder().join("verdict.md")).unwrap();
    assert!(
        document.contains("opencode proposes in place of claude"),
        "{document}"
    );
    is_sound(&fakes);
}

#[test]
fn a_challenger_with_only_unusable_replies_is_replaced_by_another_model_where_no_tool_is_free() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("codex", "*", Behaviour::WrongAlways);
    let ran = start(&fakes, &[]);
    assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
    let verdict = fakes.place.verdict().unwrap();
    assert_ne!(seat(&verdict, "challenger"), "codex");
    assert_ne!(verdict["authority"], "uncontested");
    assert_eq!(verdict["replaced"][0]["replies"], 2);
    is_sound(&fakes);
}

#[test]
fn a_named_challenger_with_unusable_replies_is_told_as_that_and_replaced_only_on_request() {
    let fakes = four();
    fakes
        .tools
        .set_scenario("codex", "*", Behaviour::WrongAlways);
    let ran = start(&fakes, &["--challenger", "codex"]);
    assert_eq!(ran.code, Some(7), "{ran:#?}");
    assert!(
        ran.stderr.contains("agon resume s --substitute"),
        "{}",
        ran.stderr
    );
    let result = ran.json();
    assert_eq!(result["winner"], Value::Null);
    assert_eq!(result["one_sided"]["unusable_replies"], 4);
    let headline = result["headline"].as_str().unwrap();
    assert!(
        headline.contains("the challenger's 4 replies were not usable"),
        "{headline}"
    );
    assert!(!ran.stdout.contains("never spoke"), "{}", ran.stdout);
    for format in ["pr", "adr"] {
        let report = fakes.place.run(&["report", "s", "--format", format]);
        assert!(report.stdout.contains("One-sided claim"), "{report:#?}");
        assert!(!report.stdout.contains("never spoke"), "{report:#?}");
    }
    let shown = fakes.place.run(&["show", "s"]);
    assert!(shown.stdout.contains("One-sided claim"), "{shown:#?}");
    is_sound(&fakes);
    let resumed = fakes.place.run(&["resume", "s", "--substitute", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(seat(&verdict, "challenger"), "opencode");
    assert_eq!(verdict["one_sided"], Value::Null);
    is_sound(&fakes);
}

#[test]
fn a_named_tool_that_is_logged_out_is_replaced_only_with_the_flag() {
    let fakes = four();
    fakes
        .tools
        .set_scenario("codex", "login", Behaviour::LoggedOut);
    let named = [
        "--proposer",
        "codex",
        "--challenger",
        "claude",
        "--judge",
        "gemini",
    ];
    let ran = start(&fakes, &named);
    assert_eq!(
        ran.ended(),
        (Some(4), "tool_logged_out".to_owned()),
        "{ran:#?}"
    );
    let hint = hint(&ran);
    assert!(hint.contains("agon debate "), "{hint}");
    assert!(hint.contains("--proposer codex "), "{hint}");
    assert!(hint.ends_with("--substitute"), "{hint}");
    let ran = start(&fakes, &[&named[..], &["--substitute"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let told = "opencode proposes in place of codex (its tool is not logged in)";
    assert!(
        ran.json()["headline"].as_str().unwrap().contains(told),
        "{ran:#?}"
    );
    // The header says it before the first call.
    let header = ran.stderr.find(told);
    assert!(header < ran.stderr.find("first answer"), "{}", ran.stderr);
    assert_eq!(
        seat(&fakes.place.verdict().unwrap(), "proposer"),
        "opencode"
    );
    is_sound(&fakes);
}

#[test]
fn a_named_tool_whose_login_ends_is_replaced_on_resume() {
    let fakes = four();
    fakes.tools.set_scenario("codex", "*", Behaviour::Auth);
    let ran = start(&fakes, &["--challenger", "codex"]);
    assert_eq!(ran.ended(), (Some(4), "logged_out".to_owned()), "{ran:#?}");
    assert!(
        hint(&ran).contains("agon resume s --substitute"),
        "{ran:#?}"
    );
    let resumed = fakes.place.run(&["resume", "s", "--substitute", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let told = "opencode challenges in place of codex (its tool is not logged in)";
    assert!(resumed.stderr.contains(told), "{}", resumed.stderr);
    assert!(
        fakes.place.verdict().unwrap()["headline"]
            .as_str()
            .unwrap()
            .contains(told)
    );
    is_sound(&fakes);
}

#[test]
fn a_person_on_the_terminal_is_asked_before_a_named_tool_is_replaced() {
    for (answer, proposer) in [("y\n", Some("claude")), ("n\n", None)] {
        let fakes = four();
        fakes
            .tools
            .set_scenario("codex", "login", Behaviour::LoggedOut);
        let program = Path::new(env!("CARGO_BIN_EXE_agon"));
        let args = ["debate", TOPIC, "--slug", "s", "--proposer", "codex"];
        let project = fakes.place.project();
        let mut terminal = Terminal::start(program, &args, &project, &fakes.place.env);
        terminal.until("codex cannot be the proposer: its tool is not logged in.");
        terminal.press(answer);
        let (code, screen) = terminal.end();
        match proposer {
            Some(proposer) => {
                assert_eq!(code, Some(0), "{screen}");
                assert_eq!(seat(&fakes.place.verdict().unwrap(), "proposer"), proposer);
            }
            None => {
                assert_eq!(code, Some(4), "{screen}");
                assert!(fakes.place.verdict().is_none());
            }
        }
    }
}

#[test]
fn killed_after_the_replacement_it_comes_to_the_same_seats() {
    let fakes = four();
    fakes.tools.set_scenario("codex", "*", Behaviour::Auth);
    fakes
        .tools
        .set_scenario("opencode", "*", Behaviour::Slow(60_000));
    let running = Running::start(fakes.place.command(&chosen(&[])));
    running.until("the substitute's call", || {
        fakes
            .tools
            .asks()
            .iter()
            .any(|call| call.tool == "opencode")
    });
    running.kill();
    assert_eq!(running.end().code, None);
    let reseated = |fakes: &Fakes| {
        let events = fakes.events().into_iter();
        events.filter(|event| event["event"] == "reseated").count()
    };
    assert_eq!(reseated(&fakes), 1);
    fakes.tools.set_scenario("opencode", "*", Behaviour::Good);
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert_eq!(reseated(&fakes), 1);
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(seat(&verdict, "challenger"), "opencode");
    assert_eq!(verdict["replaced"].as_array().unwrap().len(), 1);
    is_sound(&fakes);
}

#[test]
fn a_judge_of_the_configuration_that_is_near_a_debater_is_told_before_the_first_call() {
    let mut fakes = four();
    let folder = fakes.place.home().join("config");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "judge = \"gemini\"\n").unwrap();
    let path = folder.to_string_lossy().into_owned();
    fakes.place.env.insert("AGON_CONFIG_DIR".into(), path);
    let ran = start(&fakes, &["--proposer", "gemini", "--challenger", "claude"]);
    let told = "your configured judge, gemini, is not independent of the proposer";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    assert!(ran.stderr.contains("--judge codex"), "{}", ran.stderr);
}
