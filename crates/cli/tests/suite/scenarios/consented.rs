//! A vendor is sent nothing of a project before the user allows it.

use std::path::Path;

use agon_testkit::Terminal;

use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

/// The three tools, of which the user allowed none.
fn fakes() -> Fakes {
    let mut fakes = Fakes::new();
    fakes.place.env.remove("AGON_VENDORS");
    fakes
}

/// Runs a command on a terminal and answers its question, if there is one.
fn on_terminal(
    fakes: &Fakes,
    args: &[&str],
    answer: Option<(&str, &str)>,
) -> (Option<i32>, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    let mut terminal = Terminal::start(program, args, &fakes.place.project(), &fakes.place.env);
    if let Some((question, answer)) = answer {
        terminal.until(question);
        terminal.press(answer);
    }
    terminal.end()
}

#[test]
fn a_person_is_asked_once_and_a_script_is_told_what_to_do() {
    let fakes = fakes();
    let quick = ["debate", TOPIC, "--quick", "--slug"];
    let alone = |name: &str| fakes.place.run(&[&quick[..], &[name, "--json"]].concat());
    let refused = alone("a");
    assert_eq!(refused.ended(), (Some(2), "consent_needed".to_owned()));
    let hint = refused.json()["error"]["hint"].to_string();
    let command = "agon config consent allow anthropic google openai";
    assert!(hint.contains(command), "{hint}");

    let question = "from now on? [Y/n]";
    let asked = [&quick[..], &["a"]].concat();
    let (code, screen) = on_terminal(&fakes, &asked, Some((question, "n\n")));
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("nothing was sent"), "{screen}");
    assert!(fakes.asks().is_empty(), "{:?}", fakes.asks());
    assert!(!fakes.place.project().join("debates").exists());

    let (code, screen) = on_terminal(&fakes, &asked, Some((question, "y\n")));
    assert!(matches!(code, Some(0 | 7)), "{screen}");
    let (code, screen) = on_terminal(&fakes, &[&quick[..], &["b"]].concat(), None);
    assert!(matches!(code, Some(0 | 7)), "{screen}");
    assert!(!screen.contains("from now on"), "{screen}");
    assert!(matches!(alone("c").code, Some(0 | 7)));
}

#[test]
fn what_was_allowed_is_listed_and_withdrawn() {
    let fakes = fakes();
    let consent = |args: &[&str]| fakes.place.run(&[&["config", "consent"], args].concat());
    let refused = consent(&["allow", "openai", "--json"]);
    assert_eq!(refused.ended(), (Some(2), "no_terminal".to_owned()));
    assert!(consent(&[]).stdout.starts_with("no vendor is allowed"));
    let allow = ["config", "consent", "allow", "openai", "google"];
    let (code, screen) = on_terminal(&fakes, &allow, None);
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("google, openai"), "{screen}");
    let wrong = ["config", "consent", "allow", "opnai"];
    let (code, screen) = on_terminal(&fakes, &wrong, None);
    assert_eq!(code, Some(2), "{screen}");
    let listed = consent(&["--json"]).json();
    let project = listed["project"].as_str().unwrap();
    assert_eq!(listed["projects"][project][1], "openai", "{listed}");
    let withdrawn = consent(&["withdraw", "openai", "--json"]).json();
    assert_eq!(withdrawn["withdrawn"][0], "openai");
    assert_eq!(withdrawn["projects"][project].as_array().unwrap().len(), 1);
}
