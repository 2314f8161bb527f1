//! Commands where no debate is named: what they say, and how they exit.

use agon_testkit::Script;

use crate::cli::folder::{debate, other, spec};
use crate::cli::harness::Agon;

const ALL: usize = usize::MAX;

/// A project with two debates that are done.
fn two() -> Agon {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    debate(&debates, spec("job-store"), &Script::job_store(), ALL);
    let second = other("tabs-or-spaces", 2);
    debate(&debates, second, &Script::job_store(), ALL);
    agon
}

#[test]
fn the_latest_is_read_and_named_on_stderr() {
    let agon = two();
    let named = agon.run(&["show", "tabs-or-spaces"]);
    assert_eq!(named.stderr, "");
    let said = "tabs-or-spaces: the latest of 2 in ./debates\n";
    for command in ["show", "check", "evidence"] {
        let taken = agon.run(&[command]);
        assert_eq!((taken.code, taken.stderr.as_str()), (Some(0), said));
    }
    assert_eq!(agon.run(&["show"]).stdout, named.stdout);
}

#[test]
fn what_speaks_to_a_running_debate_takes_none_that_is_done() {
    let agon = two();
    for command in ["stop", "wait", "judge"] {
        let none = agon.run(&[command]);
        assert_eq!(none.code, Some(2), "{command}");
        let said = "no running debate in ./debates";
        assert!(none.stderr.contains(said), "{command}: {}", none.stderr);
    }
}

#[test]
fn one_that_is_done_says_so_when_it_is_resumed() {
    let agon = two();
    let resumed = agon.run(&["resume", "job-store"]);
    assert_eq!(resumed.code, Some(0));
    let said = "job-store has already ended; run `agon continue job-store` to add rounds";
    assert!(resumed.stderr.contains(said), "{}", resumed.stderr);
}
