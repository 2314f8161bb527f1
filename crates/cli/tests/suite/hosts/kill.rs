//! SIGKILL at a write, at every one in a full run: each file is as it was or as it is to be, and the
//! next attempt ends it.

use std::fs;
use std::rc::Rc;

use agon_testkit::{Sandbox, sample};

use crate::hosts::older::{EDITED, edited, install_older, receipt};
use crate::hosts::tree::{Tree, tree};
use crate::support::{Place, Ran};

/// The exit code where something of the user's stayed as it is.
const LESSER: i32 = 7;

const POINTS: [&str; 3] = [
    "install-file-before",
    "install-file-written",
    "install-file-after",
];

/// More files than any host gets.
const MAX_WRITES: usize = 60;

/// How often a command is killed by default; a full run kills it at every write.
const SAMPLE: usize = 12;

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
    /// is not killed leaves of the user's.
    fn kill_everywhere(&self, prepare: impl Fn(&Place, &str), after: impl Fn(&Place, &str, &Tree)) {
        let mut cases = Vec::new();
        for host in ["claude", "codex"] {
            let unkilled = place(host);
            prepare(&unkilled, host);
            assert_eq!(unkilled.run(&[self.command, host]).code, Some(self.code));
            let whole = Rc::new(users(&unkilled));
            for point in POINTS {
                let writes = self.count_writes(host, point, &prepare);
                cases.extend((1..=writes).map(|nth| (host, point, nth, Rc::clone(&whole))));
            }
        }
        assert!(cases.len() > 40, "{} writes", cases.len());
        let test = format!("kills of {}, then {}", self.command, self.then);
        for (host, point, nth, whole) in sample(&test, cases, SAMPLE) {
            let at = format!("{host} {point}:{nth}");
            let place = place(host);
            prepare(&place, host);
            let before = users(&place);
            let place = self.kill(place, host, point, nth);
            let place = place.unwrap_or_else(|ran| panic!("{at}: {ran:#?}"));
            let now = users(&place);
            let ran = place.run(&[self.then, host]);
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

    /// Kills it at the nth time that it reaches `point`; gives how it ended where it does not.
    fn kill(&self, mut place: Place, host: &str, point: &str, nth: usize) -> Result<Place, Ran> {
        let failpoint = format!("{point}:{nth}");
        place.env.insert("AGON_FAILPOINT".into(), failpoint);
        let ran = place.run(&[self.command, host]);
        place.env.remove("AGON_FAILPOINT");
        match ran.code {
            Some(_) => Err(ran),
            None => Ok(place),
        }
    }

    /// Counts how often the command reaches `point`, by bisection.
    fn count_writes(&self, host: &str, point: &str, prepare: &impl Fn(&Place, &str)) -> usize {
        let (mut reached, mut beyond) = (0, MAX_WRITES);
        while beyond - reached > 1 {
            let nth = reached + (beyond - reached) / 2;
            let place = place(host);
            prepare(&place, host);
            match self.kill(place, host, point, nth) {
                Ok(_) => reached = nth,
                Err(ran) => {
                    assert_eq!(ran.code, Some(self.code), "{ran:#?}");
                    beyond = nth;
                }
            }
        }
        reached
    }
}

#[test]
fn an_installation_that_is_killed_at_any_write_is_completed_and_taken_back() {
    let attempt = Attempt {
        command: "install",
        then: "install",
        code: 0,
    };
    attempt.kill_everywhere(
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
}

#[test]
fn an_uninstallation_that_is_killed_at_any_write_is_completed() {
    let attempt = Attempt {
        command: "uninstall",
        then: "uninstall",
        code: 0,
    };
    attempt.kill_everywhere(
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
}

#[test]
fn an_installation_that_is_killed_at_any_write_can_be_taken_back_at_once() {
    let attempt = Attempt {
        command: "install",
        then: "uninstall",
        code: 0,
    };
    attempt.kill_everywhere(|_, _| {}, |place, host, _| assert_untouched(place, host));
}

#[test]
fn an_update_that_is_killed_at_any_write_is_completed_and_an_edited_file_stays() {
    let attempt = Attempt {
        command: "install",
        then: "install",
        code: LESSER,
    };
    attempt.kill_everywhere(install_older, |place, host, whole| {
        assert_eq!(&users(place), whole, "{host}");
        let text = fs::read_to_string(edited(place, host)).unwrap();
        assert_eq!(text, EDITED.1, "{host}");
        let receipt = fs::read_to_string(receipt(place, host)).unwrap();
        assert!(!receipt.contains("0.0.1") && !receipt.contains("/gone/"));
    });
}

#[test]
fn an_update_that_is_killed_at_any_write_can_be_taken_back_at_once() {
    let attempt = Attempt {
        command: "install",
        then: "uninstall",
        code: LESSER,
    };
    attempt.kill_everywhere(install_older, |place, host, _| {
        let edited = edited(place, host);
        assert_eq!(fs::read_to_string(&edited).unwrap(), EDITED.1, "{host}");
        fs::remove_file(&edited).unwrap();
        assert_untouched(place, host);
    });
}
