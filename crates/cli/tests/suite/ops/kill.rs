//! Killed at every write of a step: the step is taken or it is not, and the same step again goes
//! through and is answered once.

#![cfg(feature = "failpoints")]

use agon_samples::steps::{good, scores};
use serde_json::Value;

use crate::ops::world::{Said, World};

const POINTS: [&str; 6] = [
    "journal-append-before",
    "journal-append-middle",
    "journal-append-written",
    "journal-append-after",
    "projection-before",
    "projection-after",
];

/// Lines of the journal that are whole.
fn lines(world: &World) -> usize {
    world.read(".agon/journal.jsonl").matches('\n').count()
}

/// What the folder says, without times.
fn told(world: &World) -> Vec<(String, String)> {
    let files = world.files().into_iter();
    let files = files.filter(|(path, _)| !path.starts_with(".agon/"));
    files
        .map(|(path, bytes)| {
            let text = String::from_utf8(bytes).unwrap();
            let timeless = |line: &&str| !line.contains("\"scored_at\"");
            (
                path,
                text.lines().filter(timeless).collect::<Vec<_>>().join("\n"),
            )
        })
        .collect()
}

fn at_every_write(
    before: impl Fn() -> World,
    step: impl Fn(&World, Option<&str>) -> Said,
) -> usize {
    let whole = before();
    let lines_before = lines(&whole);
    let expected_answer = step(&whole, None).document();
    let expected = told(&whole);
    let mut killed = 0;
    for point in POINTS {
        for nth in 1.. {
            let world = before();
            let failpoint = format!("{point}:{nth}");
            let said = step(&world, Some(&failpoint));
            if !said.killed {
                assert_eq!(said.code, Some(0), "{failpoint}: {}", said.stdout);
                break;
            }
            killed += 1;
            let taken = lines(&world) - lines_before;
            assert!(taken <= 1, "{failpoint}: {taken} lines");
            let again = step(&world, None);
            assert_eq!(
                again.code,
                Some(0),
                "{failpoint}: {}{}",
                again.stdout,
                again.stderr
            );
            let answer: Value = again.document();
            assert_eq!(answer, expected_answer, "{failpoint}");
            assert_eq!(
                lines(&world),
                lines_before + 1,
                "{failpoint}: answered twice"
            );
            assert_eq!(told(&world), expected, "{failpoint}");
            let check = world.run(&["check", "d", "--json"], None).document();
            assert_eq!(check["sound"], true, "{failpoint}: {check}");
        }
    }
    killed
}

#[test]
fn killed_at_every_write_of_an_exchange() {
    let step = |world: &World, point: Option<&str>| {
        world.exchange_bytes(
            "0",
            good("prop", 0).as_bytes(),
            good("opp", 0).as_bytes(),
            point,
        )
    };
    let killed = at_every_write(World::new, step);
    assert!(killed > 12, "only {killed} points");
    eprintln!("exchange: killed at {killed} points, the step whole or absent at each");
}

#[test]
fn killed_at_every_write_of_a_judgment() {
    let before = || {
        let world = World::before(1);
        world.argue(1);
        world
    };
    let input = scores(1).to_string();
    let step = |world: &World, point: Option<&str>| world.judgment_bytes(input.as_bytes(), point);
    let killed = at_every_write(before, step);
    assert!(killed > 12, "only {killed} points");
    eprintln!("judgment: killed at {killed} points, the step whole or absent at each");
}
