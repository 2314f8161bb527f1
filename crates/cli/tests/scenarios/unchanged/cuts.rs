//! Recorded debates whose journal ends after any of its lines.

use std::collections::BTreeMap;

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

/// What is run after each cut, and more where every test is asked for.
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
    let mut cut: Files = files
        .iter()
        .filter(|(path, _)| path.starts_with(".agon/blobs/"))
        .map(|(path, bytes)| (path.clone(), bytes.clone()))
        .collect();
    cut.insert(JOURNAL.to_owned(), kept.into_bytes());
    cut
}

fn lines(files: &Files) -> usize {
    files[JOURNAL].iter().filter(|byte| **byte == b'\n').count()
}

/// What is printed, or gained, after each cut: by its number of lines and the command.
pub(super) fn print(recorded: &Recorded, full: bool) -> Vec<Block> {
    let (name, files) = (&recorded.name, recorded.files());
    let world = World::new();
    let mut blocks = Vec::new();
    for lines in 1..=lines(&files) {
        std::fs::remove_dir_all(world.project().join("debates")).ok();
        world.lay_out(name, &cut(&files, lines));
        let found = if name == RESUMED {
            world.script(&(recipes::named(name).unwrap().script)());
            let resume = filled(&["resume", "{}", "--json"], name);
            vec![acting::step(&world, name, &resume)]
        } else {
            let readings = READINGS.iter().chain(MORE.iter().filter(|_| full));
            let commands: Vec<_> = readings.map(|words| filled(words, name)).collect();
            commands::print(&world, &commands)
        };
        blocks.extend(found.into_iter().map(|block| fingerprinted(lines, block)));
    }
    blocks
}

/// The block as it is recorded of a cut: its end, and the hash of the rest.
fn fingerprinted(lines: usize, block: Block) -> Block {
    let (end, rest) = block.body.split_once('\n').unwrap();
    Block {
        head: format!("{} [after {lines}]", block.head),
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
    let phases = std::sync::Mutex::new(BTreeMap::new());
    let wrong = fixture::each(&all, |_, recorded| {
        let now = print(recorded, commands::full());
        let shown = now.iter().filter(|block| block.head.starts_with("show"));
        phases
            .lock()
            .unwrap()
            .insert(recorded.name.clone(), shown.count());
        let before = printed::from_text(&recorded.text("cuts"));
        printed::differences(&recorded.name, &before, &now)
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let cuts: usize = phases.into_inner().unwrap().values().sum();
    assert!(cuts > 100, "{cuts}");
}
