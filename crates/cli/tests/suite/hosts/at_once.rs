//! Two processes at the same host at once.

use std::fs::File;
use std::time::Duration;

use agon_testkit::Sandbox;
use serde_json::json;

use super::tree::tree;
use crate::support::{Place, Running};

fn place() -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    Place::new(sandbox, env)
}

#[test]
fn whoever_comes_second_waits_and_finds_it_done() {
    let place = place();
    let home = File::open(place.home()).unwrap();
    home.lock().unwrap();
    let running = Running::start(place.command(&["install", "claude", "--json"]));
    std::thread::sleep(Duration::from_secs(1));
    assert!(!place.home().join(".claude").exists());
    // A look writes nothing, and does not wait.
    let looked = place.run(&["install", "claude", "--dry-run"]);
    assert_eq!(looked.code, Some(0), "{looked:?}");
    home.unlock().unwrap();
    let ran = running.end();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(place.home().join(".claude").exists());
}

#[test]
fn whoever_waits_too_long_is_told_so_and_has_written_nothing() {
    let place = place();
    let before = tree(&place.home());
    let home = File::open(place.home()).unwrap();
    home.lock().unwrap();
    let ran = place.run(&["install", "claude", "--json"]);
    assert_eq!(ran.ended(), (Some(6), "locked".to_owned()), "{ran:?}");
    assert_eq!(tree(&place.home()), before);
}

#[test]
fn many_at_once_come_to_what_one_after_the_other_comes_to() {
    let place = place();
    let before = tree(&place.home());
    for _ in 0..3 {
        let commands = ["install", "uninstall", "install", "install", "uninstall"];
        let all = commands.map(|command| Running::start(place.command(&[command, "claude"])));
        for running in all {
            let ran = running.end();
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
        let listed = place.run(&["install", "claude", "--dry-run", "--json"]);
        let document = listed.json();
        let steps = document["hosts"][0]["steps"].as_array().unwrap();
        let first = &steps[0]["action"];
        assert!(*first == json!("same") || *first == json!("add"), "{first}");
        assert!(
            steps.iter().all(|step| step["action"] == *first),
            "{steps:#?}"
        );
    }
    assert_eq!(place.run(&["uninstall", "claude"]).code, Some(0));
    assert_eq!(tree(&place.home()), before);
}
