//! Duels that nobody steers.

use agon_testkit::{Behaviour, Script, add};

use super::{CONTINUE, RESUME, Recipe, for_the_challenger, one_round};
use crate::scenarios::unchanged::world::{World, duel};
use crate::support::biased::for_the_first_shown;

const ASK: &[&str] = &["ask", "{}", "Why did the challenger give up flock?"];
const REPORT: &[&str] = &["report", "{}"];

/// Makes a duel in which `tool` does this in `turn`, and which ends with this code.
fn spoiled(
    world: &World,
    (tool, turn): (&str, &str),
    behaviour: Behaviour,
    args: (&str, i32, &[&str]),
) {
    let (name, code, more) = args;
    world.fakes.tools.set_scenario(tool, turn, behaviour);
    world.duel(name, code, more);
}

const PANEL: [&str; 8] = [
    "--rounds", "1", "--judge", "gemini", "--judge", "opencode", "--judge", "codex",
];

fn agreed() -> Script {
    let script = Script::job_store();
    let answer = script.turns["r0.pro"].clone();
    script.turn("r0.cha", answer)
}

fn split() -> Script {
    for_the_challenger(one_round(), "verdict.judge-2")
}

fn precedents(world: &World, name: &str) {
    world.duel("earlier", 0, &["--quick"]);
    world.duel(name, 0, &["--quick", "--with-precedents", "--again"]);
}

fn configured(world: &World, name: &str) {
    let rules = "[rules]\nduel-praise = \"error\"\n";
    add(&world.project(), "agon.toml", rules);
    world.configure("[graph]\ngrounds = 0.9\n");
    let more = [
        "--quick",
        "--model-proposer",
        "opus",
        "--effort-judge",
        "high",
        "--max-cost",
        "2",
    ];
    world.duel(name, 0, &more);
}

pub(super) const RECIPES: &[Recipe] = &[
    Recipe {
        name: "duel",
        script: Script::job_store_three_rounds,
        make: |world, name| {
            world.script(&Script::job_store());
            world.duel(name, 0, &[]);
        },
        acts: &[ASK, REPORT, CONTINUE],
    },
    Recipe {
        name: "duel-quick",
        script: one_round,
        make: |world, name| world.duel(name, 0, &["--quick"]),
        acts: &[REPORT],
    },
    Recipe {
        name: "duel-panel-split",
        script: split,
        make: |world, name| world.duel(name, 0, &PANEL),
        acts: &[],
    },
    Recipe {
        name: "duel-panel-judge-lost",
        script: one_round,
        make: |world, name| {
            let lost = ("opencode", "verdict.judge-2");
            spoiled(world, lost, Behaviour::WrongAlways, (name, 0, &PANEL));
        },
        acts: &[CONTINUE],
    },
    Recipe {
        name: "duel-swap-flipped",
        script: for_the_first_shown,
        make: |world, name| world.duel(name, 0, &[]),
        acts: &[],
    },
    Recipe {
        name: "duel-swap-lost",
        script: one_round,
        make: |world, name| {
            let lost = ("gemini", "verdict.swap");
            spoiled(world, lost, Behaviour::Empty, (name, 0, &["--rounds", "1"]));
        },
        acts: &[],
    },
    Recipe {
        name: "duel-judge-replaced",
        script: one_round,
        make: |world, name| {
            let lost = ("gemini", "verdict.judge");
            spoiled(world, lost, Behaviour::Garbage, (name, 0, &["--quick"]));
        },
        acts: &[],
    },
    Recipe {
        name: "duel-agreed",
        script: agreed,
        make: |world, name| world.duel(name, 0, &[]),
        acts: &[],
    },
    Recipe {
        name: "duel-partial",
        script: Script::job_store,
        make: |world, name| {
            let lost = ("codex", "r2.cha");
            spoiled(world, lost, Behaviour::Rc1, (name, 0, &["--no-swap"]));
        },
        acts: &[CONTINUE],
    },
    Recipe {
        name: "duel-uncontested",
        script: one_round,
        make: |world, name| {
            let lost = ("codex", "r1.cha");
            spoiled(world, lost, Behaviour::Garbage, (name, 7, &["--quick"]));
        },
        acts: &[],
    },
    Recipe {
        name: "duel-sent-back",
        script: one_round,
        make: |world, name| {
            let wrong = Behaviour::WrongThenRight;
            spoiled(world, ("codex", "r1.cha"), wrong, (name, 0, &["--quick"]));
        },
        acts: &[],
    },
    Recipe {
        name: "duel-halted",
        script: one_round,
        make: |world, name| {
            let lost = ("claude", "r1.pro");
            spoiled(world, lost, Behaviour::Empty, (name, 1, &["--quick"]));
        },
        acts: &[RESUME],
    },
    Recipe {
        name: "duel-logged-out",
        script: one_round,
        make: |world, name| {
            let lost = ("codex", "r1.cha");
            spoiled(world, lost, Behaviour::Auth, (name, 4, &["--quick"]));
        },
        acts: &[RESUME],
    },
    Recipe {
        name: "duel-out-of-calls",
        script: one_round,
        make: |world, name| {
            let lost = ("claude", "r1.pro");
            let more = ["--quick", "--max-calls", "3"];
            spoiled(world, lost, Behaviour::WrongAlways, (name, 1, &more));
        },
        acts: &[RESUME],
    },
    Recipe {
        name: "duel-configured",
        script: one_round,
        make: configured,
        acts: &[],
    },
    Recipe {
        name: "duel-precedents",
        script: one_round,
        make: precedents,
        acts: &[],
    },
    Recipe {
        name: "duel-on-a-file",
        script: one_round,
        make: |world, name| world.duel(name, 0, &["--quick", "--context", "file=src/store.rs"]),
        acts: &[CONTINUE],
    },
    Recipe {
        name: "duel-on-a-change",
        script: one_round,
        make: |world, name| world.duel(name, 0, &["--quick", "--context", "diff"]),
        acts: &[],
    },
    Recipe {
        name: "duel-on-a-project",
        script: Script::job_store,
        make: |world, name| {
            world.stopped_in("r2.cha", &duel(name, &["--context", "repo", "--no-swap"]));
        },
        acts: &[RESUME],
    },
    Recipe {
        name: "duel-meddled-with",
        script: one_round,
        make: |world, name| {
            let more = ["--quick", "--context", "repo"];
            spoiled(
                world,
                ("claude", "r1.pro"),
                Behaviour::Meddle,
                (name, 0, &more),
            );
        },
        acts: &[],
    },
    Recipe {
        name: "duel-in-conversations",
        script: Script::job_store,
        make: |world, name| world.duel(name, 0, &["--transport", "acp", "--no-swap"]),
        acts: &[],
    },
];
