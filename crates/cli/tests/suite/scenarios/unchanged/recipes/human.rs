//! Duels with a person at the table.

use std::fs;

use super::{RESUME, Recipe, one_round};
use crate::scenarios::human::{ALTERNATIVE, CHALLENGE, LOOSE_RULING};
use crate::scenarios::unchanged::world::World;

const CHALLENGED: [&str; 3] = ["--quick", "--challenger", "human"];
const JUDGED: [&str; 3] = ["--quick", "--judge", "human"];

/// Hands in the whole challenge.
const ANSWER: &[&str] = &["resume", "{}", "--answer", "whole.md", "--json"];

/// Hands in a verdict.
const RULE: &[&str] = &["resume", "{}", "--answer", "ruling.md", "--json"];

/// The challenger's form, with something written in it.
fn half_written(world: &World, name: &str) {
    world.duel(name, 0, &CHALLENGED);
    let form = world
        .folder(name)
        .join(".agon/answer/challenger-round-1.md");
    let blank = fs::read_to_string(&form).unwrap();
    let written = "Severity: major\nOne lock makes them one step.\n";
    fs::write(form, blank.replacen("Severity: major\n", written, 1)).unwrap();
}

fn answered(world: &World, name: &str) {
    world.duel(name, 0, &CHALLENGED);
    let whole = world.beside("whole.md", &format!("{CHALLENGE}{ALTERNATIVE}"));
    world.ends(0, &["resume", name, "--answer", whole]);
}

fn sent_back(world: &World, name: &str) {
    world.duel(name, 0, &JUDGED);
    let loose = world.beside("loose.md", LOOSE_RULING);
    world.ends(0, &["resume", name, "--answer", loose, "--as-is"]);
}

fn judged(world: &World, name: &str) {
    world.duel(name, 0, &JUDGED);
    let form = world.folder(name).join(".agon/answer/judge-verdict.md");
    let blank = fs::read_to_string(&form).unwrap();
    fs::write(form, blank.replacen("# Why\n", "# Why\nIt held.\n", 1)).unwrap();
}

pub(super) const RECIPES: &[Recipe] = &[
    Recipe {
        name: "duel-person-writes",
        script: one_round,
        make: half_written,
        acts: &[RESUME, ANSWER],
    },
    Recipe {
        name: "duel-person-answered",
        script: one_round,
        make: answered,
        acts: &[],
    },
    Recipe {
        name: "duel-person-sent-back",
        script: one_round,
        make: sent_back,
        acts: &[RESUME, RULE],
    },
    Recipe {
        name: "duel-person-judges",
        script: one_round,
        make: judged,
        acts: &[&["say", "{}", "we get a second writer in August"], RESUME],
    },
];
