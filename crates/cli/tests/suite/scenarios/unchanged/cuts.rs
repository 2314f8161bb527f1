//! Recorded debates whose journal ends after any of its lines, is torn, or whose documents were
//! written into.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use agon_testkit::{is_full, sample};

use super::bundle::Files;
use super::commands::{self, filled};
use super::fixture::{self, Recorded};
use super::printed::{self, Block};
use super::world::World;
use super::{acting, recipes};

const JOURNAL: &str = ".agon/journal.jsonl";

/// The debates that are cut.
const CUT: &[&str] = &[
    "duel",
    "duel-panel-split",
    "duel-with-a-run",
    "duel-continued",
    "duel-person-answered",
    "duel-on-a-file",
    "formal",
    "formal-panel",
];

/// The debate that is taken further after each cut.
const RESUMED: &str = "duel-quick";

/// States of each debate that are read by default.
const SAMPLE: usize = 5;

/// What is run in each state, and more where every test is asked for.
const READINGS: &[&[&str]] = &[
    &["show", "{}"],
    &["show", "{}", "--json"],
    &["check", "{}", "--json"],
];
const MORE: &[&[&str]] = &[
    &["wait", "{}", "--timeout", "0", "--json"],
    &["list", "--json"],
    &["graph", "{}", "--json"],
    &["report", "{}", "--format", "json"],
    &["report", "{}", "--format", "transcript"],
    &["replay", "{}", "--speed", "0", "--json"],
];

/// Whether this debate is cut.
pub(super) fn is_cut(name: &str) -> bool {
    name == RESUMED || CUT.contains(&name)
}

/// The folder as a kill would leave it after so many lines: without a document.
fn cut(files: &Files, lines: usize) -> Files {
    let journal = String::from_utf8(files[JOURNAL].clone()).unwrap();
    let kept: String = journal.split_inclusive('\n').take(lines).collect();
    let blobs = files
        .iter()
        .filter(|(path, _)| path.starts_with(".agon/blobs/"));
    let mut cut: Files = blobs
        .map(|(path, bytes)| (path.clone(), bytes.clone()))
        .collect();
    cut.insert(JOURNAL.to_owned(), kept.into_bytes());
    cut
}

/// The folder with its last line torn in two.
fn torn(files: &Files) -> Files {
    let mut torn = files.clone();
    let journal = torn.get_mut(JOURNAL).unwrap();
    journal.truncate(journal.len() - 100);
    torn
}

/// The folder with a document that somebody wrote into.
fn edited(files: &Files) -> Files {
    let mut edited = files.clone();
    let transcript = edited.get_mut("transcript.md").unwrap();
    transcript.extend(b"Mine.\n");
    edited
}

/// Every state of a folder that is looked at, by its name.
fn states(files: &Files) -> Vec<(String, Files)> {
    let lines = files[JOURNAL].iter().filter(|byte| **byte == b'\n').count();
    let cuts = (1..=lines).map(|lines| (format!("after {lines}"), cut(files, lines)));
    let others = [("torn", torn(files)), ("edited", edited(files))];
    let others = others.map(|(state, files)| (state.to_owned(), files));
    cuts.chain(others).collect()
}

/// What is printed, or gained, in each state: by the command and the state's name.
pub(super) fn print(recorded: &Recorded, full: bool) -> Vec<Block> {
    let name = &recorded.name;
    let world = World::new();
    let mut blocks = Vec::new();
    let mut states = states(&recorded.files());
    if !full {
        states = sample(name, states, SAMPLE);
    }
    for (state, files) in states {
        fs::remove_dir_all(world.project().join("debates")).ok();
        world.lay_out(name, &files);
        let found = if name == RESUMED {
            world.script(&(recipes::named(name).unwrap().script)());
            let resume = filled(&["resume", "{}", "--json"], name);
            vec![acting::step(&world, name, &resume)]
        } else {
            let readings = READINGS.iter().chain(MORE.iter().filter(|_| full));
            let commands: Vec<_> = readings.map(|words| filled(words, name)).collect();
            commands::print(&world, &commands)
        };
        blocks.extend(found.into_iter().map(|block| fingerprinted(&state, block)));
    }
    blocks
}

/// The block as it is recorded of a cut: its end, and the hash of the rest.
fn fingerprinted(state: &str, block: Block) -> Block {
    let (end, rest) = block.body.split_once('\n').unwrap();
    Block {
        head: format!("{} [{state}]", block.head),
        body: format!("{end} {}\n", printed::fingerprint(rest.as_bytes())),
    }
}

#[test]
fn a_debate_that_was_cut_after_any_line_is_read_and_resumed_as_when_it_was_recorded() {
    let all: Vec<_> = fixture::all()
        .into_iter()
        .filter(|recorded| is_cut(&recorded.name))
        .collect();
    assert!(all.len() > CUT.len(), "{all:?}");
    let states = AtomicUsize::new(0);
    let wrong = fixture::each(&all, |_, recorded| {
        let now = print(recorded, is_full());
        states.fetch_add(now.len(), Ordering::SeqCst);
        let before = printed::from_text(&recorded.text("cuts"));
        printed::differences(&recorded.name, &before, &now)
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(states.into_inner() > all.len() * SAMPLE);
}
