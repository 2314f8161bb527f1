//! A login that is over in the middle of a debate, and another tool in the seat.

use std::path::Path;

use agon_testkit::{Behaviour, Terminal};

use crate::scenarios::place::{Fakes, debate};

fn without_codex_in(turn: &str) -> Fakes {
    let fakes = Fakes::new();
    fakes.tools.set_scenario("codex", turn, Behaviour::Auth);
    fakes
}

#[test]
fn after_the_first_round_the_judge_rules_on_what_was_said_and_it_goes_on_once_logged_in() {
    let fakes = without_codex_in("r2.cha");
    let ran = fakes.debate(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let said = "codex cannot speak as challenger: not logged in";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("run `agon continue s` to continue"),
        "{}",
        ran.stderr
    );
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["authority"], "partial");
    assert_eq!(verdict["missing"][0]["cause"], "logged_out");
    let replayed = fakes.place.run(&["replay", "s"]);
    assert_eq!(replayed.code, Some(0), "{replayed:#?}");
    fakes.tools.clear_scenario();
    let on = fakes.place.run(&["continue", "s", "--json"]);
    assert!(matches!(on.code, Some(0 | 7)), "{on:#?}");
    let spoken =
        |event: &&serde_json::Value| event["event"] == "admitted" && event["key"] == "r2.cha#0";
    assert!(fakes.events().iter().any(|event| spoken(&event)));
    let missing = fakes.place.verdict().unwrap()["missing"].to_string();
    assert!(!missing.contains("logged_out"), "{missing}");
}

#[test]
fn another_tool_takes_the_seat_with_the_whole_prompt_and_the_verdict_says_so() {
    let fakes = without_codex_in("r1.cha");
    let ran = fakes.debate(&[]);
    assert_eq!(ran.ended(), (Some(4), "logged_out".to_owned()), "{ran:#?}");
    let resumed = fakes
        .place
        .run(&["resume", "s", "--replace", "challenger=gemini"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let said = "gemini replaces codex as the challenger";
    assert!(resumed.stderr.contains(said), "{}", resumed.stderr);
    let asks = fakes.tools.asks();
    let spoke = |turn: &str| {
        let call = asks.iter().rfind(|call| call.turn.as_deref() == Some(turn));
        call.unwrap().tool.clone()
    };
    assert_eq!(
        [spoke("r0.cha"), spoke("r1.cha"), spoke("r2.cha")],
        ["codex", "gemini", "gemini"]
    );
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["seats"]["challenger"]["tool"], "gemini");
    let rigor = verdict["rigor"].to_string();
    assert!(
        rigor.contains("the challenger was codex, then gemini"),
        "{rigor}"
    );
    let unknown = fakes
        .place
        .run(&["resume", "s", "--replace", "referee=gemini"]);
    assert_eq!(unknown.code, Some(2), "{unknown:#?}");
}

#[test]
fn a_person_on_the_terminal_says_what_is_to_be_done() {
    let fakes = without_codex_in("r2.cha");
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    let args: Vec<_> = debate(&[])
        .into_iter()
        .filter(|arg| *arg != "--json")
        .collect();
    let mut terminal = Terminal::start(program, &args, &fakes.place.project(), &fakes.place.env);
    terminal.until("r, NAME or s: ");
    terminal.press("nosuch\n");
    terminal.until("unknown tool `nosuch`");
    fakes.tools.clear_scenario();
    terminal.press("r\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(fakes.place.verdict().unwrap()["authority"], "full");
}
