//! Recorded debates taken further: what is printed, recorded and written then.

use std::fs;

use agon_testkit::sample;

use super::bundle::Files;
use super::commands::filled;
use super::fixture::{self, Recorded};
use super::printed::{self, Block};
use super::reading::laid_out;
use super::recipes::{self, Recipe};
use super::world::World;
use super::{bundle, gained};
use crate::scenarios::human::{ALTERNATIVE, CHALLENGE, RULING};

/// Debates that are taken further by default.
const SAMPLE: usize = 12;

/// The program takes the debate further, as its recipe says.
pub(super) fn act(world: &World, recipe: &Recipe) -> Vec<Block> {
    world.script(&(recipe.script)());
    world.beside("whole.md", &format!("{CHALLENGE}{ALTERNATIVE}"));
    world.beside("ruling.md", RULING);
    let act = |words: &&[&str]| step(world, recipe.name, &filled(words, recipe.name));
    recipe.acts.iter().map(act).collect()
}

/// One step of it.
pub(super) fn step(world: &World, name: &str, args: &[String]) -> Block {
    let before = files(world, name);
    let words: Vec<_> = args.iter().map(String::as_str).collect();
    let ran = world.run(&words);
    let after = files(world, name);
    gained::block(world, args, &ran, (&before, &after))
}

/// The files of the debate, and what host programs read of the last one.
fn files(world: &World, name: &str) -> Files {
    let mut files = bundle::of_folder(&world.folder(name));
    let last = world.project().join("debates/.agon/last-debate.json");
    if let Ok(bytes) = fs::read(last) {
        files.insert("last-debate.json".to_owned(), bytes);
    }
    files
}

/// The recorded debates that can be taken further, each with its recipe.
pub(super) fn all() -> Vec<(Recorded, &'static Recipe)> {
    let with_recipe = |recorded: Recorded| {
        let recipe = recipes::named(&recorded.name)?;
        (!recipe.acts.is_empty()).then_some((recorded, recipe))
    };
    fixture::all().into_iter().filter_map(with_recipe).collect()
}

#[test]
fn every_recorded_debate_that_can_go_on_gains_what_it_gained_when_it_was_recorded() {
    let all = all();
    assert!(all.len() >= 20, "{} debates", all.len());
    let all = sample("debates that can go on", all, SAMPLE);
    let wrong = fixture::each(&all, |_, (recorded, recipe)| {
        let world = laid_out(recorded);
        let now = act(&world, recipe);
        let before = printed::from_text(&recorded.text("gained"));
        let mut wrong = printed::differences(&recorded.name, &before, &now);
        let replayed = world.run(&["replay", &recorded.name, "--speed", "0"]);
        if replayed.code != Some(0) {
            wrong.push(format!("{}: {replayed:#?}", recorded.name));
        }
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
