//! A first look around, and who sits where from then on.

use std::fs;
use std::path::{Path, PathBuf};

use agon_testkit::{Behaviour, FakeTools, Terminal};
use serde_json::{Value, json};

use crate::scenarios::place::Fakes;

/// Fakes, and the folder of a configuration that is the user's own.
fn with_config(tools: &[&str]) -> (Fakes, PathBuf) {
    let mut fakes = Fakes::with(FakeTools::with(tools));
    let folder = fakes.place.home().join("config");
    let path = folder.to_string_lossy().into_owned();
    fakes.place.env.insert("AGON_CONFIG_DIR".into(), path);
    (fakes, folder.join("config.toml"))
}

fn settings(document: &Value) -> Vec<(String, String)> {
    let of = |setting: &Value, key: &str| setting[key].as_str().unwrap().to_owned();
    let settings = document["settings"].as_array().unwrap().iter();
    settings
        .map(|it| (of(it, "key"), of(it, "value")))
        .collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

const SEATS: [(&str, &str); 2] = [("proposer", "claude"), ("challenger", "codex")];

#[test]
fn without_a_terminal_it_says_what_it_would_do_and_with_yes_does_it() {
    let (fakes, file) = with_config(&["claude", "codex", "gemini"]);
    let ran = fakes.place.run(&["init", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let document = ran.json();
    assert_eq!(settings(&document), pairs(&SEATS));
    assert_eq!(document["written"], false);
    assert_eq!(document["next"][0], "agon init --yes");
    assert!(!file.exists());
    let schema = fakes.place.run(&["schema", "init"]).json();
    assert!(
        jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&document)
    );

    let ran = fakes.place.run(&["init", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let written = "written      proposer = \"claude\", challenger = \"codex\" in ";
    assert!(ran.stdout.contains(written), "{}", ran.stdout);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\nproposer = \"claude\"\n") && text.contains("\n# rounds = 2\n"));
    assert_eq!(fakes.place.run(&["config", "check"]).code, Some(0));

    // What is set stays, and the file with it.
    let again = fakes.place.run(&["init", "--yes", "--json"]).json();
    assert_eq!(
        (settings(&again), &again["written"]),
        (vec![], &json!(false))
    );
    assert_eq!(again["set"].as_array().unwrap().len(), 2);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn a_tool_to_log_in_to_and_one_to_install_are_named() {
    let (fakes, _) = with_config(&["claude", "codex"]);
    fakes
        .tools
        .set_scenario("codex", "login", Behaviour::LoggedOut);
    let document = fakes.place.run(&["init", "--json"]).json();
    let tool = |name: &str| {
        let tools = document["tools"].as_array().unwrap().iter();
        let found = tools.clone().find(|tool| tool["tool"] == name).unwrap();
        (found["login"].clone(), found["to_do"].to_string())
    };
    assert_eq!(tool("claude").0, "logged_in");
    assert_eq!(tool("codex").0, "logged_out");
    assert!(tool("codex").1.contains("codex login"), "{document}");
    assert_eq!(tool("gemini").0, "not_installed");
    assert!(tool("gemini").1.contains("npm install"), "{document}");
    // One tool is alone: two models of it.
    let alone = [
        ("proposer", "claude"),
        ("challenger", "claude"),
        ("model.proposer", "opus"),
        ("model.challenger", "sonnet"),
    ];
    assert_eq!(settings(&document), pairs(&alone));
}

#[test]
fn where_a_step_fails_nothing_is_changed() {
    let (fakes, file) = with_config(&["claude", "codex", "gemini"]);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    // A key that is set over several lines, and a file that is not valid.
    for text in ["text = 1\n", "rules = { reply-words =\n"] {
        fs::write(&file, text).unwrap();
        let ran = fakes.place.run(&["init", "--yes", "--json"]);
        assert_eq!(
            ran.ended(),
            (Some(3), "configuration".to_owned()),
            "{ran:#?}"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    // A table of its own holds what would be set.
    let text = "rounds = 3\n[model]\njudge = \"pro\"\n";
    let (alone, file) = with_config(&["claude"]);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    let ran = alone.place.run(&["init", "--yes", "--json"]);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    let hint = ran.json()["error"]["hint"].to_string();
    assert!(hint.contains("model.proposer"), "{hint}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);

    // A project may name tools only where its folder is trusted.
    let project = fakes.place.project();
    fs::write(&file, "").unwrap();
    let (fakes, file) = with_config(&["claude", "codex", "gemini"]);
    let ran = fakes.place.run(&["init", "--project", "--yes", "--json"]);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(!project.join("agon.toml").exists());
    let trusted = fakes.place.project();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(
        &file,
        format!("trust = [{:?}]\n", trusted.display().to_string()),
    )
    .unwrap();
    let ran = fakes.place.run(&["init", "--project", "--yes", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let text = fs::read_to_string(trusted.join("agon.toml")).unwrap();
    assert!(text.contains("proposer = \"claude\""), "{text}");
    assert_eq!(fakes.place.run(&["config", "check"]).code, Some(0));
}

#[test]
fn a_person_is_asked_seat_by_seat_and_offered_a_first_debate() {
    let (fakes, file) = with_config(&["claude", "codex", "gemini"]);
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    let (project, env) = (fakes.place.project(), &fakes.place.env);
    let mut terminal = Terminal::start(program, &["init"], &project, env);
    terminal.until("  proposer [claude]: ");
    terminal.press("nosuch\n");
    terminal.until("  challenger [codex]: ");
    terminal.press("\n");
    terminal.until("  judge [for each debate, a tool that does not argue in it]: ");
    terminal.press("\n");
    terminal.until("unknown tool `nosuch`");
    terminal.press("codex\n");
    terminal.press("claude\n");
    terminal.press("\n");
    terminal.until("Write these seats to ");
    assert!(!file.exists());
    terminal.press("\n");
    terminal.until("Topic of a first debate (Enter to skip): ");
    terminal.press("SQLite or plain files for the job store?\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("agon completions"), "{screen}");
    assert!(screen.contains("proposer codex"), "{screen}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\nproposer = \"codex\"\n"), "{text}");

    let (fakes, file) = with_config(&["claude", "codex", "gemini"]);
    let mut terminal = Terminal::start(program, &["init"], &project, &fakes.place.env);
    terminal.until("  proposer [claude]: ");
    terminal.press("\n\n\n");
    terminal.until("Write these seats to ");
    terminal.press("n\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("stopped; nothing was changed"), "{screen}");
    assert!(!file.exists());
}
