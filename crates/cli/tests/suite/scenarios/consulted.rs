//! A question to several tools at once: their answers, and what is kept of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use agon_testkit::{Behaviour, FakeTools, Script};
use serde_json::{Value, json};

use crate::scenarios::place::Fakes;
use crate::support::{Ran, Running};

const ALL: [&str; 5] = ["claude", "codex", "gemini", "opencode", "copilot"];

/// All five tools, answering `reply`.
fn fakes(reply: &str) -> Fakes {
    let fakes = Fakes::with(FakeTools::with(&ALL));
    fakes.tools.set_script(&Script::new(reply));
    let mut fakes = fakes;
    fakes
        .place
        .env
        .insert("GH_TOKEN".into(), "placeholder".into());
    fakes
}

fn consult(fakes: &Fakes, more: &[&str]) -> Ran {
    fakes.place.run(&[&["consult"], more].concat())
}

/// The answers of a consult of several tools.
fn answers(ran: &Ran) -> Vec<Value> {
    let document = ran.json();
    assert_eq!(document["schema"], "agon.consultations/1", "{ran:#?}");
    document["answers"].as_array().unwrap().clone()
}

/// The files that are kept of consults.
fn kept(fakes: &Fakes) -> Vec<PathBuf> {
    let dir = fakes.place.home().join(".local/state/agon/consults");
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

#[test]
fn each_tool_answers_in_the_order_asked_and_nothing_is_left_but_what_going_on_needs() {
    let fakes = fakes("Use one writer.");
    let ran = consult(
        &fakes,
        &[
            "Which",
            "lock?",
            "--tool",
            "codex",
            "--tool",
            "claude,gemini",
            "--json",
        ],
    );
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let answers = answers(&ran);
    let schema = fakes.place.run(&["schema", "consultations"]).json();
    assert!(
        jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&ran.json()),
        "{ran:#?}"
    );
    let tools: Vec<_> = answers
        .iter()
        .map(|answer| answer["tool"].clone())
        .collect();
    assert_eq!(tools, ["codex", "claude", "gemini"]);
    for answer in &answers {
        assert_eq!(
            (
                &answer["schema"],
                &answer["response"],
                &answer["continuable"],
                &answer["error"]
            ),
            (
                &json!("agon.consult/1"),
                &json!("Use one writer."),
                &json!(true),
                &Value::Null
            ),
            "{answer}"
        );
    }
    for call in fakes.tools.asks() {
        assert_eq!(fakes.tools.prompt(call.prompt.unwrap()), "Which lock?");
        assert_eq!(
            call.files,
            Vec::<String>::new(),
            "it runs in an empty folder"
        );
    }
    let [file]: [PathBuf; 1] = kept(&fakes).try_into().unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(!text.contains("lock") && !text.contains("writer"), "{text}");
    assert!(
        fs::read_dir(fakes.place.project()).unwrap().count() == 1,
        "only .git"
    );
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn people_get_a_section_each_and_a_single_answer_stands_alone() {
    let fakes = fakes("Use one writer.");
    let ran = consult(&fakes, &["Which lock?", "--tool", "claude,codex"]);
    let heads: Vec<_> = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("━━ "))
        .collect();
    assert!(
        heads[0].starts_with("━━ claude ━") && heads[1].starts_with("━━ codex ━"),
        "{ran:#?}"
    );
    assert_eq!(ran.stdout.matches("Use one writer.").count(), 2);
    let ran = consult(&fakes, &["Which lock?", "--tool", "codex"]);
    assert_eq!(ran.stdout.trim(), "Use one writer.");
}

#[test]
fn one_that_fails_says_why_and_the_others_stand() {
    let fakes = fakes("Yes.");
    fakes.tools.set_scenario("codex", "*", Behaviour::Auth);
    fakes.tools.set_scenario("gemini", "*", Behaviour::Hang);
    let all = ["Well?", "--tool", "claude,codex,gemini", "--timeout", "3"];
    let ran = consult(&fakes, &[&all[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(7), "{ran:#?}");
    let errors: Vec<_> = answers(&ran)
        .iter()
        .map(|answer| answer["error"]["code"].clone())
        .collect();
    assert_eq!(errors, [Value::Null, json!("logged_out"), json!("timeout")]);
    let ran = consult(&fakes, &all);
    assert_eq!(ran.code, Some(7), "{ran:#?}");
    assert!(
        ran.stdout.contains("no answer: no reply within 3s"),
        "{}",
        ran.stdout
    );
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn how_it_ends_says_whether_anybody_could_be_asked() {
    let fakes = Fakes::with(FakeTools::with(&["claude", "codex"]));
    fakes.tools.set_script(&Script::new("Yes."));
    for (tools, behaviour, code) in [
        ("gemini,copilot", Behaviour::Good, 4),
        ("claude,gemini", Behaviour::Auth, 4),
        ("claude,gemini", Behaviour::Rc1, 1),
        ("claude,gemini", Behaviour::Good, 7),
    ] {
        fakes.tools.set_scenario("claude", "*", behaviour);
        let ran = consult(&fakes, &["Well?", "--tool", tools, "--json"]);
        assert_eq!(ran.code, Some(code), "{tools} {behaviour:?}: {ran:#?}");
        assert_eq!(answers(&ran).len(), 2);
    }
    let ran = consult(&fakes, &["Well?", "--tool", "opencode"]);
    assert_eq!(ran.code, Some(4));
    assert!(
        ran.stderr
            .contains("hint: install it: npm install -g opencode-ai"),
        "{ran:#?}"
    );
}

#[test]
fn what_cannot_be_meant_is_refused_before_anybody_is_asked() {
    let fakes = fakes("Yes.");
    fs::write(fakes.place.project().join("big.txt"), "x".repeat(3 << 20)).unwrap();
    for (args, code, parameter) in [
        (&["Well?", "--tool", "claud"][..], "unknown_tool", "tool"),
        (&["--tool", "claude"], "missing_parameter", "question"),
        (
            &["--file", "none.txt", "--tool", "claude"],
            "invalid_parameter",
            "file",
        ),
        (
            &["--file", "big.txt", "--tool", "claude"],
            "invalid_parameter",
            "question",
        ),
        (
            &["Well?", "--continue=--yolo", "--tool", "claude"],
            "invalid_parameter",
            "continue",
        ),
    ] {
        let ran = consult(&fakes, &[args, &["--json"]].concat());
        assert_eq!(
            ran.ended(),
            (Some(2), code.to_owned()),
            "{args:?}: {ran:#?}"
        );
        assert_eq!(ran.json()["error"]["parameter"], parameter, "{args:?}");
    }
    assert_eq!(fakes.tools.asks(), []);
}

#[test]
fn a_consult_goes_on_where_it_is_named_or_the_last() {
    let fakes = fakes("Yes.");
    let model = ["--model", "claude=opus", "--effort", "low"];
    let begin = ["First?", "--tool", "claude,codex", "--json"];
    let begun = answers(&consult(&fakes, &[&begin[..], &model].concat()));
    let id = begun[0]["id"].as_str().unwrap();
    let named = format!("--continue={id}");
    for continued in ["--continue", named.as_str()] {
        let ran = consult(&fakes, &[continued, "Second?", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        for (before, after) in begun.iter().zip(&answers(&ran)) {
            for key in ["id", "tool", "model", "effort", "session_id"] {
                assert_eq!(before[key], after[key], "{key}: {after}");
            }
        }
    }
}

#[test]
fn a_secret_is_neither_sent_nor_shown() {
    let secret = agon_testkit::behaviour::FAKE_GITHUB_TOKEN;
    let fakes = fakes(&format!("It is {secret}.\n\u{1b}[2J\u{202e}so"));
    fs::write(
        fakes.place.project().join("key.txt"),
        format!("one\n{secret}\n"),
    )
    .unwrap();
    for args in [
        &["Well?", "--context", "file=key.txt", "--tool", "claude"][..],
        &["--file", "key.txt", "--tool", "claude"],
    ] {
        let ran = consult(&fakes, args);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(
            ran.stderr.contains("line 2 of") && !ran.stderr.contains(secret),
            "{ran:#?}"
        );
        assert_eq!(fakes.tools.asks(), []);
    }
    let args = [
        "Well?",
        "--context",
        "file=key.txt",
        "--allow-secrets",
        "--tool",
        "claude,codex",
    ];
    for more in [&[][..], &["--json"]] {
        let ran = consult(&fakes, &[&args[..], more].concat());
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let said = ran.stdout + &ran.stderr;
        assert!(said.contains("[redacted:github-token]"), "{said}");
        for hidden in [secret, "\u{1b}", "\u{202e}"] {
            assert!(!said.contains(hidden), "{hidden:?}: {said}");
        }
    }
    let prompt = fakes.tools.prompt(fakes.tools.asks()[0].prompt.unwrap());
    assert!(
        prompt.contains(secret)
            && prompt.contains("<<<data ")
            && prompt.contains(" name\nkey.txt\ndata "),
    );
}

#[test]
fn without_a_tool_two_of_different_vendors_are_asked_and_said() {
    let fakes = Fakes::with(FakeTools::with(&["claude", "codex", "gemini"]));
    fakes.tools.set_script(&Script::new("Yes."));
    fakes
        .tools
        .set_scenario("claude", "login", Behaviour::LoggedOut);
    let ran = consult(&fakes, &["Well?", "--json"]);
    let tools: Vec<_> = answers(&ran)
        .iter()
        .map(|answer| answer["tool"].clone())
        .collect();
    assert_eq!(tools, ["codex", "gemini"], "{ran:#?}");
    assert!(
        ran.stderr.contains("choose the tools with --tool"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("asking codex, gemini"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_stop_ends_every_tool_and_keeps_the_answers_that_came() {
    let fakes = fakes("Yes.");
    fakes.tools.set_scenario("codex", "*", Behaviour::Hang);
    let running = Running::start(fakes.place.command(&[
        "consult",
        "Well?",
        "--tool",
        "claude,codex",
        "--json",
    ]));
    running.until("claude's answer", || fakes.tools.asks().len() == 2);
    std::thread::sleep(std::time::Duration::from_millis(700));
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{ran:#?}");
    let came = answers(&ran);
    assert_eq!(
        (&came[0]["response"], &came[1]["error"]["code"]),
        (&json!("Yes."), &json!("cancelled"))
    );
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}

#[test]
fn a_long_question_comes_whole_from_stdin_and_never_as_an_argument() {
    let fakes = fakes("Yes.");
    let long = "All work and no play. ".repeat(20_000);
    let path = fakes.place.home().join("long.txt");
    fs::write(&path, &long).unwrap();
    let mut command = fakes
        .place
        .command(&["consult", "--tool", "claude,codex", "--json"]);
    command.stdin(fs::File::open(&path).unwrap());
    let ran = Running::start(command).end();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for call in fakes.tools.asks() {
        assert_eq!(fakes.tools.prompt(call.prompt.unwrap()), long.trim());
        assert!(call.args.iter().all(|arg| !arg.contains("no play")));
    }
}

#[test]
fn nobody_is_asked_from_inside_a_debate() {
    let mut fakes = fakes("Yes.");
    fakes.place.env.insert("AGON_DEPTH".into(), "1".into());
    let ran = consult(&fakes, &["Well?", "--tool", "claude", "--json"]);
    assert_eq!(ran.ended(), (Some(2), "depth".to_owned()));
}
