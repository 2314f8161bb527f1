//! Formal debates.

use std::fs;

use agon_testkit::{Behaviour, Script};
use serde_json::{Value, json};

use super::{RESUME, Recipe};
use crate::scenarios::unchanged::world::World;

const MOTION: &str = "This house would read every change before it is merged";
const SEATS: [&str; 6] = [
    "--proposition",
    "claude",
    "--opposition",
    "codex",
    "--judge",
    "gemini",
];
const RUN: &[&str] = &["run", "{}", "1", "--json"];
/// A run that names its seats, where there were none.
const RUN_SEATED: &[&str] = &[
    "run",
    "{}",
    "1",
    "--json",
    "--proposition",
    "claude",
    "--opposition",
    "codex",
    "--judge",
    "gemini",
];

fn opened(world: &World, name: &str, more: &[&str]) {
    world.ends(0, &[&["new", name, "--motion", MOTION], more].concat());
}

/// The arguments of a run of so many rebuttals.
fn run<'a>(name: &'a str, rebuttals: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", name, rebuttals, "--json"], &SEATS[..], more].concat()
}

fn played(world: &World, name: &str, rebuttals: &str) {
    opened(world, name, &[]);
    world.ends(0, &run(name, rebuttals, &[]));
}

fn lost(world: &World, name: &str, (tool, turn): (&str, &str)) {
    played(world, name, "0");
    world
        .fakes
        .tools
        .set_scenario(tool, turn, Behaviour::WrongAlways);
    world.ends(1, &["run", name, "1", "--json"]);
}

/// Of a folder that was played here, only what the other tool that keeps such folders writes.
fn imported(world: &World, name: &str) {
    played(world, name, "1");
    let folder = world.folder(name);
    fs::remove_dir_all(folder.join(".agon")).unwrap();
    for ours in [
        ".gitattributes",
        "argument-graph.mmd",
        "transcript.md",
        "verdict.json",
        "verdict.md",
    ] {
        fs::remove_file(folder.join(ours)).unwrap();
    }
}

fn argument(title: &str) -> Value {
    json!({
        "title": title,
        "claim": title,
        "grounds": [{
            "source": "Incident review of March",
            "content": "A reader found the fault that the tests had missed.",
            "relevance": "It shows the loss at the place in question.",
        }],
        "warrant": "What was missed once will be missed again.",
        "backing": "Every team of this kind has met the same fault.",
        "qualifier": "With more than one author",
    })
}

/// Arguments and scores that are brought by hand.
fn brought(world: &World, name: &str) {
    opened(world, name, &[]);
    let case = |of: &str| {
        let titles = ["one", "two", "three"].map(|nth| format!("Claim {nth} for the {of}"));
        Value::from(titles.map(|title| argument(&title)).to_vec()).to_string()
    };
    let prop = world.beside("prop.json", &case("proposition"));
    let opp = world.beside("opp.json", &case("opposition"));
    let step = ["ops", "process-exchange", name, "0"];
    world.ends(
        0,
        &[&step[..], &["--prop-file", prop, "--opp-file", opp]].concat(),
    );
    let scored = [
        ("prop_000a", 0.3),
        ("prop_000b", 0.1),
        ("prop_000c", -0.2),
        ("opp_000a", -0.3),
        ("opp_000b", 0.2),
        ("opp_000c", -0.1),
    ];
    let scored = scored.map(|(id, score)| {
        json!({ "argument_id": id, "score": score, "reasoning": "It meets the point and shows it." })
    });
    let scores = json!({ "scores": scored }).to_string();
    let file = world.beside("judge.json", &scores);
    world.ends(0, &["ops", "process-judge", name, "--json-file", file]);
}

pub(super) const RECIPES: &[Recipe] = &[
    Recipe {
        name: "formal-new",
        script: Script::formal,
        make: |world, name| opened(world, name, &[]),
        acts: &[RUN_SEATED],
    },
    Recipe {
        name: "formal-defined",
        script: Script::formal,
        make: |world, name| {
            let more = [
                "--define",
                "change=a commit",
                "--scope",
                "The next ten years",
                "--thesis-for",
                "Read every change.",
                "--thesis-against",
                "Read what is risky.",
                "--context",
                "file=src/store.rs",
            ];
            opened(world, name, &more);
            world.ends(0, &run(name, "0", &[]));
        },
        acts: &[RUN],
    },
    Recipe {
        name: "formal",
        script: Script::formal,
        make: |world, name| played(world, name, "2"),
        acts: &[
            &["report", "{}"],
            &["ask", "{}", "Who leads?", "--seat", "judge"],
            RUN,
        ],
    },
    Recipe {
        name: "formal-panel",
        script: Script::formal,
        make: |world, name| {
            opened(world, name, &[]);
            let more = ["--judge", "opencode", "--judge", "codex"];
            world.ends(0, &run(name, "1", &more));
        },
        acts: &[],
    },
    Recipe {
        name: "formal-stopped-in-theses",
        script: Script::formal,
        make: |world, name| {
            opened(world, name, &[]);
            world.stopped_in("theses.judge", &run(name, "0", &[]));
        },
        acts: &[RESUME],
    },
    Recipe {
        name: "formal-stopped-between-sides",
        script: Script::formal,
        make: |world, name| {
            opened(world, name, &[]);
            world.stopped_in("r0.opp", &run(name, "0", &[]));
        },
        acts: &[RESUME],
    },
    Recipe {
        name: "formal-stopped-before-the-judge",
        script: Script::formal,
        make: |world, name| {
            opened(world, name, &[]);
            world.stopped_in("r0.judge", &run(name, "0", &[]));
        },
        acts: &[RESUME],
    },
    Recipe {
        name: "formal-side-lost",
        script: Script::formal,
        make: |world, name| lost(world, name, ("codex", "r1.opp")),
        acts: &[RESUME],
    },
    Recipe {
        name: "formal-judge-lost",
        script: Script::formal,
        make: |world, name| lost(world, name, ("gemini", "r1.judge")),
        acts: &[RESUME],
    },
    Recipe {
        name: "formal-out-of-calls",
        script: Script::formal,
        make: |world, name| {
            played(world, name, "0");
            world.ends(5, &["run", name, "1", "--max-calls", "2", "--json"]);
        },
        acts: &[RUN],
    },
    Recipe {
        name: "formal-brought",
        script: Script::formal,
        make: brought,
        acts: &[],
    },
    Recipe {
        name: "formal-imported",
        script: Script::formal,
        make: imported,
        acts: &[RUN_SEATED],
    },
    Recipe {
        name: "formal-imported-and-played",
        script: Script::formal,
        make: |world, name| {
            imported(world, name);
            world.ends(0, &run(name, "1", &[]));
        },
        acts: &[RUN],
    },
];
