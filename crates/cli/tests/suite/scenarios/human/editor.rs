//! A person at a terminal with an editor.

use super::*;

#[test]
fn an_editor_is_opened_until_the_form_is_right_and_ctrl_c_keeps_what_was_written() {
    let mut fakes = fakes();
    let first = file(&fakes, "first.md", BROKEN);
    let second = file(&fakes, "second.md", format!("{CHALLENGE}{ALTERNATIVE}"));
    set_editor(
        &mut fakes,
        &format!("grep -q 'Severity: major' \"$1\" && cp '{first}' \"$1\" || cp '{second}' \"$1\""),
    );
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("line 2: `mighty` is not one of the choices as `Severity`");
    terminal.until("[e]dit it, [q]uestion by question, [s]top, and keep it");
    terminal.press("\x03");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("your text is saved"), "{screen}");
    // Nobody hands in what its writer left.
    let left = fs::read_to_string(form(&fakes, FIRST_CHALLENGE)).unwrap();
    assert!(
        left.starts_with("<!-- unfinished") && left.ends_with(BROKEN),
        "{left}"
    );
    let mut terminal = start(&fakes, &["resume", "s"]);
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(fakes.place.verdict().unwrap()["findings"]["error"], 0);
}

#[test]
fn a_person_judges_a_whole_duel_in_their_editor() {
    let mut fakes = Fakes::new();
    let ruling = file(&fakes, "ruling.md", RULING);
    let seen = file(&fakes, "seen.md", "");
    set_editor(
        &mut fakes,
        &format!("cp \"$1\" '{seen}'; cp '{ruling}' \"$1\""),
    );
    let mut terminal = start(&fakes, &args(JUDGED, &[]));
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(
        screen.contains("your turn (judge, the verdict) in s"),
        "{screen}"
    );
    assert!(screen.contains("submitted as judge"), "{screen}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["answer"], "Use SQLite for the job store.");
    assert_eq!(verdict["stability"]["swap_reason"], "human_judge");
    let seen = fs::read_to_string(seen).unwrap();
    let (above, below) = seen.split_once("nothing below is read").unwrap();
    let headings: Vec<_> = above
        .lines()
        .filter(|line| line.starts_with("# "))
        .collect();
    assert_eq!(
        headings,
        ["# Winner", "# Answer", "# Why", "# Next step", "# Unless"]
    );
    assert!(below.contains("cha_001a"), "{below}");
}

#[test]
fn a_form_whose_first_line_stays_is_handed_in_on_request() {
    let mut fakes = fakes();
    set_editor(
        &mut fakes,
        "sed -i 's/^Severity: major$/&\\\nIt has one lock./' \"$1\"",
    );
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("the answer is marked as unfinished in line 1");
    terminal.until("[h]and it in, [e]dit it");
    terminal.press("h\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(prompt(&fakes, "verdict.judge").contains("It has one lock."));
}

#[test]
fn an_editor_that_fails_hands_nothing_in_and_leaves_the_terminal_as_it_was() {
    let mut fakes = fakes();
    let whole = file(&fakes, "whole.md", format!("{CHALLENGE}{ALTERNATIVE}"));
    set_editor(
        &mut fakes,
        &format!("cp '{whole}' \"$1\"\nstty raw -echo\nkill -9 $$"),
    );
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("ended with an error");
    terminal.until("[h]and it in, [e]dit it, [q]uestion by question, [s]top");
    assert!(terminal.is_in_line_mode());
    terminal.press("s\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(fakes.asks(), ["r1.pro#0"], "{screen}");
    assert!(form(&fakes, FIRST_CHALLENGE).exists());
}
