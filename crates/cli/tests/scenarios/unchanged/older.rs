//! Debates of this program, read by an older build of it.

use std::path::Path;

use super::world::World;
use super::{commands, fixture, printed, recipes, recording};

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
    let Some(older) = std::env::var_os("AGON_OLDER_PROGRAM") else {
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
        let printed = [Path::new(env!("CARGO_BIN_EXE_agon")), Path::new(&older)].map(|program| {
            let world = World::of(program);
            world.lay_out(name, &files);
            commands::print(&world, &commands)
        });
        let [now, then] = printed;
        printed::differences(name, &then, &now)
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
