//! The recorded debate on a terminal, and its keys.

use std::path::Path;

use agon_testkit::Terminal;

use crate::scenarios::place::Fakes;

const RIGHT: &str = "\x1b[C";

fn demo(fakes: &Fakes) -> Terminal {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    let terminal = Terminal::start(program, &["demo"], &fakes.place.project(), &fakes.place.env);
    terminal.until("space pause · enter or → next turn · q quit");
    terminal
}

#[test]
fn space_pauses_the_demo_enter_and_right_skip_and_q_quits() {
    let fakes = Fakes::new();
    let mut terminal = demo(&fakes);
    assert!(!terminal.is_in_line_mode());
    terminal.press(" ");
    terminal.until("paused · space continues");
    assert!(!terminal.screen().contains("first answers"));
    // The first answers come in two calls.
    terminal.press("\r");
    terminal.press(RIGHT);
    terminal.until("first answers");
    terminal.press("\r");
    terminal.until("round 1");
    terminal.press("q");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains("━━"), "{screen}");
    assert!(terminal.is_in_line_mode());
}

#[test]
fn the_demo_ends_with_its_verdict_however_fast_a_viewer_skips() {
    let fakes = Fakes::new();
    let mut terminal = demo(&fakes);
    terminal.press(&"\r".repeat(12));
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("━━"), "{screen}");
    assert!(terminal.is_in_line_mode());
}
