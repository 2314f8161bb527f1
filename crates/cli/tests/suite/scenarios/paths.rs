//! Files that are named by their whole paths: of a seat's copy, of the project, of nowhere.

use std::fs;

use agon_testkit::{Behaviour, Script, add, git};
use serde_json::Value;

use crate::scenarios::evidence::store_rs;
use crate::scenarios::place::Fakes;

/// A project with what the scripted debate cites, and a debate whose sides name files in full.
fn with_whole_paths() -> Fakes {
    let fakes = Fakes::new();
    let project = fakes.place.project();
    add(&project, "src/store.rs", &store_rs());
    let roadmap = |number| match number {
        18 => "- August: a second writer process\n".to_owned(),
        number => format!("- item {number}\n"),
    };
    let roadmap: String = (1..=20).map(roadmap).collect();
    add(&project, "docs/roadmap.md", &roadmap);
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "--quiet", "-m", "first"]);
    let mut script = Script::job_store();
    let own = format!("{}/docs/roadmap.md", project.display());
    for turn in ["r1.pro", "r2.cha"] {
        let reply = script.turns[turn][0]
            .replace("\"src/store.rs", "\"{cwd}/src/store.rs")
            .replace("\"docs/roadmap.md\"", &format!("\"{own}\""))
            .replace("\"Cargo.toml\"", "\"/opt/elsewhere/Cargo.toml\"");
        script = script.turn(turn, [reply]);
    }
    fakes.tools.set_script(&script);
    fakes
}

/// What was found for each ground of a reply: the file as it is recorded, and the stamp.
fn stamped(fakes: &Fakes, key: &str) -> Vec<[String; 2]> {
    let events = fakes.events();
    let mut stamped = events.iter().filter(|event| event["event"] == "stamped");
    let event = stamped.find(|event| event["key"] == key).unwrap();
    let stamps = event["stamps"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let found = stamps.map(|one| [text(&one["citation"]["file"]), text(&one["stamp"])]);
    found.collect()
}

#[test]
fn a_whole_path_is_known_in_the_copy_and_in_the_project_and_missing_elsewhere() {
    let fakes = with_whole_paths();
    fakes.tools.set_scenario("codex", "r1.cha", Behaviour::Auth);
    let context = ["--context", "repo"];
    assert_eq!(fakes.debate(&context).code, Some(4));
    fakes.tools.clear_scenario();
    // In the second run the seats read in other copies.
    assert_eq!(fakes.resume().code, Some(0));

    let own = format!("{}/docs/roadmap.md", fakes.place.project().display());
    let [own, outside] = [own.as_str(), "/opt/elsewhere/Cargo.toml"];
    let expected = [
        ["src/store.rs", "found"],
        [own, "found"],
        ["src/recover.rs", "missing"],
        [outside, "missing"],
    ];
    assert_eq!(stamped(&fakes, "r1.pro#0"), expected);
    let later = stamped(&fakes, "r2.cha#0");
    assert!(later.contains(&["src/store.rs".to_owned(), "wrong".to_owned()]));

    let asks = fakes.tools.asks();
    let journal = fs::read_to_string(fakes.place.folder().join(".agon/journal.jsonl")).unwrap();
    for ask in &asks {
        let copy = ask.cwd.display().to_string();
        assert!(!journal.contains(&copy), "{copy} stands in the record");
    }
    let mut again = asks
        .iter()
        .filter(|ask| ask.turn.as_deref() == Some("r1.pro"));
    let again = again.nth(1).unwrap().prompt.unwrap();
    let told = "/opt/elsewhere/Cargo.toml:23: missing: the path leads out of the project";
    let prompt = fakes.tools.prompt(again);
    assert!(prompt.contains(told), "{prompt}");

    // Without the project and its folder, the same.
    fs::remove_dir_all(fakes.place.project().join("docs")).unwrap();
    fs::remove_dir_all(fakes.place.project().join(".git")).unwrap();
    let check = fakes.place.run(&["check", "s", "--evidence", "--json"]);
    assert_eq!(check.json()["folder"], serde_json::json!([]));
}
