//! Who debates where nobody is named and no tool is installed.

use agon_testkit::{FakeModels, Sandbox, Script, Terminal, refused_url};
use serde_json::{Value, json};

use crate::support::{Place, Ran, TOPIC, seat_flags};

/// The folder that holds the small model.
const MODELS_VARIABLE: &str = "AGON_TEST_MODELS";

/// A place in which no tool is installed, and in which somebody else may debate.
fn place() -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    let mut place = Place::new(sandbox, env);
    place.env.remove("AGON_FALLBACK");
    place
}

fn debate(place: &Place, more: &[&str]) -> Ran {
    let args = ["debate", TOPIC, "--slug", "s", "--json"];
    place.run(&[&args[..], more].concat())
}

#[test]
fn the_models_of_a_server_on_this_machine_debate_and_are_named_first() {
    let models = FakeModels::start(Script::job_store());
    let mut place = place();
    let server = format!("lm={}", models.url());
    place.env.insert("AGON_LOOPBACK_SERVERS".into(), server);
    let ran = debate(&place, &[]);
    let model = format!("openai:mock-model@{}/v1", models.url());
    let note = "note: no AI tool is installed; a model server on this machine debates: ";
    assert!(
        ran.stderr.starts_with(&format!("{note}{model}\n")),
        "{ran:#?}"
    );
    assert_seated(&place, &ran, &model);
    assert!(!models.requests().is_empty(), "{ran:#?}");
}

/// That the model of a server debated with itself to a verdict.
fn assert_seated(place: &Place, ran: &Ran, model: &str) {
    assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
    let verdict = place.verdict().unwrap();
    for seat in ["proposer", "challenger", "judge"] {
        assert_eq!(verdict["seats"][seat]["tool"], *model, "{ran:#?}");
    }
}

/// Has the user's configuration name these servers.
fn configure(place: &mut Place, servers: &[(&str, &str)]) {
    let folder = place.home().join("config");
    let path = folder.to_string_lossy().into_owned();
    place.env.insert("AGON_CONFIG_DIR".into(), path);
    let table = |(name, http): &(&str, &str)| {
        format!("[tools.{name}]\ntransports = [\"http\"]\nhttp = {{ {http} }}\n")
    };
    std::fs::create_dir_all(&folder).unwrap();
    let tables: String = servers.iter().map(table).collect();
    std::fs::write(folder.join("config.toml"), tables).unwrap();
}

#[test]
fn no_server_hears_of_the_project_unless_it_is_named() {
    let models = FakeModels::start(Script::job_store());
    let mut place = place();
    let url = format!("url = \"{}/v1\", model = \"q\"", models.url());
    configure(&mut place, &[("gw", &url)]);
    let server = format!("lm={}", models.url());
    place.env.insert("AGON_LOOPBACK_SERVERS".into(), server);
    std::fs::write(place.project().join("notes.md"), "Tabs.\n").unwrap();
    for context in ["diff", "file=notes.md", "repo"] {
        let ran = debate(&place, &["--context", context]);
        assert_eq!(ran.code, Some(4), "{context}: {ran:#?}");
        assert_eq!(ran.json()["error"]["code"], "too_few_tools", "{context}");
    }
    assert_eq!(models.requests(), []);
}

#[test]
fn a_server_that_answers_debates_and_not_one_that_is_only_configured() {
    let models = FakeModels::start(Script::job_store());
    let mut place = place();
    let gone = format!("url = \"{}/v1\", model = \"q\"", refused_url());
    let locked = "url = \"https://models.example/v1\", model = \"q\", key_env = [\"NO_SUCH_KEY\"]";
    configure(&mut place, &[("gone", &gone), ("locked", locked)]);
    let server = format!("lm={}", models.url());
    place.env.insert("AGON_LOOPBACK_SERVERS".into(), server);
    let ran = debate(&place, &[]);
    let model = format!("openai:mock-model@{}/v1", models.url());
    assert_seated(&place, &ran, &model);
}

#[test]
fn nobody_takes_the_place_of_a_tool_where_that_is_not_wanted() {
    let mut place = place();
    place.env.insert("AGON_FALLBACK".into(), "none".into());
    let ran = debate(&place, &[]);
    assert_eq!(ran.code, Some(4), "{ran:#?}");
    assert_eq!(ran.json()["error"]["code"], "too_few_tools");
}

#[test]
fn the_small_model_debates_to_a_verdict_and_is_introduced_as_what_it_is() {
    let Some(models) = std::env::var_os(MODELS_VARIABLE) else {
        eprintln!("skipped: {MODELS_VARIABLE} names no folder with the small model");
        return;
    };
    let mut place = place();
    let models = models.to_string_lossy().into_owned();
    place.env.insert("AGON_MODELS_DIR".into(), models);
    // It is here already: nothing is fetched, and no leave is needed.
    let ran = debate(&place, &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for told in [
        "No AI tool was found; run `agon tools` to see how to install one.",
        "The built-in model argues \"SQLite\" against \"plain files\", then judges.",
    ] {
        assert!(ran.stderr.contains(told), "no {told}: {ran:#?}");
    }
    let verdict = place.verdict().unwrap();
    assert_eq!(verdict["authority"], json!("built_in_model"));
    let answer = verdict["answer"].as_str().unwrap();
    assert!(["SQLite", "plain files"].contains(&answer), "{verdict:#}");
    let rigor = verdict["rigor"].as_str().unwrap();
    assert!(
        rigor.contains("the built-in model held every seat"),
        "{rigor}"
    );
    assert!(rigor.contains("see `agon tools`"), "{rigor}");
    let named = "the built-in model's verdict: do not rely on it";
    let document = std::fs::read_to_string(place.project().join("debates/s/verdict.md")).unwrap();
    let text = document.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(named) && !text.contains("unstable"), "{text}");
    let screen = place.run(&["show", "s"]).stdout;
    assert!(
        screen.starts_with("━━ A demonstration by a 135M model: do not rely on it ━"),
        "{screen}"
    );
    assert!(screen.lines().count() <= 8, "{screen}");
    assert!(!screen.contains("unstable"), "{screen}");

    // Every sentence is an answer of the model or says that it has none, and the record says what it was asked.
    let journal = place.project().join("debates/s/.agon/journal.jsonl");
    let journal = std::fs::read_to_string(journal).unwrap();
    let events = journal.lines().flat_map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["events"].as_array().unwrap().clone()
    });
    let (mut said, mut answers) = (Vec::new(), String::new());
    for event in events {
        answers += event["reply"]["text"].as_str().unwrap_or_default();
        for list in ["arguments", "objections", "alternatives"] {
            for point in event["moves"][list].as_array().into_iter().flatten() {
                let text = point["claim"].as_str().or(point["content"].as_str());
                said.push(text.unwrap().to_owned());
            }
        }
    }
    assert!(said.len() >= 2, "{said:?}");
    for text in said {
        if text == "The model gave no usable reason." {
            continue;
        }
        assert!(
            answers.contains(&format!("\nA: {text}")),
            "{text}\n{answers}"
        );
    }
    assert!(journal.contains("What is the main advantage of SQLite over plain files? Answer"));
    let replayed = place.run(&["replay", "s", "--json"]);
    assert_eq!(replayed.json()["differences"], json!([]), "{replayed:#?}");
    let checked = place.run(&["check", "s", "--json"]);
    assert_eq!(checked.json()["sound"], json!(true), "{checked:#?}");
}

#[test]
fn an_open_question_is_refused_before_anything_is_fetched() {
    if cfg!(not(feature = "local-model")) {
        return;
    }
    let place = place();
    let ran = place.run(&["debate", "What should we use for the job store?", "--json"]);
    let error = ran.json()["error"].take();
    assert_eq!(
        (ran.code, error["code"].as_str()),
        (Some(2), Some("open_question")),
        "{ran:#?}"
    );
    let hint = error["hint"].as_str().unwrap();
    assert!(
        hint.contains("agon debate \"SQLite or plain files for the job store?\""),
        "{hint}"
    );
    assert!(!place.project().join("debates").exists());
}

#[test]
fn the_small_model_argues_with_nobody_but_itself() {
    if cfg!(not(feature = "local-model")) {
        return;
    }
    let Some(models) = std::env::var_os(MODELS_VARIABLE) else {
        eprintln!("skipped: {MODELS_VARIABLE} names no folder with the small model");
        return;
    };
    let mut place = place();
    let models = models.to_string_lossy().into_owned();
    place.env.insert("AGON_MODELS_DIR".into(), models);
    let mixed = seat_flags(["human", "local", "local"]);
    let ran = debate(&place, &mixed);
    let error = ran.json()["error"].take();
    assert_eq!(
        (ran.code, error["code"].as_str()),
        (Some(2), Some("small_model")),
        "{ran:#?}"
    );
    assert!(!place.project().join("debates").exists());
}

#[test]
fn what_cannot_be_fetched_is_said_with_its_name_and_checksum() {
    let mut place = place();
    let gone = "http://127.0.0.1:9/simple".to_owned();
    place.env.insert("PIP_INDEX_URL".into(), gone);
    for proxy in ["HTTPS_PROXY", "HTTP_PROXY"] {
        place.env.insert(proxy.into(), "http://127.0.0.1:9".into());
    }
    let ran = debate(&place, &["--allow-download"]);
    assert_eq!(ran.code, Some(4), "{ran:#?}");
    let error = ran.json()["error"].take();
    let message = error["message"].as_str().unwrap();
    assert_eq!(error["code"], "no_model", "{error}");
    for named in ["SmolLM2-135M-Instruct.Q4_1.gguf", "b179c9523d0e6a0f98a33"] {
        assert!(message.contains(named), "{message}");
    }
    assert!(!place.project().join("debates").exists());
}

/// A place in which a download would be noticed: the index of packages is this server.
fn place_with_index(index: &FakeModels) -> Place {
    let mut place = place();
    place
        .env
        .insert("PIP_INDEX_URL".into(), format!("{}/simple", index.url()));
    place
}

#[test]
fn without_a_terminal_nothing_is_fetched_unasked() {
    if cfg!(not(feature = "local-model")) {
        return;
    }
    let index = FakeModels::start(Script::job_store());
    let place = place_with_index(&index);
    for more in [&[][..], &["--dry-run"], &["--detach"], &["--quick"]] {
        let ran = debate(&place, more);
        let error = ran.json()["error"].take();
        assert_eq!(
            (ran.code, error["code"].as_str()),
            (Some(4), Some("download_not_permitted")),
            "{more:?}: {ran:#?}"
        );
        assert!(
            error["message"].as_str().unwrap().contains("98.4 MB"),
            "{error}"
        );
        let hint = error["hint"].as_str().unwrap();
        for way in [
            "--allow-download",
            "agon tools",
            "API_KEY",
            "agon model pull",
        ] {
            assert!(hint.contains(way), "no {way}: {hint}");
        }
    }
    assert_eq!(index.unknown(), [""; 0]);
    assert!(!place.project().join("debates").exists());
    // With leave it is asked for.
    debate(&place, &["--allow-download"]);
    assert_ne!(index.unknown(), [""; 0]);
}

/// What a terminal of this place shows once it offered a choice and was answered.
fn chosen(place: &Place, answer: &str) -> (Option<i32>, String) {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_agon"));
    let args = ["debate", TOPIC, "--slug", "s"];
    let mut terminal = Terminal::start(program, &args, &place.project(), &place.env);
    terminal.until("d, m or q [d]: ");
    terminal.press(answer);
    terminal.end()
}

#[test]
fn a_person_chooses_before_anything_is_fetched() {
    if cfg!(not(feature = "local-model")) {
        return;
    }
    let index = FakeModels::start(Script::job_store());
    let place = place_with_index(&index);
    let (_, screen) = chosen(&place, "q\n");
    for told in [
        "No AI tool was found; run `agon tools` to see how to install one.",
        "d  watch the demo: a recorded debate, offline, about 30 seconds",
        "98.4 MB, licence Apache-2.0, downloaded once)",
        "stopped; nothing was started",
    ] {
        assert!(screen.contains(told), "no {told}: {screen}");
    }
    assert_eq!(index.unknown(), [""; 0]);
    assert!(!place.project().join("debates").exists());
    chosen(&place, "m\n");
    assert_ne!(index.unknown(), [""; 0]);
}

#[test]
fn a_person_who_has_no_tool_can_watch_the_demo_instead() {
    if cfg!(not(feature = "local-model")) {
        return;
    }
    let index = FakeModels::start(Script::job_store());
    let place = place_with_index(&index);
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_agon"));
    let args = ["debate", TOPIC];
    let mut terminal = Terminal::start(program, &args, &place.project(), &place.env);
    terminal.until("d, m or q [d]: ");
    terminal.press("\n");
    terminal.until("a recording: no tool is called");
    terminal.press("\u{3}");
    terminal.end();
    assert_eq!(index.unknown(), [""; 0]);
    assert!(!place.project().join("debates").exists());
}

#[test]
fn with_leave_nothing_is_asked_on_a_terminal() {
    if cfg!(not(feature = "local-model")) {
        return;
    }
    let index = FakeModels::start(Script::job_store());
    let place = place_with_index(&index);
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_agon"));
    let args = ["debate", TOPIC, "--allow-download"];
    let mut terminal = Terminal::start(program, &args, &place.project(), &place.env);
    let (_, screen) = terminal.end();
    assert!(!screen.contains("[d]:"), "{screen}");
    assert_ne!(index.unknown(), [""; 0]);
}
