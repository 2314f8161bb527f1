//! What people write becomes the moves that they meant, and what is wrong is told in the words of
//! the form.

use agon_record::event::{Asked, Event, Given, Reply, Usage};
use agon_record::finding::{Finding, Severity};
use agon_record::id::AskKey;
use agon_record::spec::{Effort, HUMAN};
use agon_record::state::State;
use agon_rules::format::requested_moves_kind;
use agon_rules::parse::parse_from_person;
use agon_rules::plan::check_reply;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::answer::parse_filled_form;
use super::*;
use crate::tests::golden::turns;

/// Every kind of turn, with a person in its seat.
fn asks() -> Vec<(State, AskKey)> {
    let seated = turns().into_iter().map(|(mut state, turn)| {
        let seating = state.seats.get_mut(&turn.seat).unwrap();
        seating.transport = HUMAN.to_owned();
        (state, AskKey { turn, again: 0 })
    });
    seated.collect()
}

fn ask(turn: &str) -> (State, AskKey) {
    let found = asks().into_iter();
    let mut found = found.filter(|(_, key)| key.turn.to_string() == turn);
    found.next().unwrap()
}

/// The moves that `text` comes to.
fn moves(turn: &str, text: &str) -> Value {
    let (state, key) = ask(turn);
    let answer = parse_answer(&state, key, text).unwrap_or_else(|unread| panic!("{unread:#?}"));
    let parsed = parse_from_person(
        &answer.reply,
        requested_moves_kind(&state, key.turn),
        key.turn,
    )
    .unwrap();
    Value::Object(moves_without_kind_names(&parsed.moves))
}

/// What is wrong with `text`: each with its line.
fn problems(turn: &str, text: &str) -> Vec<String> {
    let (state, key) = ask(turn);
    match parse_answer(&state, key, text) {
        Err(Unread::Problems(problems)) => problems
            .iter()
            .map(|one| format!("{}: {}; {}", one.line, one.message, one.hint))
            .collect(),
        other => panic!("{other:#?}"),
    }
}

/// What somebody could answer to a question.
fn some_answer(kind: AnswerKind, about: &str) -> String {
    match kind {
        AnswerKind::Text => format!("What is said here is about {about} and nothing else."),
        AnswerKind::Lines => format!("- one for {about}\n- another"),
        AnswerKind::Places => format!("- src/claim.rs:3-5 \"let lease\" shows {about}"),
        AnswerKind::Choice(choices) => choices[0].word.to_owned(),
        AnswerKind::Score => "0".to_owned(),
    }
}

/// `form` with an answer to each question of the sections that are needed, or only to those that
/// need one.
fn filled(form: &Form, needed_alone: bool) -> Form {
    let mut filled = form.clone();
    for (at, section) in form.sections().iter().enumerate() {
        if !section.is_needed() {
            continue;
        }
        for (nth, question) in section.questions().enumerate() {
            if question.is_needed || !needed_alone {
                filled.set_answer(at, nth, &some_answer(question.kind, &section.heading()));
            }
        }
    }
    filled
}

#[test]
fn what_is_needed_is_enough_in_every_turn() {
    for (state, key) in asks() {
        for needed_alone in [true, false] {
            let mut form = filled(&Form::blank(&state, key), needed_alone);
            if let Some(at) = form
                .sections()
                .iter()
                .position(|it| it.heading().starts_with("Objection to"))
            {
                form.set_answer(at, 0, "It has no lock.");
            }
            let text = mark_finished(&render_filled_form(&state, key, &form));
            let answer = parse_answer(&state, key, &text);
            let answer = answer.unwrap_or_else(|unread| panic!("{key} {unread:#?}\n{text}"));
            let found = check_reply(&state, key, &answer.reply);
            let stops = |finding: &&Finding| finding.severity > Severity::Warning;
            let found: Vec<_> = found.iter().filter(stops).collect();
            assert!(found.is_empty(), "{key} {found:#?}\n{}", answer.reply);
        }
    }
}

#[test]
fn a_form_is_short_and_shows_what_is_answered_beside_each_answer() {
    let (state, key) = ask("r2.pro");
    let form = render_form(&state, key);
    let (above, below) = form.split_once(SCISSORS).unwrap();
    assert!(above.lines().count() < 70, "{above}");
    let answer = above.split("# Answer to cha_001a\n").nth(1).unwrap();
    let beside = answer.split("Reply:").next().unwrap();
    let words: Vec<_> = beside.split_whitespace().collect();
    let told = "The challenger objects (blocker):";
    assert!(words.join(" ").contains(told), "{above}");
    assert!(below.contains("cha_001a"), "{below}");
    // A word of one line has its default there already.
    assert!(render_form(&ask("r1.cha").0, ask("r1.cha").1).contains("Severity: major\n"));
}

#[test]
fn a_challenge_needs_one_sentence() {
    let said = moves("r1.cha", "# Objection to pro_001a\nIt has no lock.\n");
    let objection = json!({
        "target": "pro_001a", "kind": "claim", "category": "other", "severity": "major",
        "content": "It has no lock.", "grounds": [],
    });
    assert_eq!(said["objections"], json!([objection]));
    assert_eq!(said["none_found"], json!([]));
    let said = moves("r1.cha", "# Nothing found\nsrc/claim.rs\nsrc/lease.rs\n");
    let none = json!([{ "category": "other", "looked_at": ["src/claim.rs", "src/lease.rs"] }]);
    assert_eq!(said["none_found"], none);
}

#[test]
fn a_position_stays_as_it_was_unless_another_is_written() {
    let answers =
        ["a", "b", "c"].map(|at| format!("# Answer to cha_001{at}\nReply: concede\nTrue.\n"));
    let said = moves("r2.pro", &answers.concat());
    assert_eq!(
        said["position_now"],
        "Use SQLite for the job store, in WAL mode, behind the existing JobStore trait."
    );
    let said = moves(
        "r2.pro",
        &(answers.concat() + "# Position\nKeep the files.\n"),
    );
    assert_eq!(said["position_now"], "Keep the files.");
}

#[test]
fn a_verdict_needs_a_winner_an_answer_and_a_reason() {
    let text = "# Winner\nChallenger\n# Answer\nKeep the files.\n# Why\nBecause of cha_001a and cha_001b, see cha_001a.\n";
    let said = moves("verdict.judge", text);
    assert_eq!(said["winner"], "challenger");
    assert_eq!(said["decisive"], json!(["cha_001a", "cha_001b"]));
    assert_eq!(
        (&said["do_next"], &said["unless"]),
        (&json!(""), &json!(""))
    );
    assert!(said.get("quality").is_none(), "{said}");
}

#[test]
fn a_place_is_looked_up_and_words_stand_for_themselves() {
    let place = |line: &str| {
        let text = format!("# Objection to pro_001a\nIt fails.\n## Places\n{line}\n");
        moves("r1.cha", &text)["objections"][0]["grounds"][0].clone()
    };
    let found = place("- src/a.rs:3-5 \"a — b\" says so");
    assert_eq!(
        found["citation"],
        json!({ "file": "src/a.rs", "lines": [3, 5], "anchor": "a — b" })
    );
    assert_eq!(
        (&found["source"], &found["content"]),
        (&json!("src/a.rs"), &json!("says so"))
    );
    let page = place("https://example.org/x what it says");
    assert_eq!(page["citation"], json!({ "url": "https://example.org/x" }));
    for words in [
        "src/a.rs is too long",
        "5% of e.g. them",
        "measured by hand",
    ] {
        assert!(place(words).get("citation").is_none(), "{words}");
        assert_eq!(place(words)["content"], words);
    }
}

#[test]
fn what_is_wrong_is_told_in_the_words_of_the_form_with_its_line() {
    for (turn, text, told) in [
        (
            "r2.pro",
            "# Answer to cha_001a\nReply: rebut\n\n# Answer to cha_001b\nconceded\n",
            &[
                "1: the answer to objection cha_001a is empty; write it below its heading",
                "4: `Reply` of the answer to objection cha_001b is empty; write it below its heading",
            ][..],
        ),
        (
            "r1.cha",
            "# Objection to pro_001a\nSeverity: mighty\nIt fails.\n",
            &[
                "2: `mighty` is not one of the choices as `Severity` of the objection to pro_001a; write one of: minor, major, blocker",
            ],
        ),
        (
            "r1.cha",
            "It fails.\n# Objection to pro_001a\nx\n# Objection to pro_001a\ny\n## Reasons\n",
            &[
                "1: these words are above the first heading; move them below their heading",
                "4: the heading `Objection to pro_001a` appears twice; write everything under one heading",
            ],
        ),
        (
            "verdict.judge",
            "# Winner\nnobody\n# Answer\nx\n# Why\n<!-- why\n",
            &[
                "2: `nobody` is not one of the choices as the winner; write one of: proposer, challenger",
                "5: the reason is empty; write it below its heading",
                "6: this comment is never closed; close it with `-->`, or delete its beginning",
            ],
        ),
        (
            "r1.judge",
            "# Score of opp_001a\nScore: high\nIt holds.\n",
            &[
                "2: `high` is not a number as `Score` of the score of opp_001a; write a number from -1 to 1, such as 0.35",
            ],
        ),
    ] {
        let found = problems(turn, text);
        for told in told {
            assert!(found.iter().any(|one| one == told), "{told}\n{found:#?}");
        }
        for word in ["objections", "none_found", "schema", "responses", "reply-"] {
            assert!(!found.iter().any(|one| one.contains(word)), "{found:#?}");
        }
    }
    let found = problems(
        "r1.cha",
        "# Objections\nx\n# Objection to pro_001a\nIt fails.\n## Reasons\nx\n",
    );
    assert!(found[0].starts_with("1: `# Objections` is not a heading of this form; its headings are: Objection to pro_001a,"), "{found:#?}");
    assert!(found[1].starts_with("5: `## Reasons` is not a question of the objection to pro_001a; its questions are: Severity, Places"), "{found:#?}");
}

#[test]
fn nothing_written_is_nothing_and_a_form_with_its_first_line_is_not_done() {
    for (state, key) in asks() {
        let form = render_form(&state, key);
        assert_eq!(
            parse_answer(&state, key, &form),
            Err(Unread::Blank),
            "{key}"
        );
        assert!(is_untouched(&state, key, &form), "{key}");
    }
    let (state, key) = ask("r1.cha");
    let form = render_form(&state, key);
    let written = form.replacen("Severity: major\n", "Severity: major\nIt fails.\n", 1);
    assert_eq!(
        parse_answer(&state, key, &written),
        Err(Unread::Unfinished { line: 1 })
    );
    assert!(!is_untouched(&state, key, &written));
    let done = written.split_once('\n').unwrap().1;
    assert!(parse_answer(&state, key, done).is_ok());
}

#[test]
fn moves_of_a_program_are_taken_as_they_are() {
    let (state, key) = ask("r1.cha");
    for text in [
        "{\"objections\": []}",
        "I looked.\n```json\n{\"objections\": []}\n```",
    ] {
        assert_eq!(parse_answer(&state, key, text).unwrap().reply, text);
    }
}

#[test]
fn what_was_sent_back_stands_in_the_next_form_with_what_was_wrong() {
    let (mut state, key) = ask("r1.cha");
    let text = "# Objection to pro_001a\nSeverity: minor\nIt fails.\n## Places\n- src/a.rs:3-5 \"x\"\n# Agreement with pro_001b\nTrue.\n";
    let reply = parse_answer(&state, key, text).unwrap().reply;
    let finding = Finding {
        code: "evidence-wrong".to_owned(),
        severity: Severity::Error,
        turn: key.turn,
        at: "objections[0].grounds[0]".to_owned(),
        path: None,
        span: None,
        message: "the quoted words are not in src/a.rs:3-5".to_owned(),
        hint: "copy the anchor from the text at that place, or remove the ground".to_owned(),
    };
    let asked = Asked {
        key,
        tool: HUMAN.parse().unwrap(),
        model: None,
        effort: Effort::High,
        timeout_ms: 0,
        reserved: 0,
        parts: Vec::new(),
        prompt_version: crate::PROMPT_VERSION,
        session: None,
        sent_parts: None,
        user_inputs: 0,
        past_onset: None,
        seat_findings: Vec::new(),
    };
    let given = Given {
        key,
        redacted: 0,
        reply: Reply::Text(reply),
        usage: Usage::default(),
        took_ms: 1,
        clock_ms: 0,
        at_ms: None,
        stop_reason: None,
        model: None,
    };
    for event in [
        Event::Asked(asked),
        Event::Given(given),
        Event::SentBack {
            key,
            findings: vec![finding],
        },
    ] {
        state.apply(&event).unwrap();
    }
    let again = AskKey { again: 1, ..key };
    let form = render_form(&state, again);
    let told = "`Places` of the objection to pro_001a: the quoted words are not in src/a.rs:3-5; copy the words exactly, or delete the place";
    assert!(form.contains(told), "{form}");
    for words in [
        "Severity: minor\n",
        "It fails.\n",
        "- src/a.rs:3-5 \"x\"\n",
        "# Agreement with pro_001b\n",
    ] {
        assert!(form.contains(words), "{words}\n{form}");
    }
    assert!(is_untouched(&state, again, &form));
}

/// A text as people write it, and as they do not.
fn words() -> impl Strategy<Value = String> {
    let line =
        "(# |## |\\\\|<!-- |Severity: |- |-->|```)?([A-Za-zé0-9#*>|~`\\[{(:,.<!-]{1,8}[ ]?){1,5}";
    prop::collection::vec(line, 1..4).prop_map(|lines| {
        let lines: Vec<_> = lines.iter().map(|line| line.trim()).collect();
        lines.join("\n").trim().to_owned()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_form_reads_back_as_what_was_answered(
        turn in prop::sample::select(vec!["r0.pro", "r1.pro", "r1.cha", "r2.pro", "r2.cha", "verdict.judge", "r1.prop", "r1.judge"]),
        texts in prop::collection::vec(words(), 12),
    ) {
        let (state, key) = ask(turn);
        let blank = Form::blank(&state, key);
        let mut form = blank.clone();
        let mut texts = texts.iter().cycle();
        for (at, section) in blank.sections().iter().enumerate() {
            for (nth, question) in section.questions().enumerate() {
                if !question.kind.is_one_line() {
                    form.set_answer(at, nth, texts.next().unwrap());
                }
            }
        }
        let text = render_filled_form(&state, key, &form);
        let (read, problems) = read_form(&state, key, &text);
        prop_assert_eq!(&problems, &[], "{}", text);
        prop_assert!(read.has_same_content(&form), "{text}\n{form:#?}\n{read:#?}");
    }

    #[test]
    fn no_text_makes_reading_fail_otherwise_than_by_an_error_and_no_word_is_passed_over(
        turn in prop::sample::select(vec!["r0.pro", "r1.cha", "r2.pro", "verdict.judge", "r1.judge"]),
        pieces in prop::collection::vec("(#{0,3} ?(Objection to pro_001a|Answer|Answer to cha_001a|Reasons|Why|Places|Winner|Score of opp_001a|§)|Reply: (rebut|§)|Severity: minor|- §|\\* |`{3}|-->|\\PC{0,6}|[\u{1b}\u{202e}\\\\:—]| {0,4}§)[\n ]?", 0..30),
    ) {
        let (state, key) = ask(turn);
        let mut at = 0;
        let text: String = pieces.concat().split('§').map(|piece| {
            at += 1;
            format!("{piece}wq{at}w ")
        }).collect();
        match parse_filled_form(&Form::blank(&state, key), &text) {
            Ok(answer) => {
                for at in 1..=at {
                    prop_assert!(answer.reply.contains(&format!("wq{at}w")), "{}\n{}", text, answer.reply);
                }
            }
            Err(Unread::Problems(problems)) => {
                prop_assert!(problems.iter().all(|one| one.line > 0 && !one.hint.is_empty()));
            }
            Err(unread) => prop_assert!(false, "{:?}", unread),
        }
    }
}
