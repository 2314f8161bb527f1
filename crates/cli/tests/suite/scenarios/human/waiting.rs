//! A person who is awaited where there is no terminal.

use super::*;

#[test]
fn without_a_terminal_it_says_who_is_awaited_and_takes_a_file() {
    let fakes = fakes();
    let waits = ok(fakes.place.run(&args(CHALLENGED, &["--quick", "--json"]))).json();
    assert_eq!(
        (&waits["schema"], &waits["phase"]),
        (&"agon.result/1".into(), &"awaiting_challenger".into())
    );
    let awaited = serde_json::json!([{
        "key": "r1.cha#0", "seat": "challenger", "file": "debates/s/.agon/answer/challenger-round-1.md", "moves": "challenge",
    }]);
    assert_eq!(waits["awaits"], awaited);
    let blank = fs::read_to_string(form(&fakes, FIRST_CHALLENGE)).unwrap();
    assert!(
        blank.contains("# Objection to pro_001a\n") && blank.contains("pro_001c"),
        "{blank}"
    );
    let status = ok(fakes.place.run(&["wait", "s", "--json"])).json();
    assert_eq!(
        (&status["state"], &status["speaking"]),
        (
            &"waiting_for_person".into(),
            &serde_json::json!(["challenger"])
        )
    );
    // A form that nobody filled in says nothing, however often it is resumed.
    let again = ok(fakes.place.run(&["resume", "s"])).stdout;
    assert!(
        again.contains(
            "your turn (challenger, round 1): fill in 'debates/s/.agon/answer/challenger-round-1.md'"
        ),
        "{again}"
    );
    let broken = file(&fakes, "broken.md", BROKEN);
    let refused = fakes.place.run(&["resume", "s", "--answer", &broken]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(
        refused
            .stderr
            .contains("line 2: `mighty` is not one of the choices"),
        "{}",
        refused.stderr
    );
    assert_eq!(fakes.asks(), ["r1.pro#0"]);
    let whole = file(&fakes, "whole.md", format!("{CHALLENGE}{ALTERNATIVE}"));
    let ended = ok(fakes
        .place
        .run(&["resume", "s", "--answer", &whole, "--json"]))
    .json();
    assert_eq!(ended["authority"], "full");
    assert!(ended.get("awaits").is_none(), "{ended}");
    let late = fakes
        .place
        .run(&["resume", "s", "--answer", &whole, "--json"]);
    assert_eq!(late.ended(), (Some(2), "not_awaited".to_owned()));
}

#[test]
fn a_form_that_was_filled_in_is_handed_in_by_resuming() {
    let fakes = fakes();
    ok(fakes.place.run(&args(CHALLENGED, &["--quick"])));
    let path = form(&fakes, FIRST_CHALLENGE);
    let blank = fs::read_to_string(&path).unwrap();
    let written = "Severity: major\nIt has one lock.\n";
    let filled = blank.replacen("Severity: major\n", written, 1);
    fs::write(&path, &filled).unwrap();
    // Nobody hands in for them what they have not done with.
    let waits = fakes.place.run(&["resume", "s"]);
    assert_eq!(waits.code, Some(0), "{waits:#?}");
    assert!(
        waits
            .stderr
            .contains("is not submitted: when it is finished, delete its line 1"),
        "{waits:#?}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), filled);
    ok(fakes.place.run(&["resume", "s", "--detach"]));
    ok(fakes.place.run(&["wait", "s", "--timeout", "60"]));
    assert_eq!(fakes.asks(), ["r1.pro#0"]);
    let (_, done) = filled.split_once('\n').unwrap();
    fs::write(&path, done).unwrap();
    let ended = ok(fakes.resume()).json();
    assert_eq!(ended["authority"], "full");
    assert!(!path.exists());
}

#[test]
fn an_answer_that_was_sent_back_is_not_handed_in_unchanged() {
    let fakes = fakes();
    ok(fakes.place.run(&args(JUDGED, &["--quick"])));
    let loose = file(&fakes, "loose.md", LOOSE_RULING);
    let refused = fakes.place.run(&["resume", "s", "--answer", &loose]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    for told in [
        "line 6: the reason: there is no point pro_009z; points of this debate: pro_001a",
        "--as-is",
    ] {
        assert!(refused.stderr.contains(told), "{}", refused.stderr);
    }
    let sent_back = ["resume", "s", "--answer", &loose, "--as-is", "--json"];
    let waits = ok(fakes.place.run(&sent_back)).json();
    assert_eq!(keys(&waits), ["verdict.judge#1"]);
    let again = fs::read_to_string(form(&fakes, "judge-verdict-again")).unwrap();
    for told in ["see pro_009z.\n", "the reason: there is no point pro_009z"] {
        assert!(again.contains(told), "{again}");
    }
    let waits = ok(fakes.resume()).json();
    assert_eq!(keys(&waits), ["verdict.judge#1"]);
    let ruling = file(&fakes, "ruling.md", RULING);
    let ended = ok(fakes
        .place
        .run(&["resume", "s", "--answer", &ruling, "--json"]))
    .json();
    assert_eq!(ended["authority"], "full", "{ended}");
}

#[test]
fn a_word_of_the_user_that_comes_later_stands_in_the_form() {
    let fakes = fakes();
    ok(fakes
        .place
        .run(&args(["claude", "codex", "human"], &["--quick"])));
    let path = form(&fakes, "judge-verdict");
    let typed = fs::read_to_string(&path)
        .unwrap()
        .replacen("# Why\n", "# Why\nIt held.\n", 1);
    fs::write(&path, typed).unwrap();
    ok(fakes
        .place
        .run(&["say", "s", "we get a second writer in August"]));
    ok(fakes.place.run(&["resume", "s"]));
    let now = fs::read_to_string(&path).unwrap();
    assert!(
        now.contains("second writer in August") && now.contains("It held."),
        "{now}"
    );
}

#[test]
fn stdin_takes_nothing_away_and_is_kept_when_it_is_refused() {
    let fakes = fakes();
    ok(fakes.place.run(&args(CHALLENGED, &["--quick"])));
    let path = form(&fakes, FIRST_CHALLENGE);
    let blank = fs::read_to_string(&path).unwrap();
    let from = |text: &str| {
        let typed = file(&fakes, "typed", text);
        let line = format!(
            "exec '{}' resume s --answer - <'{typed}'",
            env!("CARGO_BIN_EXE_agon")
        );
        let mut shell = std::process::Command::new("/bin/sh");
        let shell = shell.args(["-c", &line]).current_dir(fakes.place.project());
        shell.env_clear().envs(&fakes.place.env).output().unwrap()
    };
    let nothing = from("");
    assert_eq!(nothing.status.code(), Some(2), "{nothing:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), blank);
    assert_eq!(from(BROKEN).status.code(), Some(2));
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept.contains(BROKEN), "{kept}");
    // What is there is not overwritten.
    assert_eq!(from("# Objections\nmore\n").status.code(), Some(2));
    assert_eq!(fs::read_to_string(&path).unwrap(), kept);
    let beside = fs::read_to_string(path.with_extension("2.md")).unwrap();
    assert_eq!(beside, "# Objections\nmore\n");
    // An answer from elsewhere leaves what somebody wrote.
    let whole = from(&format!("{CHALLENGE}{ALTERNATIVE}"));
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), kept);
    assert!(
        String::from_utf8_lossy(&whole.stderr).contains("contains other text"),
        "{whole:?}"
    );
}

#[test]
fn a_debate_that_runs_by_itself_waits_and_is_resumed() {
    let fakes = fakes();
    ok(fakes
        .place
        .run(&args(CHALLENGED, &["--quick", "--detach", "--json"])));
    let status = ok(fakes.place.run(&["wait", "s", "--timeout", "60", "--json"])).json();
    assert_eq!(status["state"], "waiting_for_person", "{status}");
    let whole = file(&fakes, "whole.md", format!("{CHALLENGE}{ALTERNATIVE}"));
    let ended = ok(fakes
        .place
        .run(&["resume", "s", "--answer", &whole, "--json"]))
    .json();
    assert_eq!(ended["authority"], "full");
}

#[test]
fn a_person_answers_blind_while_the_tool_does_and_a_human_judge_is_not_swapped() {
    let script = Script::job_store();
    let fakes = Fakes::new();
    let first = ok(fakes
        .place
        .run(&args(["human", "codex", "human"], &["--json"])))
    .json();
    assert_eq!(keys(&first), ["r0.pro#0"]);
    assert_eq!(fakes.asks(), ["r0.cha#0"], "the other side did not wait");
    for (turn, next) in [
        ("r0.pro", "r1.pro#0"),
        ("r1.pro", "r2.pro#0"),
        ("r2.pro", "verdict.judge#0"),
    ] {
        let answer = file(&fakes, "answer.md", scripted(&script, turn));
        let now = ok(fakes
            .place
            .run(&["resume", "s", "--answer", &answer, "--json"]))
        .json();
        assert_eq!(keys(&now), [next], "{now}");
    }
    let answer = file(&fakes, "answer.md", scripted(&script, "verdict.judge"));
    let ended = ok(fakes
        .place
        .run(&["resume", "s", "--answer", &answer, "--json"]))
    .json();
    assert_eq!(ended["authority"], "full", "{ended}");
    assert_eq!(ended["stability"]["swap"], "not_run");
    assert_eq!(ended["stability"]["swap_reason"], "human_judge");
    assert_eq!(fakes.asks(), ["r0.cha#0", "r1.cha#0", "r2.cha#0"]);
}

#[test]
fn two_people_debate_and_each_says_for_whom_they_answer() {
    let script = Script::job_store();
    let fakes = fakes();
    let first = ok(fakes
        .place
        .run(&args(["human", "human", "gemini"], &["--json"])))
    .json();
    assert_eq!(keys(&first), ["r0.pro#0", "r0.cha#0"]);
    let answer = file(&fakes, "answer.md", scripted(&script, "r0.cha"));
    let unclear = fakes
        .place
        .run(&["resume", "s", "--answer", &answer, "--json"]);
    assert_eq!(unclear.ended(), (Some(2), "missing_parameter".to_owned()));
    let one = [
        "resume",
        "s",
        "--answer",
        &answer,
        "--seat",
        "challenger",
        "--json",
    ];
    let now = ok(fakes.place.run(&one)).json();
    assert_eq!(keys(&now), ["r0.pro#0"]);
    let judge = fakes
        .place
        .run(&["resume", "s", "--seat", "judge", "--json"]);
    assert_eq!(judge.ended(), (Some(2), "not_awaited".to_owned()));
}

#[test]
fn a_person_takes_a_side_of_a_formal_debate() {
    let script = Script::formal();
    let fakes = Fakes::new();
    fakes.tools.set_script(&script);
    ok(fakes
        .place
        .run(&["new", "s", "--motion", "This house would read every change"]));
    let seats = [
        "--proposition",
        "human",
        "--opposition",
        "codex",
        "--judge",
        "gemini",
    ];
    let first = [&["run", "s", "1", "--json"], &seats[..]].concat();
    let waits = ok(fakes.place.run(&first)).json();
    assert_eq!(keys(&waits), ["r0.prop#0"]);
    assert_eq!(fakes.asks(), ["theses.judge#0", "r0.opp#0"]);
    let answer = file(&fakes, "answer.md", scripted(&script, "r0.prop"));
    let waits = ok(fakes
        .place
        .run(&["resume", "s", "--answer", &answer, "--json"]))
    .json();
    assert_eq!(keys(&waits), ["r1.prop#0"]);
    let answer = file(&fakes, "answer.md", scripted(&script, "r1.prop"));
    let ended = ok(fakes
        .place
        .run(&["resume", "s", "--answer", &answer, "--json"]))
    .json();
    assert_eq!(ended["phase"], "awaiting_arguments", "{ended}");
    assert!(
        ended["totals"].is_object() && ended.get("awaits").is_none(),
        "{ended}"
    );
}

#[test]
fn hostile_forms_are_refused_and_change_nothing() {
    let fakes = fakes();
    ok(fakes.place.run(&args(CHALLENGED, &["--quick"])));
    let events = fakes.events().len();
    let huge = "# Objections\n".repeat(800_000);
    let hostile: [(&[u8], &str); 5] = [
        (b"\x80\xff\x00binary", "not UTF-8"),
        (huge.as_bytes(), "more than 1048576 bytes"),
        (
            b"# Nonsense\x1b[2J\x1b]0;x\x07\n",
            "is not a heading of this form",
        ),
        (b"<!-- no end", "this comment is never closed"),
        (b"```json\n{\"objections\": [[[[\n```", "JSON"),
    ];
    for (bytes, word) in hostile {
        let path = file(&fakes, "answer.md", bytes);
        for args in [
            vec!["resume", "s", "--answer", &path],
            vec!["resume", "s", "--answer", &path, "--as-is"],
        ] {
            let refused = fakes.place.run(&args);
            assert_eq!(refused.code, Some(2), "{word}: {refused:#?}");
            assert!(refused.stderr.contains(word), "{word}: {}", refused.stderr);
            assert!(!refused.stderr.contains('\x1b'), "{}", refused.stderr);
        }
    }
    // The same where the form is.
    fs::write(form(&fakes, FIRST_CHALLENGE), &huge).unwrap();
    let refused = fakes.place.run(&["resume", "s"]);
    assert_eq!(refused.code, Some(6), "{refused:#?}");
    fs::remove_file(form(&fakes, FIRST_CHALLENGE)).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", form(&fakes, FIRST_CHALLENGE)).unwrap();
    let refused = fakes.place.run(&["resume", "s"]);
    assert_eq!(refused.code, Some(6), "{refused:#?}");
    assert_eq!(fakes.events().len(), events);
}

#[test]
fn a_person_sits_only_where_they_are_named() {
    let fakes = Fakes::with(agon_testkit::FakeTools::with(&["claude"]));
    let alone = fakes.place.run(&["debate", TOPIC, "--json", "--dry-run"]);
    assert_eq!(alone.ended(), (Some(4), "too_few_tools".to_owned()));
    let tools = ok(fakes.place.run(&["tools"])).stdout;
    assert!(!tools.contains("human"), "{tools}");
    let plan = fakes.place.run(&[
        "debate",
        TOPIC,
        "--challenger",
        "human",
        "--json",
        "--dry-run",
    ]);
    let plan = ok(plan).json();
    assert_eq!(plan["seats"]["proposer"]["tool"], "claude");
    assert_eq!(
        plan["seats"]["judge"]["tool"], "claude",
        "the other debater judges, not the person"
    );
    assert_eq!(plan["substitutes"], serde_json::json!([]));
    // A blind answer, two turns, the judge and its swap.
    assert_eq!(plan["calls"], 5);
    let nobody = Fakes::with(agon_testkit::FakeTools::with(&[]));
    let both = [
        "debate",
        TOPIC,
        "--proposer",
        "human",
        "--challenger",
        "human",
        "--json",
    ];
    let refused = nobody.place.run(&both);
    assert_eq!(refused.ended(), (Some(4), "too_few_tools".to_owned()));
    assert_eq!(refused.json()["error"]["parameter"], "judge");
    let asked = fakes.place.run(&["consult", "why?", "--tool", "human"]);
    assert_ne!(asked.code, Some(0), "{asked:#?}");
    assert!(
        format!("{}{}", asked.stdout, asked.stderr).contains("a person cannot be called"),
        "{asked:#?}"
    );
}
