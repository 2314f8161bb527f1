//! How a duel failed, in the fixed words that programs for other debate tools look for: the whole of a
//! line of plain output, and a field of the document.

use agon_testkit::Behaviour;

use crate::scenarios::place::{Fakes, debate};
use crate::support::Ran;

const WARN: &str = "[WARN] Challenger failed. Showing proposer's uncontested position.";
const TIMED_OUT: &str = "[ERROR] Debate failed: all tool invocations timed out.";
const NOTHING: &str = "[ERROR] Debate failed: no successful exchanges were recorded.";

/// The debate `s` in plain output.
fn plain(fakes: &Fakes, more: &[&str]) -> Ran {
    let args = debate(more).into_iter().filter(|arg| *arg != "--json");
    fakes.place.run(&args.collect::<Vec<_>>())
}

fn has_line(text: &str, line: &str) -> bool {
    text.lines().any(|it| it == line)
}

/// The line is what `agon show` prints, and the field of its document.
fn is_shown(fakes: &Fakes, line: &str) {
    let shown = fakes.place.run(&["show", "s"]);
    assert!(has_line(&shown.stdout, line), "{}", shown.stdout);
    let document = fakes.place.run(&["show", "s", "--json"]).json();
    assert_eq!(document["fixed_line"], line, "{document}");
}

#[test]
fn a_challenger_that_fails_leaves_the_proposer_uncontested() {
    let fakes = Fakes::new();
    fakes.tools.set_scenario("codex", "r0.cha", Behaviour::Rc1);
    fakes.tools.set_scenario("codex", "r1.cha", Behaviour::Rc1);
    let ran = plain(&fakes, &[]);
    assert_eq!(ran.code, Some(7), "{ran:#?}");
    assert_eq!(ran.stdout.lines().next(), Some(WARN), "{}", ran.stdout);
    is_shown(&fakes, WARN);
}

#[test]
fn a_proposer_that_fails_in_the_opening_aborts_the_debate() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Auth);
    let ran = plain(&fakes, &[]);
    let aborted =
        "[ERROR] Debate aborted: proposer (claude) failed on opening round. not logged in";
    let found = ran.stderr.lines().find(|line| line.starts_with(aborted));
    let found = found.unwrap_or_else(|| panic!("{ran:#?}"));
    is_shown(&fakes, found);
}

#[test]
fn calls_that_all_time_out_and_turns_that_cannot_be_used_have_a_line_each() {
    for (behaviour, line, more) in [
        (Behaviour::Hang, TIMED_OUT, &["--timeout", "1s"][..]),
        (Behaviour::Garbage, NOTHING, &[]),
    ] {
        let fakes = Fakes::new();
        for tool in ["claude", "codex"] {
            fakes.tools.set_scenario(tool, "*", behaviour);
        }
        let ran = plain(&fakes, more);
        assert!(has_line(&ran.stderr, line), "{ran:#?}");
        is_shown(&fakes, line);
    }
}

#[test]
fn a_debate_that_did_not_fail_has_no_such_line() {
    let fakes = Fakes::new();
    let ran = plain(&fakes, &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(!ran.stdout.contains("[WARN]") && !ran.stderr.contains("[ERROR]"));
    let document = fakes.place.run(&["show", "s", "--json"]).json();
    assert_eq!(document.get("fixed_line"), None, "{document}");
}
