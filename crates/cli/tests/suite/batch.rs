//! A batch, run as its users run it: continued, extended, killed and run again.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use agon_testkit::{FakeTools, Script};
use serde_json::Value;

/// A folder with a file of requests, and fake tools that answer from the hand-written duel.
struct Place {
    tools: FakeTools,
    folder: tempfile::TempDir,
}

impl Place {
    fn new(rows: usize) -> Self {
        let place = Self {
            tools: FakeTools::new().script(&Script::job_store()),
            folder: tempfile::tempdir().unwrap(),
        };
        place.write_rows(rows);
        place
    }

    fn write_rows(&self, rows: usize) {
        let row = |at: usize| format!("{{\"topic\": \"Question {at}?\", \"id\": \"q{at}\"}}\n");
        let text: String = (0..rows).map(row).collect();
        fs::write(self.folder.path().join("q.jsonl"), text).unwrap();
    }

    fn agon(&self, more: &[&str], failpoint: Option<&str>) -> Output {
        let seats = [
            "--proposer",
            "claude",
            "--challenger",
            "codex",
            "--judge",
            "gemini",
        ];
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command
            .args(["batch", "q.jsonl", "--quick"])
            .args(seats)
            .args(more)
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

    fn run(&self, more: &[&str]) -> Value {
        let output = self.agon(&[&["--yes", "--json"], more].concat(), None);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn batch(&self) -> PathBuf {
        self.folder.path().join("q.batch")
    }

    /// Returns the ids in the results; each is there once.
    fn results(&self) -> BTreeSet<String> {
        let text = fs::read_to_string(self.batch().join("results.jsonl")).unwrap_or_default();
        assert!(text.is_empty() || text.ends_with('\n'), "{text}");
        let ids: Vec<String> = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .map(|result| result["id"].as_str().unwrap().to_owned())
            .collect();
        let once: BTreeSet<_> = ids.iter().cloned().collect();
        assert_eq!(ids.len(), once.len(), "{ids:?}");
        once
    }

    /// Returns the number of replies that the journals of all debates have.
    fn given(&self) -> usize {
        let debates = fs::read_dir(self.batch().join("debates"));
        let debates = debates.into_iter().flatten().flatten();
        let journals = debates.map(|debate| debate.path().join(".agon/journal.jsonl"));
        let journals = journals.filter_map(|path| fs::read_to_string(path).ok());
        let count = |text: String| text.matches("\"event\":\"given\"").count();
        journals.map(count).sum()
    }

    fn asks(&self) -> usize {
        self.tools.asks().len()
    }
}

#[test]
fn a_batch_is_estimated_run_and_extended_without_asking_twice() {
    let place = Place::new(3);
    let refused = place.agon(&[], None);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let estimate = place.agon(&["--dry-run", "--json"], None);
    let estimate: Value = serde_json::from_slice(&estimate.stdout).unwrap();
    assert_eq!(
        (&estimate["debates"], &estimate["calls"]),
        (&3.into(), &9.into())
    );
    assert!(!place.batch().exists(), "a dry run wrote something");

    let done = place.run(&[]);
    assert_eq!((&done["done"], &done["failed"]), (&3.into(), &0.into()));
    assert_eq!(place.results().len(), 3);
    assert_eq!((place.asks(), place.given()), (9, 9));

    place.run(&[]);
    assert_eq!(place.asks(), 9);
    place.write_rows(4);
    place.run(&["--junit", "report.xml"]);
    assert_eq!((place.asks(), place.results().len()), (12, 4));
    let report = fs::read_to_string(place.folder.path().join("report.xml")).unwrap();
    assert!(report.contains("tests=\"4\" failures=\"0\""), "{report}");
    let status = place.agon(&["--status", "--json"], None);
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(
        (&status["done"], &status["running"]),
        (&4.into(), &false.into())
    );
}

#[test]
fn errors_in_the_file_start_nothing() {
    let place = Place::new(1);
    fs::write(place.folder.path().join("q.jsonl"), "{\"topik\": 1}\n{\n").unwrap();
    let output = place.agon(&["--yes"], None);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("q.jsonl:1:2: unknown field `topik`"),
        "{said}"
    );
    assert!(said.contains("q.jsonl:2:"), "{said}");
    assert!(!place.batch().exists());
}

#[cfg(feature = "failpoints")]
#[test]
fn a_batch_that_is_killed_anywhere_loses_no_debate_and_asks_nothing_again() {
    use std::os::unix::process::ExitStatusExt as _;

    let whole = Place::new(3);
    whole.run(&[]);
    let instants = match agon_testkit::is_full() {
        true => (1..=100).collect(),
        false => vec![2, 9, 17],
    };
    let mut kills = 0;
    for nth in instants {
        let place = Place::new(3);
        let point = format!("journal-append-written:{nth}");
        let output = place.agon(&["--yes"], Some(&point));
        if output.status.signal() != Some(9) {
            break;
        }
        kills += 1;
        // Calls in flight are lost and asked again; stored replies are not.
        let (asked, stored) = (place.asks(), place.given());
        place.results();
        place.run(&[]);
        assert_eq!(place.results().len(), 3, "{point}");
        assert_eq!(place.given(), 9, "{point}");
        assert_eq!(place.asks(), asked + 9 - stored, "{point}");
    }
    assert!(kills > 1, "killed {kills} times");
}
