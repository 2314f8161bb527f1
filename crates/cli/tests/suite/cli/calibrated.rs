//! `agon context calibrate`: a model of a known curve is measured, cut off and gone on with.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agon_calibration::{Cell, Design, Prompt, Wording, build_prompt};
use agon_testkit::{Answer, FakeModels, Script};
use serde_json::{Value, json};

use crate::cli::harness::{Agon, Ran};
use crate::support::signal;

const LENGTHS: [u64; 5] = [1_200, 1_500, 1_800, 2_100, 2_400];
/// Of nine facts, how many the model finds in a prompt of each length.
const CURVE: [usize; 5] = [9, 9, 9, 7, 3];

/// What a server saw of a measurement.
#[derive(Default)]
struct Seen {
    /// How often each prompt came, by the name of its cell.
    cells: BTreeMap<String, usize>,
    /// After so many calls, one is not answered.
    hang_after: Option<usize>,
}

/// A model server whose model is of the known curve: it reads each prompt, and knows nothing else.
fn models() -> (FakeModels, Arc<Mutex<Seen>>) {
    let design = Design::new(&LENGTHS, 9, 3).unwrap();
    let prompts: BTreeMap<String, (Cell, Prompt)> = design
        .cells()
        .into_iter()
        .map(|cell| {
            let prompt = build_prompt(&design, cell);
            (prompt.text.trim().to_owned(), (cell, prompt))
        })
        .collect();
    let models = FakeModels::start(Script::new("unused"));
    let seen = Arc::new(Mutex::new(Seen::default()));
    let shared = Arc::clone(&seen);
    models.set_responder(move |request| {
        let (cell, prompt) = prompts.get(request.prompt.trim())?;
        let mut seen = shared.lock().unwrap();
        let calls: usize = seen.cells.values().sum();
        *seen.cells.entry(design.cell_name(*cell)).or_default() += 1;
        if seen.hang_after == Some(calls) {
            seen.hang_after = None;
            return Some((Answer::Hang, String::new()));
        }
        Some((Answer::Ok, answer(*cell, prompt)))
    });
    (models, seen)
}

fn answer(cell: Cell, prompt: &Prompt) -> String {
    let shift = cell.seed as usize * 4 + usize::from(cell.wording == Wording::Literal);
    let questions = prompt.questions.iter().enumerate();
    let line = |(at, question): (usize, &agon_calibration::PlantedQuestion)| {
        let is_found = (question.depth * 2 + shift) % 9 < CURVE[cell.length];
        let value = match (is_found, &question.near_miss) {
            (true, _) => &question.value,
            (false, Some(near)) => near,
            (false, None) => "unknown",
        };
        format!("{}: {value}\n", at + 1)
    };
    questions.map(line).collect()
}

fn name(models: &FakeModels) -> String {
    format!("openai:mock.m@{}/v1", models.url())
}

fn args<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let lengths = "1.2k,1500,1800,2.1k,2400";
    [&["context", "calibrate", name, "--lengths", lengths], more].concat()
}

/// The file that has what was answered.
fn kept(document: &Value) -> PathBuf {
    PathBuf::from(document["plan"]["file"].as_str().unwrap())
}

fn assert_measured(document: &Value) {
    assert_eq!(document["is_complete"], json!(true), "{document:#}");
    let lengths = document["lengths"].as_array().unwrap();
    for ((length, planned), found) in lengths.iter().zip(LENGTHS).zip(CURVE) {
        let recall = &length["recall"];
        assert_eq!(length["tokens"], json!(planned));
        assert_eq!(
            (&recall["found"], &recall["asked"]),
            (&json!(found * 12), &json!(108))
        );
        let known = found as f64 / 9.0;
        let [low, high] = ["low", "high"].map(|end| recall[end].as_f64().unwrap());
        assert!(
            low <= known && known <= high && high - low < 0.3,
            "{recall}"
        );
    }
    assert_eq!(document["onset"]["before"], 1_800, "{document:#}");
    assert_eq!(document["severe"]["before"], 2_100, "{document:#}");
    assert_eq!(document["limit"]["model"], "mock-m");
    assert_eq!(
        (&document["limit"]["onset"], &document["limit"]["severe"]),
        (&json!(1_800), &json!(2_100))
    );
    assert_eq!(document["limit"]["confidence"], "measured");
    assert_eq!(document["spent"]["calls"], 60);
}

#[test]
fn a_known_curve_comes_out_and_a_killed_run_is_gone_on_with_without_a_call_twice() {
    let agon = Agon::new();
    let (models, seen) = models();
    let name = name(&models);
    let ran = agon.run(&args(&name, &["--dry-run", "--json"]));
    let plan = ran.json();
    assert_eq!(
        (&plan["plan"]["calls_left"], &plan["lengths"]),
        (&json!(60), &json!([]))
    );
    assert!(!kept(&plan).exists());
    let ran = agon.run(&args(&name, &[]));
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("this takes 60 calls"), "{ran:#?}");
    assert_eq!(models.requests().len(), 0);

    seen.lock().unwrap().hang_after = Some(22);
    let mut child = agon.command(&args(&name, &["--yes"])).spawn().unwrap();
    let begun = Instant::now();
    while models.requests().len() < 23 {
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "{}",
            models.requests().len()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    signal("KILL", child.id());
    child.wait().unwrap();
    // As if it had been killed while it wrote.
    let text = fs::read_to_string(kept(&plan)).unwrap();
    assert_eq!(text.lines().count(), 1 + 22);
    fs::write(kept(&plan), text + "{\"cell\":\"12").unwrap();

    let ran = agon.run(&args(&name, &["--dry-run", "--json"]));
    assert_eq!(ran.json()["plan"]["calls_left"], 38, "{ran:#?}");
    let ran = agon.run(&args(&name, &["--yes", "--json"]));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_measured(&ran.json());
    let cells = seen.lock().unwrap().cells.clone();
    let twice: Vec<_> = cells.values().filter(|it| **it > 1).collect();
    assert_eq!((cells.len(), twice), (60, vec![&2]), "{cells:?}");

    // All is known: nothing is asked, and nothing is called.
    let ran = agon.run(&args(&name, &["--json"]));
    assert_measured(&ran.json());
    assert_eq!(models.requests().len(), 61);
    let screen = agon.run(&args(&name, &[])).stdout;
    println!("{screen}");
    for words in [
        "Recall falls by 22 points between 1800 and 2100 tokens: onset",
        "Recall falls by 67 points between 2100 and 2400 tokens: severe",
        "Recall over length",
        "Recall by depth",
        "model = \"mock-m\"",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
}

#[test]
fn limits_and_ctrl_c_stop_it_and_what_comes_out_is_written_into_the_configuration() {
    let agon = Agon::new();
    let (models, seen) = models();
    let name = name(&models);
    let own = agon.configure("rounds = 3\nlimits = [{ model = \"mock-m\", onset = 5 }]\n");
    let ran = agon.run(&args(&name, &["--yes", "--json", "--max-tokens", "20k"]));
    let document = ran.json();
    assert_eq!(
        (ran.code, &document["stopped"]),
        (Some(5), &json!("max_tokens")),
        "{ran:#?}"
    );
    let first = models.requests().len();
    assert!((5..20).contains(&first), "{first}");
    assert_eq!(document["is_complete"], json!(false));
    let early = agon.run(&args(&name, &["--yes", "--max-tokens", "1", "--write"]));
    assert!(
        early.stderr.contains("not all calls were made"),
        "{early:#?}"
    );

    seen.lock().unwrap().hang_after = Some(30);
    let mut child = agon.command(&args(&name, &["--yes"])).spawn().unwrap();
    let begun = Instant::now();
    while models.requests().len() < 31 {
        assert!(begun.elapsed() < Duration::from_secs(300));
        std::thread::sleep(Duration::from_millis(20));
    }
    signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));

    let ran = agon.run(&args(&name, &["--yes", "--write", "--json"]));
    assert_measured(&ran.json());
    assert_eq!(models.requests().len(), 61);
    let text = fs::read_to_string(&own).unwrap();
    assert!(
        text.starts_with("rounds = 3\nlimits = [{ ")
            && text.contains("model = \"mock-m\", onset = "),
        "{text}"
    );
    assert!(text.contains("onset = 1800, severe = 2100, "), "{text}");
    let checked: Ran = agon.run(&["config", "check"]);
    assert_eq!(checked.code, Some(0), "{checked:#?}");

    let ran = agon.run(&args(
        &name,
        &["--yes", "--again", "--max-tokens", "5k", "--json"],
    ));
    // A fourth could come to more: what is left is held against what a call may take.
    assert_eq!(ran.json()["spent"]["calls"], 3, "{ran:#?}");
}

#[test]
fn prompts_that_are_not_taken_are_said_and_not_sent_again() {
    let agon = Agon::new();
    let models = FakeModels::start(Script::new("unused"));
    models.set_responder(|request| {
        let is_long = request.prompt.len() > 7_500;
        let refusal = Answer::Says(400, "the prompt is too long");
        Some(match is_long {
            true => (refusal, String::new()),
            false => (Answer::Ok, "I cannot say.".to_owned()),
        })
    });
    let name = name(&models);
    let ran = agon.run(&args(&name, &["--yes", "--json", "--seeds", "1"]));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let document = ran.json();
    assert_eq!(document["is_complete"], json!(true), "{document:#}");
    assert_eq!(document["lengths"][0]["outcomes"]["refused"], 36);
    assert!(
        document["lengths"][3]["refused"].is_string(),
        "{document:#}"
    );
    assert_eq!(document["limit"], Value::Null);
    let asked = models.requests().len();
    let screen = agon.run(&args(&name, &["--seeds", "1"]));
    assert!(
        screen
            .stdout
            .contains("Prompts of 2100 tokens are not taken"),
        "{screen:#?}"
    );
    assert_eq!(models.requests().len(), asked);
}

#[test]
fn an_answer_that_is_flooded_or_unreadable_is_empty_and_longer_prompts_are_asked_all_the_same() {
    for broken in [Answer::Length, Answer::Garbage] {
        let agon = Agon::new();
        let models = FakeModels::start(Script::new("unused"));
        let answer = broken.clone();
        models.set_responder(move |request| {
            let is_long = request.prompt.len() > 7_500;
            let answer = match is_long {
                true => answer.clone(),
                false => Answer::Ok,
            };
            Some((answer, "1: 5".to_owned()))
        });
        let name = name(&models);
        let ran = agon.run(&args(&name, &["--yes", "--json", "--seeds", "1"]));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let document = ran.json();
        assert_eq!(document["is_complete"], json!(true), "{document:#}");
        for length in 3..5 {
            let of = &document["lengths"][length];
            assert_eq!(of["refused"], Value::Null, "{broken:?} {document:#}");
            assert_eq!(of["outcomes"]["empty"], 36, "{broken:?} {document:#}");
        }
    }
}

#[test]
fn what_cannot_be_measured_is_refused_with_what_to_do() {
    let agon = Agon::new();
    for (words, code) in [
        (&["nosuch-tool"][..], "unknown_tool"),
        (&["openai:m", "--lengths", "4k"], "invalid_parameter"),
        (&["openai:m", "--lengths", "100,4k"], "invalid_parameter"),
    ] {
        let args = [&["context", "calibrate"], words, &["--dry-run", "--json"]].concat();
        let ran = agon.run(&args);
        let error = ran.json()["error"].take();
        assert_eq!(
            (ran.code, error["code"].as_str()),
            (Some(2), Some(code)),
            "{ran:#?}"
        );
        assert!(!error["hint"].as_str().unwrap().is_empty(), "{ran:#?}");
    }
    // A session is named as before.
    let ran = agon.run(&["context", "4b55e364", "--json"]);
    assert_eq!(ran.json()["error"]["code"], "no_session", "{ran:#?}");
}

#[test]
fn the_built_in_model_is_measured() {
    if std::env::var_os("AGON_TEST_FULL").is_none() {
        println!("skipped: set AGON_TEST_FULL=1");
        return;
    }
    let models = std::env::var("AGON_TEST_MODELS").expect("AGON_TEST_MODELS names its folder");
    let agon = Agon::new().env("AGON_MODELS_DIR", &models);
    let args = [
        "context",
        "calibrate",
        "local",
        "--lengths",
        "800,1200",
        "--depths",
        "3",
        "--seeds",
        "1",
        "--yes",
        "--timeout",
        "10m",
    ];
    let ran = agon.run(&args);
    println!("{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let again = agon.run(&[&args[..], &["--json"]].concat());
    let document = again.json();
    assert_eq!(document["is_complete"], json!(true), "{document:#}");
    assert_eq!(document["spent"]["calls"], 8);
    let asked = |it: &Value| it["recall"]["asked"].as_u64().unwrap();
    let lengths = document["lengths"].as_array().unwrap();
    assert!(lengths.iter().all(|it| asked(it) <= 12), "{document:#}");
}
