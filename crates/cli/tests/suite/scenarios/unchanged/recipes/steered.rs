//! Duels that were stopped or killed, and those that their user steers.

use std::fs;

use agon_testkit::Script;

use super::{CONTINUE, RESUME, Recipe, one_round};
use crate::scenarios::unchanged::world::{World, duel};

/// A wish that waits for the next writer of the debate.
fn wish(world: &World, name: &str, (id, wish): (&str, &str)) {
    let inbox = world.folder(name).join(".agon/inbox");
    fs::create_dir_all(&inbox).unwrap();
    fs::write(inbox.join(".gitignore"), "*\n").unwrap();
    let text = format!("{{\"v\":1,\"id\":\"{id}\",{wish}}}");
    fs::write(inbox.join(format!("{id}.json")), text).unwrap();
}

fn noted(world: &World, name: &str) {
    world.stopped_in("r1.pro", &duel(name, &["--quick"]));
    world.ends(0, &["say", name, "we get a second writer in August"]);
    world.ends(0, &["say", name, "and the disk is slow"]);
    world.ends(0, &["resume", name]);
}

fn ran(world: &World, name: &str) {
    world.stopped_in("r1.cha", &duel(name, &["--quick"]));
    let tests = "echo 'claim: 3 passed, 1 failed'; exit 1";
    world.ends(0, &["say", name, "--run", tests]);
    world.ends(0, &["resume", name]);
}

fn ordered(world: &World, name: &str) {
    world.stopped_in("r1.cha", &duel(name, &["--rounds", "2", "--no-swap"]));
    let note = "\"wish\":\"note\",\"text\":\"left over\"";
    wish(world, name, ("01JD000000000000000000000A", note));
    let judge = "\"wish\":\"order\",\"order\":\"judge\"";
    wish(world, name, ("01JD000000000000000000000B", judge));
}

fn longer(world: &World, name: &str) {
    world.stopped_in("r1.cha", &duel(name, &["--rounds", "1", "--no-swap"]));
    let more = "\"wish\":\"order\",\"order\":\"rounds\",\"more\":1";
    wish(world, name, ("01JD000000000000000000000C", more));
}

fn continued(world: &World, name: &str) {
    world.duel(name, 0, &["--rounds", "1", "--no-swap"]);
    world.ends(0, &["continue", name, "--note", "a second writer comes"]);
}

pub(super) const RECIPES: &[Recipe] = &[
    Recipe {
        name: "duel-stopped-in-first-answers",
        script: one_round,
        make: |world, name| {
            world.stopped_in("r0.cha", &duel(name, &["--rounds", "1", "--no-swap"]));
        },
        acts: &[RESUME],
    },
    Recipe {
        name: "duel-stopped-before-the-proposer",
        script: one_round,
        make: |world, name| world.stopped_in("r1.pro", &duel(name, &["--quick"])),
        acts: &[&["stop", "{}"], &["judge", "{}"], RESUME],
    },
    Recipe {
        name: "duel-killed-before-the-challenger",
        script: one_round,
        make: |world, name| world.killed_after(5, &duel(name, &["--quick"])),
        acts: &[RESUME],
    },
    Recipe {
        name: "duel-stopped-before-the-verdict",
        script: one_round,
        make: |world, name| {
            world.stopped_in("verdict.judge", &duel(name, &["--quick"]));
        },
        acts: &[&["say", "{}", "one writer is all there is"], RESUME],
    },
    Recipe {
        name: "duel-noted",
        script: one_round,
        make: noted,
        acts: &[],
    },
    Recipe {
        name: "duel-with-a-run",
        script: one_round,
        make: ran,
        acts: &[],
    },
    Recipe {
        name: "duel-with-wishes-waiting",
        script: one_round,
        make: ordered,
        acts: &[RESUME],
    },
    Recipe {
        name: "duel-with-a-round-wanted",
        script: Script::job_store,
        make: longer,
        acts: &[RESUME],
    },
    Recipe {
        name: "duel-continued",
        script: one_round,
        make: continued,
        acts: &[CONTINUE],
    },
];
