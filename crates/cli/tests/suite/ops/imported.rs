//! Steps and reports in a folder that another tool keeps: all of it or nothing.

use std::fs;

use agon_samples::steps::rebuttal;

use crate::ops::world::World;

/// A debate as another tool keeps it, which waits for exchange 1.
fn foreign() -> World {
    let world = World::before(1);
    for name in world.files().keys() {
        let kept = ["debate.md", "scores.json", "argument-graph.mmd"].contains(&name.as_str());
        if !kept && !name.starts_with("arguments/") {
            fs::remove_file(world.folder().join(name)).unwrap();
        }
    }
    fs::remove_dir_all(world.folder().join(".agon")).unwrap();
    world
}

fn good(side: &str) -> String {
    rebuttal(side, 1).to_string()
}

#[test]
fn a_first_step_that_is_refused_leaves_nothing_behind() {
    let world = foreign();
    let before = world.files();
    // Broken rules, the wrong exchange, no judgment due.
    let said = world.exchange(1, "{}", &good("opp"));
    assert_eq!(said.code, Some(1));
    assert!(
        said.errors().contains("title: this is missing"),
        "{}",
        said.stdout
    );
    assert_eq!(world.exchange(7, &good("prop"), &good("opp")).code, Some(1));
    assert_eq!(world.judgment("{}").code, Some(1));
    assert!(world.files() == before, "{:?}", world.files().keys());
    // A file in the way is found before the folder becomes ours.
    fs::write(world.folder().join("transcript.md"), "mine\n").unwrap();
    let before = world.files();
    let said = world.exchange(1, &good("prop"), &good("opp"));
    assert_eq!(said.code, Some(1));
    assert!(said.errors().contains("transcript.md"), "{}", said.stdout);
    assert!(world.files() == before, "{:?}", world.files().keys());
    fs::remove_file(world.folder().join("transcript.md")).unwrap();
    // What is right is taken.
    let said = world.exchange(1, &good("prop"), &good("opp"));
    assert_eq!(said.code, Some(0), "{}", said.stdout);
    assert!(world.folder().join(".agon/journal.jsonl").is_file());
}

#[test]
fn a_report_of_another_tools_debate_is_refused_whole_or_written_whole() {
    let world = foreign();
    fs::write(world.folder().join("README.md"), "mine\n").unwrap();
    let before = world.files();
    let said = world.run(&["report", "d"], None);
    assert_eq!(said.code, Some(6), "{}", said.stderr);
    for told in ["README.md", "-o DIR", "agon report d --force"] {
        assert!(said.stderr.contains(told), "{told}: {}", said.stderr);
    }
    assert!(world.files() == before, "{:?}", world.files().keys());
    let said = world.run(&["report", "d", "-o", "there"], None);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    assert!(world.files() == before, "{:?}", world.files().keys());
    let there = world.folder().with_file_name("there");
    assert!(there.join("report.html").is_file() && there.join("argument-graph.mmd").is_file());
    let said = world.run(&["report", "d", "--force"], None);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let after = world.files();
    assert!(after["README.md"].starts_with(b"# "));
    // What the note says of arguments and scores is so.
    assert!(
        said.stderr.contains("they and their scores stay unchanged"),
        "{}",
        said.stderr
    );
    for (name, bytes) in before
        .iter()
        .filter(|(name, _)| name.starts_with("arguments/") || name.as_str() == "scores.json")
    {
        assert!(after[name] == *bytes, "{name}");
    }
}
