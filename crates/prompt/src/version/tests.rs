//! A prompt whose text changes gets a new version.

#![expect(
    clippy::disallowed_methods,
    reason = "the templates and the recorded hash are read in place"
)]

use std::fs;
use std::path::{Path, PathBuf};

use agon_record::event::PartRef;
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::MovesKind;
use agon_samples::duel::{job_store, key, replies};

use super::*;
use crate::shape::{self, moves_shape};
use crate::{SessionMemory, prompt};

/// What stands there of this version: its number, and the hash of all texts.
const RECORDED: &str = "src/version/recorded.txt";
/// Records the texts as those of this version.
const RECORD: &str = "AGON_RECORD_PROMPTS";

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `folder`, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Every text of a prompt, by what it is: the templates, the shapes, and what a seat is told of the
/// debates that are written down, whole and in a conversation that goes on.
fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for path in files(&package().join("templates")) {
        let name = path.strip_prefix(package()).unwrap().display().to_string();
        texts.push((name, fs::read_to_string(&path).unwrap()));
    }
    let shapes = MovesKind::ALL.map(|kind| (kind.name(), moves_shape(kind)));
    let parts = [
        ("argument", shape::argument_shape()),
        ("ground", shape::ground_shape()),
        ("swap", shape::swapped_verdict_shape()),
    ];
    for (name, shape) in shapes.into_iter().chain(parts) {
        let name = format!("templates/shape_{name}.md");
        texts.push((name, format!("{shape}\n")));
    }
    texts.sort_by(|one, other| Path::new(&one.0).cmp(Path::new(&other.0)));
    let mut compact = job_store(2, "r2.pro".parse().unwrap());
    for seating in compact.seats.values_mut() {
        seating.budget = Some(4_096);
    }
    texts.push((
        "compact".to_owned(),
        prompt(&compact, cold("r2.pro")).text().to_string(),
    ));
    for rounds in [2, 3] {
        let mut held = SessionMemory::default();
        for &turn in replies(rounds).keys() {
            let prompt = prompt(&job_store(rounds, turn), key(turn, 0));
            texts.push((format!("duel {rounds} {turn}"), prompt.text().to_string()));
            let told = prompt.for_session(&held);
            texts.push((format!("duel {rounds} {turn} on"), told.text.to_string()));
            held = told.held;
        }
    }
    for turn in agon_samples::formal::TURNS {
        let state = agon_samples::formal::before(turn);
        texts.push((
            format!("formal {turn}"),
            prompt(&state, cold(turn)).text().to_string(),
        ));
    }
    texts
}

fn cold(turn: &str) -> AskKey {
    key(turn.parse::<TurnId>().unwrap(), 0)
}

fn now() -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, text) in texts() {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    format!(
        "version {PROMPT_VERSION}\ntexts {}\n",
        hasher.finalize().to_hex()
    )
}

#[test]
fn where_the_text_of_a_prompt_changes_the_version_rises() {
    let path = package().join(RECORDED);
    let now = now();
    if std::env::var_os(RECORD).is_some() {
        fs::write(&path, &now).unwrap();
    }
    let recorded = fs::read_to_string(&path).unwrap();
    let version = format!("version {PROMPT_VERSION}\n");
    let advice = match recorded.starts_with(&version) {
        true => {
            "the text of a prompt has changed: raise PROMPT_VERSION in src/version.rs, \
             unless that version was never in anybody's hands"
        }
        false => "the version of the prompts has changed",
    };
    assert_eq!(
        recorded, now,
        "{advice}; then record the texts: {RECORD}=1 cargo test -p agon-prompt where_the_text"
    );
}

fn asked(version: u32, kinds: &[(&str, char)]) -> Asked {
    let part = |(kind, hash): &(&str, char)| PartRef {
        kind: (*kind).to_owned(),
        hash: hash.to_string().repeat(64),
        bytes: 1,
    };
    Asked {
        key: cold("r2.pro"),
        tool: "claude".parse().unwrap(),
        model: None,
        effort: agon_record::spec::Effort::Medium,
        timeout_ms: 1,
        reserved: 1,
        parts: kinds.iter().map(part).collect(),
        prompt_version: version,
        session: None,
        sent_parts: None,
        user_inputs: 0,
        past_onset: None,
        seat_findings: Vec::new(),
    }
}

#[test]
fn texts_are_compared_within_a_version_and_beyond_it_what_they_were_made_from() {
    let state = job_store(2, "r2.pro".parse().unwrap());
    let then = [("role", 'a'), ("turn", 'b'), ("turn", 'c')];
    let worded = [("role", 'd'), ("rules", 'e'), ("turn", 'f'), ("turn", 'c')];
    let shorter = [("role", 'a'), ("turn", 'b')];
    let old = PROMPT_VERSION - 1;
    let compared = |version, kinds: &[(&str, char)]| {
        differing_part_kinds(
            &state,
            &asked(version, &then),
            &asked(PROMPT_VERSION, kinds),
        )
    };
    assert_eq!(compared(PROMPT_VERSION, &then), [""; 0]);
    assert_eq!(compared(PROMPT_VERSION, &worded), ["role", "turn", "rules"]);
    assert_eq!(compared(old, &worded), [""; 0]);
    assert_eq!(compared(old, &shorter), ["turn"]);

    let mut cut = state.clone();
    cut.seats
        .values_mut()
        .for_each(|it| it.budget = Some(2_048));
    let (then, now) = (asked(old, &then), asked(PROMPT_VERSION, &shorter));
    assert_eq!(differing_part_kinds(&cut, &then, &now), [""; 0]);
    let swapped = |asked: Asked| Asked {
        key: cold("verdict.swap"),
        ..asked
    };
    assert_eq!(
        differing_part_kinds(&cut, &swapped(then), &swapped(now)),
        ["turn"]
    );
}
