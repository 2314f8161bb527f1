//! `agon team lock`: granted, waited for, given up.

use std::time::Duration;

use agon_testkit::add;

use super::Repository;
use crate::support::Running;

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
    assert_eq!(ran.stdout, "l2 waits for src/*.rs, behind l1 of ada (t1)\n");
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

#[test]
fn shared_locks_go_together_and_a_stale_epoch_gets_none() {
    let team = at_work();
    team.json("ada", &take(&["Cargo.toml"], &OF_ADA, &["--shared"]));
    let second = team.json("bob", &take(&["Cargo.toml"], &OF_BOB, &["--shared"]));
    assert_eq!(second["lock"]["granted"], true);
    team.json(
        "ada",
        &["task", "release", "t1", "--epoch", "1", "--note", "later"],
    );
    let locks = team.json("bob", &["lock", "list"]);
    assert_eq!(
        locks["locks"].as_array().unwrap().len(),
        1,
        "they end with the lease"
    );
    team.json("ada", &["task", "claim", "t1"]);
    let (_, message, _) = team.refused("ada", &take(&["a"], &OF_ADA, &[]));
    assert!(message.contains("epoch 1 of t1 is over"), "{message}");
    for bad in ["/etc/passwd", "../x", ""] {
        team.refused("ada", &take(&[bad], &["--task", "t1", "--epoch", "2"], &[]));
    }
}

#[test]
fn who_waits_gets_the_lock_when_the_other_ends_or_stops_at_its_time() {
    let team = at_work();
    team.json("ada", &take(&["src"], &OF_ADA, &[]));
    let late = team.run("bob", &take(&["src"], &OF_BOB, &["--wait", "1s", "--json"]));
    assert_eq!(late.code, Some(7));
    assert!(late.took >= Duration::from_secs(1), "{:?}", late.took);
    team.json("bob", &["lock", "release", "l2", "--epoch", "1"]);

    let args = take(&["src"], &OF_BOB, &["--wait", "5m", "--json"]);
    let mut command = team.place.command(&[&["team"], &args[..]].concat());
    command.current_dir(team.tree("bob"));
    let waiting = Running::start(command);
    waiting.until("the wait", || {
        let locks = team.json("lea", &["lock", "list"]);
        locks["locks"].as_array().unwrap().len() == 2
    });
    team.json("ada", &["lock", "release", "l1", "--epoch", "1"]);
    let ran = waiting.end();
    assert_eq!(
        (ran.code, &ran.json()["lock"]["granted"]),
        (Some(0), &true.into())
    );

    // Two that wait for each other: the one that was claimed last gives way.
    team.json("ada", &take(&["docs"], &OF_ADA, &[]));
    assert_eq!(team.run("ada", &take(&["src"], &OF_ADA, &[])).code, Some(7));
    let (_, message, hint) = team.refused("bob", &take(&["docs"], &OF_BOB, &[]));
    assert!(message.contains("would never end"), "{message}");
    assert!(hint.contains("give up a lock"), "{hint}");
}

#[test]
fn a_path_as_it_is_on_the_disk_is_what_is_locked() {
    let team = at_work();
    let tree = team.tree("ada");
    for path in [
        "app/[slug]/page.tsx",
        "app/[user-id]/page.tsx",
        "etc/conf.d/x.conf",
        "{{name}}/a*b.py",
    ] {
        add(&tree, path, "x\n");
    }
    for (n, (glob, written, inside)) in [
        (
            "app/[slug]/page.tsx",
            r"app/\[slug]/page.tsx",
            "app/[slug]/page.tsx",
        ),
        ("app/[user-id]", r"app/\[user-id]", "app/[user-id]/page.tsx"),
        ("etc/conf.d", "etc/conf.d/", "etc/conf.d/x.conf"),
        ("{{name}}", r"\{\{name\}\}", "{{name}}/a*b.py"),
        // Not there yet.
        (
            "app/[slug]/new.tsx",
            "app/[slug]/new.tsx",
            "app/[slug]/new.tsx",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let taken = team.json("ada", &take(&[glob], &OF_ADA, &[]));
        assert_eq!(taken["lock"]["globs"][0], written);
        let id = taken["lock"]["id"].as_str().unwrap();
        // bob's tree has none of these files.
        let ran = team.run("bob", &take(&[inside], &OF_BOB, &[]));
        assert_eq!(ran.code, Some(7), "{glob}: {}", ran.stdout);
        let waits = format!("l{}", 2 * n + 2);
        team.json("bob", &["lock", "release", &waits, "--epoch", "1"]);
        team.json("ada", &["lock", "release", id, "--epoch", "1"]);
    }
}
