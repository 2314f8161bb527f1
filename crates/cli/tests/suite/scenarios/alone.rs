//! One tool alone: two models of it debate.

use std::path::Path;

use agon_testkit::{FakeTools, Terminal};

use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

const ARGS: [&str; 4] = ["debate", TOPIC, "--slug", "s"];

fn alone() -> Fakes {
    Fakes::with(FakeTools::with(&["claude"]))
}

fn assert_two_models(fakes: &Fakes) {
    let verdict = fakes.place.verdict().unwrap();
    let rigor = verdict["rigor"].to_string();
    assert!(
        rigor.contains("both sides are models of one tool, claude: "),
        "{rigor}"
    );
    let events = fakes.events();
    let asked = |seat: &str| {
        let of_it = |event: &&serde_json::Value| {
            let key = event["key"].as_str().unwrap_or_default();
            event["event"] == "asked" && key.contains(seat)
        };
        events.iter().find(of_it).unwrap()["model"].clone()
    };
    assert_eq!(
        [asked(".pro"), asked(".cha"), asked(".judge")],
        ["opus", "sonnet", "opus"]
    );
}

#[test]
fn nobody_there_it_is_refused_with_the_command_and_inside_a_host_it_is_done() {
    let mut fakes = alone();
    let ran = fakes.place.run(&[&ARGS[..], &["--json"]].concat());
    assert_eq!(
        ran.ended(),
        (Some(4), "too_few_tools".to_owned()),
        "{ran:#?}"
    );
    let hint = ran.json()["error"]["hint"].to_string();
    let flags =
        "--proposer claude --challenger claude --model-proposer opus --model-challenger sonnet";
    assert!(hint.contains(flags), "{hint}");
    fakes.place.env.insert("CLAUDECODE".into(), "1".into());
    let ran = fakes.place.run(&[&ARGS[..], &["--json"]].concat());
    assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
    let note = "note: only claude can debate here, so two models of it do: opus against sonnet";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    assert_two_models(&fakes);
}

#[test]
fn a_person_on_the_terminal_is_asked() {
    let question = "Let two models of it debate, opus against sonnet? [Y/n] ";
    for (answer, goes) in [("n\n", false), ("\n", true)] {
        let fakes = alone();
        let program = Path::new(env!("CARGO_BIN_EXE_agon"));
        let (project, env) = (fakes.place.project(), &fakes.place.env);
        let mut terminal = Terminal::start(program, &ARGS, &project, env);
        terminal.until(question);
        terminal.press(answer);
        let (code, screen) = terminal.end();
        assert_eq!(code == Some(4), !goes, "{screen}");
        match goes {
            true => assert_two_models(&fakes),
            false => assert_eq!(fakes.place.verdict(), None),
        }
    }
}
