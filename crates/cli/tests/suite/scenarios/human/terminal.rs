//! A person at a terminal.

use std::os::unix::fs::PermissionsExt;

use super::*;

/// Types the alternative that was missing.
fn correct(terminal: &mut Terminal) {
    terminal.until("[a]dd to it, [e]nter it again from the start, [h]and it in as it is");
    terminal.press("a\n");
    terminal.until("written so far:");
    terminal.press(ALTERNATIVE);
    terminal.press(".\n");
}

#[test]
fn a_broken_rule_is_shown_and_corrected_before_it_is_handed_in() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("a line with a dot alone, or Ctrl-D, ends it");
    let shown = terminal.screen();
    assert!(
        shown.contains("your turn as challenger (r1.cha#0), kept in"),
        "{shown}"
    );
    assert!(
        shown.contains("pro_001a argument:"),
        "the other side's points: {shown}"
    );
    terminal.press(CHALLENGE);
    terminal.press(".\n");
    terminal.until("duel-alternative");
    correct(&mut terminal);
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("handed in as challenger"), "{screen}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["authority"], "full");
    assert_eq!(verdict["findings"]["error"], 0, "{verdict}");
    // Nothing was sent back, and a person costs nothing.
    let events = fakes.events();
    assert!(events.iter().all(|event| event["event"] != "sent_back"));
    assert_eq!(fakes.asks(), ["r1.pro#0", "verdict.judge#0"]);
    assert_eq!(verdict["usage"]["calls"], 2, "{verdict}");
    assert!(prompt(&fakes, "verdict.judge").contains("one lock makes them one step"));
    assert!(!form(&fakes, "r1.cha#0").exists());
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn killed_while_it_waits_it_is_resumed_with_what_was_written() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("a line with a dot alone, or Ctrl-D, ends it");
    terminal.press(CHALLENGE);
    let kept = form(&fakes, "r1.cha#0");
    terminal.until_so("what was typed is kept", || {
        fs::read_to_string(&kept).is_ok_and(|text| text.contains("- the trait"))
    });
    let kill = format!("kill -9 {}", terminal.pid());
    let killed = std::process::Command::new("/bin/sh")
        .args(["-c", &kill])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(terminal.end().0, None);
    let shown = ok(fakes.place.run(&["show", "s"])).stdout;
    assert!(
        shown.contains("your turn challenger, round 1: fill in"),
        "{shown}"
    );
    let mut terminal = start(&fakes, &["resume", "s"]);
    terminal.until("written so far:");
    terminal.until("one lock makes them one step");
    terminal.press(ALTERNATIVE);
    terminal.press("\x04");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(
        fakes.asks(),
        ["r1.pro#0", "verdict.judge#0"],
        "nothing is asked twice"
    );
    assert_eq!(fakes.place.verdict().unwrap()["authority"], "full");
}

#[test]
fn an_editor_is_opened_until_the_rules_are_kept_and_ctrl_c_keeps_what_was_written() {
    let fakes = fakes();
    let first = file(&fakes, "first.md", CHALLENGE);
    let second = file(&fakes, "second.md", format!("{CHALLENGE}{ALTERNATIVE}"));
    let editor = file(
        &fakes,
        "my editor",
        format!(
            "#!/bin/sh\ngrep -q scissors \"$2\" && cp '{first}' \"$2\" || cp '{second}' \"$2\"\n"
        ),
    );
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let mut fakes = fakes;
    fakes
        .place
        .env
        .insert("EDITOR".into(), format!("'{editor}' --wait"));
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("[e]dit again, [h]and it in as it is, [s]top here:");
    terminal.press("\x03");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("what you wrote is kept"), "{screen}");
    // Nobody hands in what its writer left.
    let left = fs::read_to_string(form(&fakes, "r1.cha#0")).unwrap();
    assert!(
        left.starts_with("<!-- unfinished") && left.ends_with(CHALLENGE),
        "{left}"
    );
    let mut terminal = start(&fakes, &["resume", "s"]);
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(fakes.place.verdict().unwrap()["findings"]["error"], 0);
}

#[test]
fn an_editor_that_fails_hands_nothing_in_and_leaves_the_terminal_as_it_was() {
    let mut fakes = fakes();
    let whole = file(&fakes, "whole.md", format!("{CHALLENGE}{ALTERNATIVE}"));
    let editor = file(
        &fakes,
        "editor",
        format!("#!/bin/sh\ncp '{whole}' \"$1\"\nstty raw -echo\nkill -9 $$\n"),
    );
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    fakes.place.env.insert("EDITOR".into(), editor);
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("ended with an error");
    terminal.until("[e]dit again, [h]and it in, [s]top here:");
    assert!(terminal.is_as_a_shell_has_it());
    terminal.press("s\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(fakes.asks(), ["r1.pro#0"], "{screen}");
    assert!(form(&fakes, "r1.cha#0").exists());
}

#[test]
fn who_has_typed_nothing_loses_nothing() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("a line with a dot alone, or Ctrl-D, ends it");
    let path = form(&fakes, "r1.cha#0");
    let blank = fs::read_to_string(&path).unwrap();
    terminal.press("\x04");
    terminal.until("nothing is written yet");
    terminal.press("s\n");
    assert_eq!(terminal.end().0, Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), blank);
    // What was written stays until what is entered again has come to its end.
    let mut terminal = start(&fakes, &["resume", "s"]);
    terminal.until("a line with a dot alone, or Ctrl-D, ends it");
    terminal.press(CHALLENGE);
    terminal.press(".\n");
    terminal.until("[e]nter it again from the start");
    let written = fs::read_to_string(&path).unwrap();
    assert!(written.contains(CHALLENGE), "{written}");
    terminal.press("e\n# Objections\nother\n");
    let beside = path.with_extension("2.md");
    terminal.until_so("what is entered again is kept", || {
        fs::read_to_string(&beside).is_ok_and(|text| text.ends_with("other\n"))
    });
    terminal.press("\x03");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(
        screen.contains("what you entered again is kept in"),
        "{screen}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), written);
}

#[test]
fn who_says_which_seat_is_theirs_sits_there() {
    let fakes = fakes();
    ok(fakes
        .place
        .run(&args(["human", "human", "gemini"], &["--json"])));
    let mut terminal = start(&fakes, &["resume", "s", "--seat", "challenger"]);
    terminal.until("your turn as challenger (r0.cha#0)");
    terminal.press("# Answer\nFiles\n# Position\nPlain files do.\n# Because\n- rename(2)\n.\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("handed in as challenger"), "{screen}");
    assert!(!screen.contains("your turn as proposer"), "{screen}");
}

#[test]
fn handed_in_as_it_is_it_is_sent_back_once_and_taken_with_its_findings() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("a line with a dot alone, or Ctrl-D, ends it");
    terminal.press(CHALLENGE);
    terminal.press(".\n");
    terminal.until("[h]and it in as it is");
    terminal.press("h\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["findings"]["error"], 1, "{verdict}");
    let sent_back = fakes
        .events()
        .into_iter()
        .filter(|event| event["event"] == "sent_back");
    assert_eq!(sent_back.count(), 1);
}

#[test]
fn while_a_person_thinks_the_folder_is_free() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("a line with a dot alone, or Ctrl-D, ends it");
    terminal.press(CHALLENGE);
    ok(fakes
        .place
        .run(&["say", "s", "we get a second writer in August"]));
    let show = ok(fakes.place.run(&["show", "s", "--json"])).json();
    assert_eq!(keys(&show), ["r1.cha#0"]);
    let listed = ok(fakes.place.run(&["list", "--json"])).json();
    assert_eq!(listed["debates"][0]["state"], "waiting_for_person");
    terminal.press(ALTERNATIVE);
    terminal.press(".\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(prompt(&fakes, "verdict.judge").contains("second writer in August"));
    let events = fakes.events();
    let asked = events
        .iter()
        .find(|event| event["event"] == "asked" && event["key"] == "r1.cha#0");
    assert_eq!(
        asked
            .unwrap()
            .get("heard")
            .and_then(Value::as_u64)
            .unwrap_or(0),
        0,
        "they were not shown it"
    );
}

#[test]
fn somebody_else_answered_meanwhile_and_nothing_written_is_lost() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("a line with a dot alone, or Ctrl-D, ends it");
    let answer = file(&fakes, "answer.md", format!("{CHALLENGE}{ALTERNATIVE}"));
    ok(fakes
        .place
        .run(&["resume", "s", "--answer", &answer, "--json"]));
    terminal.press(CHALLENGE);
    terminal.press(ALTERNATIVE);
    terminal.press(".\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(2), "{screen}");
    assert!(
        screen.contains("does not wait for an answer to r1.cha#0"),
        "{screen}"
    );
    let kept = fs::read_to_string(form(&fakes, "r1.cha#0")).unwrap();
    assert!(kept.contains("one lock makes them one step"), "{kept}");
}

#[test]
fn with_no_words_at_all_the_debate_asks_what_it_needs() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &["debate", "--slug", "s", "--judge", "gemini"]);
    terminal.until("What is to be decided: ");
    terminal.press(&format!("{TOPIC}\n"));
    terminal.until("Who can argue: 1 claude · 2 codex · 3 gemini · 4 human, which is you");
    terminal.until("Proposer [claude]: ");
    terminal.press("\n");
    terminal.until("Challenger [codex]: ");
    terminal.press("2\n");
    terminal.until("What they read");
    terminal.press("\n");
    terminal.until("How deep");
    terminal.press("quick\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let line = format!(
        "agon debate --slug s --judge gemini '{TOPIC}' --proposer claude --challenger codex --quick"
    );
    assert!(screen.contains(&line), "{screen}");
    assert_eq!(fakes.asks().len(), 3, "{screen}");
}

#[test]
fn who_stops_at_a_question_has_started_nothing() {
    for (keys, word) in [
        ("\x03", "stopped; nothing was started"),
        ("\x04", "nothing was started"),
    ] {
        let fakes = fakes();
        let mut terminal = start(&fakes, &["debate"]);
        terminal.until("What is to be decided: ");
        terminal.press(keys);
        let (code, screen) = terminal.end();
        assert_eq!(code, Some(130), "{screen}");
        assert!(screen.contains(word), "{screen}");
        assert!(!fakes.place.project().join("debates").exists());
    }
    let missing = fakes().place.run(&["debate", "--json"]);
    assert_eq!(missing.ended(), (Some(2), "missing_parameter".to_owned()));
}
