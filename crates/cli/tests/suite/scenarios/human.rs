//! A person at the table: at a terminal, with an editor, and without either.

use std::fs;
use std::path::{Path, PathBuf};

use agon_testkit::{Script, Terminal};
use serde_json::Value;

use crate::scenarios::place::Fakes;
use crate::scenarios::steer::prompt;
use crate::support::{Ran, TOPIC};

mod terminal;
mod waiting;

/// A challenge as a person types it, without an alternative.
pub(crate) const CHALLENGE: &str = "\
# Objection on pro_001a (warrant, correctness, major)
content: Two renames are atomic each, and one lock makes them one step.
grounds:
- rename(2) — a rename is atomic — a claim needs nothing more
# Nothing found: security
- the way a claim is made
# Nothing found: developer experience
- the trait
";

/// What was missing in it.
pub(crate) const ALTERNATIVE: &str = "\
# Alternative: Plain files with one more lock
claim: Keep the files and take a lock around claim and lease.
grounds:
- flock(2) — it locks across processes — two writers are all there are
warrant: A lock that both take makes the two steps one.
";

/// The seats of a debate, and how short it is.
fn args<'a>(seats: [&'a str; 3], more: &[&'a str]) -> Vec<&'a str> {
    let [proposer, challenger, judge] = seats;
    let seats = [
        "--proposer",
        proposer,
        "--challenger",
        challenger,
        "--judge",
        judge,
        "--context",
        "none",
    ];
    [&["debate", TOPIC, "--slug", "s"], &seats[..], more].concat()
}

const CHALLENGED: [&str; 3] = ["claude", "human", "gemini"];

/// A verdict on whatever the other side said.
const VERDICT: &str = r#"```json
{"winner": "proposer", "answer": "Use SQLite for the job store.", "why": "Claim and lease are two steps (pro_001a).",
 "do_next": "Put it behind the trait.", "unless": "One writer is all there is.", "decisive": ["pro_001a"],
 "open": [], "assumed_by_both": [], "agreements": [], "disagreements": [],
 "quality": {"genuine_disagreement": "high", "evidence": "medium", "challenge_depth": "medium"}}
```"#;

/// Fake tools that know a debate of one round.
fn fakes() -> Fakes {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_script(&Script::job_store().turn("verdict.judge", [VERDICT]));
    fakes
}

fn start(fakes: &Fakes, args: &[&str]) -> Terminal {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    Terminal::start(program, args, &fakes.place.project(), &fakes.place.env)
}

/// The form of an ask of the debate `s`.
fn form(fakes: &Fakes, key: &str) -> PathBuf {
    fakes.place.folder().join(format!(".agon/answer/{key}.md"))
}

/// A file of the project with this in it.
fn file(fakes: &Fakes, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = fakes.place.project().join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// What the fakes would say in a turn.
fn scripted(script: &Script, turn: &str) -> String {
    script.turns[turn][0].clone()
}

fn keys(document: &Value) -> Vec<&str> {
    let awaits = document["awaits"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    awaits
        .iter()
        .map(|one| one["key"].as_str().unwrap())
        .collect()
}

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    ran
}
