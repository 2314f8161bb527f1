//! A trial, run as its users run it: killed, run again, shown and compared without a call.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use agon_testkit::{FakeTools, Script};
use serde_json::Value;

/// A folder with questions, and fake tools that answer from the hand-written duel.
struct Place {
    tools: FakeTools,
    folder: tempfile::TempDir,
}

impl Place {
    fn new(questions: usize) -> Self {
        let mut script = Script::job_store_quick();
        script.default = "It is cheaper.\nAnswer: A (60%)".to_owned();
        let place = Self {
            tools: FakeTools::new().script(&script),
            folder: tempfile::tempdir().unwrap(),
        };
        let line = |at: usize| {
            format!(
                "{{\"id\": \"q{at}\", \"text\": \"Question {at}: which store?\", \"options\": \
                 [\"Use SQLite for the job store\", \"Plain files\"], \"answer\": \"A\"}}\n"
            )
        };
        let text: String = (0..questions).map(line).collect();
        fs::write(place.folder.path().join("q.jsonl"), text).unwrap();
        place
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command
            .arg("trial")
            .args(words)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", self.tools.path_var())
            .env("HOME", self.folder.path())
            .env("LANG", "C.UTF-8")
            .env("GEMINI_API_KEY", "placeholder")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn trial(&self) -> Command {
        let seats = "--proposer claude --challenger codex --judge gemini";
        let words = format!("q.jsonl --quick --votes 3 --yes --json {seats}");
        self.command(&words.split(' ').collect::<Vec<_>>())
    }

    fn results(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.folder.path().join("q.jsonl.trial/results.jsonl"));
        let text = text.unwrap_or_default();
        let whole = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        whole
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn asks(&self) -> usize {
        self.tools.asks().len()
    }
}

fn document(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_killed_trial_continues_and_is_shown_again_without_a_call() {
    let place = Place::new(5);
    let mut running = place.trial().spawn().unwrap();
    while place.results().len() < 6 && running.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(5));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let stored = place.results();
    let report = document(&place.trial().output().unwrap());
    assert_eq!(report["complete"], true, "{report}");
    let results = place.results();
    assert_eq!(
        results[..stored.len()],
        stored,
        "what was stored was asked again"
    );
    let identities: BTreeSet<_> = results.iter().map(|it| it["identity"].as_str()).collect();
    assert_eq!((results.len(), identities.len()), (5 + 15 + 5, 25));
    let right: Vec<_> = report["arms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|arm| &arm["right"])
        .collect();
    // The options are in another order in some questions, so that `A` is not always right.
    assert_eq!(right[2], 5);
    assert!(*right[0] != 0 && *right[0] != 5, "{right:?}");

    let asks = place.asks();
    assert_eq!(document(&place.trial().output().unwrap()), report);
    let show = |words: &[&str]| place.command(words).output().unwrap();
    assert_eq!(
        document(&show(&["show", "q.jsonl.trial", "--json"])),
        report
    );
    let same = document(&show(&[
        "compare",
        "q.jsonl.trial",
        "q.jsonl.trial",
        "--json",
    ]));
    assert_eq!(same["arms"][2]["difference"]["value"], 0.0);
    assert_eq!(place.asks(), asks);
    let written = show(&[
        "show",
        "q.jsonl.trial",
        "--html",
        "r.html",
        "--inspect",
        "logs",
    ]);
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    let page = fs::read_to_string(place.folder.path().join("r.html")).unwrap();
    assert!(page.contains("<svg"));
    assert_eq!(
        fs::read_dir(place.folder.path().join("logs"))
            .unwrap()
            .count(),
        3
    );
}

#[test]
fn a_trial_does_not_start_with_errors_in_its_file_or_without_tools() {
    let place = Place::new(1);
    let run = |words: &[&str]| {
        let output = place.command(words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let (code, said) = run(&["q.jsonl", "--yes"]);
    assert!(
        code == Some(2) && said.contains("needs the names of the tools"),
        "{said}"
    );
    fs::write(place.folder.path().join("bad.jsonl"), "{\"id\": \"a\"}\n").unwrap();
    let (code, said) = run(&["bad.jsonl", "--proposer", "claude"]);
    assert!(
        code == Some(2) && said.contains("bad.jsonl:1: missing field `text`"),
        "{said}"
    );
    let (code, said) = run(&["--dataset", "nothing", "--dry-run"]);
    assert!(
        code == Some(2) && said.contains("bigbench:truthful_qa"),
        "{said}"
    );
    assert_eq!(place.asks(), 0);
}
