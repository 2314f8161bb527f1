//! The real program, killed at writes of its journal and documents, at every one in a full run, then
//! resumed.
//!
//! Needs the feature `failpoints`; `cargo xtask test` switches it on.

#![cfg(feature = "failpoints")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use agon_testkit::{Behaviour, FakeTools, Script, is_full, pick, sample};
use serde_json::Value;

/// A place to run in, with fake tools that answer from the hand-written duel.
struct Place {
    tools: FakeTools,
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let tools = FakeTools::new().script(&Script::job_store());
        Self {
            tools,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn agon(&self, args: &[&str], failpoint: Option<&str>) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", self.tools.path_var())
            .env("HOME", self.folder.path())
            .env("LANG", "C.UTF-8")
            .env("GEMINI_API_KEY", "placeholder");
        if let Some(point) = failpoint {
            command.env("AGON_FAILPOINT", point);
        }
        command.output().unwrap()
    }

    fn debate(&self, failpoint: Option<&str>) -> Output {
        let seats = [
            "--proposer",
            "claude",
            "--challenger",
            "codex",
            "--judge",
            "gemini",
        ];
        let args = [
            &["debate", "SQLite or plain files?", "--slug", "d", "--json"],
            &seats[..],
        ];
        self.agon(&args.concat(), failpoint)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("debates/d")
    }

    /// Lines of the journal.
    fn lines(&self) -> u64 {
        let journal = fs::read_to_string(self.path().join(".agon/journal.jsonl")).unwrap();
        journal.lines().count() as u64
    }

    fn verdict(&self) -> Value {
        let text = fs::read_to_string(self.path().join("verdict.json")).unwrap();
        let mut verdict: Value = serde_json::from_str(&text).unwrap();
        for varies in ["ulid", "usage"] {
            verdict.as_object_mut().unwrap().remove(varies);
        }
        verdict
    }

    /// Replies that are in the journal, by ask, as far as its lines are whole.
    fn given(&self) -> BTreeMap<String, u32> {
        let mut given = BTreeMap::new();
        let Ok(journal) = fs::read_to_string(self.path().join(".agon/journal.jsonl")) else {
            return given;
        };
        let whole = journal
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        for line in whole {
            let line: Value = serde_json::from_str(line).unwrap();
            for event in line["events"].as_array().unwrap() {
                if event["event"] == "given" {
                    *given
                        .entry(event["key"].as_str().unwrap().to_owned())
                        .or_default() += 1;
                }
            }
        }
        given
    }

    /// How often each turn was asked for, as the fake tools counted.
    fn calls(&self) -> BTreeMap<String, u32> {
        let mut calls = BTreeMap::new();
        for call in self.tools.asks() {
            *calls
                .entry(format!("{}#{}", call.turn.unwrap(), call.again))
                .or_default() += 1;
        }
        calls
    }

    /// Processes that run with this place as their home.
    fn processes(&self) -> Vec<String> {
        let home = format!("HOME={}", self.folder.path().display());
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
            let mine = environ
                .split(|&byte| byte == 0)
                .any(|var| var == home.as_bytes());
            if mine && alive(&entry.path()) {
                found.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        found
    }
}

fn alive(process: &Path) -> bool {
    let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

fn killed(output: &Output) -> bool {
    use std::os::unix::process::ExitStatusExt;
    output.status.signal() == Some(9)
}

/// Which times that a process reaches `point` it is killed, if it writes so many lines: each in a full
/// run, until it no longer reaches the point.
fn instants(point: &str, lines: u64) -> Vec<u64> {
    const MORE_THAN_ARE_REACHED: u64 = 1_000;
    if is_full() {
        (1..=MORE_THAN_ARE_REACHED).collect()
    } else if point.starts_with("journal") {
        sample(point, (1..=lines).collect(), 3)
    } else {
        // A debate writes more documents than lines.
        vec![1, 1 + pick(point, lines)]
    }
}

/// Kills when `point` is reached, as [`instants`] says.
fn at_every(point: &str) {
    let whole = Place::new();
    assert_eq!(whole.debate(None).status.code(), Some(0));
    let expected = whole.verdict();

    let mut points = 0;
    for nth in instants(point, whole.lines()) {
        let place = Place::new();
        let failpoint = format!("{point}:{nth}");
        let output = place.debate(Some(&failpoint));
        if !killed(&output) {
            assert_eq!(output.status.code(), Some(0), "{failpoint}");
            break;
        }
        points += 1;
        let before = place.given();
        if place.path().exists() {
            let resumed = place.agon(&["resume", "d", "--json"], None);
            let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
            assert_eq!(resumed.status.code(), Some(0), "{failpoint}: {said}");
        } else {
            assert_eq!(place.debate(None).status.code(), Some(0), "{failpoint}");
        }
        assert_eq!(place.verdict(), expected, "{failpoint}");
        let calls = place.calls();
        for key in before.keys() {
            assert_eq!(calls[key], 1, "{failpoint}: {key} was asked again");
        }
        let after = place.given();
        assert!(
            before
                .iter()
                .all(|(key, count)| after.get(key) == Some(count)),
            "{failpoint}"
        );
        assert_eq!(place.processes(), Vec::<String>::new(), "{failpoint}");
    }
    assert!(points > 0, "{point} was never reached");
    eprintln!("{point}: killed at {points} points, resumed to the same verdict at each");
}

#[test]
fn killed_before_a_line_is_written() {
    at_every("journal-append-before");
}

#[test]
fn killed_with_half_a_line_written() {
    at_every("journal-append-middle");
}

#[test]
fn killed_with_a_line_written_and_not_synced() {
    at_every("journal-append-written");
}

#[test]
fn killed_after_a_line_is_synced() {
    at_every("journal-append-after");
}

#[test]
fn killed_before_a_document_gets_its_name() {
    at_every("projection-before");
}

#[test]
fn killed_after_a_document_got_its_name() {
    at_every("projection-after");
}

/// The formal debate for one rebuttal, killed when `point` is reached while it runs.
fn formal_at_every(point: &str) {
    const RUN: &[&str] = &[
        "run",
        "d",
        "1",
        "--json",
        "--proposition",
        "claude",
        "--opposition",
        "codex",
        "--judge",
        "gemini",
    ];
    let opened = || {
        let place = Place::new();
        place.tools.set_script(&Script::formal());
        let motion = "This house would read every change";
        let new = place.agon(&["new", "d", "--motion", motion], None);
        assert_eq!(new.status.code(), Some(0));
        place
    };
    let stands = |place: &Place| {
        let scores = fs::read_to_string(place.path().join("scores.json")).unwrap();
        let mut scores: Value = serde_json::from_str(&scores).unwrap();
        for entry in scores.as_object_mut().unwrap().values_mut() {
            for one in entry["history"].as_array_mut().unwrap() {
                one.as_object_mut().unwrap().remove("scored_at");
            }
        }
        (scores, place.verdict())
    };
    let whole = opened();
    let before = whole.lines();
    assert_eq!(whole.agon(RUN, None).status.code(), Some(0));
    let expected = stands(&whole);

    let mut points = 0;
    for nth in instants(point, whole.lines() - before) {
        let place = opened();
        let failpoint = format!("{point}:{nth}");
        let output = place.agon(RUN, Some(&failpoint));
        if !killed(&output) {
            assert_eq!(output.status.code(), Some(0), "{failpoint}");
            break;
        }
        points += 1;
        let before = place.given();
        // Killed before it was told how far to go, there is nothing to resume.
        let told = fs::read_to_string(place.path().join(".agon/journal.jsonl")).unwrap();
        let told = told
            .split_inclusive('\n')
            .any(|line| line.ends_with('\n') && line.contains("\"event\":\"continued\""));
        let resumed = match told {
            true => place.agon(&["resume", "d", "--json"], None),
            false => place.agon(RUN, None),
        };
        let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
        assert_eq!(resumed.status.code(), Some(0), "{failpoint}: {said}");
        assert_eq!(stands(&place), expected, "{failpoint}");
        let calls = place.calls();
        for key in before.keys() {
            assert_eq!(calls[key], 1, "{failpoint}: {key} was asked again");
        }
        assert_eq!(place.processes(), Vec::<String>::new(), "{failpoint}");
        let checked = place.agon(&["check", "d"], None);
        assert_eq!(checked.status.code(), Some(0), "{failpoint}");
    }
    assert!(points > 0, "{point} was never reached");
    eprintln!("formal {point}: killed at {points} points, went on to the same scores at each");
}

#[test]
fn a_formal_run_killed_before_a_line_is_written() {
    formal_at_every("journal-append-before");
}

#[test]
fn a_formal_run_killed_with_half_a_line_written() {
    formal_at_every("journal-append-middle");
}

#[test]
fn a_formal_run_killed_with_a_line_written_and_not_synced() {
    formal_at_every("journal-append-written");
}

#[test]
fn a_formal_run_killed_after_a_line_is_synced() {
    formal_at_every("journal-append-after");
}

#[test]
fn a_formal_run_killed_before_a_document_gets_its_name() {
    formal_at_every("projection-before");
}

#[test]
fn a_formal_run_killed_after_a_document_got_its_name() {
    formal_at_every("projection-after");
}

#[test]
fn a_tool_that_a_killed_run_left_behind_is_ended_and_the_run_resumed() {
    let place = Place::new();
    place
        .tools
        .set_scenario("claude", "r0.pro", Behaviour::Hang);
    // The third line holds the challenger's blind answer; the proposer is still at it.
    assert!(killed(&place.debate(Some("journal-append-after:3"))));
    // Nobody resumes it: the guard ends what is left.
    let begun = std::time::Instant::now();
    while !place.processes().is_empty() {
        assert!(begun.elapsed().as_secs() < 20, "{:?}", place.processes());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    place.tools.clear_scenario();
    let resumed = place.agon(&["resume", "d", "--json"], None);
    assert_eq!(
        resumed.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&resumed.stderr)
    );
    assert_eq!(place.processes(), Vec::<String>::new());
    assert_eq!(place.calls()["r0.cha#0"], 1);
    assert_eq!(place.calls()["r0.pro#0"], 2);
}
