//! SIGKILL at every write: each file is as it was or as it is to be, and the next attempt ends it.

use std::fs;

use agon_testkit::Sandbox;

use crate::hosts::tree::{Tree, tree};
use crate::support::Place;

const POINTS: [&str; 3] = [
    "install-file-before",
    "install-file-written",
    "install-file-after",
];

/// More files than any host gets.
const MAX_WRITES: usize = 60;

fn place(host: &str) -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    let place = Place::new(sandbox, env);
    let (path, text) = configuration(host);
    let path = place.home().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    place
}

/// What a user has: not what Agon keeps of it, nor what a kill leaves under another name.
fn users(place: &Place) -> Tree {
    let mut files = tree(&place.home());
    files.retain(|path, _| !path.starts_with(".local/") && !path.ends_with(".agon-new"));
    files
}

/// Whether nothing but the user's own configuration is there, as it was.
fn assert_untouched(place: &Place, host: &str) {
    let (path, text) = configuration(host);
    let left = tree(&place.home());
    assert_eq!(left.keys().collect::<Vec<_>>(), [path], "{host}");
    assert_eq!(left[path], text.as_bytes(), "{host}");
}

fn configuration(host: &str) -> (&'static str, &'static str) {
    match host {
        "claude" => (".claude.json", "{\n  \"a\": 1\n}\n"),
        "codex" => (".codex/config.toml", "# mine\nmodel = \"x\"\n"),
        _ => panic!("no home for {host}"),
    }
}

/// Runs `command` on each host, killed at every write in turn, from the state that `prepare` leaves;
/// gives how often it was killed.
fn kill_everywhere(
    command: &str,
    then: &str,
    prepare: impl Fn(&Place, &str),
    after: impl Fn(&Place, &str),
) -> usize {
    let mut kills = 0;
    for host in ["claude", "codex"] {
        let unkilled = place(host);
        prepare(&unkilled, host);
        assert_eq!(unkilled.run(&[command, host]).code, Some(0));
        let whole = users(&unkilled);
        for point in POINTS {
            for nth in 1..MAX_WRITES {
                let mut place = place(host);
                prepare(&place, host);
                let before = users(&place);
                place
                    .env
                    .insert("AGON_FAILPOINT".into(), format!("{point}:{nth}"));
                let ran = place.run(&[command, host]);
                place.env.remove("AGON_FAILPOINT");
                let now = users(&place);
                if ran.code.is_some() {
                    assert_eq!(ran.code, Some(0), "{ran:#?}");
                    break;
                }
                kills += 1;
                let ran = place.run(&[then, host]);
                assert_eq!(ran.code, Some(0), "{host} {point}:{nth}: {ran:#?}");
                let last = users(&place);
                for (path, bytes) in &now {
                    let was = [&before, &whole, &last].map(|tree| tree.get(path));
                    let is_known = was.contains(&Some(bytes));
                    assert!(
                        is_known,
                        "{host} {point}:{nth}: {path} is neither old nor new"
                    );
                }
                after(&place, host);
            }
        }
    }
    kills
}

#[test]
fn an_installation_that_is_killed_at_any_write_is_completed_and_taken_back() {
    let kills = kill_everywhere(
        "install",
        "install",
        |_, _| {},
        |place, host| {
            let ran = place.run(&["install", host, "--json"]);
            let document = ran.json();
            let steps = document["hosts"][0]["steps"].as_array().unwrap();
            assert!(
                steps.iter().all(|step| step["action"] == "same"),
                "{document}"
            );
            let ran = place.run(&["uninstall", host]);
            assert_eq!(ran.code, Some(0), "{ran:#?}");
            assert_untouched(place, host);
        },
    );
    eprintln!("killed {kills} times");
    assert!(kills > 60, "{kills}");
}

#[test]
fn an_uninstallation_that_is_killed_at_any_write_is_completed() {
    let kills = kill_everywhere(
        "uninstall",
        "uninstall",
        |place, host| {
            let ran = place.run(&["install", host]);
            assert_eq!(ran.code, Some(0), "{ran:#?}");
        },
        |place, _| {
            assert_eq!(
                tree(&place.home()).len(),
                1,
                "{:?}",
                tree(&place.home()).keys()
            );
        },
    );
    eprintln!("killed {kills} times");
    assert!(kills > 40, "{kills}");
}

#[test]
fn an_installation_that_is_killed_at_any_write_can_be_taken_back_at_once() {
    let kills = kill_everywhere("install", "uninstall", |_, _| {}, assert_untouched);
    assert!(kills > 60, "{kills}");
}
