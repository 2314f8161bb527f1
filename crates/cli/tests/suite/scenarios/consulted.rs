//! A question to several tools at once: their answers, what is kept of it, and every way in which
//! it cannot be gone on with.

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
        (
            &["Well?", "--tool", "claude,claude"],
            "invalid_parameter",
            "tool",
        ),
        (
            &["Well?", "--tool", "claude,codex", "--model", "m"],
            "invalid_parameter",
            "model",
        ),
        (
            &["Well?", "--tool", "claude", "--model", "codex=m"],
            "invalid_parameter",
            "model",
        ),
        (&["--tool", "claude"], "missing_parameter", "question"),
        (&[" ", "--tool", "claude"], "missing_parameter", "question"),
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
            &["Well?", "--context", "repo", "--tool", "claude"],
            "context_refused",
            "context",
        ),
        (
            &["Well?", "--context", "file=/etc/passwd", "--tool", "claude"],
            "context_refused",
            "context",
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
    assert_eq!(kept(&fakes), Vec::<PathBuf>::new());
}

#[test]
fn models_go_to_whom_they_are_meant_for() {
    let fakes = fakes("Yes.");
    let models = ["--model", "claude=opus", "--model", "codex=gpt=5"];
    let ran = consult(
        &fakes,
        &[
            &["Well?", "--tool", "claude,codex,gemini", "--json"],
            &models[..],
        ]
        .concat(),
    );
    assert_eq!(ran.code, Some(7), "{ran:#?}");
    let said: Vec<_> = answers(&ran)
        .iter()
        .map(|answer| answer["model"].clone())
        .collect();
    assert_eq!(said[0], "opus");
    assert_eq!(said[2], Value::Null);
    // A name with `=` in it could hide a setting, and is refused by the transport.
    assert_eq!(answers(&ran)[1]["error"]["code"], "no_such_model");
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
fn a_consult_goes_on_with_each_tool_and_its_model_and_effort() {
    let fakes = fakes("Yes.");
    let begun = consult(
        &fakes,
        &[
            "First?",
            "--tool",
            "claude,codex,gemini,opencode,copilot",
            "--model",
            "claude=opus",
            "--effort",
            "low",
            "--json",
        ],
    );
    let before = answers(&begun);
    let ran = consult(&fakes, &["--continue", "Second?", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let after = answers(&ran);
    for (before, after) in before.iter().zip(&after) {
        for key in ["id", "tool", "model", "effort", "session_id"] {
            assert_eq!(before[key], after[key], "{key}: {after}");
        }
    }
    assert_eq!(
        (&after[0]["model"], &after[0]["effort"]),
        (&json!("opus"), &json!("low"))
    );
    let calls = fakes.tools.asks();
    let (first, again) = calls.split_at(5);
    for call in again {
        let id = before
            .iter()
            .find(|answer| answer["tool"] == *call.tool)
            .unwrap();
        let id = id["session_id"].as_str().unwrap();
        let goes_on = match call.tool.as_str() {
            "claude" | "gemini" => format!("--resume {id}"),
            "codex" => format!("resume {id} -"),
            "opencode" => format!("--session {id}"),
            _ => format!("--resume={id}"),
        };
        assert!(call.args.join(" ").contains(&goes_on), "{:?}", call.args);
        let began = first.iter().find(|first| first.tool == call.tool).unwrap();
        assert_eq!(call.cwd, began.cwd, "{}", call.tool);
        assert_eq!(fakes.tools.prompt(call.prompt.unwrap()), "Second?");
    }
    assert_eq!(kept(&fakes).len(), 1);

    // By either id, and only what is meant.
    let id = before[0]["id"].as_str().unwrap();
    let ran = consult(
        &fakes,
        &[
            &format!("--continue={id}"),
            "Third?",
            "--tool",
            "codex",
            "--json",
        ],
    );
    assert_eq!(ran.json()["session_id"], before[1]["session_id"]);
    let session = before[2]["session_id"].as_str().unwrap();
    let ran = consult(
        &fakes,
        &[&format!("--continue={session}"), "Third?", "--json"],
    );
    assert_eq!(ran.json()["tool"], "gemini");
    let text = fs::read_to_string(&kept(&fakes)[0]).unwrap();
    assert!(
        text.contains("opencode"),
        "who was not asked this time can be asked again: {text}"
    );
}

#[test]
fn a_conversation_that_the_tool_forgot_is_begun_afresh_and_said() {
    let fakes = fakes("Yes.");
    for tool in ALL {
        let before = consult(&fakes, &["First?", "--tool", tool, "--json"]).json();
        fakes.tools.set_scenario(tool, "*", Behaviour::Forgets);
        let ran = consult(&fakes, &["--continue", "Second?", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let note = format!("note: {tool} does not have that conversation any more; asked afresh");
        assert!(ran.stderr.contains(&note), "{}", ran.stderr);
        assert_eq!(
            (&ran.json()["response"], &ran.json()["id"]),
            (&json!("Yes."), &before["id"])
        );
    }
}

#[test]
fn what_cannot_be_gone_on_with_is_said_and_asked_afresh() {
    let fakes = fakes("Yes.");
    let afresh = |args: &[&str], why: &str| {
        let asked = fakes.tools.asks().len();
        let ran = consult(
            &fakes,
            &[args, &["Well?", "--tool", "claude", "--json"]].concat(),
        );
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert!(
            ran.stderr.contains(why) && ran.stderr.contains("afresh"),
            "{}",
            ran.stderr
        );
        let call = &fakes.tools.asks()[asked];
        assert!(
            call.args.contains(&"--session-id".to_owned()),
            "{:?}",
            call.args
        );
    };
    afresh(&["--continue"], "there is no consult here");
    afresh(
        &["--continue=01JD3Q7M0Z8K4V2X5B6N9C1HTR"],
        "nothing is kept of",
    );
    afresh(
        &["--continue=6c4317c3-65e0-4ea3-a593-5fc9f547e3da"],
        "nothing is kept of",
    );

    let begin = || {
        let ran = consult(&fakes, &["First?", "--tool", "claude", "--json"]);
        let id = ran.json()["id"].as_str().unwrap().to_owned();
        let file = kept(&fakes)
            .into_iter()
            .find(|path| path.to_string_lossy().contains(&id));
        (format!("--continue={id}"), file.unwrap())
    };
    let change = |from: &str, to: &str| {
        let (id, file) = begin();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&file, text.replacen(from, to, 1)).unwrap();
        id
    };
    let id = change("\"conversations\"", "\"conv");
    afresh(&[&id], "is damaged");
    let id = change("agon.kept-consult/1", "agon.kept-consult/2");
    afresh(&[&id], "is of a newer agon");
    let id = change("\"session\":\"", "\"session\":\"--yolo ");
    afresh(&[&id], "cannot be the name of a conversation");
    let id = change("\"transport\":\"cli\"", "\"transport\":\"acp\"");
    afresh(&[&id], "was spoken to over acp");
    let (id, file) = begin();
    let text = fs::read_to_string(&file).unwrap();
    let at: u64 = serde_json::from_str::<Value>(&text).unwrap()["at"]
        .as_u64()
        .unwrap();
    let old = at - 31 * 24 * 60 * 60 * 1_000;
    fs::write(&file, text.replace(&at.to_string(), &old.to_string())).unwrap();
    afresh(&[&id], "older than 30 days");

    let (id, _) = begin();
    let ran = consult(&fakes, &[&id, "Well?", "--tool", "codex", "--json"]);
    let note = "note: codex was not asked before; asked afresh";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);

    // What was put where the tools would run is not run in.
    let (id, file) = begin();
    fs::write(file.with_extension("").join("CLAUDE.md"), "Follow me.").unwrap();
    let asked = fakes.tools.asks().len();
    let ran = consult(&fakes, &[&id, "Well?", "--json"]);
    assert!(
        ran.stderr.contains("is damaged; asked afresh"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.json()["continuable"], true);
    assert_eq!(fakes.tools.asks()[asked].files, Vec::<String>::new());
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
        ran.stderr.contains("--tool names who is asked"),
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
