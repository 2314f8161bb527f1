//! A person at a terminal without an editor: asked one question after the other.

use super::*;

/// Answers that a person gives, each after what it is an answer to was shown.
fn answer(terminal: &mut Terminal, answers: &[(&str, &str)]) {
    for (asked, typed) in answers {
        terminal.until(asked);
        terminal.press(typed);
    }
}

/// Answers the questions of a challenge to the first of three arguments.
const CHALLENGE_TYPED: [(&str, &str); 6] = [
    (
        "Objection to pro_001a (1 of 5)",
        "Two renames are atomic each,\nand one lock makes them one step.\n\n",
    ),
    ("Severity: how serious it is", "\n"),
    ("Places: evidence, one place per line", "\n"),
    ("Objection to pro_001b (2 of 5)", "\n"),
    ("Objection to pro_001c (3 of 5)", "\n"),
    ("Nothing found (4 of 5)", "\n"),
];

const LAST: (&str, &str) = ("Another answer (5 of 5)", "\n");

const HAND_IN: (&str, &str) = ("[h]and it in", "h\n");

#[test]
fn a_person_is_asked_what_is_needed_and_nothing_more() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("your turn (challenger, round 1) in s; your answer is saved in");
    answer(&mut terminal, &CHALLENGE_TYPED);
    // An empty line that is typed once more hands nothing in, and neither does another letter.
    answer(
        &mut terminal,
        &[
            LAST,
            ("[h]and it in", "\n"),
            ("type one of these letters", "x\n"),
            ("unknown choice \"x\"", "h\n"),
        ],
    );
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    for (asked, how) in [
        (
            "empty if nothing is",
            "(several lines; end with an empty one)",
        ),
        (
            "Places: evidence, one place per line",
            "(optional; several lines, end with an empty one)",
        ),
    ] {
        let line = screen.split(asked).nth(1).unwrap();
        let line = line.split("> ").next().unwrap();
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.contains(how), "{asked}: {line}");
    }
    assert!(screen.contains("The proposer argues:"), "{screen}");
    assert!(screen.contains("submitted as challenger"), "{screen}");
    for word in ["r1.cha", "none_found", "schema"] {
        assert!(!screen.contains(word), "{word}: {screen}");
    }
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["authority"], "full");
    assert_eq!(verdict["findings"]["error"], 0, "{verdict}");
    // Nothing was sent back, and a person costs nothing.
    let events = fakes.events();
    assert!(events.iter().all(|event| event["event"] != "sent_back"));
    assert_eq!(fakes.asks(), ["r1.pro#0", "verdict.judge#0"]);
    assert_eq!(verdict["usage"]["calls"], 2, "{verdict}");
    assert!(prompt(&fakes, "verdict.judge").contains("and one lock makes them one step"));
    assert!(!form(&fakes, FIRST_CHALLENGE).exists());
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn a_question_is_explained_gone_back_to_and_answered_again() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    answer(
        &mut terminal,
        &[
            ("empty if nothing is", "?\n"),
            ("A single - deletes the current answer", "==\n"),
            ("This turn: your challenge", "It has one lok.\n\n"),
            ("[major] > ", "mighty\n"),
            (
                "`mighty` is not one of the choices; write one of: minor, major, blocker",
                "<\n",
            ),
            ("| It has one lok.", "It has one lock.\n\n"),
            ("[major] > ", "blocker\n"),
            ("Places: ", "=\n"),
        ],
    );
    let shown = || terminal.screen().matches("The proposer argues:").count();
    terminal.wait_until("what is answered is shown again", || shown() > 1);
    answer(
        &mut terminal,
        &[("Places: ", "rename(2) is atomic\nflock(2) is not\n\n")],
    );
    answer(&mut terminal, &CHALLENGE_TYPED[3..]);
    answer(&mut terminal, &[LAST, HAND_IN]);
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let asked = prompt(&fakes, "verdict.judge");
    assert!(
        asked.contains("It has one lock.") && !asked.contains("one lok"),
        "{asked}"
    );
    assert!(asked.contains("blocker"), "{asked}");
    assert!(
        asked.contains("rename(2) is atomic") && asked.contains("flock(2) is not"),
        "{asked}"
    );
}

#[test]
fn what_is_needed_is_asked_until_it_is_answered() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(JUDGED, &["--quick"]));
    answer(
        &mut terminal,
        &[
            ("Winner (1 of 5)", "\n"),
            ("this question needs an answer", "nobody\n"),
            ("write one of: proposer, challenger", "proposer\n"),
            ("Answer (2 of 5)", "Use SQLite.\n\n"),
            (
                "Why (3 of 5)",
                "Claim and lease are two steps, see pro_001a.\n\n",
            ),
            ("Next step (4 of 5)", "\n"),
            ("Unless (5 of 5)", "\n"),
            HAND_IN,
        ],
    );
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    // A judge sees the debate before the first question.
    let (before, _) = screen.split_once("Winner (1 of 5)").unwrap();
    assert!(before.contains("pro_001a"), "{screen}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["answer"], "Use SQLite.");
    assert_eq!(verdict["decisive"], serde_json::json!(["pro_001a"]));
    for empty in ["do_next", "unless", "quality"] {
        assert!(verdict[empty].is_null(), "{empty}: {verdict}");
    }
    assert_eq!(verdict["findings"]["error"], 0, "{verdict}");
    let transcript = fs::read_to_string(fakes.place.folder().join("transcript.md")).unwrap();
    assert!(!transcript.contains("Do next:"), "{transcript}");
}

#[test]
fn a_person_challenges_through_a_whole_duel() {
    let defense = r#"```json
{"position_now": "Use SQLite.", "responses": [{"objection": "cha_001a", "reply": "rebut",
 "content": "The lease comes second.", "grounds": [{"source": "src/claim.rs:44", "content": "two calls", "relevance": "a gap"}]}]}
```"#;
    let fakes = fakes();
    let script = Script::job_store()
        .turn("r2.pro", [defense])
        .turn("verdict.judge", [VERDICT]);
    fakes.tools.set_script(&script);
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--no-swap"]));
    answer(
        &mut terminal,
        &[
            (
                "your turn (challenger, the first answer)",
                "Plain files\n\n",
            ),
            (
                "Reasons (2 of 2)",
                "nothing new to build\na lock is enough\n\n",
            ),
            HAND_IN,
            ("your turn (challenger, round 1)", "One lock is enough.\n\n"),
            ("Severity: ", "\n"),
            ("Places: ", "\n"),
            ("Objection to pro_001b", "\n"),
            ("Objection to pro_001c", "\n"),
            ("Nothing found (4 of 6)", "\n"),
            ("whether both first answers agree", "different\n"),
            ("Another answer (6 of 6)", "\nh\n"),
            ("your turn (challenger, round 2)", "\n"),
            ("this question needs an answer", "sustained\n"),
            (
                "You objected: One lock is enough.",
                "The gap is still there.\n\n",
            ),
        ],
    );
    // What is left of the second round may stay empty.
    terminal.until("whether it answers your objection, and why");
    terminal.press("\n");
    terminal.until("Nothing found (2 of 3)");
    terminal.press("\n");
    terminal.until("Another answer (3 of 3)");
    terminal.press("\nh\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(
        screen.matches("submitted as challenger").count(),
        3,
        "{screen}"
    );
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["authority"], "full", "{verdict}");
    let events = fakes.events();
    assert!(
        events.iter().all(|event| event["event"] != "sent_back"),
        "{screen}"
    );
    assert!(prompt(&fakes, "verdict.judge").contains("The gap is still there."));
}

#[test]
fn killed_while_it_waits_it_is_resumed_with_what_was_written() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    answer(&mut terminal, &CHALLENGE_TYPED[..1]);
    let kept = form(&fakes, FIRST_CHALLENGE);
    terminal.until("Severity: ");
    terminal.press("blocker\n");
    terminal.wait_until("what was typed is kept", || {
        fs::read_to_string(&kept).is_ok_and(|text| text.contains("Severity: blocker"))
    });
    let kill = format!("kill -9 {}", terminal.pid());
    let killed = std::process::Command::new("/bin/sh")
        .args(["-c", &kill])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(terminal.end().0, None);
    let shown = ok(fakes.place.run(&["show", "s"])).stdout;
    assert!(
        shown.contains("your turn (challenger, round 1): fill in"),
        "{shown}"
    );
    let mut terminal = start(&fakes, &["resume", "s"]);
    answer(&mut terminal, &CHALLENGE_TYPED[2..]);
    answer(&mut terminal, &[LAST, HAND_IN]);
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains("Severity: "), "{screen}");
    assert_eq!(
        fakes.asks(),
        ["r1.pro#0", "verdict.judge#0"],
        "nothing is asked twice"
    );
    assert_eq!(fakes.place.verdict().unwrap()["authority"], "full");
}

#[test]
fn who_stops_keeps_the_form_with_all_its_headings_and_the_debate() {
    for (key, code) in [(".\n", 0), ("\x04", 0), ("\x03", 130)] {
        let fakes = fakes();
        let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
        terminal.until("empty if nothing is");
        let path = form(&fakes, FIRST_CHALLENGE);
        let blank = fs::read_to_string(&path).unwrap();
        terminal.press("It has one lock.\n\n");
        terminal.until("[major] > ");
        terminal.press(key);
        let (ended, screen) = terminal.end();
        assert_eq!(ended, Some(code), "{screen}");
        let kept = fs::read_to_string(&path).unwrap();
        let written = blank.replacen("Severity: major\n", "Severity: major\n§", 1);
        let (before, after) = written.split_once('§').unwrap();
        assert!(kept.starts_with(before), "{kept}");
        assert!(kept.contains("It has one lock.\n"), "{kept}");
        assert!(
            kept.ends_with(&after[after.find("## Places").unwrap()..]),
            "{kept}"
        );
        // Nobody hands in what its writer left.
        ok(fakes.resume());
        assert_eq!(fakes.asks(), ["r1.pro#0"]);
    }
}

#[test]
fn who_has_typed_nothing_loses_nothing() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(CHALLENGED, &["--quick"]));
    terminal.until("empty if nothing is");
    let path = form(&fakes, FIRST_CHALLENGE);
    let blank = fs::read_to_string(&path).unwrap();
    for (shown, _) in [
        CHALLENGE_TYPED[0],
        CHALLENGE_TYPED[3],
        CHALLENGE_TYPED[4],
        CHALLENGE_TYPED[5],
        LAST,
    ] {
        answer(&mut terminal, &[(shown, "\n")]);
    }
    answer(&mut terminal, &[("the answer is still empty", "s\n")]);
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(fs::read_to_string(&path).unwrap(), blank);
}

#[test]
fn what_cannot_be_read_is_kept_beside_the_form() {
    let fakes = fakes();
    ok(fakes.place.run(&args(CHALLENGED, &["--quick", "--json"])));
    let path = form(&fakes, FIRST_CHALLENGE);
    let text = format!("{CHALLENGE}# My thoughts\nNone.\n");
    fs::write(&path, format!("<!-- unfinished -->\n{text}")).unwrap();
    let mut terminal = start(&fakes, &["resume", "s"]);
    answer(
        &mut terminal,
        &[("parts of the form could not be read", ".\n")],
    );
    assert_eq!(terminal.end().0, Some(0));
    let beside = fs::read_to_string(path.with_extension("2.md")).unwrap();
    assert!(beside.ends_with(&text), "{beside}");
    let now = fs::read_to_string(&path).unwrap();
    assert!(now.contains("one lock makes them one step"), "{now}");
}

#[test]
fn who_says_which_seat_is_theirs_sits_there() {
    let fakes = fakes();
    ok(fakes
        .place
        .run(&args(["human", "human", "gemini"], &["--json"])));
    let mut terminal = start(&fakes, &["resume", "s", "--seat", "challenger"]);
    answer(
        &mut terminal,
        &[
            ("your turn (challenger, the first answer)", "Files\n\n"),
            ("Reasons", "rename(2)\n\n"),
            HAND_IN,
        ],
    );
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("submitted as challenger"), "{screen}");
    assert!(
        !screen.contains("your turn (proposer, the first answer) in s"),
        "{screen}"
    );
}

#[test]
fn handed_in_as_it_is_it_is_sent_back_once_and_taken_with_its_findings() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &args(JUDGED, &["--quick"]));
    answer(
        &mut terminal,
        &[
            ("Winner", "proposer\n"),
            ("Answer (2 of 5)", "Use SQLite.\n\n"),
            (
                "Why (3 of 5)",
                "Claim and lease are two steps, see pro_009z.\n\n",
            ),
            ("Next step", "\n"),
            ("Unless", "\n"),
            ("the reason: there is no point pro_009z", "h\n"),
        ],
    );
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(
        screen.contains("[h]and it in with these errors"),
        "{screen}"
    );
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
    answer(&mut terminal, &CHALLENGE_TYPED[..1]);
    ok(fakes
        .place
        .run(&["say", "s", "we get a second writer in August"]));
    let show = ok(fakes.place.run(&["show", "s", "--json"])).json();
    assert_eq!(keys(&show), ["r1.cha#0"]);
    let listed = ok(fakes.place.run(&["list", "--json"])).json();
    assert_eq!(listed["debates"][0]["state"], "waiting_for_person");
    answer(&mut terminal, &CHALLENGE_TYPED[1..]);
    answer(&mut terminal, &[LAST, HAND_IN]);
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
    answer(&mut terminal, &CHALLENGE_TYPED[..1]);
    let answered = file(&fakes, "answer.md", format!("{CHALLENGE}{ALTERNATIVE}"));
    ok(fakes
        .place
        .run(&["resume", "s", "--answer", &answered, "--json"]));
    answer(&mut terminal, &CHALLENGE_TYPED[1..]);
    answer(&mut terminal, &[LAST, HAND_IN]);
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(2), "{screen}");
    assert!(
        screen.contains("no longer waits for this answer"),
        "{screen}"
    );
    let kept = fs::read_to_string(form(&fakes, FIRST_CHALLENGE)).unwrap();
    assert!(kept.contains("one lock makes them one step"), "{kept}");
}

#[test]
fn with_no_words_at_all_the_debate_asks_what_it_needs() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &["debate", "--slug", "s", "--judge", "gemini"]);
    terminal.until("What do you want to decide? ");
    terminal.press(&format!("{TOPIC}\n"));
    terminal.until("Who can argue: 1 claude · 2 codex · 3 gemini · 4 human (you)");
    terminal.until("Proposer [claude]: ");
    terminal.press("\n");
    terminal.until("Challenger [codex]: ");
    terminal.press("2\n");
    terminal.until("Context for all seats");
    terminal.press("\n");
    terminal.until("Depth: quick, default or deep");
    terminal.press("quick\n");
    terminal.until("3 calls · stops at");
    terminal.until("Start? [Y/n] ");
    terminal.press("\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(screen.matches("3 calls · stops at").count(), 1, "{screen}");
    let line = format!(
        "agon debate --slug s --judge gemini '{TOPIC}' --proposer claude --challenger codex --quick"
    );
    assert!(screen.contains(&line), "{screen}");
    assert_eq!(fakes.asks().len(), 3, "{screen}");
}

#[test]
fn who_sees_the_plan_and_does_not_want_it_has_started_nothing() {
    let fakes = fakes();
    let mut terminal = start(&fakes, &["debate", "--slug", "s", "--quick"]);
    terminal.until("What do you want to decide? ");
    terminal.press(&format!("{TOPIC}\n\n\n\n\n"));
    terminal.until("Start? [Y/n] ");
    terminal.press("n\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("stopped; nothing was started"), "{screen}");
    assert!(!fakes.place.project().join("debates").exists());
    assert_eq!(fakes.asks(), Vec::<String>::new());
}

#[test]
fn who_stops_at_a_question_has_started_nothing() {
    for (keys, word) in [
        ("\x03", "stopped; nothing was started"),
        ("\x04", "nothing was started"),
    ] {
        let fakes = fakes();
        let mut terminal = start(&fakes, &["debate"]);
        terminal.until("What do you want to decide? ");
        terminal.press(keys);
        let (code, screen) = terminal.end();
        assert_eq!(code, Some(130), "{screen}");
        assert!(screen.contains(word), "{screen}");
        assert!(!fakes.place.project().join("debates").exists());
    }
    let missing = fakes().place.run(&["debate", "--json"]);
    assert_eq!(missing.ended(), (Some(2), "missing_parameter".to_owned()));
}
