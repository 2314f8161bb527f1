//! A person at the table: at a terminal, with an editor, and without either.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use agon_testkit::{Script, Terminal};
use serde_json::Value;

use crate::scenarios::place::Fakes;
use crate::scenarios::steer::prompt;
use crate::support::{Ran, TOPIC, seat_flags};

mod editor;
mod questions;
mod waiting;

/// A challenge as a person writes it.
pub(crate) const CHALLENGE: &str = "\
# Objection to pro_001a
Severity: major
Two renames are atomic each, and one lock makes them one step.
## Places
- rename(2) is atomic, and a claim needs nothing more
";

/// Another answer beside it.
pub(crate) const ALTERNATIVE: &str = "\
# Another answer
Keep the files and take a lock around claim and lease.
## Why
A lock that both take makes the two steps one.
";

/// The same with a word that cannot be chosen.
const BROKEN: &str = "\
# Objection to pro_001a
Severity: mighty
Two renames are atomic each, and one lock makes them one step.
";

/// A verdict as a person writes it.
pub(crate) const RULING: &str = "\
# Winner
proposer
# Answer
Use SQLite for the job store.
# Why
Claim and lease are two steps, see pro_001a.
";

/// The same with a point that is not there.
pub(crate) const LOOSE_RULING: &str = "\
# Winner
proposer
# Answer
Use SQLite for the job store.
# Why
Claim and lease are two steps, see pro_009z.
";

/// The seats of a debate, and how short it is.
fn args<'a>(seats: [&'a str; 3], more: &[&'a str]) -> Vec<&'a str> {
    let topic = ["debate", TOPIC, "--slug", "s", "--context", "none"];
    [&topic[..], &seat_flags(seats), more].concat()
}

const CHALLENGED: [&str; 3] = ["claude", "human", "gemini"];

const JUDGED: [&str; 3] = ["claude", "codex", "human"];

/// A verdict on whatever the other side said.
const VERDICT: &str = r#"```json
{"winner": "proposer", "answer": "Use SQLite for the job store.", "why": "Claim and lease are two steps (pro_001a).",
 "do_next": "Put it behind the trait.", "unless": "One writer is all there is.", "decisive": ["pro_001a"],
 "open": [], "assumed_by_both": [], "agreements": [], "disagreements": [],
 "quality": {"genuine_disagreement": "high", "evidence": "medium", "challenge_depth": "medium"}}
```"#;

/// Fake tools that know a debate of one round; the person has no editor.
fn fakes() -> Fakes {
    let mut fakes = Fakes::new();
    fakes.place.env.insert("EDITOR".into(), "none".into());
    fakes
        .tools
        .set_script(&Script::job_store().turn("verdict.judge", [VERDICT]));
    fakes
}

fn start(fakes: &Fakes, args: &[&str]) -> Terminal {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    Terminal::start(program, args, &fakes.place.project(), &fakes.place.env)
}

/// The form of a turn of the debate `s`.
fn form(fakes: &Fakes, turn: &str) -> PathBuf {
    fakes.place.folder().join(format!(".agon/answer/{turn}.md"))
}

/// The form of the challenger's first turn.
const FIRST_CHALLENGE: &str = "challenger-round-1";

/// An editor of the person that runs `script`, which finds the form in `$1`.
fn set_editor(fakes: &mut Fakes, script: &str) {
    let editor = file(fakes, "my editor", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let command = format!("'{editor}'");
    fakes.place.env.insert("EDITOR".into(), command);
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
