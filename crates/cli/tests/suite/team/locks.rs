//! `agon team lock`: what it prints, and how it exits.

use super::Repository;

/// A team in which ada has t1 and bob has t2.
fn at_work() -> Repository {
    let team = Repository::with_team();
    for title in ["Greet by name", "Document it"] {
        team.json("lea", &["task", "add", title]);
    }
    team.json("ada", &["task", "claim", "t1"]);
    team.json("bob", &["task", "claim", "t2"]);
    team
}

const OF_ADA: [&str; 4] = ["--task", "t1", "--epoch", "1"];
const OF_BOB: [&str; 4] = ["--task", "t2", "--epoch", "1"];

fn take<'a>(globs: &[&'a str], of: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [&["lock", "take"], globs, of, more].concat()
}

#[test]
fn a_lock_that_overlaps_waits_and_is_granted_when_the_other_ends() {
    let team = at_work();
    let granted = team.json("ada", &take(&["src/**", "greet.sh"], &OF_ADA, &[]));
    assert_eq!(granted["lock"]["granted"], true);
    let ran = team.run(
        "bob",
        &take(&["src/*.rs"], &OF_BOB, &["--reason", "docs of it"]),
    );
    assert_eq!(ran.code, Some(7));
    assert_eq!(
        ran.stdout,
        "l2 waits for src/*.rs, behind l1 of ada (t1)\nnext: do other work until agon team lock \
         list says that l2 holds; agon team lock release l2 withdraws it\n"
    );
    let apart = team.json("bob", &take(&["docs/**"], &OF_BOB, &[]));
    assert_eq!(apart["lock"]["granted"], true);
    let board = team.run("lea", &["status", "--width", "80"]).stdout;
    for line in [
        "l1  t1 ada  holds exclusive  src/** greet.sh",
        "l2  t2 bob  waits exclusive  src/*.rs: docs of it",
        "waits for lock l2, behind t1",
    ] {
        let flat = board.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&line), "{line}\n{board}");
    }
    let widest = board.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{board}");

    let (_, message, _) = team.refused("bob", &["lock", "release", "l1", "--epoch", "1"]);
    assert_eq!(message, "t1 is held by ada, not by bob");
    let (_, message, _) = team.refused("ada", &["lock", "release", "l9", "--epoch", "1"]);
    assert_eq!(message, "this task has no lock l9");
    assert_eq!(
        team.json("ada", &["lock", "release", "l1", "--epoch", "1"])["lock"],
        "l1"
    );
    let locks = team.json("bob", &["lock", "list"]);
    let states: Vec<_> = locks["locks"].as_array().unwrap().iter().collect();
    let states: Vec<_> = states
        .iter()
        .map(|one| (&one["id"], &one["granted"]))
        .collect();
    assert_eq!(
        states,
        [(&"l2".into(), &true.into()), (&"l3".into(), &true.into())]
    );
}
