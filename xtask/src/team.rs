//! `cargo xtask team`: what a team's store, rules and commands are held to, at length.

use std::process::Command;

use anyhow::{Context, Result};

use crate::{
    clis::{self, Programs},
    test, workspace,
};

/// What the tests take from the environment, each with what a full run gives it.
const FULL: [(&str, &str); 4] = [
    // Random sequences of requests by four members.
    ("AGON_TEAM_SEQUENCES", "100000"),
    // Runs of each race of eight processes for 400 tasks.
    ("AGON_TEAM_RACES", "20"),
    // A process is killed at every statement of every request.
    ("AGON_TEAM_CRASHES", "1"),
    // Every kind of healthy member is watched a hundred times, and a run killed at 30 instants.
    ("AGON_TEAM_FULL", "1"),
];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// 100,000 sequences, 20 runs of each race, a kill at every statement, 100 of each healthy kind
    #[arg(long)]
    full: bool,
}

/// Runs the tests of the team's crate, with the figures of its races, and those of its commands.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let metadata = workspace::members()?;
    let store = workspace::cargo(&metadata, &["test", "-p", "agon-team", "--test", "suite"]);
    let programs = Programs::tools_alone(clis::prepare_tools(&metadata)?);
    let mut commands = test::command(&metadata, &["test", "--test", "suite"], &programs);
    commands.args(["--", "team::"]);
    let mut passed = true;
    // The second is run whatever came of the first: each takes long, and both have figures.
    for (mut tests, end) in [(store, &["--"][..]), (commands, &[])] {
        if args.full {
            tests.envs(FULL);
        }
        // One at a time: what is measured is the time of one, and what is watched has limits.
        tests.args(end).args(["--nocapture", "--test-threads=1"]);
        passed &= succeeds(&mut tests)?;
    }
    Ok(passed)
}

fn succeeds(tests: &mut Command) -> Result<bool> {
    let status = tests
        .status()
        .with_context(|| format!("cannot run {tests:?}"))?;
    Ok(status.success())
}
