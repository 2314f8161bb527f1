//! The keys of a terminal while a debate runs in it.

use std::path::Path;

use agon_testkit::{Behaviour, Script, Terminal};

use super::{one_round, prompt};
use crate::scenarios::place::{Fakes, SEATED};
use crate::support::{TOPIC, seat_flags};

/// The debate `s` in a terminal.
fn debate(fakes: &Fakes, more: &[&str]) -> Terminal {
    let seats = seat_flags(SEATED);
    let args = [&["debate", TOPIC, "--slug", "s"], &seats[..], more].concat();
    terminal(fakes, &args)
}

fn terminal(fakes: &Fakes, args: &[&str]) -> Terminal {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    Terminal::start(program, args, &fakes.place.project(), &fakes.place.env)
}

/// Waits until `turn` was asked for.
fn asked(terminal: &Terminal, fakes: &Fakes, turn: &str) {
    let asked = format!("{turn}#0");
    terminal.wait_until(turn, || fakes.asks().contains(&asked));
}

/// A formal debate, opened, whose opposition fails in the opening exchange.
fn formal_without_opposition() -> Fakes {
    let fakes = Fakes::new();
    fakes.tools.set_script(&Script::formal());
    let motion = "This house would read every change";
    let new = fakes.place.run(&["new", "s", "--motion", motion]);
    assert_eq!(new.code, Some(0), "{new:#?}");
    fakes.tools.set_scenario("codex", "r0.opp", Behaviour::Rc1);
    fakes
}

const OPENING: [&str; 9] = [
    "run",
    "s",
    "0",
    "--proposition",
    "claude",
    "--opposition",
    "codex",
    "--judge",
    "gemini",
];

/// The tool that was asked last for the opposition's opening.
fn who_opposed(fakes: &Fakes) -> String {
    let mut asks = fakes.tools.asks().into_iter();
    let last = asks.rfind(|call| call.turn.as_deref() == Some("r0.opp"));
    last.unwrap().tool
}

#[test]
fn after_a_failed_exchange_a_person_tries_again_or_lets_another_tool_take_the_seat() {
    let fakes = formal_without_opposition();
    let mut terminal = terminal(&fakes, &OPENING);
    terminal.until("codex gave no usable answer as opposition");
    terminal.until("The turn cannot be skipped");
    terminal.until("r, NAME or s: ");
    fakes.tools.clear_scenario();
    terminal.press("r\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(who_opposed(&fakes), "codex");

    let fakes = formal_without_opposition();
    let mut terminal = self::terminal(&fakes, &OPENING);
    terminal.until("r, NAME or s: ");
    terminal.press("gemini\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(who_opposed(&fakes), "gemini");
    assert!(fakes.asks().contains(&"r0.judge#0".to_owned()));
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn after_a_failed_exchange_a_person_stops_and_without_one_the_hint_names_the_commands() {
    let fakes = formal_without_opposition();
    let mut terminal = terminal(&fakes, &OPENING);
    terminal.until("r, NAME or s: ");
    terminal.press("s\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(1), "{screen}");

    let fakes = formal_without_opposition();
    let ran = fakes.place.run(&[&OPENING[..], &["--json"]].concat());
    let hint = ran.json()["error"]["hint"].to_string();
    for way in [
        "try again: agon resume s",
        "agon resume s --replace opposition=TOOL",
        "exchanges cannot be skipped",
    ] {
        assert!(hint.contains(way), "{way}: {hint}");
    }
    let replaced = ["resume", "s", "--replace", "opposition=gemini", "--json"];
    let replaced = fakes.place.run(&replaced);
    assert_eq!(replaced.code, Some(0), "{replaced:#?}");
}

#[test]
fn a_formal_debate_that_asks_whether_to_try_again_can_be_told_and_stopped_from_elsewhere() {
    let fakes = formal_without_opposition();
    let mut terminal = terminal(&fakes, &OPENING);
    terminal.until("r, NAME or s: ");
    let said = fakes.place.run(&["say", "s", "it is three people"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let stopped = fakes.place.run(&["stop", "s", "--json"]).json();
    assert_eq!(stopped["stopped"], true, "{stopped}");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    fakes.tools.clear_scenario();
    assert_eq!(fakes.resume().code, Some(0));
    assert!(prompt(&fakes, "r0.judge").contains("it is three people"));
}

#[test]
fn n_takes_a_note_that_reaches_both_seats_the_judge_and_the_verdict() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("codex", "r1.cha", Behaviour::Slow(4_000));
    let mut terminal = debate(&fakes, &[]);
    asked(&terminal, &fakes, "r1.cha");
    assert!(!terminal.is_in_line_mode());
    terminal.press("n");
    terminal.until("> n ▏");
    // A slip, mended: the cursor goes back over it.
    terminal.press(
        "we get a sexond writer\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x7fc",
    );
    terminal.press("\x05 in Augusté");
    terminal.until("in Augusté▏");
    terminal.press("\x7f\r");
    terminal.until("note 1 added; both seats and the judge will see it");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(
        screen.contains("keys: n note · j judge now · + add a round · ^C stop (agon resume s)")
    );
    assert!(
        screen.contains("> n we get a second writer in August"),
        "{screen}"
    );
    assert!(terminal.is_in_line_mode());
    let note = "\nwe get a second writer in August\n";
    for turn in ["r2.pro", "r2.cha", "verdict.judge", "verdict.swap"] {
        assert!(prompt(&fakes, turn).contains(note), "{turn}");
    }
    assert!(
        !prompt(&fakes, "r1.cha").contains(note),
        "it was on its way before"
    );
    assert_eq!(fakes.asks().len(), 8, "nothing is asked twice for a note");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["notes"][0]["id"], "note 1");
    assert_eq!(
        verdict["notes"][0]["text"],
        "we get a second writer in August"
    );
    assert_eq!(verdict["notes"][0]["heard_by_judge"], true);
    for file in ["transcript.md", "verdict.md"] {
        let text = std::fs::read_to_string(fakes.place.folder().join(file)).unwrap();
        assert!(
            text.contains("we get a second writer in August"),
            "{file}: {text}"
        );
    }
    let full = fakes.place.run(&["show", "s", "--full"]).stdout;
    assert!(full.contains("You said"), "{full}");
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn j_sends_it_to_the_judge_and_stops_who_is_speaking() {
    let fakes = Fakes::new();
    fakes.tools.set_script(&one_round());
    fakes
        .tools
        .set_scenario("claude", "r2.pro", Behaviour::Slow(100_000));
    let mut terminal = debate(&fakes, &[]);
    asked(&terminal, &fakes, "r2.pro");
    terminal.press("j");
    terminal.until("the judge rules now, on the debate so far");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["authority"], "full");
    assert_eq!(verdict["rounds_completed"], 1);
    assert!(!fakes.asks().contains(&"r2.cha#0".to_owned()));
    assert!(terminal.is_in_line_mode());
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn plus_adds_a_round() {
    let fakes = Fakes::new();
    fakes.tools.set_script(&Script::job_store_three_rounds());
    fakes
        .tools
        .set_scenario("codex", "r1.cha", Behaviour::Slow(2_000));
    let mut terminal = debate(&fakes, &[]);
    asked(&terminal, &fakes, "r1.cha");
    terminal.press("+");
    terminal.until("now 3 rounds (2 more calls)");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["rounds_completed"], 3);
    assert_eq!(verdict["authority"], "full");
}

#[test]
fn ctrl_c_stops_as_ever_and_gives_the_terminal_back() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(100_000));
    let mut terminal = debate(&fakes, &[]);
    asked(&terminal, &fakes, "r1.pro");
    // With a note half typed.
    terminal.press("nhalf a no");
    terminal.until("half a no▏");
    terminal.press("\x03");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("agon resume s"), "{screen}");
    assert!(terminal.is_in_line_mode());
    assert!(
        screen.trim_end().contains("\x1b[?2004l"),
        "pastes are no longer marked"
    );
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn escape_gives_a_note_up_and_a_paste_orders_nothing() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("codex", "r1.cha", Behaviour::Slow(4_000));
    let mut terminal = debate(&fakes, &[]);
    asked(&terminal, &fakes, "r1.cha");
    terminal.press("nnever mind");
    terminal.until("never mind▏");
    terminal.press("\x1b");
    terminal.press("\x1b[200~j\n+\nn\x1b[201~");
    terminal.press("n\x1b[200~two\nlines\x1b[201~");
    terminal.until("two lines▏");
    terminal.press("\r");
    terminal.until("note 1 added");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["notes"].as_array().unwrap().len(), 1);
    assert_eq!(verdict["notes"][0]["text"], "two lines");
    assert_eq!(
        (&verdict["rounds_completed"], &verdict["max_rounds"]),
        (&2.into(), &2.into())
    );
}

#[test]
fn a_debate_that_ends_in_an_error_or_by_a_signal_gives_the_terminal_back() {
    for signal in ["TERM", "HUP", "QUIT"] {
        let fakes = Fakes::new();
        fakes
            .tools
            .set_scenario("claude", "r1.pro", Behaviour::Slow(100_000));
        let mut terminal = debate(&fakes, &[]);
        asked(&terminal, &fakes, "r1.pro");
        let kill = format!("kill -{signal} {}", terminal.pid());
        let sent = std::process::Command::new("/bin/sh")
            .args(["-c", &kill])
            .status();
        assert!(sent.unwrap().success());
        let (code, screen) = terminal.end();
        assert_eq!(code, Some(130), "{signal}: {screen}");
        assert!(terminal.is_in_line_mode(), "{signal}");
    }
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Auth);
    let mut terminal = debate(&fakes, &[]);
    terminal.until("r, NAME or s: ");
    terminal.press("s\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(4), "{screen}");
    assert!(terminal.is_in_line_mode());
}

#[test]
fn a_debate_in_the_background_leaves_the_keyboard_alone() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(2_000));
    let script = format!(
        "set -m; {} debate '{TOPIC}' --slug s --proposer claude --challenger codex --judge gemini & \
         wait $!; echo ended $?",
        env!("CARGO_BIN_EXE_agon")
    );
    let shell = Path::new("/bin/sh");
    let (project, env) = (fakes.place.project(), &fakes.place.env);
    let mut terminal = Terminal::start(shell, &["-c", &script], &project, env);
    asked(&terminal, &fakes, "r1.pro");
    assert!(terminal.is_in_line_mode());
    terminal.press("j\n");
    let (_, screen) = terminal.end();
    assert!(screen.contains("ended 0"), "{screen}");
    assert_eq!(fakes.place.verdict().unwrap()["rounds_completed"], 2);
}
