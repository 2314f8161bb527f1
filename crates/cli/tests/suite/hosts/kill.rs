//! SIGKILL at every write: each file is as it was or as it is to be, and the next attempt ends it.

use std::fs;

use agon_testkit::Sandbox;

use crate::hosts::older::{EDITED, edited, install_older, receipt};
use crate::hosts::tree::{Tree, tree};
use crate::support::Place;

/// The exit code where something of the user's stayed as it is.
const LESSER: i32 = 7;

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

/// What is killed, and what is done after it.
struct Attempt {
    /// It is killed at every write in turn.
    command: &'static str,
    /// It is run afterwards.
    then: &'static str,
    /// What both end with.
    code: i32,
}

impl Attempt {
    /// Runs it on each host from the state that `prepare` leaves; `after` is given what a run that
    /// nobody kills leaves of the user's. Gives how often it was killed.
    fn kill_everywhere(
        &self,
        prepare: impl Fn(&Place, &str),
        after: impl Fn(&Place, &str, &Tree),
    ) -> usize {
        let mut kills = 0;
        for host in ["claude", "codex"] {
            let unkilled = place(host);
            prepare(&unkilled, host);
            assert_eq!(unkilled.run(&[self.command, host]).code, Some(self.code));
            let whole = users(&unkilled);
            for point in POINTS {
                for nth in 1..MAX_WRITES {
                    let mut place = place(host);
                    prepare(&place, host);
                    let before = users(&place);
                    place
                        .env
                        .insert("AGON_FAILPOINT".into(), format!("{point}:{nth}"));
                    let ran = place.run(&[self.command, host]);
                    place.env.remove("AGON_FAILPOINT");
                    let now = users(&place);
                    if ran.code.is_some() {
                        assert_eq!(ran.code, Some(self.code), "{ran:#?}");
                        break;
                    }
                    kills += 1;
                    let ran = place.run(&[self.then, host]);
                    let at = format!("{host} {point}:{nth}");
                    assert_eq!(ran.code, Some(self.code), "{at}: {ran:#?}");
                    let last = users(&place);
                    for (path, bytes) in &now {
                        let was = [&before, &whole, &last].map(|tree| tree.get(path));
                        let is_known = was.contains(&Some(bytes));
                        assert!(is_known, "{at}: {path} is neither old nor new");
                    }
                    after(&place, host, &whole);
                }
            }
        }
        eprintln!("killed {kills} times");
        kills
    }
}

#[test]
fn an_installation_that_is_killed_at_any_write_is_completed_and_taken_back() {
    let attempt = Attempt {
        command: "install",
        then: "install",
        code: 0,
    };
    let kills = attempt.kill_everywhere(
        |_, _| {},
        |place, host, _| {
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
    assert!(kills > 60, "{kills}");
}

#[test]
fn an_uninstallation_that_is_killed_at_any_write_is_completed() {
    let attempt = Attempt {
        command: "uninstall",
        then: "uninstall",
        code: 0,
    };
    let kills = attempt.kill_everywhere(
        |place, host| {
            let ran = place.run(&["install", host]);
            assert_eq!(ran.code, Some(0), "{ran:#?}");
        },
        |place, _, _| {
            assert_eq!(
                tree(&place.home()).len(),
                1,
                "{:?}",
                tree(&place.home()).keys()
            );
        },
    );
    assert!(kills > 40, "{kills}");
}

#[test]
fn an_installation_that_is_killed_at_any_write_can_be_taken_back_at_once() {
    let attempt = Attempt {
        command: "install",
        then: "uninstall",
        code: 0,
    };
    let kills = attempt.kill_everywhere(|_, _| {}, |place, host, _| assert_untouched(place, host));
    assert!(kills > 60, "{kills}");
}

#[test]
fn an_update_that_is_killed_at_any_write_is_completed_and_an_edited_file_stays() {
    let attempt = Attempt {
        command: "install",
        then: "install",
        code: LESSER,
    };
    let kills = attempt.kill_everywhere(install_older, |place, host, whole| {
        assert_eq!(&users(place), whole, "{host}");
        let text = fs::read_to_string(edited(place, host)).unwrap();
        assert_eq!(text, EDITED.1, "{host}");
        let receipt = fs::read_to_string(receipt(place, host)).unwrap();
        assert!(!receipt.contains("0.0.1") && !receipt.contains("/gone/"));
    });
    assert!(kills > 60, "{kills}");
}

#[test]
fn an_update_that_is_killed_at_any_write_can_be_taken_back_at_once() {
    let attempt = Attempt {
        command: "install",
        then: "uninstall",
        code: LESSER,
    };
    let kills = attempt.kill_everywhere(install_older, |place, host, _| {
        let edited = edited(place, host);
        assert_eq!(fs::read_to_string(&edited).unwrap(), EDITED.1, "{host}");
        fs::remove_file(&edited).unwrap();
        assert_untouched(place, host);
    });
    assert!(kills > 60, "{kills}");
}
