//! Which debate is taken where none is named, and where debates are looked for.

use std::fs;

use agon_testkit::Script;

use crate::cli::folder::{debate, halted, other, spec};
use crate::cli::harness::Agon;

const ALL: usize = usize::MAX;

/// A project with a debate that is done, one that failed and, last, one that is under way.
fn three() -> Agon {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    let done = debate(&debates, spec("job-store"), &Script::job_store(), ALL);
    let failed = halted(&debates, other("stuck", 2), &Script::job_store(), 3);
    agon.own(&done);
    agon.own(&failed);
    agon
}

#[test]
fn the_latest_is_read_and_said() {
    let agon = three();
    let named = agon.run(&["show", "job-store", "--json"]);
    assert_eq!(named.stderr, "");
    let listed = agon.run(&["list", "--json"]).json();
    let latest = listed["debates"][0]["debate"].as_str().unwrap().to_owned();
    for command in ["show", "check", "evidence"] {
        let taken = agon.run(&[command]);
        let said = format!("{latest}: the latest of 2 in ./debates");
        assert!(taken.stderr.contains(&said), "{command}: {}", taken.stderr);
        assert_eq!(
            taken.stdout,
            agon.run(&[command, &latest]).stdout,
            "{command}"
        );
    }
}

#[test]
fn the_only_one_that_can_go_on_is_resumed() {
    let agon = three();
    let taken = agon.run(&["resume"]);
    assert!(
        taken
            .stderr
            .contains("stuck: the only one to go on with of 2 in ./debates"),
        "{}",
        taken.stderr
    );
    let under_way = debate(
        &agon.project().join("debates"),
        other("under-way", 3),
        &Script::job_store(),
        2,
    );
    agon.own(&under_way);
    let several = agon.run(&["resume"]);
    assert_eq!(several.code, Some(2));
    assert!(several.stderr.contains("2 debates in ./debates can go on"));
    assert!(several.stderr.contains("under-way") && several.stderr.contains("stuck"));
    assert!(!several.stderr.contains("job-store"), "{}", several.stderr);
}

#[test]
fn what_speaks_to_a_running_debate_takes_none_that_is_done() {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    debate(&debates, spec("job-store"), &Script::job_store(), ALL);
    let second = other("tabs-or-spaces", 2);
    debate(&debates, second, &Script::job_store(), ALL);
    for command in ["stop", "wait", "judge"] {
        let none = agon.run(&[command]);
        assert_eq!(none.code, Some(2), "{command}");
        let said = "no debate is running in ./debates";
        assert!(none.stderr.contains(said), "{command}: {}", none.stderr);
    }
    let resumed = agon.run(&["resume"]);
    assert!(
        resumed
            .stderr
            .contains("no debate was stopped in ./debates")
    );
    assert!(resumed.stderr.contains("agon continue NAME"));
}

#[test]
fn one_that_is_done_says_so_when_it_is_resumed() {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    debate(&debates, spec("job-store"), &Script::job_store(), ALL);
    let resumed = agon.run(&["resume", "job-store"]);
    assert_eq!(resumed.code, Some(0));
    let said = "job-store is done already; agon continue job-store adds rounds";
    assert!(resumed.stderr.contains(said), "{}", resumed.stderr);
}

#[test]
fn debates_are_looked_for_upwards_to_the_top_of_the_project() {
    let agon = three();
    let below = agon.project().join("src/deep");
    fs::create_dir_all(&below).unwrap();
    fs::write(agon.project().join("agon.toml"), "").unwrap();
    let listed = agon.run_in(&below, &["list"]);
    assert!(listed.stdout.contains("job-store"), "{listed:?}");
    let shown = agon.run_in(&below, &["show", "job-store"]);
    assert_eq!(shown.code, Some(0));

    // A project of its own below has debates of its own.
    fs::write(agon.project().join("src/agon.toml"), "").unwrap();
    let own = agon.run_in(&below, &["list"]);
    assert_eq!(own.stdout, "");
    assert!(
        own.stderr.contains("no debates in ./debates yet"),
        "{own:?}"
    );
    // A folder that is named is that one.
    let named = agon.run_in(&below, &["list", "--debates-dir", "debates"]);
    assert_eq!(named.stdout, "");
}
