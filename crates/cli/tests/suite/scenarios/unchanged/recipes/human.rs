//! Duels with a person at the table.

use std::fs;

use super::{RESUME, Recipe, one_round};
use crate::scenarios::human::{ALTERNATIVE, CHALLENGE};
use crate::scenarios::unchanged::world::World;

const CHALLENGED: [&str; 3] = ["--quick", "--challenger", "human"];

/// Hands in the whole challenge.
const ANSWER: &[&str] = &["resume", "{}", "--answer", "whole.md", "--json"];

/// Changes the form of an ask.
fn change(world: &World, (name, key): (&str, &str), how: impl Fn(&str) -> String) {
    let form = world.folder(name).join(format!(".agon/answer/{key}.md"));
    let text = how(&fs::read_to_string(&form).unwrap());
    fs::write(form, text).unwrap();
}

fn half_written(world: &World, name: &str) {
    world.duel(name, 0, &CHALLENGED);
    change(world, (name, "r1.cha#0"), |blank| {
        blank.replacen("# Objections", &format!("{CHALLENGE}# Objections"), 1)
    });
}

fn filled_in(world: &World, name: &str) {
    world.duel(name, 0, &CHALLENGED);
    change(world, (name, "r1.cha#0"), |blank| {
        let whole = format!("{CHALLENGE}{ALTERNATIVE}# Objections");
        let filled = blank.replacen("# Objections", &whole, 1);
        filled.split_once('\n').unwrap().1.to_owned()
    });
}

fn answered(world: &World, name: &str) {
    world.duel(name, 0, &CHALLENGED);
    let whole = world.beside("whole.md", &format!("{CHALLENGE}{ALTERNATIVE}"));
    world.ends(0, &["resume", name, "--answer", whole]);
}

fn sent_back(world: &World, name: &str) {
    world.duel(name, 0, &CHALLENGED);
    let broken = world.beside("broken.md", CHALLENGE);
    world.ends(0, &["resume", name, "--answer", broken, "--as-is"]);
}

fn judged(world: &World, name: &str) {
    world.duel(name, 0, &["--quick", "--judge", "human"]);
    change(world, (name, "verdict.judge#0"), |blank| {
        blank.replacen("# Why\n", "# Why\nIt held.\n", 1)
    });
}

pub(super) const RECIPES: &[Recipe] = &[
    Recipe {
        name: "duel-person-writes",
        script: one_round,
        make: half_written,
        acts: &[RESUME, ANSWER],
    },
    Recipe {
        name: "duel-person-has-written",
        script: one_round,
        make: filled_in,
        acts: &[RESUME],
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
        acts: &[RESUME, ANSWER],
    },
    Recipe {
        name: "duel-person-judges",
        script: one_round,
        make: judged,
        acts: &[&["say", "{}", "we get a second writer in August"], RESUME],
    },
];
