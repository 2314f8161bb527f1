//! An older build of the program, beside the one under test.
//!
//! `AGON_OLDER_PROGRAM` names it. With it, debates that are recorded now are read by both, and where
//! a recorded debate is read otherwise than it was, the first lines that differ are shown: of what
//! is long only a hash is recorded.

use std::path::{Path, PathBuf};

use super::fixture::Recorded;
use super::printed::Block;
use super::world::World;
use super::{commands, fixture, printed, recipes, recording};

/// Lines that are shown of a difference.
const MAX_SHOWN: usize = 6;

/// The older build, where one is named.
fn older() -> Option<PathBuf> {
    std::env::var_os("AGON_OLDER_PROGRAM").map(PathBuf::from)
}

/// How the two builds differ in what they print of a recorded debate; nothing without an older one.
pub(super) fn explain(recorded: &Recorded, differing: &[Block]) -> Vec<String> {
    let Some(older) = older().filter(|_| !differing.is_empty()) else {
        return Vec::new();
    };
    let worlds = [World::of(&older), World::new()];
    for world in &worlds {
        world.lay_out(&recorded.name, &recorded.files());
    }
    let explain = |block: &Block| {
        let args: Vec<_> = block.head.split(' ').collect();
        let [then, now] = [&worlds[0], &worlds[1]].map(|world| {
            let ran = world.command(&args).output().unwrap();
            let text = [ran.stdout, ran.stderr].concat();
            String::from_utf8_lossy(&text).into_owned()
        });
        let pairs = then
            .lines()
            .zip(now.lines())
            .filter(|(then, now)| then != now);
        let shown = pairs.take(MAX_SHOWN);
        let shown: String = shown
            .map(|(then, now)| format!("< {then}\n> {now}\n"))
            .collect();
        format!("{}, by both builds:\n{shown}", block.head)
    };
    differing.iter().map(explain).collect()
}

/// Debates that are made anew.
const MADE: &[&str] = &[
    "duel",
    "duel-panel-split",
    "duel-swap-flipped",
    "duel-with-a-run",
    "duel-continued",
    "duel-person-writes",
    "duel-on-a-project",
    "duel-on-a-file",
    "duel-with-wishes-waiting",
    "formal",
    "formal-panel",
    "formal-side-lost",
    "formal-brought",
];

#[test]
fn what_is_recorded_now_is_read_by_an_older_build_as_by_this_one() {
    let Some(older) = older() else {
        eprintln!("skipped: AGON_OLDER_PROGRAM names no older build of the program");
        return;
    };
    let wrong = fixture::each(MADE, |_, name| {
        let world = World::new();
        let recipe = recipes::named(name).unwrap();
        world.script(&(recipe.script)());
        (recipe.make)(&world, name);
        let files = recording::recordable(&world, name);
        let commands = commands::on(name, 0, true);
        let printed = [Path::new(env!("CARGO_BIN_EXE_agon")), older.as_path()].map(|program| {
            let world = World::of(program);
            world.lay_out(name, &files);
            commands::print(&world, &commands)
        });
        let [now, then] = printed;
        printed::differences(name, &then, &now)
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
